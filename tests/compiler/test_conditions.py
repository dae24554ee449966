"""The table of conditions in docs/language.md, row by row: what each form compiles to, and who it is refused to."""

import pytest

from qlc.compiler import typed
from qlc.compiler.date_clauses import chosen_places
from tests.tables import rows

from .world import Body, drive, only


def negated(clause: Body) -> Body:
    return {"bool": {"must_not": [clause]}}


def one_clause(query: Body) -> Body:
    return {"bool": {"filter": query["all"]}} if "all" in query else query


# --- equality --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("positive", "negative"), rows(__file__, "test_not_is_the_exact_complement_also_on_lists_and_nested_lists")
)
def test_not_is_the_exact_complement_also_on_lists_and_nested_lists(positive: str, negative: str) -> None:
    assert drive().where(negative) == typed.Not(drive().where(positive)) == drive().where(f"not ({positive})")
    assert drive().query(negative) == negated(one_clause(drive().query(positive)))


# --- cycles and places -----------------------------------------------------------------------------------------------


def test_weekday_is_compiled_to_ranges_of_days_in_the_callers_zone() -> None:
    world = drive().at(zone="America/New_York", now="2026-03-15T12:00:00Z")
    body = world.body('find documents where weekday(created) = "Sunday"')
    limits = body["query"]["bool"]["filter"][1]["range"]["systemAttributes.createDate"]
    assert (limits["gte"], limits["lt"]) == ("2026-03-15T04:00:00.000Z", "2026-03-16T04:00:00.000Z")


@pytest.mark.parametrize(("condition", "values"), rows(__file__, "test_cyclic_conditions_name_days_and_hours"))
def test_cyclic_conditions_name_days_and_hours(condition: str, values: list[int]) -> None:
    env = drive().compiler.environment({})
    assert [*chosen_places(only(typed.OnCycle, drive().where(condition)), env)] == values
