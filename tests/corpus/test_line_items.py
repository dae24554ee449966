"""Rows of items whose heads have nothing of the names of the fields: their arithmetic tells which column is which."""

import pytest

from qlc.corpus.pages import PageText
from qlc.corpus.values.fields import Wanted, field_values
from qlc.corpus.values.labelling import labelled_values
from qlc.language.quantities import style_of

ITEMS = Wanted(
    "items",
    "rows",
    columns=(
        Wanted("description", "text"),
        Wanted("quantity", "number"),
        Wanted("price", "money"),
        Wanted("amount", "money"),
    ),
)


def items(rows: list[list[str]]) -> list[dict[str, str]]:
    page = PageText(1)
    page.add_table(rows, heads=True)
    pages = [page.page()]
    style = style_of(cell for row in rows for cell in row)
    found: dict[int, dict[str, str]] = {}
    for one in field_values([ITEMS], pages, [*labelled_values(pages, style)], style):
        found.setdefault(one.row, {})[one.field.removeprefix("items.")] = str(one.value)
    return list(found.values())


@pytest.mark.parametrize(
    "heads",
    [
        ["Leistung", "Anzahl", "EP EUR", "GP EUR"],
        ["What", "Days", "EUR a day", "EUR"],
        ["Item", "Hrs", "Rate", "Line"],
    ],
)
def test_quantity_times_price_is_the_amount(heads: list[str]) -> None:
    assert items([heads, ["Crane", "2", "640.00", "1,280.00"], ["Grease, drum", "3", "12.50", "37.50"]]) == [
        {"description": "Crane", "quantity": "2", "price": "640.00", "amount": "1280.00"},
        {"description": "Grease, drum", "quantity": "3", "price": "12.50", "amount": "37.50"},
    ]


def test_a_price_may_be_before_the_quantity_where_it_has_a_currency() -> None:
    assert items([["What", "EP EUR", "Anzahl", "GP EUR"], ["Crane", "640.00", "2", "1,280.00"]]) == [
        {"description": "Crane", "quantity": "2", "price": "640.00", "amount": "1280.00"}
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [["Part", "Width", "Height", "Mass"], ["Door", "2", "3", "7"], ["Gate", "4", "5", "20"]],  # 2 x 3 is not 7
        [["Part", "One", "Two", "Three"], ["Door", "1", "5", "5"], ["Gate", "1", "7", "7"]],  # any two equal columns
    ],
)
def test_columns_that_do_not_multiply_are_no_items(rows: list[list[str]]) -> None:
    assert items(rows) == []
