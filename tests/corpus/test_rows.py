"""Rows of tables: without totals, by the types of columns without heads, and with the cells that are left out."""

from pathlib import Path

import pytest

from qlc.corpus.document import Reader, Task
from qlc.corpus.limits import Limits
from qlc.corpus.values.fields import Value, Wanted
from tests.corpora import made
from tests.tables import rows

ITEMS = Wanted("items", "rows", columns=(
    Wanted("description", "text"), Wanted("quantity", "number"), Wanted("price", "money"), Wanted("amount", "money"),
))  # fmt: skip
PAYMENTS = Wanted("payments", "rows", columns=(
    Wanted("day", "date"), Wanted("payee", "text"), Wanted("amount", "number"),
))  # fmt: skip
HEADS = "| Description | Quantity | Price | Amount |\n|---|---|---|---|\n"


def values(folder: Path, text: str, *wanted: Wanted, name: str = "a.md") -> tuple[Value, ...]:
    path = folder / name
    path.write_text(f"# Paper\n\n{text}\n" if name.endswith(".md") else text)
    return Reader({"b": wanted})(Task(path, name, "b"), Limits()).values


def column(found: tuple[Value, ...], name: str) -> list[str]:
    return [str(one.value) for one in found if one.field.endswith(f".{name}") and not one.is_disputed]


@pytest.mark.parametrize("last", rows(__file__, "test_totals_and_taxes_are_no_rows"))
def test_totals_and_taxes_are_no_rows(tmp_path: Path, last: str) -> None:
    text = f"{HEADS}| Pens | 2 | 20.00 | 40.00 |\n| Paper | 1 | 60.00 | 60.00 |\n| {last} |"
    found = values(tmp_path, text, ITEMS)
    assert column(found, "description") == ["Pens", "Paper"]
    assert column(found, "amount") == ["40.00", "60.00"]


@pytest.mark.parametrize(
    "item", ["Total Energies | 1 | 5.00 | 5.00", "VAT guide (book) | 1 | 5.00 | 5.00", "Report | 1 | 5.00 | 5.00"]
)
def test_an_item_that_is_called_like_a_total_is_a_row(tmp_path: Path, item: str) -> None:
    found = values(tmp_path, f"{HEADS}| Pens | 2 | 20.00 | 40.00 |\n| {item} |", ITEMS)
    assert column(found, "description") == ["Pens", item.split(" | ")[0]]


def test_a_cell_that_is_left_out_is_told_with_its_reason(tmp_path: Path) -> None:
    files = {"bills/a.md": f"# Bill\n\n{HEADS}| Pens | 2 | 20.00 | 40.00 |\n| Ink | 1 | 5.00 | up to 5.00 EUR |\n"}
    schema = (
        "version: 1\nname: l\nbuckets: {bills: {fields: {items: {type: rows, fields: "
        "{description: text, quantity: number, price: money, amount: money}}}}}"
    )
    with made(tmp_path, files, schema) as corpus:
        (left_out,) = [one for one in corpus.document("bills/a.md").places if one.is_disputed]
        assert (left_out.field, left_out.value) == ("items.amount", "up to 5.00 EUR")
        assert left_out.why == "it is a bound only"


CSV = "3 May 2024,Aldi,12.00\n4 May 2024,Bruno 7,13.50\n5 May 2024,Celia,14.00\n"


def test_columns_without_heads_are_told_by_their_types(tmp_path: Path) -> None:
    found = values(tmp_path, CSV, PAYMENTS, name="a.csv")
    assert column(found, "payee") == ["Aldi", "Bruno 7", "Celia"]
    assert column(found, "amount") == ["12.00", "13.50", "14.00"]
    assert column(found, "day") == ["2024-05-03", "2024-05-04", "2024-05-05"]


def test_columns_without_heads_that_can_be_meant_in_two_ways_are_left_out(tmp_path: Path) -> None:
    two_texts = Wanted("payments", "rows", columns=(*PAYMENTS.columns[:2], Wanted("note", "text")))
    (found,) = values(tmp_path, CSV.replace("12.00", "ink").replace("13.50", "tea").replace("14.00", "oil"), two_texts,
                      name="a.csv")  # fmt: skip
    assert found.is_disputed
    assert found.why == "its table has no heads, and its columns can be meant in several ways"


@pytest.mark.parametrize(
    "text",
    [
        "3 May 2024,Aldi\n4 May 2024,Bruno\n5 May 2024,Celia\n",  # another number of columns
        "Aldi,3 May 2024,12.00\nBruno,4 May 2024,13.00\nCelia,5 May 2024,14.00\n",  # in another order
        "3 May 2024,Aldi,12.00\n4 May 2024,Bruno,13.00\n",  # few
        "3 May 2024,Aldi,12.00\n4 May 2024,Bruno,13.00\nTotal,,25.00\n",
    ],
)
def test_other_tables_without_heads_are_no_rows(tmp_path: Path, text: str) -> None:
    assert not [one for one in values(tmp_path, text, PAYMENTS, name="a.csv") if not one.is_disputed]


def test_rows_have_the_scale_of_their_table(tmp_path: Path) -> None:
    text = f"Amounts in thousands of EUR\n\n{HEADS}| Pens | 2 | 20 | 40 |\n| Ink | 1 | 5 | 5 |\n"
    assert column(values(tmp_path, text, ITEMS), "amount") == ["40000", "5000"]


def test_a_product_tells_which_columns_without_heads_are_meant(tmp_path: Path) -> None:
    csv = "Crates,3,15.00,45.00\nFerry,1,68.40,68.40\nTape,12,2.50,30.00\n"
    found = values(tmp_path, csv, ITEMS, name="a.csv")
    assert column(found, "quantity") == ["3", "1", "12"]
    assert column(found, "amount") == ["45.00", "68.40", "30.00"]
    assert not column(values(tmp_path, csv.replace("45.00", "46.00"), ITEMS, name="a.csv"), "amount")


@pytest.mark.parametrize(("heads", "is_head"), [("Item,Cost,2027 EUR", True), ("Pens,20.26,20.27", False)])
def test_a_first_row_of_values_names_no_columns(tmp_path: Path, heads: str, is_head: bool) -> None:
    wanted = Wanted("costs", "rows", columns=(Wanted("item", "text"), Wanted("cost", "money")))
    found = values(tmp_path, f"{heads}\nInk,3.00,45.00\nOil,1.00,68.40\nTape,2.00,2.50\n", wanted, name="a.csv")
    assert column(found, "item") == (["Ink", "Oil", "Tape"] if is_head else [])
