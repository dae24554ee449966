"""More rows than one response can hold; lists and zones where counting goes wrong easily."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from elasticsearch import Elasticsearch

from qlc.compiler.request import CannotAnswer
from tests.rows.oracle import UNITS
from tests.rows.world import Asker, ids, mapping_of, stored

MAPPING = mapping_of(
    id="keyword", group="keyword", hour="date", twice="date", n="long", e={"w": "keyword"}, c={"a": "keyword"}
)
SIZE = 12_000
START = datetime(2023, 10, 1, tzinfo=UTC)


def document(number: int) -> dict[str, Any]:
    at = START + timedelta(hours=number)
    return {
        "id": f"i{number}",
        "group": f"g{number % 30}",
        "hour": at.isoformat(),
        "twice": [at.isoformat(), (at + timedelta(days=7)).isoformat()],
        "n": number % 11_000,
        "e": [{"w": f"w{number % 700}"}, {"w": f"w{number * 7 % 700}"}],
        "c": {"a": f"a{number % 90}"},
    }


DOCUMENTS = [document(number) for number in range(SIZE)]


@pytest.fixture(scope="module")
def asker(client: Elasticsearch) -> Iterator[Asker]:
    with stored(client, MAPPING, ids(DOCUMENTS), shards=5) as index:
        yield Asker.without_catalog(client, index, MAPPING)


def counts(asker: Asker, program: str) -> dict[Any, Any]:
    return {tuple(key.label for key in row.keys): row.values[0] for row in asker.run(program).rows}


def test_values_in_pages(asker: Asker) -> None:
    assert counts(asker, "count entries by id") == {(f"i{number}",): 1 for number in range(SIZE)}
    assert [(request.purpose, request.continues) for request in asker.asked] == [
        ("rows of entries by id", False),
        ("rows of entries by id, page 2", True),
        ("rows of entries by id, page 3", True),
    ]


def test_distinct_is_no_estimate(asker: Asker) -> None:
    found = asker.run("distinct(id), distinct(n), count of entries")
    assert found.rows[0].values == (SIZE, 11_000, SIZE)


def test_numbers_that_might_be_lists_are_paged_after_a_check(asker: Asker) -> None:
    assert counts(asker, "count entries by group, n") == Counter(
        (f"g{number % 30}", str(number % 11_000)) for number in range(SIZE)
    )
    assert len(asker.asked) == 2


def test_lists_are_crossed_in_few_requests(asker: Asker) -> None:
    expected = Counter(
        pair for document in DOCUMENTS for pair in {(document["c"]["a"], element["w"]) for element in document["e"]}
    )
    assert counts(asker, "count entries by c.a, e.w") == expected
    assert len(asker.asked) < 10


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu"])
@pytest.mark.parametrize("unit", ["week", "day", "weekday", "hour_of_day", "day_of_month", "month_of_year"])
def test_a_document_with_two_dates_counts_once(asker: Asker, zone: str, unit: str) -> None:
    asker = replace(asker, zone=zone)
    expected: Counter[tuple[str]] = Counter()
    for document in DOCUMENTS:
        moments = [datetime.fromisoformat(text).astimezone(ZoneInfo(zone)) for text in document["twice"]]
        expected.update({(UNITS[unit](at)[1],) for at in moments})
    if unit == "hour_of_day":
        with pytest.raises(CannotAnswer, match="12,168 hours one by one"):
            asker.run(f"count entries by {unit}(twice)")
    else:
        assert counts(asker, f"count entries by {unit}(twice)") == expected


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York"])
def test_weeks_from_sunday(asker: Asker, zone: str) -> None:
    expected: Counter[tuple[str]] = Counter()
    for document in DOCUMENTS:
        day = datetime.fromisoformat(document["hour"]).astimezone(ZoneInfo(zone)).date()
        expected[(str(day - timedelta(days=(day.weekday() + 1) % 7)),)] += 1
    assert counts(replace(asker, zone=zone, week_start=6), "count entries by week(hour)") == expected


def test_every_hour_is_distinguished_where_summer_time_ends(asker: Asker) -> None:
    asker = replace(asker, zone="Europe/Berlin")
    found = counts(asker, "count entries by hour(hour) having hour >= 2023-10-29 and hour < 2023-10-30")
    assert len(found) == 25
    assert {("2023-10-29T02+02:00",), ("2023-10-29T02+01:00",)} <= found.keys()


def test_keys_by_condition_beside_many_others_have_room(asker: Asker) -> None:
    """A weekday is a condition, and would have seven buckets in each bucket of a number around it."""
    found = asker.run("count, median(n) of entries by n, weekday(hour)")
    expected = Counter((str(one["n"]), f"{START + timedelta(hours=number):%A}") for number, one in enumerate(DOCUMENTS))
    assert {tuple(key.label for key in row.keys): row.values for row in found.rows} == {
        keys: (times, float(keys[0])) for keys, times in expected.items()
    }
