"""The plan: lookups by level, each once, every one before what needs it."""

import pytest
from hypothesis import given

from qlc.compiler import typed
from qlc.planner.plan import EndlessAccess, Plan
from tests.tables import rows, table

from .programs import programs
from .world import drive, made, relaxed


@pytest.mark.parametrize("source", rows(__file__, "test_the_same_look_up_written_twice_is_done_once"))
def test_the_same_look_up_written_twice_is_done_once(source: str) -> None:
    sources = [step.source for step in drive().plan(source).steps]
    assert len(sources) == len(set(sources))
    assert sum(isinstance(found, typed.Lookup) for found in sources) == 1


@relaxed
@given(programs())
def test_steps_lie_one_level_above_what_they_need_and_requests_go_out_by_level(source: str) -> None:
    check_order(drive().plan(source))
    sent = [level for level, _ in drive().requests(source)]
    assert sent == sorted(sent)


def check_order(plan: Plan) -> None:
    level = {step.number: step.level for step in plan.steps}
    for number, steps in enumerate(plan.levels):
        assert steps
        for step in steps:
            assert step.level == number
            assert step.level == 1 + max((level[needed] for needed in step.needs), default=-1)
    sources = [step.source for step in plan.steps]
    assert len(sources) == len(set(sources))
    assert {taken.source for taken in plan.uses} <= set(sources)


# --- what is compiled once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "fixed"), rows(__file__, "test_a_statement_that_never_varies_is_compiled_once"))
def test_a_statement_that_never_varies_is_compiled_once(source: str, fixed: bool) -> None:
    assert drive().plan(source).fixed is fixed


# --- access ----------------------------------------------------------------------------------------------------------

CATALOG = table(__file__, "CATALOG")
KEYWORDS = {name: {"type": "keyword"} for name in ("kind", "uid", "title", "owner", "shelfId")}


def test_an_access_rule_that_looks_into_its_own_entity_is_refused() -> None:
    catalog = CATALOG.replace("shelf.owner = $me", "id in (find books where owner = $me)")
    with pytest.raises((EndlessAccess, Exception)) as problem:
        made(KEYWORDS, catalog).plan('find books where title = "y"')
    assert "itself" in str(problem.value)
