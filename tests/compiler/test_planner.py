"""The plan: lookups by level, each once, every one before what needs it."""

from __future__ import annotations

import pytest
from hypothesis import given

from qlc.compiler import typed
from qlc.planner.plan import EndlessAccess, Plan

from .programs import programs
from .world import drive, made, relaxed


def levels(source: str) -> list[list[str]]:
    return [[type(step.source).__name__ for step in level] for level in drive().plan(source).levels]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('find documents where name = "x"', []),
        ("find documents where folder = root", []),
        ('find documents where folder = "Tax"', [["Lookup"]]),
        ('find documents where folder = "A" and owner = "B"', [["Lookup", "Lookup"]]),
        ('find documents where folder.creator = "Ada"', [["Lookup"], ["Search"]]),
        ('find documents where folder.folder.creator = "Ada"', [["Lookup"], ["Search"], ["Search"]]),
        ('find folders where id = folder("B").folder.folder', [["Lookup"], ["Search"]]),
        ('get document("x").owner', [["Lookup"]]),
        ('get document("x").folder.owner', [["Lookup"], ["Search"]]),
        ("find documents where vendor = employer", [["Pairs"]]),
        ('find documents where weekday(created) = "Sunday"', [["Extent"]]),
        ("find documents where size > (avg(size) of documents)", [["Rows"]]),
        ('find documents where size > (avg(size) of documents where folder = "T")', [["Lookup"], ["Rows"]]),
        ('count documents by shares[who = "Dana"].role', [["Lookup"]]),
        ('find documents where starred sort shares[who = "Dana"].role', [["Lookup"]]),
        ('share(folder = "Tax") of documents by type', [["Lookup"]]),
        ('count documents by type having count > (count documents where folder = "T")', [["Lookup"], ["Rows"]]),
    ],
)
def test_look_ups_fall_out_of_the_types_in_levels(source: str, expected: list[list[str]]) -> None:
    assert levels(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        'find documents where folder = "Tax" or not folder = "Tax"',
        'find documents where folder = document("R").folder and id != document("R")',
        'find documents where size > document("R").size and created > document("R").created',
        'let r = document("R") find documents where folder = r.folder and id != r',
        'find documents where folder = "Tax" and copied_from in (find entries where folder = folder("Tax"))',
    ],
)
def test_the_same_look_up_written_twice_is_done_once(source: str) -> None:
    sources = [step.source for step in drive().plan(source).steps]
    assert len(sources) == len(set(sources))
    assert sum(isinstance(found, typed.Lookup) for found in sources) == 1


def test_all_fields_taken_from_one_look_up_are_read_together() -> None:
    plan = drive().plan('find documents where size > document("R").size and created > document("R").created')
    (step,) = plan.steps
    assert [field.name for field in step.takes if field is not None] == ["size", "created"]


def test_another_entity_or_case_of_a_name_is_another_look_up() -> None:
    assert len(drive().plan('find documents where id = document("R") or folder = folder("R")').steps) == 2
    assert len(drive().plan('find documents where folder = "Tax" or folder = "tax"').steps) == 2


def test_a_step_waits_for_what_it_needs() -> None:
    plan = drive().plan('find documents where folder in (find folders where owner = "Ada" and folder = "Tax")')
    search = plan.levels[1][0]
    assert sorted(search.needs) == sorted(step.number for step in plan.levels[0])


@relaxed
@given(programs())
def test_every_step_lies_one_level_above_what_it_needs(source: str) -> None:
    check_order(drive().plan(source))


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


@relaxed
@given(programs())
def test_requests_go_out_level_by_level_and_the_statement_last(source: str) -> None:
    sent = [level for level, _ in drive().requests(source)]
    assert sent == sorted(sent)


# --- what is compiled once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "fixed"),
    [
        ("find documents where size > 5", True),
        ("find documents where created = 2024", True),
        ("find documents where created = today", False),
        ("find documents where created < now", False),
        ("find documents where size > $least", False),
        ('find documents where folder = "Tax"', False),
    ],
)
def test_a_statement_that_never_varies_is_compiled_once(source: str, fixed: bool) -> None:
    assert drive().plan(source).fixed is fixed


# --- access ----------------------------------------------------------------------------------------------------------

CATALOG = """
version: 1
index: things
entities:
  book: {id: id, names: [title], access: shelf.owner = $me}
  shelf: {plural: shelves, where: {kind: SHELF}, id: id, names: [title]}
fields:
  id: uid
  title: title
  owner: owner
  shelf: {path: shelfId, refers_to: shelf}
"""
KEYWORDS = {name: {"type": "keyword"} for name in ("kind", "uid", "title", "owner", "shelfId")}


def test_what_an_access_rule_looks_up_comes_before_every_search_of_its_entity() -> None:
    plan = made(KEYWORDS, CATALOG).plan('find books where id = book("x") or title = "y"')
    assert [[type(step.source).__name__ for step in level] for level in plan.levels] == [["Search"], ["Lookup"]]


def test_an_access_rule_that_looks_into_its_own_entity_is_refused() -> None:
    catalog = CATALOG.replace("shelf.owner = $me", "id in (find books where owner = $me)")
    with pytest.raises((EndlessAccess, Exception)) as problem:
        made(KEYWORDS, catalog).plan('find books where title = "y"')
    assert "itself" in str(problem.value)
