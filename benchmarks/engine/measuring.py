"""Loads, requests and writes, timed on both engines by turns."""

from __future__ import annotations

import gc
import itertools
import os
import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from elasticsearch import Elasticsearch
from elasticsearch.helpers import bulk

from benchmarks.engine.answers import difference
from benchmarks.engine.entities import MAPPING, entities, entity
from benchmarks.engine.shapes import SHAPES

INDEX = "entities"

#: Documents that one engine loads before it is the other's turn.
_TURN = 20_000
_CHUNK = 2_000


@dataclass
class Times:
    """Milliseconds or seconds of the embedded engine and of the server, and what their answers differ in."""

    embedded: list[float] = field(default_factory=list)
    server: list[float] = field(default_factory=list)
    #: processor time of all requests: on a machine with other work it says more than the clock
    embedded_cpu: float = 0.0
    server_cpu: float = 0.0
    differences: list[str] = field(default_factory=list)

    def medians(self) -> tuple[float, float]:
        return statistics.median(self.embedded), statistics.median(self.server)


def create(clients: list[Elasticsearch]) -> None:
    settings = {"number_of_shards": 1, "number_of_replicas": 0}
    for client in clients:
        client.indices.create(index=INDEX, mappings=MAPPING, settings=settings)


def load(clients: list[Elasticsearch], first: int, last: int) -> tuple[list[float], list[float]]:
    """Seconds that each client took, and processor seconds of this process; making the entities is not counted."""
    took, worked = [0.0] * len(clients), [0.0] * len(clients)
    for start in range(first, last, _TURN):
        actions = [
            {"_index": INDEX, "_id": found["id"], "_source": found}
            for found in entities(start, min(start + _TURN, last))
        ]
        # thousands of entities at once are the benchmark's own: the garbage collector need not look through them
        gc.collect()
        gc.freeze()
        for number, client in enumerate(clients):
            before = time.process_time()
            took[number] += _timed(bulk, client, actions, chunk_size=_CHUNK)[0]
            worked[number] += time.process_time() - before
        gc.unfreeze()
    for number, client in enumerate(clients):
        before = time.process_time()
        took[number] += _timed(client.indices.refresh, index=INDEX)[0]
        worked[number] += time.process_time() - before
    return took, worked


def requests(shape: str, count: int, rounds: int, seed: int) -> Iterator[dict[str, Any]]:
    """Bodies of a shape with different values, from entities all over the first `count`."""
    chance = random.Random(f"{shape} {seed}")
    for _ in range(rounds):
        yield SHAPES[shape](entity(chance.randrange(count)), chance)


def search(client: Elasticsearch, body: dict[str, Any]) -> Any:
    cache = {"request_cache": False} if "aggs" in body else {}
    return client.search(index=INDEX, body=body, **cache).body


def processor_seconds(pid: int | None) -> float:
    """The processor time of a process so far, 0 for a server that is not ours."""
    if pid is None:
        return 0.0
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def compare_shapes(
    embedded: Elasticsearch, server: Elasticsearch, pid: int | None, count: int, rounds: int
) -> dict[str, Times]:
    """Each shape with `rounds` different values; before, twice as many others warm both up."""
    found: dict[str, Times] = {}
    for bodies in zip(*(requests(shape, count, 2 * rounds, seed=0) for shape in SHAPES), strict=True):
        for body in bodies:
            search(embedded, body)
            search(server, body)
    for shape in SHAPES:
        times = found[shape] = Times()
        bodies = list(requests(shape, count, rounds, seed=1))
        of_server = processor_seconds(pid)
        for body in bodies:
            before = time.process_time()
            ours, one = _timed(search, embedded, body)
            middle = time.process_time()
            theirs, other = _timed(search, server, body)
            times.embedded_cpu += middle - before
            times.server_cpu += time.process_time() - middle
            times.embedded.append(1000 * ours)
            times.server.append(1000 * theirs)
            told = difference(one, other)
            if told is not None:
                times.differences.append(f"{told}: {body}")
        times.server_cpu += processor_seconds(pid) - of_server
    return found


def visible_writes(client: Elasticsearch, count: int, rounds: int) -> list[float]:
    """Milliseconds from sending one document until a search has found it."""
    took: list[float] = []
    for number in range(rounds):
        source = {**entity(number * (count // rounds)), "id": f"new{number}"}
        took.append(1000 * _timed(_write_and_find, client, source)[0])
    return took


def searches_while_loading(client: Elasticsearch, count: int, more: int) -> list[float]:
    """Milliseconds of searches in a thread while another one loads so many more entities."""
    bodies = list(requests("parent and type, newest first", count, 50, seed=3))
    took: list[float] = []
    loaded = threading.Event()

    def search_on() -> None:
        for body in itertools.cycle(bodies):
            if loaded.is_set():
                return
            took.append(1000 * _timed(search, client, body)[0])

    thread = threading.Thread(target=search_on)
    thread.start()
    try:
        load([client], 2 * count, 2 * count + more)
    finally:
        loaded.set()
        thread.join()
    return took


def _write_and_find(client: Elasticsearch, source: dict[str, Any]) -> None:
    client.index(index=INDEX, id=source["id"], document=source, refresh=True)
    answered = client.search(index=INDEX, query={"term": {"id": source["id"]}})
    assert len(answered["hits"]["hits"]) == 1


def _timed(call: Callable[..., Any], *arguments: Any, **options: Any) -> tuple[float, Any]:
    """Seconds and the result."""
    started = time.perf_counter()
    result = call(*arguments, **options)
    return time.perf_counter() - started, result
