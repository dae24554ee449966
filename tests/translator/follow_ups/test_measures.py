"""Which number `how much`, `the total`, `the average` and `the highest` are of, where none is named."""

from __future__ import annotations

import pytest

from .conftest import Talk

LONG = "documents with more than 40 pages"
LATE = "flights delayed by more than 100 minutes"
MANY = "orders with more than 3 items"


@pytest.mark.parametrize(
    ("data", "first", "then", "query"),
    [
        # what the list is sorted by, or has a bound for
        ("flights", "flights sorted by distance", "how much is that in total?",
         "sum(distance) of flights where distance exists"),
        ("flights", LATE, "what's the average of those?", "avg(delay) of flights where delay > 100 minutes"),
        ("drive", "documents larger than 2 MB", "and on average?", "avg(size) of documents where size > 2 MB"),
        ("drive", LONG, "and altogether?", "sum(pages) of documents where pages > 40"),
        ("drive", LONG, "and the highest?", "find documents where pages > 40 sort pages desc limit 1"),
        ("ecommerce", "orders over 150 euros", "and altogether?", "sum(total) of orders where total > 150"),
        # what was measured
        ("drive", "average size of contracts", "how much is that in total?",
         'sum(size) of documents where type = "Contract"'),
        # money, where the search speaks of no number, or where it is said
        ("drive", "receipts from Starbucks", "how much is that in total?",
         'sum(amount) of documents where type = "Receipt" and vendor = "Starbucks"'),
        ("flights", LATE, "what did we pay for them?", "sum(price) of flights where delay > 100 minutes"),
        ("drive", "documents by vendor", "how much is that in total?", "sum(amount) of documents"),
    ],
)  # fmt: skip
def test_the_number_that_is_meant(talk: Talk, data: str, first: str, then: str, query: str) -> None:
    assert talk(data, first, then)[-1].query == query


@pytest.mark.parametrize(
    ("data", "first", "then", "options"),
    [
        # a number of things, or one that only a condition is on, is not all that `how much` can be of
        ("ecommerce", MANY, "how much is that in total?", {"sum(quantity)", "sum(total)"}),
        ("flights", LATE, "how much is that in total?", {"sum(delay)", "sum(price)"}),
        ("drive", "invoices over 5000 larger than 1 MB", "what's the average of those?", {"avg(amount)", "avg(size)"}),
        ("flights", "total price by carrier", "what's the average of those?", {"avg(price)"}),
    ],
)
def test_of_several_numbers_it_is_asked(talk: Talk, data: str, first: str, then: str, options: set[str]) -> None:
    asked = talk(data, first, then)[-1]
    assert {one.id.split(" of ")[0] for one in getattr(asked, "options", ())} == options


def test_an_average_of_counts_is_declined_with_a_way_on(talk: Talk) -> None:
    declined = talk("drive", "contracts by owner", "what's the average of those?")[-1]
    assert declined.kind == "declined"
    assert getattr(declined, "message", "").endswith("such as 'the average amount'.")
