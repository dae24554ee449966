"""Turns after rows of groups: which rows, in which order, what they come to, and what is not worked out."""

from __future__ import annotations

import pytest

from qlc.translator.follow_ups.unread import NO_SHARE, NO_SHARES

from .conftest import Talk

QUOTES = "quotes by year"
BY_CITY = "average order value by city"


@pytest.mark.parametrize(
    ("data", "first", "then", "query"),
    [
        # the rows of a key, by the date or the number that the groups are of
        ("drive", QUOTES, "just 2023", 'count documents where type = "Quote" and created = 2023 by year(created)'),
        ("drive", "contracts by year of expiry", "only 2027",
         'count documents where type = "Contract" and expires = 2027 by year(expires)'),
        ("drive", "contracts by year of expiry", "without 2027",
         'count documents where type = "Contract" and expires != 2027 by year(expires)'),
        ("drive", "tax returns by tax year", "only 2023",
         'count documents where type = "Tax Return" and tax_year = 2023 by tax_year'),
        ("drive", "documents by type and year", "only the 2024 ones",
         "count documents where created = 2024 by type, year(created)"),
        ("drive", QUOTES, "only the ones above 20",
         'count documents where type = "Quote" by year(created) having count > 20'),
        # the first of them
        ("ecommerce", BY_CITY, "only the top 3", "avg(total) of orders by city limit 3"),
        ("ecommerce", BY_CITY, "the lowest 2", "avg(total) of orders by city sort avg(total) limit 2"),
        ("ecommerce", BY_CITY, "the two highest", "avg(total) of orders by city sort avg(total) desc limit 2"),
        ("ecommerce", BY_CITY, "the highest one", "avg(total) of orders by city sort avg(total) desc limit 1"),
        ("flights", "flights per carrier", "bottom 2", "count flights by carrier sort count limit 2"),
        # the top is the largest, whichever came first
        ("drive", "invoices sorted by amount", "only the top 4",
         'find documents where type = "Invoice" sort amount desc limit 4'),
        ("flights", "flights sorted by departure", "the top 4",
         "find flights where departure exists sort departure limit 4"),
        # their order
        ("flights", "flights by month", "sort by that", "count flights by month(departure) sort count desc"),
        ("drive", "total size by type", "sort by count", "sum(size) of documents by type sort count desc"),
        ("drive", "total size by type", "sort it the other way round", "sum(size) of documents by type sort sum(size)"),
        # what they come to
        ("drive", QUOTES, "and the total?", 'count documents where type = "Quote"'),
        ("ecommerce", "revenue by category", "what is that altogether?", "sum(total) of orders"),
        ("flights", "count and average price by carrier", "and the total?", "count, avg(price) of flights"),
    ],
)  # fmt: skip
def test_a_turn_after_rows(talk: Talk, data: str, first: str, then: str, query: str) -> None:
    assert talk(data, first, then)[-1].query == query


def test_the_top_of_what_has_the_smallest_first_is_asked_about(talk: Talk) -> None:
    asked = talk("flights", "average price by carrier", "lowest first", "only the top 2")[-1]
    rows = "avg(price) of flights by carrier sort avg(price)"
    assert {one.id for one in getattr(asked, "options", ())} == {f"{rows} limit 2", f"{rows} desc limit 2"}


def test_a_month_of_several_years_is_of_one_that_is_named(talk: Talk) -> None:
    march = talk("drive", "contracts by month", "only March")[-1]
    assert march.query == 'count documents where type = "Contract" and created = 2026-03 by month(created)'
    assert march.notes[-1] == "Read as 2026-03, the latest. For that of another year, say the year."
    assert "Read as" not in " ".join(talk("drive", "contracts of 2024 by month", "only March")[-1].notes)


def test_the_total_is_of_all_and_not_of_the_rows_that_are_left(talk: Talk) -> None:
    total = talk("drive", QUOTES, "only the highest one", "and the total?")[-1]
    assert total.query == 'count documents where type = "Quote"'
    assert total.notes[0] == "Of all documents that were asked for, not only of those in the rows."


def test_the_total_after_averages_is_asked_about(talk: Talk) -> None:
    asked = talk("flights", "average price by carrier", "and the total?")[-1]
    assert {one.id for one in getattr(asked, "options", ())} == {"avg(price) of flights", "sum(price) of flights"}


@pytest.mark.parametrize(
    ("first", "then", "why"),
    [
        ("flights per carrier", "as a share", NO_SHARES),
        ("average price by carrier", "in percent", NO_SHARES),
        ("how many flights are delayed", "as a percentage", NO_SHARE),
        ("flights to Rome", "sort by that", "What they are to be sorted by is not clear. Name it: 'sort by price'."),
    ],
)
def test_what_is_not_worked_out_is_declined_with_a_way_on(talk: Talk, first: str, then: str, why: str) -> None:
    declined = talk("flights", first, then)[-1]
    assert (declined.kind, declined.message) == ("declined", why)


@pytest.mark.parametrize(
    ("then", "end"), [("without audit", "it is in no row."), ("only those tagged audit", "other tags as well.")]
)
def test_rows_of_values_of_which_a_thing_has_several(talk: Talk, then: str, end: str) -> None:
    rows = talk("drive", "documents by tag", then)[-1]
    assert rows.kind == "aggregate"
    assert rows.notes[-1].endswith(end)
    assert not talk("drive", "documents by type", "without photos")[-1].notes
