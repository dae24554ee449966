"""Prepared once, run with other values: always what a cold compile gives."""

import os
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler, Prepared
from tests.pipeline import world
from tests.pipeline.wire import Wire
from tests.tables import rows, table

PROGRAMS = table(__file__, "PROGRAMS")

NOWS = st.sampled_from([
    "2026-03-15T12:00:00Z", "2026-05-31T23:30:00Z", "2026-06-01T00:30:00+05:00",
    datetime(2026, 8, 1, 8, tzinfo=UTC), datetime(2026, 2, 1, 0, 30, tzinfo=ZoneInfo("Asia/Tokyo")),
])  # fmt: skip
ZONES = st.sampled_from([None, "UTC", "Europe/Berlin", "America/Los_Angeles", "+09:00", ZoneInfo("Asia/Kolkata"),
                         timezone(timedelta(hours=-11))])  # fmt: skip
CONTEXTS = st.sampled_from([{"tenant": "red"}, {"tenant": "blue"}, {"tenant": "red", "sensitive": True},
                            {"tenant": "red", "sensitive": ["salary"]}, {}, {"tenant": "green"}])  # fmt: skip
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "n": st.sampled_from([0, 3_000_000, 2.5, "3", None, True, [1]]),
        "day": st.sampled_from(["2026-06-01", "2026", date(2026, 5, 1), datetime(2026, 5, 1, tzinfo=UTC), "soon", 5]),
        "in": st.sampled_from(["Plans", "plan", "Nowhere", "red-f1", {"entity": "folder", "id": "red-f2"}, 5, ""]),
        "who": st.sampled_from(["Olga", "Sam Common", "red-p1", {"entity": "person", "id": "blue-p1"}]),
        "tag": st.sampled_from(["draft", ["red-tag1", "blue-tag2"], 5]),
        "doc": st.sampled_from([{"entity": "document", "id": "red-d3"}, {"entity": "folder", "id": "red-f1"},
                                {"entity": "nothing", "id": "x"}, {"id": "red-d3"}, "red-d3"]),
        "ids": st.sampled_from([["red-d1", "blue-d2"], "red-d4", [], [5], ("red-d1",), {"red-d5"}]),
        "status": st.sampled_from(["active", "open", "finished", "unknown", 5]),
    },
)  # fmt: skip


def same(outcome: Outcome) -> dict[str, Any]:
    """All that does not differ between two runs of the same."""
    return outcome.model_dump(exclude={"stats", "id", "cursor"})


@pytest.fixture(scope="module")
def prepared(compiler: Compiler) -> dict[str, Prepared]:
    return {program: compiler.prepare(program) for program in PROGRAMS}


EXAMPLES = int(os.environ.get("QLC_EXAMPLES", "60"))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(program=st.sampled_from(PROGRAMS), now=NOWS, timezone=ZONES, context=CONTEXTS, params=PARAMS)
def test_prepared_equals_cold(
    wire: Wire, prepared: dict[str, Prepared], program: str, now: Any, timezone: Any, context: Any, params: Any
) -> None:
    options = {"now": now, "timezone": timezone, "context": context, "params": params}
    with wire.client() as client:
        cold = Compiler(client, read_catalog(world.CATALOG)).run(program, **options)
    warm = prepared[program].run(**options)
    assert same(warm) == same(cold)
    assert getattr(cold, "reason", "") != "internal"


# --- parameters ------------------------------------------------------------------------------------------------------


def run(compiler: Compiler, program: str, **params: Any) -> Outcome:
    return compiler.run(program, context={"tenant": "red", "level": 9}, params=params, now="2026-03-15T12:00:00Z")


def total(outcome: Outcome) -> Any:
    return getattr(outcome, "total", outcome)


GOOD = rows(__file__, "GOOD")


@pytest.mark.parametrize(("program", "bound", "expected"), GOOD)
def test_a_parameter_has_the_type_of_its_place(compiler: Compiler, program: str, bound: Any, expected: int) -> None:
    assert total(run(compiler, program, x=bound)) == expected


WRONG = rows(__file__, "WRONG")


@pytest.mark.parametrize(("program", "bound"), WRONG)
def test_a_parameter_of_the_wrong_type_is_reported(compiler: Compiler, program: str, bound: Any) -> None:
    outcome = run(compiler, program, x=bound)
    assert outcome.kind == "invalid", outcome
    assert outcome.diagnostics
    assert all(note.message for note in outcome.diagnostics)
    assert outcome.message


@pytest.mark.parametrize("program", rows(__file__, "test_a_parameter_without_a_value_is_reported"))
def test_a_parameter_without_a_value_is_reported(compiler: Compiler, program: str) -> None:
    for params in ({}, {"x": None}, {"X": "Plans"}):
        outcome = run(compiler, program, **params)
        assert outcome.kind == "invalid", outcome
        assert [note.code for note in outcome.diagnostics] == ["missing-parameter"]


def test_an_entity_that_is_bound_has_fields(compiler: Compiler) -> None:
    bound = {"entity": "document", "id": "red-d3"}
    assert getattr(run(compiler, "get $x.size", x=bound), "value", None) == 3_000_000
    assert total(run(compiler, "find documents where folder = $x.folder and id != $x", x=bound)) == 3
    assert total(run(compiler, "find documents where created > $x.created", x=bound)) == 5
    assert getattr(run(compiler, "get $x.folder.owner", x=bound), "value", None) == {
        "id": "red-p1",
        "name": "Olga Crimson",
    }


def test_each_name_of_a_list_is_looked_up(compiler: Compiler) -> None:
    outcome = run(compiler, "find documents where id in $x", x=["red-d1", "blue-d3"])
    assert outcome.kind == "not_found"
    assert outcome.what == "blue-d3"
    asked = run(compiler, "find documents where folder in $x", x=["Plans", "Drafts"])
    assert asked.kind == "clarify"
    assert asked.what == "Drafts"


def test_more_parameters_than_the_query_has_do_no_harm(compiler: Compiler) -> None:
    assert total(run(compiler, "find documents where size > $x", x=1, y="?", z={"entity": "folder", "id": "f"})) == 7


@pytest.mark.parametrize(
    "text", ['" or 1=1', "*", 'Plans" or size > 1', "\\", "\x00", "a" * 40_000, "{{7*7}}", "\ud800"]
)
def test_a_bound_text_is_a_value_and_no_program(compiler: Compiler, text: str) -> None:
    for program in (
        "find documents where name = $x",
        "find documents where folder = $x",
        "find documents where name contains $x",
        "find documents where tags has $x",
        "find documents where id = $x",
        "find documents where path under $x",
        "find documents where owner = $x",
        "find documents where name starts with $x",
        "find documents where mentions $x",
        "find documents where type in ($x)",
        "find documents where folder in ($x)",
        "find documents where folder.id = $x",
    ):
        outcome = run(compiler, program, x=text)
        assert outcome.kind in ("hits", "not_found", "unsupported", "invalid"), (program, outcome)
        assert getattr(outcome, "total", 0) == 0


# --- options ---------------------------------------------------------------------------------------------------------


def test_the_zone_moves_days(compiler: Compiler) -> None:
    """Documents were made at eight in the morning UTC, on the first: in Honolulu that is the day before."""
    program = "find documents where created in 2026-03"
    for zone in ("UTC", "-10:00"):
        assert total(compiler.run(program, context={"tenant": "red"}, timezone=zone)) == 1
    program = "count documents where created = 2026-03-01"
    counts = [
        getattr(compiler.run(program, context={"tenant": "red"}, timezone=zone), "value", None)
        for zone in ("UTC", "Pacific/Honolulu", "-10:00", timezone(timedelta(hours=-10)))
    ]
    assert counts == [1, 0, 0, 0]
