"""Several tables on one sheet: Excel's table objects, and tables beside each other."""

from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.worksheet.table import Table

from qlc.tables.model import Report
from qlc.tables.reading import read_tables

ORDERS = [["No", "City", "Amount"], [1, "Bonn", 5.5], [2, "Ulm", 7], [3, "Ulm", 8]]
GOALS = [["Rep", "Goal"], ["Ann", 100], ["Bo", 200]]
WIDE = [[*one, None, *other] for one, other in zip(ORDERS, [*GOALS, []], strict=True)]


def table(name: str, cells: str, totals: int = 0) -> Table:
    made = Table(displayName=name, ref=cells)
    made.totalsRowCount = totals
    return made


def read(folder: Path, rows: list[list[Any]], *tables: Table) -> tuple[dict[str, list[list[Any]]], list[str]]:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.title = "Sales"
    for row in rows:
        sheet.append(row)
    for one in tables:
        sheet.add_table(one)
    book.save(folder / "book.xlsx")
    found = read_tables(folder / "book.xlsx")
    cells = {one.name: [list(one.headers), *(list(row) for _, row in one.rows(Report()))] for one in found}
    assert len(cells) == len(found)
    return cells, [said for one in found for said in one.left_out]


@pytest.mark.parametrize(
    ("rows", "tables", "expected", "said"),
    [
        (WIDE, [table("tblOrders", "A1:C4"), table("Sales_Goals", "E1:F3")],
         {"Orders": ORDERS, "Sales Goals": GOALS}, []),
        ([["Orders", None, None, None, "Goals"], *WIDE], [], {"Orders": ORDERS, "Goals": GOALS}, []),
        ([["Orders", None, None, None, "Goals"], *WIDE], [table("Table1", "A2:C5")],
         {"Sales": ORDERS, "Goals": GOALS}, []),
        ([["for the board"], *ORDERS, ["Grand", None, 20.5]], [table("Orders", "A2:C6", 1)],
         {"Sales": ORDERS}, ["line 6, a total, is left out"]),
        ([[*one[:2], None, one[2]] for one in ORDERS], [], {"Sales": ORDERS}, []),
        ([["Orders", None, None, None, "Goals"], *WIDE[:3]], [], {"Orders": ORDERS[:3], "Goals": GOALS}, []),
    ],
    ids=["two table objects", "beside each other", "a table object beside a table", "a row of totals",
         "an empty column inside a table", "equally long ones with titles"],
)  # fmt: skip
def test_each_table_of_a_sheet_is_a_table(
    tmp_path: Path, rows: list[list[Any]], tables: list[Table], expected: dict[str, list[list[Any]]], said: list[str]
) -> None:
    assert read(tmp_path, rows, *tables) == (expected, said)


def test_a_text_that_is_merged_over_rows_is_in_each_and_an_amount_in_the_first(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    for row in (["Region", "Quarter", "Sum"], ["Coast", "Q1", 10], [None, "Q2", None], [2031, "Q1", 30],
                [None, "Q2", 4]):  # fmt: skip
        sheet.append(row)
    for cells in ("A2:A3", "C2:C3", "A4:A5"):
        sheet.merge_cells(cells)
    book.save(tmp_path / "book.xlsx")
    (found,) = read_tables(tmp_path / "book.xlsx")
    assert [list(row) for _, row in found.rows(Report())] == [
        ["Coast", "Q1", 10], ["Coast", "Q2", None], [2031, "Q1", 30], [2031, "Q2", 4],
    ]  # fmt: skip
