"""Translates questions over catalogs that were written in an hour: directions, several kinds of things."""

from __future__ import annotations

import pytest

from qlc.outcome import AggregateOut
from qlc.translator.entry import Asker

from . import cases_containers, cases_library


@pytest.mark.parametrize(("text", "program"), cases_library.CASES, ids=range(len(cases_library.CASES)))
def test_the_library(library: Asker, text: str, program: str) -> None:
    assert library.ask(text, now="2025-05-16T11:00:00Z", size=0).query == program


@pytest.mark.parametrize(("text", "program"), cases_containers.CASES, ids=range(len(cases_containers.CASES)))
def test_the_containers(containers: Asker, text: str, program: str) -> None:
    assert containers.ask(text, now="2025-09-30T12:00:00Z", size=0).query == program


def test_a_field_belongs_to_the_things_that_have_it(library: Asker) -> None:
    """Books, loans and members share one index: what only loans have is asked of loans."""
    assert library.ask("total fines per branch", size=0).query == "sum(fine) of loans by branch"
    assert library.ask("number of seniors per town", size=0).query == 'count members where card = "senior" by town'


def test_values_are_known_of_all_things_that_have_the_field(library: Asker) -> None:
    assert library.ask("members from Ashford", size=0).query == 'find members where town = "Ashford"'
    assert library.ask("loans at Riverside", size=0).query == 'find loans where branch = "Riverside"'


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("when was L3005 returned", 'get loan("L3005").returned'),
        ("members born before 1980", "find members where birth_year < 1980"),
        ("loans returned in May", "find loans where returned = 2025-05"),
        ("loans over 2000", ""),
    ],
)
def test_dates_years_and_ids(library: Asker, text: str, program: str) -> None:
    assert library.ask(text, now="2025-05-16T11:00:00Z", size=0).query == program


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("entries by dest country", "count entries by destCountry"),
        ("entries with gross weight kg of at least 20000", "find entries where grossWeightKg >= 20000"),
        ("average declared value per vessel", "avg(declaredValue) of entries by vessel"),
        ("entries departed in August", "find entries where departedAt = 2025-08"),
        ("entries with hazardous", "find entries where hazardous = true"),
    ],
)
def test_an_index_without_a_catalog(bare_containers: Asker, text: str, program: str) -> None:
    """Names of the mapping are read as the words that they are made of."""
    assert bare_containers.ask(text, now="2025-09-30T12:00:00Z", size=0).query == program


@pytest.mark.parametrize(
    ("text", "program"),
    [
        (
            "which vessel carries the most wine",
            'count containers where commodity = "wine" by vessel sort count desc limit 1',
        ),
        ("which carrier has the highest share of hazardous containers", ""),
        ("which consignee has the highest value", "sum(value) of containers by consignee sort sum(value) desc limit 1"),
        ("containers loaded between 9 and 11 am yesterday", ""),
    ],
)
def test_rankings_and_hours(containers: Asker, text: str, program: str) -> None:
    assert containers.ask(text, now="2025-09-30T12:00:00Z", size=0).query == program


def test_the_fewest_with_a_condition_are_those_of_groups_that_all_have_some(containers: Asker) -> None:
    """Groups that have none at all make no row: the fewest among the rows are the fewest only where there are none."""
    program = "count containers where hazardous = true by carrier sort count limit 1"
    assert containers.ask("which carrier has the fewest hazardous containers", size=0).query == program
    rows = containers.ask("count containers by carrier")
    assert isinstance(rows, AggregateOut)
    some = containers.ask("count containers where hazardous = true by carrier")
    assert isinstance(some, AggregateOut)
    assert len(rows.rows) == len(some.rows)


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("containers by origin and destination country", "count containers by origin_country, destination_country"),
        ("containers starting in Mumbai", 'find containers where origin = "Mumbai"'),
        ("containers with neither wine nor toys", 'find containers where commodity not in ["wine", "toys"]'),
    ],
)
def test_what_is_shared_and_what_is_left_out(containers: Asker, text: str, program: str) -> None:
    assert containers.ask(text, now="2025-09-30T12:00:00Z", size=0).query == program
