"""Answers of a server that are wrong somewhere: those of the engine, changed at random before the client sees them.

`python -m tests.fuzz.answers --count N --seed S` runs as long as wanted.
"""

from __future__ import annotations

import argparse
import copy
import json
import logging
import math
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from elastic_transport._node import NodeApiResponse
from elasticsearch import Elasticsearch

from qlc import catalogs
from qlc.errors import ConfigurationError, RequestFailed
from qlc.outcome import Failed
from qlc.pipeline import Compiler
from qlc_engine import Engine, node_class
from tests.fuzz.requests import places
from tests.fuzz.target import NOW, seeds, small_store
from tests.pipeline.conftest import never_open

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 1.5, -1.5, math.nan, math.inf, 10**400, 2**63, "", "x", "NaN", "2026-13-45", [], {},
    [None],
    [[]], [{}], {"x": 1}, ["a", "b"], [1, 2], {"value": 1}, {"hits": []}, {"buckets": {}}, {"buckets": None},
)  # fmt: skip
_TEXTS = (
    b"", b"null", b"[]", b"{}", b"5", b'"x"', b"<html>busy</html>", b"{", b'{"hits": ', b"\xff\xfe", b"[" * 5_000,
    b'{"a":' * 5_000,
    b'{"error": null, "status": 200}', b'{"error": "x"}', b'{"error": {"type": 5, "reason": []}, "status": "500"}',
    b'{"error": {"root_cause": {}, "failed_shards": 7, "type": null}, "status": 503}',
)  # fmt: skip


class Spoiler:
    """Changes answers once it is told to; the same seed changes them in the same way."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self.active = False
        self.changed = 0

    def of(self, raw: bytes) -> bytes:
        chance = self._chance
        if not self.active or chance.random() < 0.3:
            return raw
        self.changed += 1
        if chance.random() < 0.1:
            return chance.choice(_TEXTS)
        if chance.random() < 0.05:
            return raw[: chance.randrange(len(raw))]
        body = json.loads(raw)
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            self._change(body)
        return json.dumps(body).encode("utf-8", "surrogatepass")

    def _change(self, body: Any) -> None:
        chance = self._chance
        found = list(places(body))
        if not found:
            return
        # what stands deep in an answer is most of it: what is near its root would hardly ever be met
        holder, key = chance.choice(found) if chance.random() < 0.5 else chance.choice(found[:40])
        way = chance.randrange(8)
        if way <= 3:
            holder[key] = copy.deepcopy(chance.choice(_VALUES))
        elif way == 4:
            del holder[key]
        elif way == 5:
            holder[key] = chance.choice(([holder[key]], {"x": holder[key]}, [holder[key]] * 3, str(holder[key])))
        elif way == 6 and isinstance(holder, dict):
            holder[chance.choice(("x", "error", "hits", "buckets", "value", "key"))] = holder.pop(key)
        else:
            deep = holder[key]
            for _ in range(chance.choice((3, 150, 400))):
                deep = [deep] if chance.random() < 0.5 else {"x": deep}
            holder[key] = deep


@dataclass
class Report:
    count: int = 0
    changed: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)
    found: dict[str, str] = field(default_factory=dict)


def spoiled_store(spoiler: Spoiler, **options: Any) -> Compiler:
    engine = Engine.open(None)

    class Node(node_class(engine)):  # type: ignore[misc]
        def perform_request(self, *args: Any, **more: Any) -> NodeApiResponse:
            meta, body = super().perform_request(*args, **more)
            return NodeApiResponse(meta, spoiler.of(body))

    made = small_store(client=Elasticsearch("http://embedded:9200", node_class=Node), **options)
    compiler = Compiler(made.client, catalogs.path("drive"), breaker=never_open())
    compiler.schema  # noqa: B018  the mapping is read before anything is spoiled
    return compiler


def fuzz(count: int, seed: int, programs: Sequence[str] = ()) -> Report:
    """Runs so many programs over answers that are wrong somewhere: each ends in an outcome, and none in a defect."""
    chance = random.Random(seed)
    spoiler, report = Spoiler(chance), Report()
    compiler = spoiled_store(spoiler)
    programs = programs or seeds()
    with _remembered() as errors:
        while report.count < count:
            program = chance.choice(programs)
            if chance.random() < 0.3:
                compiler.forget()
            if chance.random() < 0.05:
                spoiler.active = True
                _refresh(compiler, report)
            errors.last, spoiler.active = None, True
            report.count += 1
            try:
                outcome = compiler.run(program, now=NOW, size=5, deadline=20)
                reason = outcome.reason if isinstance(outcome, Failed) else ""
                report.ends[f"{outcome.kind} {reason}".strip()] += 1
                if reason == "internal":
                    _add(report, errors.last, program)
                outcome.model_dump_json()
            except Exception as problem:  # noqa: BLE001  none may come
                _add(report, problem, program)
            finally:
                spoiler.active = False
    report.changed = spoiler.changed
    return report


def _refresh(compiler: Compiler, report: Report) -> None:
    """Reads the mapping over spoiled answers."""
    try:
        compiler.refresh()
    except (RequestFailed, ConfigurationError) as problem:
        report.ends[f"mapping: {type(problem).__name__}"] += 1
    except Exception as problem:  # noqa: BLE001  no other may come
        _add(report, problem, "refresh")


def _add(report: Report, problem: BaseException | None, program: str) -> None:
    frames = [] if problem is None else traceback.extract_tb(problem.__traceback__)
    own = [frame for frame in frames if "/qlc/" in frame.filename]
    where = " < ".join(f"{f.filename.rpartition('/qlc/')[2]}:{f.lineno}" for f in own[:-4:-1])
    what = f"{type(problem).__name__}({str(problem)[:60]}) {where}"
    report.times[what] += 1
    report.found.setdefault(what, program)


class _Errors(logging.Handler):
    last: BaseException | None = None

    def emit(self, record: logging.LogRecord) -> None:
        told = record.args[1] if isinstance(record.args, tuple) and len(record.args) > 1 else None
        if record.levelno >= logging.ERROR and isinstance(told, BaseException):
            self.last = told


@contextmanager
def _remembered() -> Iterator[_Errors]:
    handler = _Errors()
    logger = logging.getLogger("qlc")
    logger.addHandler(handler)
    propagates, logger.propagate = logger.propagate, False
    try:
        yield handler
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates


def main() -> int:
    options = argparse.ArgumentParser(prog="python -m tests.fuzz.answers", description=__doc__)
    options.add_argument("--count", type=int, default=5_000)
    options.add_argument("--seed", type=int, default=int(time.time()), help="the same seed changes the same answers")
    given = options.parse_args()
    from qlc.resolver import driver

    driver.FIRST_PAUSE = 0.0001
    print(f"seed {given.seed}", flush=True)
    report = fuzz(given.count, given.seed)
    print(f"{report.count:,} runs, {report.changed:,} answers changed: {dict(report.ends.most_common())}")
    for what, times in report.times.most_common():
        print(f"{times} {what}: {report.found[what]!r}")
    return 1 if report.found else 0


if __name__ == "__main__":
    sys.exit(main())
