"""Finds the values beside, below and above a label."""

import re

import pytest

from qlc.corpus.pages import Page, PageText
from qlc.corpus.readers.plain import paragraphs
from qlc.corpus.readers.tables import in_context
from qlc.corpus.values.fields import Wanted, field_values
from qlc.corpus.values.labelling import labelled_values
from qlc.corpus.values.table_cells import tables_of
from qlc.language.quantities import Style, style_of
from tests import tables


def page_of(text: str) -> Page:
    return Page(1, text, tuple(paragraphs(text)))


@pytest.mark.parametrize(("text", "expected"), tables.rows(__file__, "test_labels_in_text"))
def test_labels_in_text(text: str, expected: dict[str, str]) -> None:
    found = labelled_values([page_of(text)], Style())
    assert {one.label: one.value for one in found if not one.is_again} == expected


PAIRS = [
    ["Lessor", "Crane Ltd.", "Tenant", "M. Lind"],
    ["Start", "2024-01-31", "Rent", "EUR 80"],
    ["Term", "2 years", "Bath", "1"],
    ["Pets", "No", "", ""],
]
ITEMS = [["Article", "Qty", "Weight (kg)", ""], ["Hex bolt", "40", "1.5", ""], ["Bracket", "2", "0.4", ""]]


def test_a_table_can_have_pairs_and_items() -> None:
    page = PageText()
    page.add_table([*PAIRS, *ITEMS], heads=False)
    found = [*labelled_values([page.page()], Style())]
    assert {one.label: one.value for one in found if one.row < 0} == {
        "Lessor": "Crane Ltd.", "Tenant": "M. Lind", "Start": "2024-01-31", "Rent": "EUR 80", "Term": "2 years",
        "Bath": "1", "Pets": "No",
    }  # fmt: skip
    rows = [(one.row, one.label, one.value, one.unit) for one in found if one.row >= 0]
    assert rows[:3] == [(5, "Article", "Hex bolt", ""), (5, "Qty", "40", ""), (5, "Weight (kg)", "1.5", "kg")]
    assert len({row for row, *_ in rows}) == 2


@pytest.mark.parametrize(
    ("wanted", "text", "values"),
    [
        (Wanted("perils", "name", is_list=True), "Perils: Fire, theft and all, Crane, Ltd.", ["Fire",
        "theft and all", "Crane, Ltd."]),
        (Wanted("order", "name"), "Order date: 24 March 2023", []),
        (Wanted("power", "number", "W", labels=("rated power",)), "Power rating: 2 kW\n\nStandby time: 3 h", ["2000"]),
        (Wanted("number", "name", labels=("Lieferscheinnummer",)), "Lieferschein-Nr.: LS-20", ["LS-20"]),
        (Wanted("paid", "date"), "Joined: 3 May 2020", []),
        (Wanted("load", "number", "kg", labels=("rated load",)), "Test load: 90 kg\n\nIt has a rated load of 80 kg.",
        ["80"]),
        (Wanted("due", "date", labels=("fällig am",)), "Der Betrag ist am 14. Oktober 2023 fällig.", ["2023-10-14"]),
        (Wanted("number", "text", labels=("File no.", "Our file")), "File no.: K-7\n\nFile date: 3 May 2020", ["K-7"]),
        (Wanted("dogs", "boolean", labels=("animals",)), "No animals are kept.\n\nBikes may be kept.", ["False"]),
        (Wanted("dogs", "boolean"), "Dogs: permitted", ["True"]),
        (Wanted("dogs", "boolean"), "Dogs: ☒ allowed ☐ not", []),
        (Wanted("dogs", "boolean"), "Dogs are ☐ allowed ☒ prohibited.", []),
        (Wanted("dogs", "boolean"), "Dogs may be kept, unless a neighbour objects.", []),
        (Wanted("melts", "number", "°C"), "It boils at 90 °C and melts at 20 °C.", ["20"]),
        (Wanted("metal", "name"), "Metal: Zinc. Sold by Crane Ltd.", ["Zinc"]),
        (Wanted("trial", "duration", "month", labels=("probation",)), "The first six months are a probation.", ["6"]),
        (Wanted("term", "duration", "month"), "It has a term of 2 years and is renewed for 6 months.", ["24"]),
        (Wanted("notice", "duration", "day", labels=("notice period",)),
        "A fee is due after 5 days of notice.\n\nThe notice period is 60 days.", ["60"]),
        (Wanted("start", "date", labels=("commencement",)), "Signed on 2 May 2020. It commences on 3 May 2020.",
        ["2020-05-03"]),
        (Wanted("acidity", "number", labels=("pH",)), "The pH was 7.6 after 3 minutes.", ["7.6"]),
        (Wanted("law", "name", labels=("governing law",)), "It is governed by the laws of Wales. Pay rent.", ["Wales"]),
        (Wanted("number", "name"), "Test report LR-20/7\n\nThe 3 samples were good.", ["LR-20/7"]),
        (Wanted("serial_number", "name"), "Test report LR-20/7\n\nThe 3 samples were good.", []),
        (Wanted("notice", "duration", "d"), "Notice: thirty (30) working days", ["30"]),
        (Wanted("notice", "duration", "month"), "Notice: thirty (30) working days", []),
        (Wanted("worked", "duration", "h", labels=("working hours",)), "Working hours: 9", ["9"]),
        (Wanted("power", "number", "kW"), "P2: 37 kW\n\nt max: 80 °C", ["37"]),
        (Wanted("power", "number", "kW"), "P1: 37 kW\n\nP2: 30 kW", []),
        (Wanted("fee", "money"), "Maker = Crane Ltd.\nFee = 80 EUR", ["80"]),
        (Wanted("port", "name", labels=("port of registry",)), "PORT OF REGISTRY Cork\nBEAM 4 m", ["Cork"]),
    ],
)  # fmt: skip
def test_a_field_of_labels_and_sentences(wanted: Wanted, text: str, values: list[str]) -> None:
    pages = [page_of(text)]
    style = style_of([text])
    found = field_values([wanted], pages, [*labelled_values(pages, style)], style)
    assert [str(one.value) for one in found if not one.is_disputed] == values
    assert all(re.sub(r"\s", "", pages[0].of(one.span)) in re.sub(r"\s", "", text) for one in found)


@pytest.mark.parametrize(("rows", "expected"), tables.rows(__file__, "test_what_a_column_or_a_single_row_says"))
def test_what_a_column_or_a_single_row_says(rows: list[list[str]], expected: dict[str, str]) -> None:
    page = PageText()
    page.add_table(rows, heads=True)
    assert {one.label: one.value for one in labelled_values([page.page()], Style()) if one.row < 0} == expected


def test_an_amount_of_a_sentence_is_the_value_of_one_field() -> None:
    text = "Its length overall is 14.2 m and it draws 2.25 m."
    wanted = [
        Wanted("draught", "number", "m", labels=("draws",)),
        Wanted("length", "number", "m", labels=("length overall",)),
    ]
    found = field_values(wanted, [page_of(text)], [], style_of([text]))
    assert {one.field: str(one.value) for one in found} == {"length": "14.2", "draught": "2.25"}


def test_a_row_with_limits_has_the_one_that_a_field_asks_for() -> None:
    page = PageText()
    page.add_table([["Parameter", "Min.", "Typ.", "Max.", "Unit"], ["Pressure", "3", "20", "34", "bar"]], heads=True)
    labelled = [*labelled_values([page.page()], Style())]
    wanted = [Wanted(name, "number", "bar", labels=("pressure",)) for name in ("max_pressure", "min_pressure")]
    found = field_values([wanted[0]], [page.page()], labelled, Style())
    found += field_values([wanted[1]], [page.page()], labelled, Style())
    assert {one.field: str(one.value) for one in found} == {"max_pressure": "34", "min_pressure": "3"}


@pytest.mark.parametrize(
    ("wanted", "text", "value"),
    [
        (Wanted("cover", "money", patterns=("shall be covered for {value},",)),
         "The hall shall be covered for £64,750.00, in writing.", "64750.00"),
        (Wanted("fee", "money", patterns=("pays {value}.",)), "The client pays EUR 4.410,00. Nothing else.", "4410.00"),
        (Wanted("nitrate", "number", unit="mg/l", patterns=("{value} of nitrate",)),
         "It had 0.42 mg/l of free chlorine, 21.6 mg/l of nitrate and no lead.", "21.6"),
        (Wanted("order", "name", patterns=("Work order {value}",)), "Work order WO-25-0107\n=====\n\nJob: repair",
         "WO-25-0107"),
        (Wanted("change", "text", patterns=("{value} replaces",)), "December, the pump replaces the fan.", "the pump"),
    ],
)  # fmt: skip
def test_a_value_of_a_pattern_is_whole(wanted: Wanted, text: str, value: str) -> None:
    found = field_values([wanted], [page_of(text)], [], style_of([text]))
    assert [str(one.value) for one in found] == [value]


@pytest.mark.parametrize(
    ("heads", "names"),
    tables.rows(__file__, "test_columns_with_two_rows_of_heads_have_both_names"),
)
def test_columns_with_two_rows_of_heads_have_both_names(heads: list[list[str]], names: list[str]) -> None:
    page = PageText()
    body = [["Net sales", "9,583", "8,412", "1,203", "1,101"], ["Net loss", "12", "13", "14", "15"]]
    page.add("paragraph", "Accounts (in thousands of EUR)")
    page.add_table([*heads, *(row[: len(heads[0])] for row in body)], heads=len(heads))
    found = [one for one in labelled_values(in_context([page.page()]), Style()) if one.label == "Net sales"]
    assert [one.column for one in found] == (names if len(names) > 1 else [""])
    assert {(one.scale, one.unit) for one in found} == {(1000, "EUR")}


@pytest.mark.parametrize(
    ("above", "right"),
    [("Sales in EUR thousand", (1000, "EUR")), ("(Millions, except per share data)", (10**6, "")), ("Sales", (1, ""))],
)
def test_the_line_above_a_table_states_its_scale_in_every_format(above: str, right: tuple[int, str]) -> None:
    text = f"{above}\n\nRegion | 2023 | 2024\nNorth | 12 | 14\nSouth | 7 | 9\n"
    (page,) = in_context([Page(1, text, tuple(paragraphs(text)))])
    assert {(one.scale, one.unit) for one in labelled_values([page], Style()) if one.label == "North"} == {right}
    (table,) = tables_of(text)
    assert {(cell.scale, cell.unit) for cell in table.cells} == {right}
