"""Hours of clocks that were moved by a part of an hour, against plain Python."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from elasticsearch import Elasticsearch

from qlc.outcome import AggregateOut
from qlc.pipeline.compiler import Compiler
from qlc.resolver.rows.columns import shifts_within_hours
from tests.rows.world import ids, mapping_of, stored
from tests.tables import rows

CHANGES = rows(__file__, "CHANGES")


def instants(zone: str) -> list[datetime]:
    """Every seven minutes for eight hours around each change."""
    changes = (datetime.fromisoformat(change).replace(tzinfo=UTC) for change in CHANGES[zone])
    return [change + timedelta(minutes=7 * n - 240) for change in changes for n in range(69)]


@pytest.fixture(scope="module")
def visits(client: Elasticsearch) -> Iterator[Compiler]:
    found = [{"at": at.isoformat(), "zone": zone, "n": n % 5,
              "both": [at.isoformat(), (at + timedelta(minutes=20)).isoformat()]}
             for zone in CHANGES for n, at in enumerate(instants(zone))]  # fmt: skip
    with stored(client, mapping_of(at="date", both="date", zone="keyword", n="integer"), ids(found)) as index:
        yield Compiler(client, index=index)


@pytest.fixture(params=CHANGES)
def zone(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def rows(compiler: Compiler, program: str, zone: str) -> dict[Any, Any]:
    answer = compiler.run(program.replace("ZONE", f'zone = "{zone}"'), timezone=zone)
    assert isinstance(answer, AggregateOut), answer
    assert len({str(row.key) for row in answer.rows}) == len(answer.rows)
    return {row.key: row.value for row in answer.rows}


def hour_of(at: datetime, zone: str) -> tuple[str, timedelta | None]:
    local = at.astimezone(ZoneInfo(zone))
    return f"{local:%Y-%m-%dT%H}", local.utcoffset()


def test_hours_of_the_day(visits: Compiler, zone: str) -> None:
    hours = Counter(at.astimezone(ZoneInfo(zone)).hour for at in instants(zone))
    assert rows(visits, "count entries where ZONE by hour_of_day(at)", zone) == hours
    for hour, number in hours.items():
        asked = visits.run(f'count entries where zone = "{zone}" and hour_of_day(at) = {hour}', timezone=zone)
        assert asked.value == number, hour


def test_measures_of_the_hours_of_the_day(visits: Compiler, zone: str) -> None:
    numbers = defaultdict(list)
    for n, at in enumerate(instants(zone)):
        numbers[at.astimezone(ZoneInfo(zone)).hour].append(n % 5)
    found = rows(visits, "sum(n), distinct(n) of entries where ZONE by hour_of_day(at)", zone)
    assert {key: tuple(value.values()) for key, value in found.items()} == {
        hour: (sum(each), len(set(each))) for hour, each in numbers.items()
    }


def test_a_document_with_several_dates_counts_once_an_hour(visits: Compiler, zone: str) -> None:
    both = [(at, at + timedelta(minutes=20)) for at in instants(zone)]
    hours = Counter(hour for pair in both for hour in {at.astimezone(ZoneInfo(zone)).hour for at in pair})
    assert rows(visits, "count entries where ZONE by hour_of_day(both)", zone) == hours
    each = Counter(hour for pair in both for hour in {hour_of(at, zone) for at in pair})
    assert sorted(rows(visits, "count entries where ZONE by hour(both)", zone).values()) == sorted(each.values())


def test_calendar_hours(visits: Compiler, zone: str) -> None:
    hours = Counter(hour_of(at, zone) for at in instants(zone))
    found = rows(visits, "count entries where ZONE by hour(at)", zone)
    assert sorted((key[:13], number) for key, number in found.items()) == sorted(
        (text, number) for (text, _), number in hours.items()
    )


def test_only_such_clocks_are_read_by_quarters() -> None:
    odd = {zone for zone in CHANGES if shifts_within_hours(ZoneInfo(zone))}
    assert odd == {"Australia/Lord_Howe", "Asia/Pyongyang", "America/Caracas", "Asia/Kathmandu"}
    assert not shifts_within_hours(UTC)
