"""Fields by names that programmers give them: ids beside names, units, bounds, who does what, amounts in cents."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import qlc
from qlc.translator.entry import Asker

NOW = "2026-03-15T12:00:00Z"
KEYWORD, NUMBER = {"type": "keyword"}, {"type": "integer"}
PARTY = {"properties": {"id": KEYWORD, "name": KEYWORD}}
MAPPING = {
    "customer": PARTY, "assignee_id": KEYWORD, "assignee_name": KEYWORD, "owner": KEYWORD, "ip_address": {"type": "ip"},
    "price_cents": NUMBER, "cost_eur": NUMBER, "salary_min": NUMBER, "salary_max": NUMBER, "csat_score": NUMBER,
    "first_response_minutes": NUMBER, "temperature_c": NUMBER, "status": KEYWORD,
}  # fmt: skip
CASES = [
    {"customer": {"id": "C1", "name": "Acme"}, "assignee_id": "A1", "assignee_name": "Priya Sen", "owner": "Data Team"},
    {"customer": {"id": "C2", "name": "Globex"}, "assignee_id": "A2", "assignee_name": "Tom Reed", "owner": "Office"},
]


@pytest.fixture(scope="module")
def cases() -> Iterator[Asker]:
    client = qlc.connect(":memory:")
    client.indices.create(index="cases", mappings={"properties": MAPPING})
    numbers = {key: 5 for key, one in MAPPING.items() if one is NUMBER}
    for key, one in enumerate(CASES):
        document = {**numbers, **one, "status": "open", "ip_address": "10.0.0.1"}
        client.index(index="cases", id=str(key), document=document, refresh=True)
    yield Asker(qlc.Compiler(client, None, "cases", draft=False))
    client.close()


def program(asker: Asker, text: str) -> str | None:
    return asker.ask(text, now=NOW).query


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("cases by customer", "count entries by `customer.name`"),
        ("cases per assignee", "count entries by assignee_name"),
        ("cases assigned to Priya Sen", 'find entries where assignee_name = "Priya Sen"'),
        ("cases owned by the Data Team", 'find entries where owner = "Data Team"'),
        ("average minimum salary", "avg(salary_min) of entries"),
        ("cases with a maximum salary over 80000", "find entries where salary_max > 80000"),
        ("average csat", "avg(csat_score) of entries"),
        ("average first response time by owner", "avg(first_response_minutes) of entries by owner"),
        ("average temperature per customer", "avg(temperature_c) of entries by `customer.name`"),
        ("cases with a price under 50 euros", "find entries where price_cents < 5000"),
        ("cases with a price between 10 and 20.50 euros", "find entries where price_cents between 1000 and 2050"),
        ("cases with a cost over 100 euros", "find entries where cost_eur > 100"),
    ],
)
def test_what_fields_are_called(cases: Asker, text: str, query: str) -> None:
    assert program(cases, text) == query


def test_one_of_two_bounds_is_not_the_salary(cases: Asker) -> None:
    assert not program(cases, "cases with a salary over 80000")


def test_another_currency_than_the_one_in_the_name_is_not_asked_for(cases: Asker) -> None:
    assert not program(cases, "cases with a cost over 100 dollars")
