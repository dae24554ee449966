"""A server that means harm: answers without end, packed ones, garbage where an answer should be."""

import gzip
import resource
import socket
import threading
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from elastic_transport import TransportError
from elasticsearch import Elasticsearch

import qlc
from qlc.base.errors import RequestFailed
from qlc.mapping.catalog import read_catalog
from qlc.mapping.counting import count_each
from qlc.mapping.draft import draft_catalog
from qlc.mapping.index_mapping import fetch_mapping
from qlc.mapping.live_check import live_findings
from qlc.resolver.failures import failure_of
from tests.faults import proxy as faults
from tests.faults import world
from tests.faults.conftest import Bench, Run
from tests.faults.proxy import Fault

pytestmark = pytest.mark.usefixtures("short_pauses")
PROGRAM, ANSWER = world.question(3)
BOUND = 200_000
SHORT, AT_MOST = 0.3, 5000
"""A deadline in seconds, and the milliseconds within which an outcome has to be there."""
MEGABYTE = 1 << 20


def bomb(size: int) -> bytes:
    """As many bytes of nothing, in a thousandth of them. The checksum at the end is wrong: nobody may come so far."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    first, again = (packer.compress(b" " * MEGABYTE) + packer.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return first + again * (size // MEGABYTE - 2) + packer.flush()


GZIP = {"content-encoding": "gzip"}
TOO_LARGE: dict[str, Fault] = {
    "without end": faults.endless(b" " * 65_536),
    "without end, in small pieces": faults.endless(b" " * 100),
    "packed": faults.says(200, bomb(300 * MEGABYTE), GZIP),
    "packed, until the end": faults.until_closed(bomb(300 * MEGABYTE), GZIP),
    "packed without end": faults.endless(gzip.compress(b" " * MEGABYTE), GZIP),
    "packed nothing without end": faults.endless(gzip.compress(b""), GZIP),
    "deflated": faults.says(200, zlib.compress(b" " * MEGABYTE), {"content-encoding": "deflate"}),
    "as it says": faults.says(200, b" " * (BOUND + 1)),
    "says so and sends nothing": lambda exchange: exchange.begin(faults.Answer(200, faults.JSON, b""), 10**12),
    "an error": faults.says(400, b" " * (BOUND + 1)),
    "until the end": faults.until_closed(b" " * (BOUND + 1)),
}  # fmt: skip


def ended(outcome: Any) -> tuple[str, bool]:
    return outcome.reason, outcome.retryable


@pytest.mark.parametrize("name", TOO_LARGE)
def test_an_answer_beyond_the_bound_is_not_read(run: Run, name: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outcome = run(PROGRAM, TOO_LARGE[name], client={"max_answer_bytes": BOUND}, deadline=10)
    assert ended(outcome) == ("too-large", False)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024  # kilobytes


def test_without_an_option_there_is_a_bound_too(run: Run) -> None:
    assert ended(run(PROGRAM, TOO_LARGE["packed"], deadline=20)) == ("too-large", False)


@pytest.mark.parametrize("bound", [0, -1, True, 1.5, "many", None])
def test_a_bound_that_is_none(bound: Any) -> None:
    for connect in (qlc.connect, qlc.connect_async):
        with pytest.raises(qlc.UsageError, match="max_answer_bytes"):
            connect("http://127.0.0.1:1", max_answer_bytes=bound)


FINE: dict[str, Fault] = {"packed": faults.packed, "after an interim answer": faults.after_interim}


@pytest.mark.parametrize("name", FINE)
def test_what_is_unusual_and_right(run: Run, name: str) -> None:
    assert world.answer_of(run(PROGRAM, FINE[name], deadline=10)) == ANSWER


def test_packed_answers_that_were_asked_for(run: Run) -> None:
    assert world.answer_of(run(PROGRAM, faults.packed, client={"http_compress": True}, deadline=10)) == ANSWER


GARBLED: dict[str, Fault] = {
    "not packed as it says": faults.says(200, b"{}", GZIP),
    "an encoding nobody asked for": faults.says(200, b"{}", {"content-encoding": "br"}),
    "packed twice": faults.says(200, gzip.compress(gzip.compress(b"{}")), {"content-encoding": "gzip, gzip"}),
    "an error and success": faults.says(200, {"error": None, "status": 200}),
    "HTML": faults.says(200, b"<html>busy</html>", {"content-type": "text/html"}),
    "HTML that calls itself JSON": faults.says(200, b"<html>busy</html>"),
    "nested": faults.says(200, b'{"a":' * 100_000),
    "another place": faults.says(302, b"", {"location": "/elsewhere", "content-type": "text/html"}),
}  # fmt: skip


@pytest.mark.parametrize("name", GARBLED)
def test_what_is_no_answer(run: Run, name: str) -> None:
    assert ended(run(PROGRAM, GARBLED[name], deadline=5))[0] == "garbled"


def put(at: str, value: Any) -> Callable[[dict[str, Any]], None]:
    """Puts a value at a place of an answer; `delete` takes it away."""

    def change(answer: dict[str, Any]) -> None:
        *way, last = (int(part) if part.isdigit() else part for part in at.split("/"))
        holder: Any = answer
        for part in way:
            holder = holder[part]
        if value is delete:
            del holder[last]
        else:
            holder[last] = value

    return change


delete = object()
DEEP: Any = []
for _ in range(400):
    DEEP = [DEEP]
WRONG: dict[str, list[tuple[str, Any]]] = {
    "find things where size > 5 sort size show name, size": [
        ("hits", []), ("hits", "x"), ("hits", 5), ("hits", None), ("hits", delete), ("hits/hits", {}),
        ("hits/hits", None), ("hits/hits/0", None), ("hits/hits/0", []), ("hits/hits/0/_source", []),
        ("hits/hits/0/_source", None), ("hits/hits/0/_source", delete), ("hits/hits/0/_id", 5),
        ("hits/hits/0/sort", delete), ("hits/hits/0/sort", 5), ("hits/hits/0/sort", [{}]),
        ("hits/hits/0/sort", [float("nan")]), ("hits/hits/0/_score", "x"), ("hits/hits/0/_source/name", DEEP),
        ("hits/hits/0/highlight", []), ("hits/hits/0/fields", {"name": 5}), ("hits/total", delete),
        ("hits/total", -1), ("hits/total", {"value": -1, "relation": "eq"}), ("hits/total/value", None),
        ("hits/total/value", "many"), ("hits/total/value", 10**400), ("hits/total/relation", "about"),
        ("hits/hits", [{"_id": "1", "_source": {}, "sort": [1]}] * 50), ("timed_out", "x"), ("_shards", "x"),
        ("_shards/failed", []),
    ],
    "count things by label": [
        ("aggregations", delete), ("aggregations", []), ("aggregations", {}), ("aggregations", {"x": 1}),
    ],
    "sum(size) of things": [("aggregations", None), ("aggregations", {})],
}  # fmt: skip
IN_BUCKETS: list[tuple[str, Any]] = [
    ("buckets", None), ("buckets", 5), ("buckets", {"x": 5}), ("buckets/0", None), ("buckets/0/key", delete),
    ("buckets/0/key", [[]]), ("buckets/0/doc_count", delete), ("buckets/0/doc_count", -3),
    ("buckets/0/doc_count", float("nan")), ("buckets/0/doc_count", "2"),
]  # fmt: skip


@pytest.mark.parametrize(("program", "at", "value"), [(p, *one) for p, all_ in WRONG.items() for one in all_])
def test_garbage_in_an_answer(bench: Bench, program: str, at: str, value: Any) -> None:
    compiler = bench.compiler()
    assert compiler.run(program).kind != "failed"
    with compiler.client, bench.proxy.failing(faults.changed(put(at, value))):
        assert ended(compiler.run(program, deadline=5)) == ("garbled", True)


@pytest.mark.parametrize(("at", "value"), IN_BUCKETS)
def test_garbage_in_buckets(bench: Bench, at: str, value: Any) -> None:
    def change(answer: dict[str, Any]) -> None:
        (name,) = answer["aggregations"]
        put(at, value)(answer["aggregations"][name])

    compiler = bench.compiler()
    with compiler.client, bench.proxy.failing(faults.changed(change)):
        assert ended(compiler.run("count things by label", deadline=5)) == ("garbled", True)


def drafts(client: Elasticsearch) -> None:
    draft_catalog(client, world.INDEX)


def checks(client: Elasticsearch) -> None:
    catalog = read_catalog(world.CATALOG)
    live_findings(client, catalog, {world.INDEX: fetch_mapping(client, world.INDEX)})


def counts(client: Elasticsearch) -> None:
    count_each(client, world.INDEX, [{"match_all": {}}])


def opens(client: Elasticsearch) -> None:
    qlc.Corpus.open(world.INDEX, client=client)


NESTED = faults.says(200, b'{"a":' * 100_000 + b"1" + b"}" * 100_000)
UNPLANNED: dict[str, tuple[Callable[[Elasticsearch], None], Fault]] = {
    "a draft of hits": (drafts, faults.changed(put("hits/hits", [5]))),
    "a draft of a total": (drafts, faults.changed(put("hits/total", {"value": "x"}))),
    "a draft of no counts": (drafts, faults.changed(put("aggregations", {}))),
    "a draft of what is nested": (drafts, NESTED),
    "a check of what is nested": (checks, NESTED),
    "counts that are not there": (counts, faults.changed(put("aggregations", delete))),
    "counts without names": (counts, faults.changed(put("aggregations/each/buckets", []))),
    "a corpus of what is nested": (opens, NESTED),
    "a corpus of a list": (opens, faults.says(200, [])),
}


@pytest.mark.parametrize("name", UNPLANNED)
def test_garbage_in_what_is_asked_besides_a_program(bench: Bench, name: str) -> None:
    """Drafts, checks and corpora ask the server by themselves: what they are answered is held to the same."""
    asks, fault = UNPLANNED[name]
    with (
        qlc.connect(bench.proxy.url) as client,
        bench.proxy.failing(fault, when=lambda exchange: exchange.searches or asks is opens),
        pytest.raises((RequestFailed, TransportError)) as failed,
    ):
        asks(client)
    problem = failed.value
    assert (failure_of(problem) if isinstance(problem, TransportError) else problem).reason == "garbled"


ENDLESS: dict[str, Fault] = {"interim answers": faults.interim_for_ever, "headers": faults.dripping_headers}


@pytest.mark.parametrize("name", ENDLESS)
def test_what_never_becomes_an_answer_ends_in_time(run: Run, name: str) -> None:
    outcome = run(PROGRAM, ENDLESS[name], deadline=SHORT)
    assert ended(outcome)[0] in ("timeout", "unreachable", "garbled")
    assert outcome.stats.took_ms < AT_MOST


def test_interim_answers_hold_no_thread(bench: Bench) -> None:
    """The wait of the caller ends by the deadline; what was left behind has to end, too."""
    compiler = bench.compiler()
    compiler.schema  # noqa: B018
    ended_here = threading.Event()

    def fault(exchange: faults.Exchange) -> None:
        try:
            while True:
                exchange.handler.wfile.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        finally:
            ended_here.set()

    with compiler.client, bench.proxy.failing(fault):
        assert ended(compiler.run(PROGRAM, deadline=SHORT))[0] in ("timeout", "unreachable", "garbled")
        assert ended_here.wait(5)


def test_a_name_that_is_not_resolved_ends_in_time(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def slow(*_: Any, **__: Any) -> Any:
        over.wait(30)
        raise socket.gaierror("no name server answers")

    with monkeypatch.context() as patched:
        fault = _first_then(faults.silent, lambda: patched.setattr(socket, "getaddrinfo", slow))
        outcome = run(PROGRAM, fault, deadline=SHORT)
        over.set()
    assert ended(outcome)[0] in ("timeout", "unreachable")
    assert outcome.stats.took_ms < AT_MOST


def _first_then(fault: Fault, then: Callable[[], None]) -> Fault:
    def both(exchange: faults.Exchange) -> None:
        fault(exchange)
        then()

    return both


def test_a_server_that_takes_connections_and_says_nothing(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=1) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        compiler = qlc.Compiler(qlc.connect(url), _catalog(tmp_path))
        with compiler.client:
            outcome = compiler.run(PROGRAM, deadline=SHORT)
    assert ended(outcome)[0] == "timeout"
    assert outcome.stats.took_ms < AT_MOST


def _catalog(folder: Path) -> Path:
    path = folder / "catalog.yaml"
    path.write_text(world.CATALOG, encoding="utf-8")
    return path


def test_a_client_with_nodes_of_its_own_keeps_them() -> None:
    from elastic_transport import Urllib3HttpNode

    with qlc.connect("http://127.0.0.1:1", node_class=Urllib3HttpNode) as client:
        assert type(next(iter(client.transport.node_pool.all()))) is Urllib3HttpNode


def test_a_client_that_was_made_elsewhere_may_have_the_bound(bench: Bench) -> None:
    from elasticsearch import Elasticsearch

    from qlc.mapping.catalog import read_catalog
    from qlc.store.wire import bounded_node

    client = Elasticsearch(bench.proxy.url, node_class=bounded_node(BOUND))
    compiler = qlc.Compiler(client, read_catalog(world.CATALOG))
    compiler.schema  # noqa: B018
    with client, bench.proxy.failing(TOO_LARGE["packed"]):
        assert ended(compiler.run(PROGRAM, deadline=5)) == ("too-large", False)
