"""having, top N, sort, limit: what is done with the rows once they are read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from elasticsearch import Elasticsearch

from qlc.compiler.request import CannotAnswer
from tests.rows.world import Asker, flat, ids, mapping_of, stored
from tests.tables import table

MAPPING = mapping_of(city="keyword", kind="keyword", price="long", t="date", ok="boolean")


def sale(city: str, kind: str, price: int | None, day: str, ok: bool | None = None) -> dict[str, Any]:
    return {"city": city, "kind": kind, "price": price, "t": day, "ok": ok}


SALES = table(__file__, "SALES")


@pytest.fixture(scope="module")
def sales(client: Elasticsearch) -> Iterator[Asker]:
    with stored(client, MAPPING, ids(SALES), shards=3) as index:
        yield Asker.without_catalog(client, index, MAPPING)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("count entries by city", [("Oslo", 3), ("Rome", 3), ("paris", 2), ("Paris", 1)]),
        ("sum(price), count of entries by city",
         [("Oslo", 107, 3), ("Rome", 35, 3), ("paris", 3, 2), ("Paris", None, 1)]),
        ("avg(price) of entries by city", [("Oslo", 53.5), ("Rome", 35 / 3), ("paris", 1.5), ("Paris", None)]),
        ("count entries by city sort city", [("Oslo", 3), ("Paris", 1), ("Rome", 3), ("paris", 2)]),
        ("count entries by city sort avg(price)", [("paris", 2), ("Rome", 3), ("Oslo", 3), ("Paris", 1)]),
        ("count entries by city sort avg(price) desc", [("Oslo", 3), ("Rome", 3), ("paris", 2), ("Paris", 1)]),
        ("count entries by city sort count, city desc", [("Paris", 1), ("paris", 2), ("Rome", 3), ("Oslo", 3)]),
        ("count entries by month(t)", [("2024-01", 2), ("2024-02", 4), ("2024-03", 3)]),
        ("count entries by month(t) sort month desc limit 1", [("2024-03", 3)]),
        ("count entries by city, month(t) limit 3 sort count desc, month",
         [("Rome", "2024-01", 2), ("paris", "2024-02", 2), ("Oslo", "2024-03", 2)]),
        # The months have an order of their own, the cities stand below by the count.
        ("count entries by city, month(t)",
         [("Rome", "2024-01", 2), ("paris", "2024-02", 2), ("Oslo", "2024-02", 1), ("Rome", "2024-02", 1),
          ("Oslo", "2024-03", 2), ("Paris", "2024-03", 1)]),
        ("count entries by city limit 1 offset 2", [("paris", 2)]),
        ("count entries by city limit 5 offset 3", [("Paris", 1)]),
        ("count entries by city limit 5 offset 9", []),
        # having
        ("count entries by city having count >= 3", [("Oslo", 3), ("Rome", 3)]),
        ("count entries by city having avg(price) > 10 and not count = 2", [("Oslo", 3), ("Rome", 3)]),
        ("count entries by city having not avg(price) > 10", [("paris", 2), ("Paris", 1)]),
        ('count entries by city having city = "PARIS"', [("paris", 2), ("Paris", 1)]),
        ('count entries by city having city in ["oslo", "rome"]', [("Oslo", 3), ("Rome", 3)]),
        ("count entries by month(t) having month >= 2024-02", [("2024-02", 4), ("2024-03", 3)]),
        ("count entries by month(t) having month = 2024-Q1 and count > 3", [("2024-02", 4)]),
        ("max(t) of entries by kind having max(t) < 2024-03", [("a", datetime(2024, 2, 2, tzinfo=UTC))]),
        ('count entries by weekday(t) having weekday in ["Monday", "tue"]', [("Monday", 2), ("Tuesday", 3)]),
        ("count entries by bins(price, 10) having price >= 10", [("10 and more", 3)]),
        ("count entries by ok having ok = true", [("true", 2)]),
        # top N
        ("count entries by city, kind top 1",
         [("Rome", "a", 2), ("paris", "b", 2), ("Oslo", "a", 1), ("Paris", "c", 1)]),
        ("sum(price) of entries by city, kind top 1",
         [("Oslo", "c", 100), ("Rome", "a", 30), ("paris", "b", 3), ("Paris", "c", None)]),
        ("count entries by city, kind top 1 sort kind desc",
         [("Oslo", "c", 1), ("Paris", "c", 1), ("Rome", "b", 1), ("paris", "b", 2)]),
        # The two cities with most sales of all kinds, not of one kind.
        ("count entries by city top 2, kind having count < 3",
         [("Rome", "a", 2), ("Oslo", "a", 1), ("Oslo", "b", 1), ("Oslo", "c", 1), ("Rome", "b", 1)]),
        ("count entries by month(t) top 2", [("2024-02", 4), ("2024-03", 3)]),
    ],
)  # fmt: skip
def test_rows(sales: Asker, program: str, expected: list[tuple[Any, ...]]) -> None:
    assert flat(sales.run(program)) == expected


TIE = (
    "The cut after row 1 splits a tie of 2 rows with the same 'count': Oslo comes before it and Rome after it, "
    "by the order of their keys."
)


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("count entries by city limit 2", ()),
        ("count entries by city limit 1", (TIE,)),
        ("count entries by city sort count desc, city limit 1", ()),
        ("count entries by city limit 1 offset 1", (TIE,)),
        (
            "count entries by city, kind top 1",
            ("'kind top 1' splits a tie for Oslo: a is in and b is not, by the order of their keys.",),
        ),
        ('count entries by city, kind top 1 having city != "Oslo"', ()),
        ("median(price) of entries by city limit 1", ("'median' is approximate.",)),
        ("sum(price) of entries by city", ("'sum' has no value in 1 of 4 rows: no document there has one.",)),
        ('sum(price) of entries where city = "Paris"', ()),
    ],
)
def test_notes(sales: Asker, program: str, told: tuple[str, ...]) -> None:
    assert sales.run(program).notes == told


def test_measures_of_nothing(sales: Asker) -> None:
    found = sales.run(
        "count, sum(price), distinct(city), avg(price), min(t), share(ok = true), median(price) of entries "
        "where price > 1000"
    )
    assert flat(found) == [(0, None, 0, None, None, None, None)]
    assert found.approximate == ()


def test_hidden_measures_are_not_shown(sales: Asker) -> None:
    found = sales.run("count entries by city having sum(price) > 50 sort max(price)")
    assert (found.groups, found.measures) == (("city",), ("count",))
    assert flat(found) == [("Oslo", 3)]


def test_too_many_rows_are_refused(sales: Asker) -> None:
    with pytest.raises(CannotAnswer, match="more than 3 rows") as refused:
        sales.bounded(rows=3).run("count entries by city")
    assert refused.value.code == "too-many-rows"
    assert len(sales.bounded(rows=4).run("count entries by city").rows) == 4
