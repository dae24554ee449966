"""Chooses the number for `how much`, `the total`, `the average` and `the highest`, if the question names none."""

from __future__ import annotations

import pytest

from .conftest import Talk

LONG = "documents with more than 40 pages"
LATE = "flights delayed by more than 100 minutes"
MANY = "orders with more than 3 items"


@pytest.mark.parametrize(
    ("data", "first", "then", "options"),
    [
        # a number of things, or one that only a condition is on, is not all that `how much` can be of
        ("ecommerce", MANY, "how much is that in total?", {"sum(quantity)", "sum(total)"}),
        ("flights", LATE, "how much is that in total?", {"sum(delay)", "sum(price)"}),
        ("flights", "total price by carrier", "what's the average of those?", {"avg(price)"}),
    ],
)
def test_of_several_numbers_it_is_asked(talk: Talk, data: str, first: str, then: str, options: set[str]) -> None:
    asked = talk(data, first, then)[-1]
    assert {one.id.split(" of ")[0] for one in getattr(asked, "options", ())} == options
