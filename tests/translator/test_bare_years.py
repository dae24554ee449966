"""A year without a date: of the year that a thing has, not of the date of its record; where both are meant, asked."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import qlc
from qlc.outcome import Clarify, Hits
from qlc.translator.entry import Asker

KEYWORD, DATE, YEAR = {"type": "keyword"}, {"type": "date"}, {"type": "integer"}
INDICES: dict[str, dict[str, Any]] = {
    "zombies": {"title": KEYWORD, "genre": KEYWORD, "year": YEAR, "update_date": DATE},
    "boats": {"hull": KEYWORD, "yard": KEYWORD, "build_year": YEAR, "last_modified": DATE, "indexed_at": DATE},
    "filings": {"office": KEYWORD, "tax_year": YEAR, "created": DATE},
    "trips": {"ship": KEYWORD, "departure_date": DATE},
    "rentals": {"customer_name": KEYWORD, "picked_up": DATE, "returned_on": DATE, "indexed_at": DATE},
    "complaints": {"date_received": DATE, "completion_date": DATE, "amount_refunded": YEAR, "office": KEYWORD},
    "leases": {"lease_no": KEYWORD, "town": KEYWORD, "year": YEAR, "signed": DATE},
}
YEARS = (1962, 1979, 1984, 1999, 2000, 2001, 2015, 2024)


@pytest.fixture(scope="module")
def askers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Asker]]:
    client = qlc.connect(str(tmp_path_factory.mktemp("years")))
    for index, properties in INDICES.items():
        client.indices.create(index=index, mappings={"properties": properties})
        for n, year in enumerate(YEARS * 2):
            texts = {name: f"{name} {n % 3}" for name, of in properties.items() if of is KEYWORD}
            later = {"returned_on": 1}
            dates = {name: f"20{n + 10 + later.get(name, 0)}-02-0{n % 9 + 1}" for name, of in properties.items()
                     if of is DATE}  # fmt: skip
            years = {name: year for name, of in properties.items() if of is YEAR}
            client.index(index=index, id=str(n), document={**texts, **dates, **years})
        client.indices.refresh(index=index)
    yield {index: Asker(qlc.Compiler(client, index=index)) for index in INDICES}
    client.close()


@pytest.mark.parametrize(("said", "condition"), [
    ("before 2000", "{} < 2000"), ("after 2000", "{} > 2000"), ("since 2001", "{} >= 2001"),
    ("until 1979", "{} <= 1979"),
    ("between 1980 and 2000", "{} between 1980 and 2000"), ("from 1984", "{} = 1984"), ("in 2015", "{} = 2015"),
])  # fmt: skip
@pytest.mark.parametrize(("index", "year"), [("zombies", "year"), ("boats", "build_year")])
def test_a_year_is_of_the_thing(askers: dict[str, Asker], index: str, year: str, said: str, condition: str) -> None:
    outcome = askers[index].ask(f"{index} {said}")
    assert isinstance(outcome, Hits), outcome
    assert outcome.query == f"find {index} where {condition.format(year)}"


@pytest.mark.parametrize("said", ["before 2020", "after 2012", "since 2015"])
def test_a_year_is_asked_about_where_things_have_a_date_too(askers: dict[str, Asker], said: str) -> None:
    outcome = askers["leases"].ask(f"leases {said}")
    assert isinstance(outcome, Clarify), outcome.query
    assert {one.id.split()[3] for one in outcome.options} == {"signed", "year"}


def test_a_year_of_something_else_is_not_meant(askers: dict[str, Asker]) -> None:
    assert askers["filings"].ask("filings before 2015").query == "find filings where created < 2015"


@pytest.mark.parametrize(("words", "program"), [
    ("zombies updated before 2020", "find zombies where update_date < 2020"),
    ("latest zombie", "find zombies sort update_date desc limit 1"),
    ("zombies since May 2020", "find zombies where update_date >= 2020-05"),
])  # fmt: skip
def test_what_is_said_of_the_record_is_of_its_date(askers: dict[str, Asker], words: str, program: str) -> None:
    assert askers["zombies"].ask(words).query == program


@pytest.mark.parametrize("said", ["rentals in 2015", "how many rentals since May 2012?", "rentals of 2099"])
def test_which_date_a_period_is_of_is_asked_where_things_have_several(askers: dict[str, Asker], said: str) -> None:
    outcome = askers["rentals"].ask(said)
    assert isinstance(outcome, Clarify), outcome.query
    assert [one.id.split(" where ")[1].split()[0] for one in outcome.options] == ["picked_up", "returned_on"]
    assert "picked_up" in askers["rentals"].ask(said.replace("rentals", "rentals picked up")).query


def test_things_are_called_as_their_names_where_these_are_all_that_there_is(askers: dict[str, Asker]) -> None:
    assert askers["rentals"].ask("rentals per customer").query == "count rentals by customer_name"


def test_a_month_is_not_the_next_one_where_no_date_lies_ahead(askers: dict[str, Asker]) -> None:
    asked = askers["trips"].ask("trips before June", now="2026-11-30T12:00:00Z")
    assert asked.query == "find trips where departure_date < 2026-06"


def test_which_date_months_are_of_is_asked_where_things_have_several(askers: dict[str, Asker]) -> None:
    outcome = askers["rentals"].ask("rentals per month")
    assert isinstance(outcome, Clarify), outcome.query
    assert {one.id for one in outcome.options} == {
        "count rentals by month(picked_up)", "count rentals by month(returned_on)"}  # fmt: skip


@pytest.mark.parametrize(("words", "program"), [
    ("complaints received in 2015", "find complaints where date_received = 2015"),
    ("complaints completed before 2015", "find complaints where completion_date < 2015"),
])  # fmt: skip
def test_deeds_are_read_from_the_names_of_fields(askers: dict[str, Asker], words: str, program: str) -> None:
    assert askers["complaints"].ask(words).query == program
