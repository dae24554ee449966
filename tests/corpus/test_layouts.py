"""Values and their labels in the layouts of several formats; what can be read in two ways is not read."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from qlc.corpus.drafting import draft_of
from qlc.corpus.pages import Page, PageText
from qlc.corpus.readers import read
from qlc.corpus.readers.detect import detect
from qlc.corpus.readers.layout import page_of
from qlc.corpus.readers.plain import paragraphs
from qlc.corpus.readers.runs import Run, Sheet
from qlc.corpus.readers.tables import in_context
from qlc.corpus.values.fields import Wanted, field_values
from qlc.corpus.values.labelling import labelled_values
from qlc.language.dates import date_style
from qlc.language.quantities import Style, quantities, style_of
from tests import tables
from tests.corpora import made, written

EXPECTED = {"Hull": "Oak", "Length": "12 m", "Price": "EUR 80"}


def pages_of(path: Path) -> list[Page]:
    return [*read(path, detect(path)).pages]


def pairs(pages: Sequence[Page]) -> dict[str, str]:
    return {one.label: one.value for one in labelled_values(pages, Style()) if not one.is_again}


@pytest.mark.parametrize("text", tables.rows(__file__, "test_layouts_of_text"))
def test_layouts_of_text(text: str) -> None:
    assert pairs([Page(1, text, tuple(paragraphs(text)))]) == EXPECTED


@pytest.mark.parametrize(
    "body",
    [
        "<div><b>Hull</b><i>Oak</i></div><div><b>Length</b><i>12 m</i></div><div><b>Price</b><i>EUR 80</i></div>",
        "<table><tr><td>Hull<br>Oak</td><td>Length<br>12 m</td><td>Price<br>EUR 80</td></tr></table>",
        "<table><tr><td>Hull<td>Length<td>Price</tr><tr><td>Oak<td>12 m<td>EUR 80</tr></table>",
    ],
)
def test_layouts_of_web_pages_and_of_mail(tmp_path: Path, body: str) -> None:
    (tmp_path / "a.html").write_text(f"<html><body>{body}</body></html>", "utf-8")
    message = EmailMessage()
    message["Subject"], message["From"], message["To"] = "Boat", "a@x.example", "b@x.example"
    message.set_content("See part 2.")
    message.add_alternative(f"<html><body>{body}</body></html>", subtype="html")
    (tmp_path / "b.eml").write_bytes(bytes(message))
    assert pairs(pages_of(tmp_path / "a.html")) == EXPECTED
    assert EXPECTED.items() <= pairs(pages_of(tmp_path / "b.eml")).items()


def test_a_sheet_shows_currencies_and_units_by_its_formats(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    cells = [("Price", 80.5, "[$€-407]#,##0.00"), ("Length", 12, '0" m"'), ("Share", 0.25, "0%"), ("Rate", 1.125, "0")]
    for row, (label, value, form) in enumerate(cells, 1):
        sheet.cell(row, 2, label)
        sheet.cell(row, 4, value).number_format = form
    book.save(tmp_path / "a.xlsx")
    assert pairs(pages_of(tmp_path / "a.xlsx")) == {
        "Price": "€ 80.5", "Length": "12 m", "Share": "25%", "Rate": "1.1250"
    }  # fmt: skip


def test_mail_in_utf_16(tmp_path: Path) -> None:
    text = "From: a@x.example\nTo: b@x.example\nSubject: Zoë\nDate: Fri, 13 Jun 2025 09:14:00 +0200\n\nHüll: Oak\n"
    (tmp_path / "a.eml").write_text(text, "utf-16")
    (page,) = pages_of(tmp_path / "a.eml")
    assert "Zoë" in page.text
    assert pairs([page])["Hüll"] == "Oak"


def test_a_text_box_of_a_word_document(tmp_path: Path) -> None:
    document = docx.Document()
    box = "<w:p><w:r><w:t>Hull: Oak</w:t></w:r></w:p>"
    document.add_paragraph("Boat")._p.append(
        parse_xml(f"<w:r {nsdecls('w')}><w:pict><w:txbxContent>{box}</w:txbxContent></w:pict></w:r>")
    )
    document.save(str(tmp_path / "a.docx"))
    assert pairs(pages_of(tmp_path / "a.docx")) == {"Hull": "Oak"}


def test_headers_and_footers_of_a_word_document(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Hull: Oak")
    section = document.sections[0]
    section.different_first_page_header_footer = True
    section.even_page_header.paragraphs[0].text = "not shown"
    section.first_page_header.paragraphs[0].text = "Northern Boats Ltd"
    section.header.paragraphs[0].text = "Drawing No.: 77-B"
    section.footer.paragraphs[0].text = "Issued: 2 May 2024"
    field = f'<w:fldSimple {nsdecls("w")} w:instr=" PAGE "><w:r><w:t>1</w:t></w:r></w:fldSimple>'
    section.footer.add_paragraph("Page ")._p.append(parse_xml(field))
    document.add_section().header.is_linked_to_previous = False
    document.sections[1].header.paragraphs[0].text = "Drawing No.: 77-B"
    document.save(str(tmp_path / "a.docx"))
    (page,) = pages_of(tmp_path / "a.docx")
    assert page.text.split("\n\n") == ["Northern Boats Ltd", "Drawing No.: 77-B", "Hull: Oak", "Issued: 2 May 2024"]
    assert pairs([page]) == {"Hull": "Oak", "Drawing No.": "77-B", "Issued": "2 May 2024"}


def test_a_table_goes_on_over_a_page() -> None:
    first, second = PageText(1), PageText(2)
    first.add_table([["Part", "Count", "Price"], ["Rope", "3", "EUR 4"], ["Oar", "2", "EUR 9"]], heads=True)
    second.add_table([["Sail", "1", "EUR 80"], ["Mast", "1", "EUR 70"]], heads=False)
    found = labelled_values(in_context([first.page(), second.page()]), Style())
    assert [(one.label, one.value) for one in found if one.page == 2][:3] == [
        ("Part", "Sail"), ("Count", "1"), ("Price", "EUR 80")
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "kind", "number", "unit"), tables.rows(__file__, "test_forms_of_amounts"))
def test_forms_of_amounts(text: str, kind: str, number: str, unit: str) -> None:
    (one,) = quantities(text, Style())
    assert (one.kind, one.number, one.unit) == (kind, Decimal(number), unit)


@pytest.mark.parametrize(
    ("texts", "month_first"),
    [
        (["3/4/2023", "Dallas, TX 75201"], True),
        (["3/4/2023 for £ 5"], False),
        (["3/4/2023"], None),
        (["13/4/2023", "4/13/2023"], None),
    ],
)
def test_what_tells_the_order_of_day_and_month(texts: list[str], month_first: bool | None) -> None:
    assert date_style(texts).month_first == month_first


def test_a_point_that_may_part_thousands_is_not_read() -> None:
    style = style_of(["On 3.4.2023 it was 2.072 kg."])
    assert [one.kind for one in quantities("2.072 kg", style)] == []
    assert quantities("2.07 kg", style)[0].number == Decimal("2.07")


def values_of(text: str, *wanted: Wanted) -> dict[str, Any]:
    page = Page(1, text, tuple(paragraphs(text)))
    labelled = [*labelled_values([page], Style())]
    return {one.field: one.value for one in field_values(wanted, [page], labelled, Style()) if not one.is_disputed}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Upload speed: 5 Mbit/s", {}),  # its label is of another one
        ("Hours to report: 3\n\nIll staff report within 48 hours.", {}),  # the unit of an amount is no evidence
        ("Download speed: 8 Mbit/s", {"speed": Decimal(8)}),
    ],
)
def test_what_belongs_to_something_else_is_no_value(text: str, expected: dict[str, Any]) -> None:
    speed = Wanted("speed", "number", "Mbit/s", ("download speed",))
    hours = Wanted("weekly_hours", "number", "h", ("hours per week",))
    assert values_of(text, speed, hours) == expected


def test_a_draft_answers_typed_questions(tmp_path: Path) -> None:
    totals = [400, 1200, 2500, 90, 1001, 1000]
    bills = {
        f"bills/{number}.txt": f"Bill no.: 0{number}77\n\nIssued: {date(2024, 1, 1 + number)}\n\n"
        f"{'Total' if number % 2 else 'Total due'}: EUR {total:,}.00\n"
        for number, total in enumerate(totals)
    }
    with made(tmp_path, bills, draft_of([written(tmp_path / "files", bills)], processes=1)) as corpus:
        ask = corpus.compiler()
        assert ask.run("count bills where total > 1000").value == sum(total > 1000 for total in totals)  # type: ignore[union-attr]
        assert ask.run("count bills where issued > 2024-01-03").value == 3  # type: ignore[union-attr]
        assert ask.run('count bills where bill_no = "0277"').value == 1  # type: ignore[union-attr]


def run(left: float, line: int, text: str) -> Run:
    """Letters of 10 points at a place of a page with lines of 14 points."""
    top = 700.0 - 14 * line
    return Run(left, top - 10, left + 5 * len(text), top, text, 10, bold=False)


def test_cells_of_a_wide_table_are_no_columns_of_prose() -> None:
    rows = [("No.", "Part", "Finding", "Priority"), ("1", "Main bearing", "noise, grease dark", "high"),
            ("2", "Yaw brakes", "pads worn to 9 mm", "medium"), ("3", "Ladder of the tower", "in order", "none"),
            ("4", "Lift", "in order", "none")]  # fmt: skip
    places = (50.0, 100.0, 340.0, 480.0)
    runs = [run(left, at, text) for at, row in enumerate(rows) for left, text in zip(places, row, strict=True)]
    assert [*page_of(Sheet(1, 600, 800, runs), ()).text.split("\n")] == ["\t".join(row) for row in rows]


@pytest.mark.parametrize(
    ("upper", "lower", "place"),
    [
        ("Rules of the Association for the Protection of", "Birds", "left"),
        ("Rules of the Association for the Protection of", "Birds", "centre"),
        ("Rules of the Association for the Protection of", "Birds", "right"),
        ("Lease of the Premises at 4 Harbour Street,", "Bristol", "left"),
        ("Minutes of the Meeting:", "Board of Trustees", "left"),
        ("Sustainability Report", "2025", "left"),
    ],
)
def test_a_title_in_two_lines_is_one_heading(upper: str, lower: str, place: str) -> None:
    runs = [run(50, 5 + at, "The parties agree on what is set out below and sign it.") for at in range(8)]
    for at, text in enumerate((upper, lower)):
        width, top = 8.0 * len(text), 730.0 - 24 * at
        left = {"left": 50.0, "centre": 300 - width / 2, "right": 550 - width}[place]
        runs.append(Run(left, top - 16, left + width, top, text, 16, bold=False))
    page = page_of(Sheet(1, 600, 800, runs), ())
    assert [page.of(block.span) for block in page.blocks if block.kind == "heading"] == [f"{upper}\n{lower}"]


def test_a_cell_that_is_unfinished_goes_on_below() -> None:
    runs = [
        run(50, 0, "Anlage / Turbine"), run(200, 0, "HW2"), run(330, 0, "Park"), run(480, 0, "Hohe Warte"),
        run(50, 1, "Techniker /"), run(200, 1, "Lars Diekmann"), run(330, 1, "Stillstand /"), run(480, 1, "9.5 h"),
        run(50, 2, "Technician"), run(330, 2, "Downtime"),
        run(50, 3, "Datum / Date"), run(200, 3, "21.04.2026"), run(330, 3, "Next service"), run(480, 3, "20.04.2027"),
    ]  # fmt: skip
    found = pairs([page_of(Sheet(1, 600, 800, runs), ())])
    assert found["Techniker / Technician"] == "Lars Diekmann"
    assert found["Stillstand / Downtime"] == "9.5 h"
