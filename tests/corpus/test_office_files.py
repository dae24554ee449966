"""Office files, text files and e-mail with the parts that a simple reader passes over."""

from pathlib import Path
from typing import Any

import docx
import openpyxl
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from qlc.corpus.pages import Page
from qlc.corpus.readers import read
from qlc.corpus.readers.detect import detect
from tests.tables import rows


def pages_of(path: Path) -> list[Page]:
    return [*read(path, detect(path)).pages]


def tables(page: Page) -> list[list[list[str]]]:
    return [[[page.of(cell) for cell in row] for row in block.rows] for block in page.blocks if block.rows]


# --- DOCX ------------------------------------------------------------------------------------------------------------


def document_of(tmp_path: Path, *parts: str) -> Page:
    document = docx.Document()
    body: Any = document.element.body
    for part in parts:
        body.insert(len(body) - 1, parse_xml(part.replace(">", f" {nsdecls('w')}>", 1)))
    document.save(str(tmp_path / "a.docx"))
    (page,) = pages_of(tmp_path / "a.docx")
    return page


def paragraph(inside: str) -> str:
    return f"<w:p>{inside}</w:p>"


def letters(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def test_content_controls_are_read_and_their_prompts_are_not(tmp_path: Path) -> None:
    page = document_of(
        tmp_path,
        paragraph(letters("Keeper: ") + f"<w:sdt><w:sdtContent>{letters('Edda Falk')}</w:sdtContent></w:sdt>"),
        f"<w:sdt><w:sdtContent>{paragraph(letters('Berth nine'))}</w:sdtContent></w:sdt>",
        paragraph(
            letters("Date: ") + "<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr>"
            f"<w:sdtContent>{letters('Click to enter a date.')}</w:sdtContent></w:sdt>"
        ),
    )
    assert page.text.split("\n\n") == ["Keeper: Edda Falk", "Berth nine", "Date:"]


def test_insertions_are_text_and_deletions_are_not(tmp_path: Path) -> None:
    change = 'w:id="1" w:author="Falk" w:date="2031-01-01T00:00:00Z"'
    page = document_of(
        tmp_path,
        paragraph(
            letters("The fee is ") + f"<w:del {change}><w:r><w:delText>90</w:delText></w:r></w:del>"
            f"<w:ins {change}>{letters('95')}</w:ins>" + letters(" EUR.")
        ),
    )
    assert page.text == "The fee is 95 EUR."


def test_comments_and_a_hyphen_that_is_not_shown(tmp_path: Path) -> None:
    document = docx.Document()
    line = document.add_paragraph("The rope is of moor\u00ading hemp.")
    document.add_comment(line.runs, text="Is it not nylon?", author="Falk")
    document.save(str(tmp_path / "a.docx"))
    (page,) = pages_of(tmp_path / "a.docx")
    assert page.text.split("\n\n") == ["The rope is of mooring hemp.", "Comment by Falk: Is it not nylon?"]


def test_cells_over_columns_and_rows_that_begin_late(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(rows=4, cols=4)
    texts = [["Boat", "Old fee", "New fee", "Days"], ["Elbe", "7", "", "12"], ["Oste", "5", "6", "9"],
             ["", "8", "9", "4"]]  # fmt: skip
    for row, cells in zip(table.rows, texts, strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    table.cell(1, 1).merge(table.cell(1, 2)).text = "7"
    late: Any = table.rows[3]._tr
    late.remove(late.tc_lst[0])
    late.get_or_add_trPr().append(parse_xml(f'<w:gridBefore {nsdecls("w")} w:val="1"/>'))
    document.save(str(tmp_path / "a.docx"))
    (page,) = pages_of(tmp_path / "a.docx")
    assert tables(page) == [texts]


# --- XLSX ------------------------------------------------------------------------------------------------------------


def test_a_sheet_with_a_title_a_scale_merged_cells_and_formulas(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet: Any = book.active
    for row in [["Fees of the yard"], ["(EUR in thousands)"], ["Boat", "Half", "Fee"], ["Elbe", "H1", 3_400_000],
                [None, "H2", 12], ["Sum", None, "=SUM(C4:C5)"]]:  # fmt: skip
        sheet.append(row)
    sheet.merge_cells("A4:A5")
    sheet["C4"].number_format = '#,##0,"k"'
    book.create_sheet("Drafts").append(["Wages", 17, 3])
    book["Drafts"].sheet_state = "hidden"
    book.save(tmp_path / "a.xlsx")
    first, second = pages_of(tmp_path / "a.xlsx")
    assert tables(first) == [
        [["Boat", "Half", "Fee"], ["Elbe", "H1", "3400k"], ["Elbe", "H2", "12"], ["Sum", "", "=SUM(C4:C5)"]]
    ]
    assert [block.scale for block in first.blocks if block.rows] == ["(EUR in thousands)"]
    assert second.text.startswith("Drafts (hidden sheet)")


# --- encodings -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "encoding"), rows(__file__, "test_encodings_of_text_files"))
def test_encodings_of_text_files(tmp_path: Path, text: str, encoding: str) -> None:
    (tmp_path / "a.txt").write_bytes(text.encode(encoding))
    assert pages_of(tmp_path / "a.txt")[0].text == text
