"""Each format, read into pages; what cannot be read is told apart by its reason."""

import zipfile
from functools import partial
from pathlib import Path

import openpyxl
import pytest
from reportlab.pdfgen.canvas import Canvas

from qlc.corpus.errors import Unreadable
from qlc.corpus.pages import Page
from qlc.corpus.readers import read
from qlc.corpus.readers.detect import detect

from . import files


def _pages(path: Path) -> list[Page]:
    return list(read(path, detect(path)).pages)


def _blocks(page: Page) -> list[tuple[str, str]]:
    return [(block.kind, page.of(block.span)) for block in page.blocks]


def _rows(page: Page) -> list[list[str]]:
    return [[page.of(cell) for cell in row] for block in page.blocks for row in block.rows]


def test_a_pdf_has_headings_tables_prose_and_margins(tmp_path: Path) -> None:
    first, second = _pages(files.pdf(tmp_path / "a.pdf", files.data_sheet))
    assert (first.number, second.number) == (1, 2)
    assert _blocks(first) == [
        ("heading", "NX5401 part 1"),
        ("table", "Polarity\tNPN\nVceo\t60 V\nPackage\tTO-220"),
        ("paragraph", "\n".join(files.PROSE[:2])),
        ("paragraph", "NX5401 - data sheet"),  # the first time
        ("margin", "Page 1"),
    ]
    assert _rows(second)[1] == ["Vceo", "60 V"]


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    (page,) = _pages(files.pdf(tmp_path / "a.pdf", files.two_columns))
    lines = [line[:2] for line in page.text.splitlines() if line[:1] in "LR" and line[1:2].isdigit()]
    assert lines == [f"{side}{row}" for side in "LR" for row in range(len(files.PROSE))]
    assert page.blocks[0].kind == "heading"


@pytest.mark.parametrize("turned", [False, True])
def test_what_is_filled_into_a_form_stands_beside_its_label(tmp_path: Path, turned: bool) -> None:
    (page,) = _pages(files.pdf(tmp_path / "a.pdf", partial(files.filled_form, turned=turned)))
    if turned:  # what is beside a label is below it there
        assert {"Smithson-Öz", "Gold", "☒", "☐"} <= set(page.text.split())
    else:
        read = [line.split() for line in page.text.splitlines() if line.strip()]
        assert read == [["Surname:", "Smithson-Öz"], ["Secret:"], ["Meals:", "☒"], ["Smoker:", "☐"], ["Plan:", "Gold"],
                        ["Seat:", "☐", "☒"]]  # fmt: skip
    assert "hunter2" not in page.text
    assert "unseen" not in page.text


def test_lines_of_a_filled_field_are_read_from_the_top(tmp_path: Path) -> None:
    def draw(canvas: Canvas) -> None:
        canvas.drawString(50, 788, "Address:")
        canvas.acroForm.textfield(
            name="address", value="1 High St\nLeeds", x=150, y=740, width=200, height=60, fieldFlags="multiline"
        )

    (page,) = _pages(files.pdf(tmp_path / "a.pdf", draw))
    assert page.text.split() == ["Address:", "1", "High", "St", "Leeds"]


def test_a_page_without_text_has_no_blocks(tmp_path: Path) -> None:
    assert [page.blocks for page in _pages(files.pdf(tmp_path / "a.pdf", files.empty_page))] == [()]


def test_a_word_document(tmp_path: Path) -> None:
    (page,) = _pages(files.word(tmp_path / "a.docx"))
    assert _blocks(page)[:4] == [
        ("heading", "Service Manual"),
        ("heading", "Safety"),
        ("paragraph", "Wait 15 minutes before touching any busbar."),
        ("item", "Lock the isolator."),
    ]
    assert [block.level for block in page.blocks[:2]] == [1, 2]
    assert _rows(page) == [["Part", "Quantity", "Price"], ["Filter mat", "2", "14.50"], ["Door seal", "1", "31.00"]]
    assert page.blocks[-1].has_head


def test_a_long_sheet_is_several_pages_with_the_heads_on_each(tmp_path: Path) -> None:
    pages = _pages(files.sheet(tmp_path / "a.xlsx"))
    assert [page.number for page in pages] == [1, 2, 3]
    tables = [list(_rows(page)) for page in pages]
    assert all(rows[0] == ["Part", "Count", "Price"] for rows in tables)
    assert [row for rows in tables for row in rows[1:]] == [[f"Part {n}", f"{n}", f"{n + 0.5}"] for n in range(450)]
    assert _blocks(pages[0])[0] == ("heading", "Stock")


def test_slides_are_pages(tmp_path: Path) -> None:
    assert [_blocks(page) for page in _pages(files.slides(tmp_path / "a.pptx"))] == [
        [("heading", "Results"), ("paragraph", "The results are good.")],
        [("heading", "Outlook"), ("paragraph", "The outlook are good.")],
    ]


HTML = """<!doctype html><html><head><title>Policy</title><style>p {}</style></head><body><nav>Home</nav>
<h1>Remote  work</h1>loose text<p>Two days <b>per</b> week.</p><script>alert(1)</script>
<ul><li>Core hours</li></ul><img src="https://example.com/a.png">
<table><tr><th>Day</th><th>Place</th></tr><tr><td>Monday</td><td>Home</td></tr></table></body></html>"""


def test_a_web_page(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text(HTML, "utf-8")
    reading = read(path, detect(path))
    (page,) = reading.pages
    assert reading.about.title == "Policy"
    assert _blocks(page) == [
        ("heading", "Remote work"),
        ("paragraph", "loose text"),
        ("paragraph", "Two days per week."),
        ("item", "Core hours"),
        ("table", "Day\tPlace\nMonday\tHome"),
    ]


def test_a_web_page_in_the_encoding_that_it_declares(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_bytes('<html><meta charset="iso-8859-2"><p>Žádný dům</p>'.encode("iso-8859-2"))
    assert _pages(path)[0].text == "Žádný dům"


def test_a_page_that_is_nested_deeply(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<html>" + "<div>" * 5_000 + "deep", "utf-8")
    assert _pages(path)[0].text == "deep"


MARKDOWN = """---
title: Glossary
---
# Terms

Some *text*
on two lines.

- BMS: a system
- SoC: its charge

| Part | Price |
|------|------:|
| Seal | 31.00 |
"""


def test_markdown_is_its_own_text(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text(MARKDOWN, "utf-8")
    (page,) = _pages(path)
    assert _blocks(page)[:4] == [
        ("heading", "Terms"),
        ("paragraph", "Some *text*\non two lines."),
        ("item", "BMS: a system"),
        ("item", "SoC: its charge"),
    ]
    assert _rows(page) == [["Part", "Price"], ["Seal", "31.00"]]
    assert "Glossary" not in page.text


def test_plain_text(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("KITCHEN\r\n\r\nMilk is bought\r\non Mondays.\r\n\r\n\r\nCoffee too.".encode("utf-16"))
    (page,) = _pages(path)
    assert _blocks(page) == [
        ("heading", "KITCHEN"),
        ("paragraph", "Milk is bought\non Mondays."),
        ("paragraph", "Coffee too."),
    ]


def test_a_table_of_values(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text('Part;Price\n"Seal; large";31,00\n', "utf-8")
    (page,) = _pages(path)
    assert _rows(page) == [["Part", "Price"], ["Seal; large", "31,00"]]


MAIL = b"""From: Noa <noa@example.com>\r
To: all@example.com\r
Subject: Office closed\r
Date: Tue, 21 Apr 2026 09:00:00 +0000\r
Content-Type: text/plain; charset=utf-8\r
\r
The office is closed.\r
\r
Questions go to Noa.\r
"""


@pytest.mark.parametrize("name", ["a.eml", "a.txt"])
def test_mail_is_known_by_its_head(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(MAIL)
    reading = read(path, detect(path))
    (page,) = reading.pages
    assert reading.about.created == "2026-04-21T09:00:00+00:00"
    assert "\nSubject: Office closed\n" in page.text
    assert _blocks(page)[-2:] == [("paragraph", "The office is closed."), ("paragraph", "Questions go to Noa.")]


def test_a_file_is_known_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    path = files.pdf(tmp_path / "report.docx", files.data_sheet)
    assert detect(path) == "pdf"
    assert len(_pages(path)) == 2


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty"),
        (b" \n\t\n", "empty"),
        (b"%PDF-1.7\n%cut off", "damaged"),
        (b"PK\x03\x04cut off", "damaged"),
        (bytes(range(256)) * 8, "unknown_type"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + b"\0" * 600, "unknown_type"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + "EncryptedPackage".encode("utf-16-le"), "encrypted"),
    ],
)
def test_what_cannot_be_read_has_a_reason(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(content)
    with pytest.raises(Unreadable) as caught:
        _pages(path)
    assert caught.value.reason == reason


def test_an_encrypted_pdf(tmp_path: Path) -> None:
    with pytest.raises(Unreadable) as caught:
        _pages(files.pdf(tmp_path / "a.pdf", files.data_sheet, password="secret"))
    assert caught.value.reason == "encrypted"


def test_an_archive_that_grows_too_large_is_not_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "a.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b"\0" * 50_000_000)
    with pytest.raises(Unreadable) as caught:
        detect(path)
    assert caught.value.reason == "too_large"


def test_an_archive_of_other_things_is_no_document(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", "text")
    with pytest.raises(Unreadable) as caught:
        detect(path)
    assert caught.value.reason == "unknown_type"


@pytest.mark.parametrize(
    ("table", "rows"),
    [
        ("<tr><th>Day<th>Boat<th>Load<tr><td rowspan=2>Monday<td>Ann<td>5<tr><td>Bea<td>6<tr><td>Tuesday<td>Cleo<td>7",
         [["Day", "Boat", "Load"], ["Monday", "Ann", "5"], ["Monday", "Bea", "6"], ["Tuesday", "Cleo", "7"]]),
        ("<tr><th>Item<th>Old<th>New<tr><td colspan=2>Desk<td>70<tr><td>Book<td colspan=2>9",
         [["Item", "Old", "New"], ["Desk", "", "70"], ["Book", "9", ""]]),
        ("<tr><th>A<th>B<th>C<tr><td>1<td rowspan=3>x<td>2<tr><td>3<td>4<tr><td>5<td>6",
         [["A", "B", "C"], ["1", "x", "2"], ["3", "x", "4"], ["5", "x", "6"]]),
        ("<tr><th>Day<th>Boat<th>Paid<tr><td rowspan=2>2031<td>Ann<td rowspan=2>50.00<tr><td>Bea",
         [["Day", "Boat", "Paid"], ["2031", "Ann", "50.00"], ["2031", "Bea", ""]]),
        ("<tr><th>A<th>B<tr><td rowspan=2 colspan=2>x<tr><tr><td>1<td>2",
         [["A", "B"], ["x", ""], ["x", ""], ["1", "2"]]),
    ],
)  # fmt: skip
def test_cells_over_several_rows_and_columns_of_html(tmp_path: Path, table: str, rows: list[list[str]]) -> None:
    path = tmp_path / "a.html"
    path.write_text(f"<html><body><table>{table}</table></body></html>")
    (page,) = read(path, "html").pages
    (block,) = page.blocks
    assert [[page.of(cell) for cell in row] for row in block.rows] == rows


def test_cells_over_very_many_rows_of_html_are_bounded(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("<table>" + "<tr><td rowspan=65534 colspan=1000>x<td>1" * 400 + "</table>")
    (page,) = read(path, "html").pages
    assert page.text.count("1") == 400


def test_tables_beside_each_other_on_a_sheet_are_read_one_after_the_other(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Staff", None, None, "Parts", None], ["Name", "City", None, "Part", "Price"],
                ["Ann", "Bonn", None, "Bolt", 5], ["Bob", "Kiel", None, "Nut", 6]):  # fmt: skip
        book.worksheets[0].append(row)
    book.save(tmp_path / "a.xlsx")
    assert [_rows(page) for page in _pages(tmp_path / "a.xlsx")] == [
        [["Name", "City"], ["Ann", "Bonn"], ["Bob", "Kiel"]], [["Part", "Price"], ["Bolt", "5"], ["Nut", "6"]],
    ]  # fmt: skip
