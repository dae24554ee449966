"""How often the server is asked: levels + 1, one request for each level, equal lookups once."""

from typing import Any

import pytest

from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.trace import Trace
from tests.pipeline.wire import Wire, is_of_fields, searches
from tests.tables import rows

NOW = "2026-03-15T12:00:00Z"

PROGRAMS = rows(__file__, "PROGRAMS")


def run(compiler: Compiler, program: str, **more: Any) -> tuple[Outcome, Trace]:
    trace = Trace()
    compiler.forget()
    return compiler.run(program, now=NOW, trace=trace, **more), trace


@pytest.mark.parametrize(("levels", "program"), PROGRAMS)
def test_levels_and_one(store: tuple[Wire, Compiler], levels: int, program: str) -> None:
    """`get` needs no request behind its last level, unless a reference is to be shown."""
    wire, compiler = store
    compiler.schema  # noqa: B018  the mapping is read once
    with wire.watched() as calls:
        outcome, trace = run(compiler, program)
    assert outcome.kind in ("hits", "count", "aggregate", "value"), outcome
    assert len(trace.plan.levels) == levels
    last = 0 if program.startswith("get") and not program.endswith("owner") else 1
    assert outcome.stats.round_trips == levels + last
    assert len(calls) == outcome.stats.round_trips + outcome.stats.further
    assert len(trace.requests) == len(searches(calls))


def test_a_level_is_one_request(store: tuple[Wire, Compiler]) -> None:
    wire, compiler = store
    program = ('find documents where folder = "Tax Documents" and created > document("Dock Permit.pdf").created '
               'and size < (avg(size) of documents)')  # fmt: skip
    with wire.watched() as calls:
        run(compiler, program)
    asked = [(call.path.rsplit("/", 1)[-1], [is_of_fields(body) for _, body in call.searches]) for call in calls]
    assert asked == [("_msearch", [False] * 3), ("_msearch", [False, True])]
    with wire.watched() as calls:
        compiler.run(program, now=NOW)
    assert [(call.path.rsplit("/", 1)[-1], len(call.searches)) for call in calls][-1] == ("_search", 1)


@pytest.mark.parametrize("program", rows(__file__, "test_the_same_look_up_twice_is_one_request"))
def test_the_same_look_up_twice_is_one_request(store: tuple[Wire, Compiler], program: str) -> None:
    wire, compiler = store
    with wire.watched() as calls:
        outcome, _ = run(compiler, program)
    assert outcome.kind in ("hits", "invalid"), outcome
    assert len([body for _, body in searches(calls) if not is_of_fields(body)]) <= 2


def test_what_was_looked_up_is_remembered_until_a_write(store: tuple[Wire, Compiler]) -> None:
    _, compiler = store
    program = 'find documents where folder = "Tax Documents"'
    outcome, _ = run(compiler, program)
    assert outcome.stats.round_trips == 2
    assert compiler.run(program, now=NOW).stats.round_trips == 1
    compiler.forget()
    assert compiler.run(program, now=NOW).stats.round_trips == 2


def test_buckets_read_to_the_end_are_counted_apart(store: tuple[Wire, Compiler]) -> None:
    """More groups than one request gives: the requests behind the first read on."""
    _, compiler = store
    outcome, trace = run(compiler, "count entries by name, day(created)")
    assert outcome.stats.round_trips == 1
    of_query = [sent for sent in trace.requests if not is_of_fields(sent.request.body)]
    assert outcome.stats.further == len(of_query) - 1


def test_a_value_that_nothing_has_costs_no_trip_beside_the_statement(store: tuple[Wire, Compiler]) -> None:
    """Looking for it goes out beside the statement; only naming near ones reads the field's values."""
    wire, compiler = store
    compiler.forget()
    with wire.watched() as calls:
        outcome = compiler.run('find documents where name = "No Such Name Anywhere.pdf"', now=NOW)
    assert [len(call.searches) for call in calls][:1] == [2]
    assert outcome.notes
    assert outcome.notes[0].startswith("No document has the name 'No Such Name Anywhere.pdf'.")


def test_an_index_without_an_id_field_opens_its_point_in_time_apart(wire: Wire) -> None:
    with wire.client() as client, wire.watched() as calls:
        compiler = Compiler(client, index="shared")
        compiler.schema  # noqa: B018
        outcome = compiler.run('find entries where type = "memo"', now=NOW)
    assert (outcome.stats.round_trips, outcome.stats.further) in ((1, 1), (1, 2))
    assert [call.path.rsplit("/", 1)[-1] for call in calls if call.method != "GET"][:2] == ["_pit", "_msearch"]


def test_no_hits_more_than_asked_for_are_read(store: tuple[Wire, Compiler]) -> None:
    """A page that is not full is the last: nothing is asked to make sure."""
    wire, compiler = store
    with wire.watched() as calls:
        outcome = compiler.run('find documents where type = "W2"', now=NOW, size=10_000)
    assert outcome.stats.further == 0
    assert len(calls) == 1
    assert '"size": 10000' in str(calls[0].body).replace("'", '"')


def test_nothing_is_sent_for_a_program_with_errors(store: tuple[Wire, Compiler]) -> None:
    wire, compiler = store
    contradiction = "find documents where size > 2 and size < 1"
    for program in ("find", "find documents", "find documents where sice > 1", contradiction):
        with wire.watched() as calls:
            outcome, _ = run(compiler, program)
        assert outcome.kind == "invalid"
        assert calls == []
        assert (outcome.stats.round_trips, outcome.stats.further) == (0, 0)
