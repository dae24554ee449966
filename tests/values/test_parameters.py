"""A bound value means the same as the value written in the program, and is refused in the same cases."""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from qlc.mapping.catalog import read_catalog
from qlc.outcome import AggregateOut, Invalid
from qlc.pipeline.compiler import Compiler
from tests.rows.world import ids, stored
from tests.tables import rows, table

CATALOG = table(__file__, "CATALOG")
MAPPING = table(__file__, "MAPPING")
DOCUMENTS: list[dict[str, Any]] = table(__file__, "DOCUMENTS")


@pytest.fixture(scope="module")
def compiler(client: Elasticsearch) -> Iterator[Compiler]:
    with stored(client, MAPPING, ids(DOCUMENTS)) as index:
        yield Compiler(client, read_catalog(CATALOG.replace("INDEX", index)))


SAME: list[tuple[str, str, Any]] = [
    ("size > $v", "size > 5000", 5000),
    ("size > $v", "size > 5000.5", 5000.5),
    ("size > $v", "size > 5000", Decimal("5000")),
    ("size = $v", "size = 7 kB", 7000.0),
    ("size in $v", "size in [5000, 7000]", [5000, 7000]),
    ("size in [$v, 9000]", "size in [5000, 9000]", 5000),
    ("name contains $v", 'name contains " "', " "),
    ("name like $v", 'name like "? ?"', "? ?"),
    ("status = $v", 'status = "active"', "Active"),
    ("status = $v and size < 9000", 'status = "any" and size < 9000', "any"),
    ("status in $v", 'status in ["done"]', ("done",)),
    ("grade = $v", "grade = 1", 1),
    ("tags has all $v", 'tags has all ["x", "y"]', ["x", "y"]),
    ("tags has any $v", 'tags has any ["y"]', ["y"]),
    ("made in $v", "made in 2024-03", "2024-03"),
    ("made in $v", "made in [2024-03-04, 2024-04]", ["2024-03-04", "2024-04"]),
    ("made = $v", "made = 2024-03-05", date(2024, 3, 5)),
    ("made > $v", "made > 2024-03-05T23:30", datetime(2024, 3, 5, 23, 30, tzinfo=UTC)),
    ("made not in $v", "made not in [2024-04, 2024-03-04]", [date(2024, 3, 4), "2024-04"]),
    ("due in $v", "due in [2024-03-05, 2024-04]", ["2024-03-05", "2024-04"]),
    ("due <= $v", "due <= 2024-03-06", " 2024-03-06 "),
    ("ip = $v", 'ip = "10.0.0.0/23"', "10.0.0.0/23"),
    ("ip > $v", 'ip > "10.0.0.1"', "10.0.0.1"),
    ("paid = $v", "paid = false", False),
    ("weekday(made) = $v", 'weekday(made) = "Tuesday"', "tue"),
    ("weekday(made) in $v", 'weekday(made) in ["Monday", "Saturday"]', ["monday", "SATURDAY"]),
    ("weekday(made) > $v", 'weekday(made) > "Monday"', "Monday"),
    ("hour_of_day(made) = $v", "hour_of_day(made) = 9", 9),
    ("hour_of_day(made) not in $v", "hour_of_day(made) not in [9, 10]", [9.0, 10]),
    ("hour_of_day(made) between $v and 23", "hour_of_day(made) between 10 and 23", 10),
]


@pytest.mark.parametrize(("bound", "written", "value"), SAME, ids=lambda value: str(value))
def test_a_value_bound_is_a_value_written(compiler: Compiler, bound: str, written: str, value: Any) -> None:
    wanted = compiler.run(f"count orders where {written}")
    found = compiler.run(f"count orders where {bound}", params={"v": value})
    assert found.value == wanted.value
    assert 0 < found.value < len(DOCUMENTS)


@pytest.mark.parametrize(
    ("condition", "value", "code"),
    [
        ("size > $v", "5", "parameter-type"), ("size > $v", [5, 6], "parameter-type"),
        ("size > $v", True, "parameter-type"), ("size = $v", float("nan"), "parameter-type"),
        ("size > $v", 10**30, "unknown-value"), ("size = $v", 10**400, "unknown-value"),
        ("size in [$v, 5]", [5, 6], "parameter-type"), ("tags has $v", ["x", "y"], "parameter-type"),
        ("status = $v", ["open"], "parameter-type"), ("status = $v", "lost", "unknown-value"),
        ("made = $v", ["2024-03"], "parameter-type"), ("made > $v", "2024-02-30", "invalid-date"),
        ("made < $v", datetime.max, "invalid-date"), ("made < $v", date.max, "invalid-date"),
        ("ip = $v", "10.0.0", "wrong-type"), ("ip in $v", ["10.0.0.1", "here"], "wrong-type"),
        ("ip > $v", "10.0.0.0/8", "wrong-type"), ("name contains $v", "", "parameter-type"),
        ("weekday(made) = $v", "Mo", "unknown-value"), ("weekday(made) = $v", 1, "parameter-type"),
        ("weekday(made) = $v", ["Monday"], "parameter-type"), ("hour_of_day(made) = $v", 24, "unknown-value"),
        ("hour_of_day(made) < $v", 2.5, "unknown-value"),
    ],
)
def test_a_value_that_does_not_fit_is_refused_at_its_place(
    compiler: Compiler, condition: str, value: Any, code: str
) -> None:
    program = f"count orders where {condition}"
    outcome = compiler.run(program, params={"v": value})
    assert isinstance(outcome, Invalid), outcome
    (found,) = outcome.diagnostics
    assert found.code == code
    assert found.span is not None
    assert program[slice(*found.span)] == "$v"


@pytest.mark.parametrize("condition", ["size in $v", "status in $v", "tags has any $v", "tags has all $v", "made in $v",
                                       "weekday(made) in $v"])  # fmt: skip
def test_an_empty_list_is_computed_and_reported(compiler: Compiler, condition: str) -> None:
    outcome = compiler.run(f"count orders where {condition}", params={"v": []})
    assert outcome.value == 0
    assert outcome.notes == ["$v is an empty list, so nothing is in it."]


@pytest.mark.parametrize(
    ("having", "value", "keys"),
    [
        ("status = $v", "active", ["open"]), ("status in $v", ["done"], ["closed"]), ("count > $v", 1, ["open"]),
        ("count > $v", 10**30, []), ("max(made) in $v", ["2024-03", "2023"], ["closed"]),
    ],
)
def test_rows_are_compared_with_what_is_bound(compiler: Compiler, having: str, value: Any, keys: list[str]) -> None:
    outcome = compiler.run(f"count orders by status having {having}", params={"v": value})
    assert isinstance(outcome, AggregateOut), outcome
    assert [row.key for row in outcome.rows] == keys


@pytest.mark.parametrize(
    ("having", "value", "code"),
    [("count > $v", "many", "parameter-type"), ("count > $v", [1], "parameter-type"), ("status = $v", "lost",
     "unknown-value")],
)  # fmt: skip
def test_rows_are_not_compared_with_what_does_not_fit(compiler: Compiler, having: str, value: Any, code: str) -> None:
    outcome = compiler.run(f"count orders by status having {having}", params={"v": value})
    assert [d.code for d in outcome.diagnostics] == [code]


def test_a_weekday_of_rows_is_one_of_the_seven(compiler: Compiler) -> None:
    for value in ('"Foo"', "25"):
        outcome = compiler.run(f"count orders by weekday(made) having weekday = {value}")
        assert isinstance(outcome, Invalid)


@pytest.mark.parametrize(("condition", "count"), rows(__file__, "test_days_and_hours_come_from_anywhere_a_value_does"))
def test_days_and_hours_come_from_anywhere_a_value_does(compiler: Compiler, condition: str, count: int) -> None:
    outcome = compiler.run(f"count orders where {condition}")
    assert outcome.value == count


def test_everything_wrong_with_a_list_is_reported_at_once(compiler: Compiler) -> None:
    conditions = ('status in ["Foo", "open", "Bar"]', 'grade between "x" and true', "tags has all [1, 2]")
    program = f"count orders where {' and '.join(conditions)}"
    outcome = compiler.run(program)
    assert [program[slice(*d.span)] for d in outcome.diagnostics if d.span] == ['"Foo"', '"Bar"', '"x"', "true", "1",
                                                                                "2"]  # fmt: skip


def test_a_number_may_be_longer_than_python_writes_down(compiler: Compiler) -> None:
    outcome = compiler.run("count orders where size > $v", params={"v": 10**5000})
    assert [d.code for d in outcome.diagnostics] == ["unknown-value"]
    assert compiler.run("count orders where size < $v", params={"v": 10**5000}).message == "3 orders."
