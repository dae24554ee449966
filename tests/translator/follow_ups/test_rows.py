"""Turns after rows of groups: which rows, in which order, what they come to, and what is not worked out."""

from __future__ import annotations

from .conftest import Talk

QUOTES = "quotes by year"
BY_CITY = "average order value by city"


def test_the_top_of_what_has_the_smallest_first_is_asked_about(talk: Talk) -> None:
    asked = talk("flights", "average price by carrier", "lowest first", "only the top 2")[-1]
    rows = "avg(price) of flights by carrier sort avg(price)"
    assert {one.id for one in getattr(asked, "options", ())} == {f"{rows} limit 2", f"{rows} desc limit 2"}


def test_the_total_is_of_all_and_not_of_the_rows_that_are_left(talk: Talk) -> None:
    total = talk("drive", QUOTES, "highest first", "only the top 2", "and the total?")[-1]
    assert total.query == 'count documents where type = "Quote"'
    assert total.notes[0] == "Of all documents that were asked for, not only of those in the rows."
