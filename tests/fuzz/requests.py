"""Requests to the embedded engine that are wrong somewhere: those of the conformance suite, changed at random.

`python -m tests.fuzz.requests --count N --seed S` runs as long as wanted.
"""

import copy
import json
import random
import resource
import sys
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from elasticsearch import Elasticsearch

from qlc_engine import Engine, node_class
from tests.conformance import corpus
from tests.conformance.asking import _filled, _part
from tests.conformance.cases import Request as Sent
from tests.conformance.cases import cases
from tests.fuzz.changing import changed, places
from tests.fuzz.running import Errors, Findings, options, place, remembered

TIME_LIMIT = 5.0
"""Seconds of processor time for one request: what else the machine does is not counted."""
OF_EACH = 10
"""Requests that are made of one."""
ANEW = 3_000
"""Requests after which the indices are made again, since some of the requests write and delete."""

_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3.5, -0.0, 10**9, -(10**9), 2**31, 2**63, 2**64, -(2**63) - 1, 10**400, 1e308,
    -1e308,
    1e-300, 5e-324, "", " ", "x", "a" * 2_000, "*", "**a*b*", "?", "_id", "_source", "_all", "_score", "_none_", "true",
    "1", "-1", "1.5", "1e400", "NaN", "Infinity", "\ud800", "\x00", "é", "now", "now/d", "now+1y/", "2021-02-30",
    "2021-13-45T99:99", "99999999999-01-01", "||/y", "+24:00", "Europe/Nowhere", "1d", "0d", "-1d", "1x", "75%", "-1%",
    "2<75%", "{", "[", "(a", "a{1,1000000000}", "((((a+)+)+)+)+b", ".*.*.*.*x", "10.0.0.0/99", "::/200", "AUTO:1",
    "AUTO",
    "kw", "id", "desc", "yyyy-MM-dd'", "epoch_millis", "a:b AND (", "/[/", [], {}, [[]], [None], [{}], [1, "a", None],
    {"x": None}, {"": 1}, {"match_all": {}}, {"match_none": None}, {"field": "kw"}, {"value": []}, [[[[[1]]]]],
    {"lat": 91, "lon": 181},
    {"lat": "x"}, "1,2,3", "POINT (1 2", "u33dc0cpp", "99/1/1",
)  # fmt: skip
_TEXTS = tuple(value for value in _VALUES if isinstance(value, str) and "\ud800" not in value)
_METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS")


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    body: bytes

    def __str__(self) -> str:
        return f"{self.method} {self.path} {self.body.decode('utf-8', 'replace')[:600]}"


class Requests:
    """Draws requests; the same seed draws the same ones."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._cases = cases()
        bodies = [request.body for case in self._cases for request in case.requests]
        self._parts = [part for body in bodies for part in (body, *(holder[key] for holder, key in places(body)))]
        self._keys = sorted({key for part in self._parts if isinstance(part, dict) for key in part})

    def case(self) -> tuple[tuple[Sent, ...], Sent]:
        """A request, and those that come before it."""
        requests = self._chance.choice(self._cases).requests
        at = self._chance.randrange(len(requests))
        return requests[:at], requests[at]

    def spoil(self, method: str, path: str, body: Any) -> Request:
        """The request with something wrong."""
        chance = self._chance
        body = copy.deepcopy(body)
        where = chance.random()
        if where < 0.12:
            path = self._path(path)
        if where < 0.02:
            method = chance.choice(_METHODS)
        if where >= 0.08:
            for _ in range(chance.choice((1, 1, 1, 2, 3))):
                values = chance.choice((_VALUES, _VALUES, self._parts))
                body = changed(body, chance, values, self._keys, 140)  # three times this is less than json can write
        raw = _as_bytes(body)
        if chance.random() < 0.05:
            raw = self._spoiled(raw)
        return Request(method, path, raw)

    def _path(self, path: str) -> str:
        chance = self._chance
        path, _, query = path.partition("?")
        parts = path.split("/")
        if chance.random() < 0.4:
            parts[chance.randrange(1, len(parts))] = quote(chance.choice(_TEXTS), safe="*,")
            path = "/".join(parts)
        name = chance.choice(_PARAMETERS)
        pairs = [pair for pair in query.split("&") if pair]
        if pairs and chance.random() < 0.3:
            name = pairs.pop(chance.randrange(len(pairs))).partition("=")[0]
        pairs.append(f"{name}={quote(chance.choice(_TEXTS))}")
        return f"{path}?{'&'.join(pairs)}"

    def _spoiled(self, raw: bytes) -> bytes:
        chance = self._chance
        at = chance.randrange(len(raw) + 1)
        inserted = chance.choice((b"", b"\xff", b'"', b"{", b"}", b"\n", b",", b"NaN", b"\x00", b"[" * 2_000, b"\\u",
        b"9" * 5_000))
        return raw[:at] + inserted + raw[at + chance.choice((0, 1, 5)) :]


_PARAMETERS = (
    "size", "from", "sort", "routing", "refresh", "keep_alive", "timeout", "_source", "_source_includes",
    "docvalue_fields", "filter_path", "format", "expand_wildcards", "ignore_unavailable", "track_total_hits",
    "op_type", "h", "s", "fields", "types", "filters", "wait_for_status", "batched_reduce_size", "max_num_segments",
    "retry_on_conflict", "search_type", "preference", "index", "human", "level", "bytes", "time", "v",
)  # fmt: skip


def _as_bytes(body: Any) -> bytes:
    if body is None:
        return b""
    lines = body if isinstance(body, list) else [body]
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    written = "\n".join(texts) + ("\n" if isinstance(body, list) else "")
    return written.encode("utf-8", "surrogatepass")


@dataclass
class Report(Findings):
    statuses: Counter[int] = field(default_factory=Counter)
    slowest: tuple[float, str] = (0.0, "")
    taken: Counter[str] = field(default_factory=Counter)
    """Places where an error of Python was reported as an error of the request."""


def fuzz(count: int, seed: int) -> Report:
    """Asks so many requests: none may be answered with a 500, or late."""
    requests, report = Requests(random.Random(seed)), Report()
    engine = _loaded()
    since = 0
    with remembered("qlc_engine") as errors, warnings.catch_warnings():
        warnings.simplefilter("error")
        while report.count < count:
            if since >= ANEW:
                engine.close()
                engine, since = _loaded(), 0
            before, request = requests.case()
            kept = _set_up(engine, before)
            method, path, body = request.method, _filled(request.path, kept), _filled(request.body, kept)
            for _ in range(OF_EACH):
                _ask(engine, requests.spoil(method, path, body), report, errors)
            since += OF_EACH
    engine.close()
    return report


def _loaded() -> Engine:
    engine = Engine.open(None)
    with Elasticsearch("http://embedded:9200", node_class=node_class(engine)) as client:
        corpus.load(client)
    return engine


def _set_up(engine: Engine, before: Sequence[Sent]) -> dict[str, Any]:
    """Sends what comes before a request; what the answers are kept for."""
    for name in [name for name in engine.indices.names() if name.startswith(corpus.SCRATCH)]:
        engine.handle("DELETE", f"/{quote(name)}", b"")
    kept: dict[str, Any] = {}
    for request in before:
        body = _as_bytes(_filled(request.body, kept))
        _, _, answered = engine.handle(request.method, _filled(request.path, kept), body)
        for name, path in request.keep.items():
            kept[name] = _part(json.loads(answered or b"null"), path)
    return kept


def _ask(engine: Engine, request: Request, report: Report, errors: Errors) -> None:
    errors.last = None
    started = time.process_time()
    status, _, _ = engine.handle(request.method, request.path, request.body)
    seconds = time.process_time() - started
    report.count += 1
    report.statuses[status] += 1
    report.slowest = max(report.slowest, (seconds, str(request)))
    if seconds > TIME_LIMIT:
        report.add(f"{seconds:.0f} seconds", str(request))
    if errors.last is not None and status < 500:
        report.taken[_place(errors.last)] += 1
    # a 500 that is not logged is one that the server gives too
    if status >= 500 and errors.last is not None:
        report.add(_place(errors.last), str(request))


def _place(error: BaseException) -> str:
    """The kind of an error, and where it was raised."""
    return f"{type(error).__name__} {place(error, '/qlc_engine/')}"


def main() -> int:
    parser = options(".requests", __doc__, 10_000)
    parser.add_argument("--memory", type=int, default=4, help="gigabytes that the process may have")
    given = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (given.memory << 30, given.memory << 30))
    print(f"seed {given.seed}", flush=True)
    report = fuzz(given.count, given.seed)
    print(f"{report.count:,} requests: {dict(sorted(report.statuses.items()))}")
    print(f"slowest: {report.slowest[0]:.2f} s: {report.slowest[1]}")
    for where, times in report.taken.most_common():
        print(f"taken for a malformed request: {times} {where}")
    return report.told()


if __name__ == "__main__":
    sys.exit(main())
