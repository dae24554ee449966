"""A server that fails: tried again where that is safe, inside the deadline, and told in plain words."""

import logging
import random
import time
from typing import Any

import pytest
from elastic_transport import ConnectionError as Unreachable
from elasticsearch import Elasticsearch

from qlc.base.errors import QlcError, RequestFailed
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Failed, Outcome
from qlc.pipeline.compiler import Compiler
from qlc.resolver import driver
from tests.pipeline import world
from tests.pipeline.wire import Call, Fault, Reply, Wire, always, in_turn, searches

CONTEXT = {"tenant": "red", "level": 5}
NOW = "2026-03-15T12:00:00Z"
PROGRAM = "find documents where size > 1 MB"
TWO_SEARCHES = 'find documents where type = "memo"'
"""The statement, and beside it whether the value occurs."""


def error(status: int, kind: str = "some_exception", reason: str = "no reason") -> Reply:
    cause = {"type": kind, "reason": reason}
    return Reply(status, {"error": {"root_cause": [cause], **cause}, "status": status})


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses between attempts, which are not waited for."""
    waited: list[float] = []
    monkeypatch.setattr("qlc.resolver.driver.time.sleep", waited.append)
    return waited


def run(compiler: Compiler, wire: Wire, fault: Fault, program: str = PROGRAM, **options: Any) -> Outcome:
    compiler.forget()
    with wire.answering(fault):
        return compiler.run(program, context=CONTEXT, now=NOW, **options)


def failed(outcome: Outcome) -> Failed:
    assert isinstance(outcome, Failed), outcome
    return outcome


# --- tried again -----------------------------------------------------------------------------------------------------


def test_a_cluster_less_is_tried_again(wire: Wire, compiler: Compiler, pauses: list[float]) -> None:
    """`tests/faults/test_server_faults.py` has what else passes, and what does not."""
    found = {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}}
    skipped = Reply(200, {**found, "_clusters": {"total": 2, "successful": 1, "skipped": 1}})
    assert run(compiler, wire, in_turn(skipped)).kind == "hits"
    assert failed(run(compiler, wire, always(skipped))).reason == "partial"
    assert len(pauses) == 1 + driver.ATTEMPTS - 1


def test_pauses_grow_and_are_spread(wire: Wire, compiler: Compiler, pauses: list[float]) -> None:
    random.seed(1)
    for _ in range(10):
        run(compiler, wire, always(error(503)))
    rows = [pauses[at : at + 3] for at in range(0, len(pauses), 3)]
    assert len({tuple(row) for row in rows}) == 10
    for row in rows:
        for number, pause in enumerate(row):
            assert 0.5 * 0.1 * 2**number <= pause <= 0.1 * 2**number


@pytest.mark.parametrize("after", ["soon", "-1", "Wed, 21 Oct 2026 07:28:00 GMT", "1e9", ""])
def test_a_wait_that_is_no_number_is_none(wire: Wire, compiler: Compiler, pauses: list[float], after: str) -> None:
    assert run(compiler, wire, in_turn(Reply(429, {"error": "busy"}, {"retry-after": after}))).kind == "hits"
    assert max(pauses) <= 0.1


# --- several searches in one request ---------------------------------------------------------------------------------


def multi(*parts: Any) -> Reply:
    return Reply(200, {"took": 1, "responses": list(parts)})


GOOD_PART = {"hits": {"total": {"value": 0, "relation": "eq"}, "hits": []}, "status": 200}


def item(status: int) -> dict[str, Any]:
    return {"error": {"root_cause": [], "type": "some_exception", "reason": "no"}, "status": status}


@pytest.mark.parametrize(
    ("reply", "tried"),
    [
        (multi(item(429), GOOD_PART), 4),
        (multi(GOOD_PART, item(503)), 4),
        (multi(item(400), GOOD_PART), 1),
        (multi(GOOD_PART, {"error": "text", "status": "x"}), 1),
        (multi(GOOD_PART), 4),
        (multi(GOOD_PART, GOOD_PART, GOOD_PART), 4),
        (multi(GOOD_PART, None), 4),
        (multi(GOOD_PART, {**GOOD_PART, "_shards": {"total": 1, "failed": 1}}), 4),
        (Reply(200, []), 4),
        (Reply(200, {"responses": {}}), 4),
        (Reply(200, None), 4),
    ],
)
def test_an_item_that_failed_fails_the_whole(wire: Wire, compiler: Compiler, reply: Reply, tried: int) -> None:
    with wire.watched() as calls:
        outcome = failed(run(compiler, wire, always(reply), TWO_SEARCHES))
    assert outcome.reason != "internal", outcome
    assert sum(bool(call.searches) for call in calls) == tried
    assert run(compiler, wire, in_turn(reply), TWO_SEARCHES).kind == ("hits" if tried > 1 else "failed")


# --- the deadline ----------------------------------------------------------------------------------------------------


class Time:
    """A clock that goes on with every request and every pause."""

    def __init__(self, step: float) -> None:
        self.now = 1000.0
        self.step = step

    def fault(self, call: Call) -> None:
        self.now += self.step

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def monotonic(self) -> float:
        return self.now


@pytest.mark.parametrize(("deadline", "kind"), [(30.0, "hits"), (1.9, "failed"), (1.0, "failed")])
def test_the_deadline_is_over_all_round_trips(
    wire: Wire, compiler: Compiler, monkeypatch: pytest.MonkeyPatch, deadline: float, kind: str
) -> None:
    clock = Time(2.0)
    monkeypatch.setattr(time, "monotonic", clock.monotonic)
    program = "find folders where id = document(\"Crimson Report 3.pdf\").folder and folder = root"
    with wire.watched() as calls:
        outcome = run(compiler, wire, clock.fault, program, deadline=deadline)
    assert outcome.kind == kind
    given = [call.timeout for call in calls if call.searches]
    assert all(seconds is not None and 0 < seconds <= deadline for seconds in given)
    assert given == sorted(given, key=lambda seconds: -(seconds or 0))
    if kind == "failed":
        assert failed(outcome).reason == "timeout"
        assert failed(outcome).retryable


def test_no_time_at_all_is_a_time_out(wire: Wire, compiler: Compiler) -> None:
    with wire.watched() as calls:
        outcome = failed(run(compiler, wire, lambda call: None, deadline=0))
    assert (outcome.reason, searches(calls)) == ("timeout", [])


# --- while the mapping is read ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reply", "reason"), [(error(404), "no-index"), (error(401), "unauthorized"),
                                               (error(403), "forbidden"), (Reply(200, {}), "no-index"),
                                               (Unreachable("refused"), "unreachable")])  # fmt: skip
def test_a_mapping_that_cannot_be_read(wire: Wire, fresh: Compiler, reply: Reply | Exception, reason: str) -> None:
    with wire.answering(lambda call: reply):
        assert failed(fresh.run(PROGRAM, context=CONTEXT)).reason == reason
        with pytest.raises(RequestFailed) as caught:
            fresh.diagnose(PROGRAM)
        assert caught.value.reason == reason
        with pytest.raises(QlcError):
            fresh.complete("find ")
    assert fresh.run(PROGRAM, context=CONTEXT, now=NOW).kind == "hits"


# --- defects ---------------------------------------------------------------------------------------------------------


def test_a_defect_is_failed_with_an_id_that_is_in_the_log(
    wire: Wire, compiler: Compiler, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("qlc.pipeline.prepared.run_plan", broken)
    with caplog.at_level(logging.INFO, "qlc"):
        outcome = failed(compiler.run(PROGRAM, context=CONTEXT))
    assert outcome.reason == "internal"
    assert not outcome.retryable
    assert "ZeroDivisionError" not in outcome.message
    (record,) = [record for record in caplog.records if outcome.id in record.getMessage()]
    assert record.levelno == logging.ERROR
    assert record.exc_info is not None


def test_what_fails_outside_is_logged_as_a_warning(
    wire: Wire, compiler: Compiler, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "qlc"):
        outcome = failed(run(compiler, wire, always(error(403))))
    (record,) = [record for record in caplog.records if outcome.id in record.getMessage()]
    assert record.levelno == logging.WARNING


@pytest.mark.parametrize("seconds", [0.5, 7])
def test_a_client_makes_no_attempts_of_its_own(seconds: float) -> None:
    with Elasticsearch("http://127.0.0.1:9", max_retries=3) as client:
        assert driver.patient(client, seconds)._max_retries == 0


SECRETS = ("hunter2", "aHVudGVyMjpzZWNyZXQ", "s3cr3t-tenant")


def test_secrets_are_in_no_log_and_no_outcome(caplog: pytest.LogCaptureFixture) -> None:
    """Outcomes, logs and `repr` contain neither credentials nor the context, also if the connection fails."""
    from qlc import connect

    for options in ({"basic_auth": ("user", "hunter2")}, {"api_key": "aHVudGVyMjpzZWNyZXQ"}):
        with caplog.at_level(logging.DEBUG), connect("http://127.0.0.1:9", **options) as client:
            compiler = Compiler(client.options(max_retries=0), read_catalog(world.CATALOG))
            outcome = compiler.run(PROGRAM, context={"tenant": "s3cr3t-tenant"}, deadline=2)
            told = f"{failed(outcome).model_dump_json()} {compiler!r} {compiler.prepare(PROGRAM)!r} {client!r}"
            assert failed(outcome).reason == "unreachable"
    logged = " ".join(record.getMessage() + str(record.exc_text or "") for record in caplog.records)
    assert not any(secret in told + logged for secret in SECRETS)


def test_a_missing_context_is_not_logged_with_its_values(compiler: Compiler, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "qlc"):
        compiler.run("count projects", context={"tenant": "s3cr3t-tenant"})
    assert "s3cr3t-tenant" not in caplog.text
