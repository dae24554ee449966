"""Faults of a server lead to a typed outcome inside the deadline, in plain words, with retries if these are safe."""

import gzip
import logging
import re
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from qlc import Asker
from qlc.cli.explain import explain_run
from qlc.outcome import Failed, Outcome
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.trace import Trace
from tests.faults import proxy as faults
from tests.faults import world
from tests.faults.conftest import Bench, Run
from tests.faults.proxy import Fault

pytestmark = pytest.mark.usefixtures("short_pauses")
PROGRAM, ANSWER = world.question(3)
assert PROGRAM == 'find things where box = "Box 3"'
ONE_SEARCH = "count things"
TECHNICAL = re.compile(
    r"\d|_|[{}\[\]<>]|http|json|exception|shard|status|timeout|elasticsearch|index\b|null|none|socket|connection|cluster"
    r"|node|query|clause|bucket|circuit|retry|byte|error",
    re.IGNORECASE,
)

TRANSIENT: dict[str, tuple[Fault, str]] = {
    "reset": (faults.reset, "unreachable"),
    "silent": (faults.silent, "unreachable"),
    "truncated": (faults.truncated, "unreachable"),
    "cut JSON": (faults.cut, "garbled"),
    "garbage": (faults.says(200, b"\x00\xff{]"), "garbled"),
    "not UTF-8": (faults.says(200, b'{"hits": "\xff\xfe"}'), "garbled"),
    "packed and cut": (faults.says(200, gzip.compress(b'{"hits": {}}')[:-9], {"content-encoding": "gzip"}), "garbled"),
    "a list": (faults.says(200, []), "garbled"),
    "a number": (faults.says(200, 5), "garbled"),
    "nothing": (faults.says(200, b""), "garbled"),
    "no hits": (faults.says(200, {"took": 1, "timed_out": False}), "garbled"),
    "plain text": (faults.labelled("text/plain"), "garbled"),
    "unknown type": (faults.labelled("application/x-something"), "garbled"),
    "no node": (faults.error(500, "node_disconnected_exception", "[n1] disconnected"), "unavailable"),
    "no node, on a shard": (faults.error(500, "search_phase_execution_exception", "all shards failed", failed_shards=[
        {"shard": 0, "reason": {"type": "node_not_connected_exception", "reason": "gone"}}]), "unavailable"),
    "rejected, on a shard": (faults.error(500, "search_phase_execution_exception", "", caused_by={
        "type": "es_rejected_execution_exception", "reason": "rejected execution"}), "overloaded"),
    "no shard": (faults.error(500, "search_phase_execution_exception", "", caused_by={
        "type": "no_shard_available_action_exception"}), "unavailable"),
    "a shard that moves": (faults.error(404, "shard_not_found_exception", "no such shard"), "unavailable"),
    "429": (faults.error(429, "es_rejected_execution_exception", "rejected execution of search"), "overloaded"),
    "breaker": (faults.error(429, "circuit_breaking_exception", "[parent] Data too large", durability="TRANSIENT"),
                "overloaded"),
    "500, overloaded": (faults.error(500, "status_exception", "the server is overloaded"), "overloaded"),
    "500, overloaded, no JSON": (faults.says(500, b"Overloaded", {"content-type": "text/plain"}), "overloaded"),
    "500, come again": (faults.error(500, "status_exception", "", {"retry-after": "0"}), "overloaded"),
    "500, breaker": (faults.error(500, "circuit_breaking_exception", "[parent] Data too large",
                                  durability="TRANSIENT"), "overloaded"),
    "502": (faults.says(502, b"<html>Bad Gateway</html>", {"content-type": "text/html"}), "unavailable"),
    "503": (faults.error(503, "no_shard_available_action_exception"), "unavailable"),
    "504": (faults.says(504, b"", {"content-type": "text/plain"}), "unavailable"),
    "a shard less": (faults.changed(faults.lacking_a_shard), "partial"),
    "a cluster less": (faults.changed(lambda found: found.update(_clusters={"total": 2, "partial": 1})), "partial"),
}  # fmt: skip

LASTING: dict[str, tuple[Fault, str, bool]] = {
    "401": (faults.error(401, "security_exception", "missing credentials"), "unauthorized", False),
    "403": (faults.error(403, "security_exception", "action is unauthorized"), "forbidden", False),
    "404": (faults.error(404, "index_not_found_exception", "no such index [things]"), "no-index", False),
    "408": (faults.says(408, b"", {"content-type": "text/plain"}), "timeout", True),
    "413": (faults.says(413, b"<html>", {"content-type": "text/html"}), "too-large", False),
    "500": (faults.error(500, "null_pointer_exception", "oops"), "unavailable", False),
    "no shards": (faults.changed(lambda found: found.update(_shards={"total": 0, "failed": 0})), "no-index", False),
    "closed": (faults.error(400, "index_closed_exception", "closed"), "rejected", False),
    "refused by a shard": (faults.changed(lambda found: found.update(_shards={"total": 2, "failed": 1, "failures": [
        {"shard": 0, "reason": {"type": "query_shard_exception", "reason": "No mapping found"}}]})), "rejected", False),
    "400": (faults.error(400, "parsing_exception", "unknown query"), "rejected", False),
    "out of time": (faults.changed(faults.out_of_time), "timeout", True),
    "too many clauses": (faults.error(400, "too_many_clauses", "maxClauseCount is set to 1024"), "too-large", False),
    "too many nested clauses": (
        faults.error(500, "search_phase_execution_exception", caused_by={"type": "too_many_nested_clauses"}),
        "too-large", False),
    "request breaker": (faults.error(429, "circuit_breaking_exception", "[request] Data too large",
                                     durability="PERMANENT"), "too-large", False),
    "too many buckets": (faults.error(503, "search_phase_execution_exception", "", caused_by={
        "type": "too_many_buckets_exception", "reason": "Trying to create too many buckets"}), "too-large", False),
    "window": (faults.error(400, "illegal_argument_exception", "Result window is too large, from + size must be"),
               "too-large", False),
    "terms": (faults.error(400, "illegal_argument_exception", "The number of terms [70000] used in the Terms Query "
                           "request has exceeded the allowed maximum of [65536]"), "too-large", False),
    "page gone": (faults.error(404, "search_context_missing_exception", "No search context found"), "expired", False),
    "no product": (faults.says(200, b"<html>Welcome to nginx</html>",
                               {"content-type": "text/html", "x-elastic-product": "Other"}), "garbled", False),
}  # fmt: skip

ENDLESS: dict[str, Fault] = {
    "hung": faults.hung,
    "hung behind the headers": faults.hung_behind_the_headers,
    "dripping": faults.dripping,
    "slow": faults.slow(1),
}

def failed(outcome: Outcome) -> Failed:
    assert isinstance(outcome, Failed), outcome
    assert outcome.message.endswith(".")
    assert not TECHNICAL.search(outcome.message), outcome.message
    return outcome


def searches(bench: Bench) -> int:
    return sum(path.endswith(("_search", "_msearch")) for _, path in bench.proxy.requests)


@pytest.mark.parametrize("name", TRANSIENT)
def test_what_passes_is_tried_again(bench: Bench, run: Run, name: str) -> None:
    fault, reason = TRANSIENT[name]
    outcome = run(PROGRAM, fault, 2)
    assert world.answer_of(outcome) == ANSWER, outcome
    bench.proxy.requests.clear()
    ended = failed(run(ONE_SEARCH, fault, deadline=5))
    assert (ended.reason, ended.retryable) == (reason, True)
    assert searches(bench) == 4


@pytest.mark.parametrize("name", LASTING)
def test_what_does_not_pass_is_sent_once(bench: Bench, run: Run, name: str, caplog: pytest.LogCaptureFixture) -> None:
    fault, reason, retryable = LASTING[name]
    bench.proxy.requests.clear()
    with caplog.at_level(logging.INFO, "qlc"):
        ended = failed(run(ONE_SEARCH, fault, deadline=5))
    assert (ended.reason, ended.retryable) == (reason, retryable)
    assert searches(bench) == 1
    (record,) = [record for record in caplog.records if ended.id in record.getMessage()]
    assert re.search(r"\d{3}|Elasticsearch|timed out", record.getMessage()), record.getMessage()


@pytest.mark.parametrize("name", ENDLESS)
def test_no_answer_ends_inside_the_deadline(bench: Bench, run: Run, name: str) -> None:
    ended = failed(run(PROGRAM, ENDLESS[name], deadline=0.3))
    assert (ended.reason, ended.retryable) == ("timeout", True)


@pytest.mark.parametrize("name", ["hung", "dripping"])
def test_a_mapping_that_does_not_come_ends_inside_the_deadline(bench: Bench, name: str) -> None:
    compiler = bench.compiler()
    with compiler.client, bench.proxy.failing(ENDLESS[name], when=lambda exchange: exchange.reads_mapping):
        ended = failed(compiler.run(PROGRAM, deadline=0.3))
    assert ended.reason == "timeout"


def test_a_server_that_is_late_but_in_time(bench: Bench, run: Run) -> None:
    assert world.answer_of(run(PROGRAM, faults.slow(0.1), deadline=10)) == ANSWER


@pytest.mark.parametrize(("run", "form"), [("sync", "seconds"), ("async", "date")], indirect=["run"])
def test_retry_after_is_honoured(bench: Bench, run: Run, form: str) -> None:
    def busy(exchange: faults.Exchange) -> None:
        until = datetime.now(UTC) + timedelta(seconds=2)  # a date has whole seconds, so that this is more than one
        after = "1" if form == "seconds" else format_datetime(until, usegmt=True)
        faults.error(429, "es_rejected_execution_exception", "", {"retry-after": after})(exchange)

    outcome = run(PROGRAM, busy, 1, deadline=10)
    assert world.answer_of(outcome) == ANSWER
    assert outcome.stats.took_ms >= 950


def test_a_wait_beyond_the_deadline_is_reported_at_once(bench: Bench, run: Run) -> None:
    busy, before = faults.error(429, "es_rejected_execution_exception", "", {"retry-after": "60"}), searches(bench)
    ended = failed(run(ONE_SEARCH, busy, deadline=10))
    assert (ended.reason, ended.retryable) == ("overloaded", True)
    assert searches(bench) == before + 1


def test_refused_connections(bench: Bench, compiler: Compiler) -> None:
    assert world.answer_of(compiler.run(PROGRAM)) == ANSWER
    bench.proxy.stop()
    try:
        ended = failed(compiler.run(PROGRAM, deadline=5))
        assert (ended.reason, ended.retryable) == ("unreachable", True)
    finally:
        bench.proxy.start()
    assert world.answer_of(compiler.run(PROGRAM)) == ANSWER


def test_explain_has_the_technical_side(bench: Bench, compiler: Compiler) -> None:
    trace = Trace()
    with bench.proxy.failing(LASTING["400"][0]):
        compiler.run(ONE_SEARCH, trace=trace)
        record, code = explain_run(Asker(compiler), ONE_SEARCH, "program", {})
    assert "400 parsing_exception" in trace.failure
    assert (record["failure"], code) == (trace.failure, 5)


def test_a_shard_that_is_gone_is_never_a_part_of_an_answer(bench: Bench, compiler: Compiler) -> None:
    """In every program, whichever of its requests lacks a shard."""
    programs = [PROGRAM, world.question(1)[0], world.question(2)[0], "count things by label", "find things limit 3",
                "count things where box in (find boxes where name starts with \"Box 1\")"]  # fmt: skip
    for program in programs:
        whole = compiler.run(program)
        assert whole.kind != "failed"
        for position in range(whole.stats.round_trips + whole.stats.further):
            compiler.forget()
            met: list[int] = []

            def late(exchange: faults.Exchange, met: list[int] = met, position: int = position) -> bool:
                met.append(1)
                return exchange.searches and len(met) > position

            with bench.proxy.failing(faults.changed(faults.lacking_a_shard), when=late):
                ended = compiler.run(program)
            assert ended.kind == "failed", (program, position)
            assert failed(ended).reason == "partial"
