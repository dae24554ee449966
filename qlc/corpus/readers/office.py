"""PPTX and XLSX, read by python-pptx and openpyxl, and CSV. What they refer to is not loaded."""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO, StringIO
from typing import Any

from ..errors import Unreadable
from ..files import Readable
from ..pages import About, OpenedDocument, Page, PageText, names_columns
from .plain import decode

ROWS_OF_A_PAGE = 200
"""Rows of a sheet per page; each page repeats the column heads."""


_LONGEST_CELL = 60
"""Most characters of a row with one cell that belongs to a table; a longer one is a paragraph."""


def read_pptx(path: Readable) -> OpenedDocument:
    """Read slides as pages."""
    import pptx

    document = opened(pptx.Presentation, path)
    return OpenedDocument(about_of(document.core_properties, has_pages=True), _slides(document))


def _slides(document: Any) -> Iterator[Page]:
    for number, slide in enumerate(document.slides, 1):
        page = PageText(number)
        title = slide.shapes.title
        for shape in _shapes(slide.shapes):
            if shape.has_text_frame:
                is_title = title is not None and shape.shape_id == title.shape_id
                page.add(
                    "heading" if is_title else "paragraph", shape.text_frame.text.replace("\v", "\n"), int(is_title)
                )
            elif getattr(shape, "has_table", False):
                page.add_table([[cell.text for cell in row.cells] for row in shape.table.rows], shape.table.first_row)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            page.add("paragraph", slide.notes_slide.notes_text_frame.text)
        yield page.page()


def _shapes(shapes: Any) -> Iterator[Any]:
    """Yield shapes, also those in groups, from top to bottom."""
    for shape in sorted(shapes, key=lambda one: (one.top or 0, one.left or 0)):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def read_xlsx(path: Readable) -> OpenedDocument:
    """Read sheets as pages, long ones as several. Formulas give their stored values."""
    import openpyxl

    book = opened(lambda one: openpyxl.load_workbook(one, read_only=True, data_only=True), path)
    return OpenedDocument(about_of(book.properties, has_pages=True), _sheets(book))


def _sheets(book: Any) -> Iterator[Page]:
    number = 1
    for sheet in book.worksheets:
        rows = ([_cell(cell) for cell in row] for row in sheet.iter_rows())
        for page in pages_of_rows(rows, number, sheet.title):
            yield page
            number += 1
    book.close()


def read_csv(path: Readable) -> OpenedDocument:
    """Read CSV or TSV. The delimiter must occur in each of the first lines; the comma is tried last, since it can be
    part of a number."""
    text = decode(path.read_bytes())
    lines = [line for line in text[:8192].splitlines()[:50] if line.strip()]
    lines = lines[:-1] if len(lines) > 1 and len(text) > 8192 else lines  # the last one may be cut off
    delimiter = next((mark for mark in "\t;|" if lines and all(mark in line for line in lines)), ",")
    rows = ([cell.strip() for cell in row] for row in csv.reader(StringIO(text), delimiter=delimiter))
    return OpenedDocument(About(), pages_of_rows(rows, 1))


def pages_of_rows(rows: Iterator[list[str]], number: int, title: str = "") -> Iterator[Page]:
    """Yield a table as pages: `title` above the first, the first row with text as head of each."""
    head: list[str] = []
    page = PageText(number)
    page.add("heading", title, 1)
    held: list[list[str]] = []
    was_empty = False
    for row in rows:
        filled = [cell for cell in row if cell]
        if was_empty and filled and not any(re.search(r"\d", cell) for cell in filled):
            _put_rows(page, head, held)  # a table of its own: its first row has no numbers
            head = []
        was_empty = not filled
        if len(filled) == 1 and (not head or len(filled[0]) > _LONGEST_CELL):
            _put_rows(page, head, held)
            page.add("paragraph", filled[0])
        elif filled and not head:
            head = row
            held.append(row)
        elif filled:
            held.append(row)
        if len(held) > ROWS_OF_A_PAGE:
            _put_rows(page, head, held)
            yield page.page()
            page = PageText(page.number + 1)
    _put_rows(page, head, held)
    if page.blocks:
        yield page.page()


def _put_rows(page: PageText, head: list[str], held: list[list[str]]) -> None:
    """Add the waiting rows as a table below the head of their sheet, and clear them."""
    if held:
        rows = held if held[0] is head else [head, *held]
        has_head = len(rows) > 1 and (sum(map(bool, head)) > 2 or names_columns(rows))
        page.add_table(rows if has_head else held, has_head)
        held.clear()


_SIGN_OF_FORMAT = re.compile(r'\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|"([^"]*)"|[_*].|\\(.)|([€£¥₹$%])|[#0?]()')
"""A currency, a colour or a condition, a text, a space, a sign, a digit (ECMA-376-1, 18.8.31)."""


def _cell(cell: Any) -> str:
    """Return the value of a cell, with the currency or the unit that its format shows beside a number."""
    text = _value(cell.value)
    if not isinstance(cell.value, int | float) or isinstance(cell.value, bool) or cell.number_format == "General":
        return text
    before, after = "", ""
    for found in _SIGN_OF_FORMAT.finditer(cell.number_format.split(";")[0]):
        if found[5] is not None:
            before, after = before + after, ""
        else:
            after += found[1] or found[2] or found[3] or found[4] or ""
    if after.strip() == "%" and '"' not in cell.number_format:
        return f"{_value(round(cell.value * 100, 10))}%"
    return " ".join(filter(None, (before.strip(), text, after.strip())))


def _value(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == datetime.min.time() else value.isoformat(" ")
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    text = str(value)
    is_like_thousands = isinstance(value, float) and re.fullmatch(r"-?\d{1,3}\.\d{3}", text)
    return f"{text}0" if is_like_thousands else text


def opened(opener: Any, path: Readable) -> Any:
    """Open a file with a library. Raises Unreadable for any error, since libraries have none of their own for damaged
    files."""
    try:
        return opener(BytesIO(path.read_bytes()))
    except MemoryError:
        raise
    except Exception as error:
        if _is_strict(path):
            message = "The file is in the strict form of Office Open XML. Save it again in the usual form."
            raise Unreadable("unknown_type", message) from error
        raise Unreadable("damaged", "The file is damaged: its text cannot be found.") from error


def _is_strict(path: Readable) -> bool:
    """Whether a file uses the names of ISO/IEC 29500 Strict, which the libraries do not know."""
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            return b"purl.oclc.org/ooxml" in archive.read("_rels/.rels")
    except (zipfile.BadZipFile, OSError, KeyError):
        return False


def about_of(properties: Any, has_pages: bool = False) -> About:
    def time(value: object) -> str:
        return value.isoformat() if isinstance(value, datetime) else ""

    return About(
        " ".join((properties.title or "").split()), time(properties.created), time(properties.modified), has_pages
    )
