"""`make bench-engine`: both engines loaded with the same entities, asked the same, and their answers compared.

`python -m benchmarks.engine --count 100000` is a shorter run. The server is one of our own, or the one that
ELASTICSEARCH_URL names. benchmarks/README.md keeps figures.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from elasticsearch import Elasticsearch

from benchmarks.engine.crash import rebuilt_tail
from benchmarks.engine.measuring import (
    INDEX,
    Times,
    compare_shapes,
    create,
    load,
    processor_seconds,
    searches_while_loading,
    visible_writes,
)
from benchmarks.engine.opening import first_answer, memory
from benchmarks.engine.shapes import SHAPES
from qlc import connect


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.engine", description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000, metavar="N", help="entities (default a million)")
    parser.add_argument("--rounds", type=int, default=60, metavar="N", help="different values per shape (default 60)")
    parser.add_argument("--keep", metavar="FOLDER", help="leave the embedded engine's folder there")
    options = parser.parse_args(arguments)
    warnings.simplefilter("ignore")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start")
    with tempfile.TemporaryDirectory(prefix="qlc-bench-") as temporary, _server() as (url, pid):
        folder = options.keep or str(Path(temporary) / "data")
        server = Elasticsearch(url, request_timeout=300)
        (node,) = server.nodes.info(filter_path="nodes.*.version")["nodes"].values()
        print(f"Elasticsearch {node['version']}")
        try:
            differences = _compare(folder, server, pid, options.count, options.rounds)
            _open_again(folder, options.count)
        finally:
            server.indices.delete(index=INDEX, ignore_unavailable=True)
            server.close()
    print(f"load {os.getloadavg()[0]:.1f} at the end")
    return 1 if differences else 0


@contextmanager
def _server() -> Iterator[tuple[str, int | None]]:
    """The address of a server, and its process if it is one of our own."""
    url = os.environ.get("ELASTICSEARCH_URL")
    if url:
        yield url, None
        return
    from tests.servers import ElasticsearchServer

    with ElasticsearchServer(8) as server:
        yield server.url, server.pid


def _compare(folder: str, server: Elasticsearch, pid: int | None, count: int, rounds: int) -> int:
    sizes = [size for size in (10_000, 100_000, 1_000_000) if size < count] + [count]
    found: dict[int, dict[str, Times]] = {}
    took, worked = [0.0, 0.0], [0.0, 0.0]
    with connect(folder) as embedded:
        clients = [embedded, server]
        create(clients)
        loaded = 0
        for size in sizes:
            of_server = processor_seconds(pid)
            for sums, more in zip((took, worked), load(clients, loaded, size), strict=True):
                sums[:] = [before + seconds for before, seconds in zip(sums, more, strict=True)]
            worked[1] += processor_seconds(pid) - of_server
            loaded = size
            found[size] = compare_shapes(embedded, server, pid, size, rounds)
            print(f"\n{size:,} entities: loaded in {took[0]:.1f} s, by the server in {took[1]:.1f} s", end=" ")
            print(f"({took[0] / took[1]:.2f} x); processor {worked[0]:.1f} s and {worked[1]:.1f} s")
            print("memory of this process, engine included: " + _printed(memory()))
            _print_shapes(found[size])
        writes = [visible_writes(client, count, 40) for client in clients]
        ours, theirs = map(statistics.median, writes)
        print(f"\none write visible: {ours:.1f} ms (at most {max(writes[0]):.1f}), by the server {theirs:.1f} ms")
        beside = [searches_while_loading(client, count, 20_000) for client in clients]
        ours, theirs = map(statistics.median, beside)
        print(f"a search while 20,000 more are loaded: {ours:.1f} ms (at most {max(beside[0]):.0f}),", end=" ")
        print(f"by the server {theirs:.1f} ms (at most {max(beside[1]):.0f})")
    _print_growth(found)
    return sum(len(times.differences) for shapes in found.values() for times in shapes.values())


def _print_shapes(found: dict[str, Times]) -> None:
    print("\n| milliseconds | embedded | server | ratio | processor, embedded | server | ratio | differ |")
    print("|---" * 8 + "|")
    ratios = []
    for shape, times in found.items():
        ours, theirs = times.medians()
        ratios.append(ours / theirs)
        cpu = [1000 * seconds / len(times.embedded) for seconds in (times.embedded_cpu, times.server_cpu)]
        clock = f"{ours:.2f} | {theirs:.2f} | {ratios[-1]:.2f}"
        print(f"| {shape} | {clock} | {cpu[0]:.2f} | {cpu[1]:.2f} | {cpu[0] / cpu[1]:.2f} | {len(times.differences)} |")
        for told in times.differences[:2]:
            print(f"    {told[:600]}")
    print(f"at or below the server's: {sum(r <= 1 for r in ratios)}, at most half: {sum(r <= 0.5 for r in ratios)}")
    sys.stdout.flush()


def _print_growth(found: dict[int, dict[str, Times]]) -> None:
    print("\n| embedded / server, ms | " + " | ".join(f"{size:,}" for size in found) + " |")
    print("|---" * (len(found) + 1) + "|")
    for shape in SHAPES:
        cells = ["{:.2f} / {:.2f}".format(*shapes[shape].medians()) for shapes in found.values()]
        print(f"| {shape} | " + " | ".join(cells) + " |")


def _open_again(folder: str, count: int) -> None:
    print("\n| a new process | opening, s | first answer, s | both | processor, s | resident, MB |")
    print("|---" * 6 + "|")
    for shape in SHAPES:
        one = first_answer(folder, shape, count)
        both = one["opening"] + one["answer"]
        times = f"{one['opening']:.3f} | {one['answer']:.3f} | {both:.3f} | {one['processor']:.3f}"
        print(f"| {shape} | {times} | {one['resident']:.0f} |")
    tail, seconds = rebuilt_tail(folder, count)
    print(f"\nafter a kill with {tail:,} entities that were in no saved segment: opened and counted in {seconds:.3f} s")


def _printed(sizes: dict[str, float]) -> str:
    return ", ".join(f"{name} {size:.0f} MB" for name, size in sizes.items())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
