"""Dates against plain Python: whole days, zones with odd offsets, dates in other formats, dates out of reach."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from math import ceil
from zoneinfo import ZoneInfo

import pytest
from elasticsearch import Elasticsearch

from qlc.mapping.catalog import read_catalog
from qlc.outcome import AggregateOut, Outcome, Unsupported
from qlc.pipeline.compiler import Compiler
from tests.rows.world import ids, mapping_of, stored
from tests.tables import rows, table

NOW = datetime(2026, 2, 20, 12, tzinfo=UTC)
DUE = [NOW.date() + timedelta(days=shift) for shift in range(-10, 11)]
TASKS = table(__file__, "TASKS")
ZONES = ("UTC", "America/New_York", "Pacific/Auckland")


@pytest.fixture(scope="module")
def tasks(client: Elasticsearch) -> Iterator[Compiler]:
    days = [day.isoformat() for day in DUE]
    found = [{"due": day, "made": f"{day}T03:00:00Z", "kind": "ab"[int(day[-2:]) % 2]} for day in days]
    with stored(client, mapping_of(due="date", made="date", kind="keyword"), ids(found)) as index:
        yield Compiler(client, read_catalog(TASKS.replace("index: tasks", f"index: {index}")))


def count(outcome: Outcome) -> int:
    return outcome.value


# --- whole days ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize(
    ("number", "unit"),
    [(1, "hour"), (24, "hours"), (25, "hours"), (48, "hours"), (72, "hours"), (90, "minutes"), (4000, "minutes"),
     (2, "days"), (1, "week")],
)  # fmt: skip
def test_a_rolling_period_of_whole_days_counts_today(tasks: Compiler, number: int, unit: str, zone: str) -> None:
    hours = {"minute": 1 / 60, "hour": 1, "day": 24, "week": 168}[unit.rstrip("s")] * number
    days, today = ceil(hours / 24), NOW.astimezone(ZoneInfo(zone)).date()
    coming = sum(today <= day < today + timedelta(days=days) for day in DUE)
    past = sum(today - timedelta(days=days) < day <= today for day in DUE)
    found = tasks.run(f"count tasks where due in next {number} {unit}", now=NOW, timezone=zone)
    assert count(found) == coming
    assert count(tasks.run(f"count tasks where due in last {number} {unit}", now=NOW, timezone=zone)) == past
    last = today + timedelta(days=days - 1)
    span = "today" if days == 1 else f"{today} to {last}, counting today"
    assert found.notes == [f"'due' holds whole days, so 'next {number} {unit}' means {span}."]


def test_hours_as_whole_days_are_reported(tasks: Compiler) -> None:
    told = [tasks.run(f"count tasks where due in next {n}", now=NOW).notes for n in ("48 hours", "1 hour")]
    assert told == [
        ["'due' holds whole days, so 'next 48 hours' means 2026-02-20 to 2026-02-21, counting today."],
        ["'due' holds whole days, so 'next 1 hour' means today."],
    ]


@pytest.mark.parametrize("zone", ZONES)
def test_a_whole_day_from_a_document_is_that_day_in_every_zone(tasks: Compiler, zone: str) -> None:
    last = DUE[-1]
    one = "(find tasks sort due desc limit 1).due"
    for program, met in {
        f"due = {one}": 1,
        "due = (max(due) of tasks)": 1,
        f"due in month({one})": sum((day.year, day.month) == (last.year, last.month) for day in DUE),
        "due in month((max(due) of tasks))": sum((day.year, day.month) == (last.year, last.month) for day in DUE),
        "due in (find tasks where due > 2026-02-26).due": sum(day > date(2026, 2, 26) for day in DUE),
        "due in (count tasks by due).due": len(DUE),
    }.items():
        assert count(tasks.run(f"count tasks where {program}", now=NOW, timezone=zone)) == met, program


@pytest.mark.parametrize("zone", ZONES)
def test_instants_from_documents_are_days_where_days_are_compared(tasks: Compiler, zone: str) -> None:
    days = {(datetime(d.year, d.month, d.day, 3, tzinfo=UTC)).astimezone(ZoneInfo(zone)).date() for d in DUE}
    program = "count tasks where due in (find tasks where made exists).made"
    assert count(tasks.run(program, now=NOW, timezone=zone)) == len(days & set(DUE))


@pytest.mark.parametrize("field", ["due", "made"])
def test_medians_and_percentiles_of_dates(tasks: Compiler, field: str) -> None:
    middle = DUE[len(DUE) // 2].isoformat()
    whole = tasks.run(f"median({field}), percentile({field}, 50), percentile({field}, 0) of tasks", now=NOW)
    assert isinstance(whole.value, dict)
    assert [str(value)[:10] for value in whole.value.values()] == [middle, middle, DUE[0].isoformat()]
    assert any("approximate" in note for note in whole.notes)
    rows = tasks.run(f"median({field}) of tasks by kind having median({field}) >= 2026-02 sort median desc", now=NOW)
    assert isinstance(rows, AggregateOut), rows
    halves = {kind: sorted(day for day in DUE if "ab"[day.day % 2] == kind) for kind in "ab"}
    wanted = {kind: (days[(len(days) - 1) // 2], days[len(days) // 2]) for kind, days in halves.items()}
    assert {row.key for row in rows.rows} == {"a", "b"}
    for row in rows.rows:
        low, high = wanted[str(row.key)]
        assert low.isoformat() <= str(row.value)[:10] <= high.isoformat()
    assert [str(row.value) for row in rows.rows] == sorted((str(row.value) for row in rows.rows), reverse=True)
    late = tasks.run(f"median({field}) of tasks by kind having median({field}) > 2027", now=NOW)
    assert isinstance(late, AggregateOut)
    assert late.rows == []


# --- dates out of reach ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("condition", ['weekday(d) = "Monday"', "d in (find entries where d exists).d"])
def test_a_stored_date_that_no_calendar_has_is_reported(client: Elasticsearch, condition: str) -> None:
    with stored(client, mapping_of(d="date"), ids([{"d": 400_000_000_000_000}])) as index:
        outcome = Compiler(client, index=index).run(f"count entries where {condition}")
    assert isinstance(outcome, Unsupported), outcome


@pytest.mark.parametrize(("test", "wanted"), rows(__file__, "test_a_date_of_nanoseconds_is_not_after_itself"))
def test_a_date_of_nanoseconds_is_not_after_itself(nanoseconds: Compiler, test: str, wanted: int) -> None:
    """Aggregations and fields give milliseconds."""
    outcome = nanoseconds.run(f"count entries where {test}")
    assert outcome.value == wanted


@pytest.fixture(scope="module")
def nanoseconds(client: Elasticsearch) -> Iterator[Compiler]:
    found = [{"t": f"2026-01-0{n + 1}T00:00:00.123456789Z", "n": n} for n in range(3)]
    with stored(client, mapping_of(t="date_nanos", n="long"), ids(found)) as index:
        yield Compiler(client, index=index)
