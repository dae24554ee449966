"""Answers of a server that are wrong somewhere: those of the engine, changed at random before the client sees them.

`python -m tests.fuzz.answers --count N --seed S` runs as long as wanted.
"""

import json
import math
import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from elastic_transport._node import NodeApiResponse
from elasticsearch import Elasticsearch

from qlc import catalogs
from qlc.base.errors import ConfigurationError, RequestFailed
from qlc.outcome import Failed
from qlc.pipeline.compiler import Compiler
from qlc_engine import Engine, node_class
from tests.fuzz.changing import changed
from tests.fuzz.running import Findings, options, place, remembered
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
            body = changed(body, chance, _VALUES, ("x", "error", "hits", "buckets", "value", "key"), 400)
        return json.dumps(body).encode("utf-8", "surrogatepass")


@dataclass
class Report(Findings):
    changed: int = 0
    ends: Counter[str] = field(default_factory=Counter)


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
    with remembered() as errors:
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
    report.add(f"{type(problem).__name__}({str(problem)[:60]}) {place(problem, frames=3)}", program)


def main() -> int:
    given = options(".answers", __doc__, 5_000).parse_args()
    from qlc.resolver import driver

    driver.FIRST_PAUSE = 0.0001
    print(f"seed {given.seed}", flush=True)
    report = fuzz(given.count, given.seed)
    print(f"{report.count:,} runs, {report.changed:,} answers changed: {dict(report.ends.most_common())}")
    return report.told()


if __name__ == "__main__":
    sys.exit(main())
