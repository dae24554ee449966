"""PPTX and XLSX, read by python-pptx and openpyxl, and CSV. What they refer to is not loaded."""

from __future__ import annotations

import csv
import re
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from io import BytesIO, StringIO
from itertools import chain, islice
from typing import Any

from qlc.tables.areas import side_by_side
from qlc.tables.cells import is_of_each_row, read_day, read_number

from ..errors import Unreadable
from ..files import Readable
from ..pages import About, OpenedDocument, Page, PageText, names_columns, struck
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
                text = _text_of(shape.text_frame).replace("\v", "\n")
                page.add("heading" if is_title else "paragraph", text, int(is_title))
            elif getattr(shape, "has_table", False):
                rows = [[_text_of(cell.text_frame) for cell in row.cells] for row in shape.table.rows]
                page.add_table(rows, shape.table.first_row)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            page.add("paragraph", slide.notes_slide.notes_text_frame.text)
        yield page.page()


def _text_of(frame: Any) -> str:
    """Return the text of a frame, in which struck runs are marked (DrawingML: `strike`)."""
    runs = [(run, run._r.find(".//{*}rPr")) for part in frame.paragraphs for run in part.runs]
    is_struck = [rules is not None and rules.get("strike", "noStrike") != "noStrike" for _, rules in runs]
    if not any(is_struck):
        return str(frame.text)
    texts = {run._r: struck(run.text) if so else run.text for (run, _), so in zip(runs, is_struck, strict=True)}
    parts = ([texts.get(each, "\v" if each.tag.endswith("}br") else "") for each in one._p] for one in frame.paragraphs)
    return "\n".join(map("".join, parts))


def _shapes(shapes: Any) -> Iterator[Any]:
    """Yield shapes, also those in groups, from top to bottom."""
    for shape in sorted(shapes, key=lambda one: (one.top or 0, one.left or 0)):
        if hasattr(shape, "shapes"):
            yield from _shapes(shape.shapes)
        else:
            yield shape


def read_xlsx(path: Readable) -> OpenedDocument:
    """Read sheets as pages, long ones as several. Formulas give their stored values; one without is shown itself."""
    import openpyxl

    book = opened(lambda one: openpyxl.load_workbook(one, read_only=True, data_only=True), path)
    return OpenedDocument(about_of(book.properties, has_pages=True), _sheets(book, path))


_UNCALCULATED = re.compile(rb"(?:</f>|<f[^>]*/>)\s*(?:<v\s*/>|<v>\s*</v>)?\s*</c>")
_MERGED = re.compile(rb"<mergeCell [^>]*ref=\"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})\"")
_MOST_MERGED = 10_000


def _sheets(book: Any, path: Readable) -> Iterator[Page]:
    number = 1
    formulas: Any = None
    for sheet in book.worksheets:
        content = _content(path, sheet)
        written: Any = None
        if _UNCALCULATED.search(content):
            formulas = formulas or _formulas(path)
            written = formulas[sheet.title]
        rows = _filled_down(_cells_of_sheet(sheet, written), content)
        title = sheet.title if sheet.sheet_state == "visible" else f"{sheet.title} (hidden sheet)"
        for part in _beside_each_other(rows):
            for page in pages_of_rows(part, number, title):
                yield page
                number += 1
    for one in (book, formulas):
        if one is not None:
            one.close()


_MOST_COMPARED = 5_000
"""Most rows of a sheet in which tables beside each other are looked for."""


def _beside_each_other(rows: Iterator[list[str]]) -> Iterator[Iterator[list[str]]]:
    """Yield the tables of a sheet that stand beside each other; a longer sheet is one."""
    first = [*islice(rows, _MOST_COMPARED + 1)]
    if len(first) > _MOST_COMPARED:
        yield chain(first, rows)
        return
    for part in side_by_side([*enumerate(first, 1)]):
        yield ([*cells] for _, cells in part)


def _content(path: Readable, sheet: Any) -> bytes:
    """Return the XML of a sheet; empty if it cannot be found."""
    with path.open("rb") as file, zipfile.ZipFile(file) as archive, suppress(KeyError, AttributeError):
        return archive.read(sheet._worksheet_path)
    return b""


def _formulas(path: Readable) -> Any:
    import openpyxl

    return opened(lambda one: openpyxl.load_workbook(one, read_only=True), path)


def _cells_of_sheet(sheet: Any, written: Any) -> Iterator[list[str]]:
    """Yield the rows of a sheet; in place of a value that was never calculated its formula, as in `written`."""
    if written is None:
        strikes = any(font.strike for font in sheet.parent._fonts)
        for row in sheet.iter_rows():
            yield [struck(_cell(cell)) if strikes and cell.font and cell.font.strike else _cell(cell) for cell in row]
        return
    for row, formulas in zip(sheet.iter_rows(), written.iter_rows(), strict=False):
        texts = [_cell(cell) for cell in row]
        for at, cell in enumerate(formulas[: len(texts)]):
            if not texts[at] and isinstance(cell.value, str) and cell.value.startswith("="):
                texts[at] = cell.value
        yield texts


def _filled_down(rows: Iterator[list[str]], content: bytes) -> Iterator[list[str]]:
    """Repeat a text or a year that is merged over several rows in each of them."""
    from openpyxl.utils import column_index_from_string

    below: dict[int, list[tuple[int, int]]] = {}  # by row: column, and the last row of a merged cell that begins there
    for found in islice(_MERGED.finditer(content), _MOST_MERGED):
        if found[2] != found[4]:
            column = column_index_from_string(found[1].decode()) - 1
            below.setdefault(int(found[2]), []).append((column, int(found[4])))
    held: dict[int, tuple[str, int]] = {}
    for number, row in enumerate(rows, 1):
        for column, (text, last) in [*held.items()]:
            if number > last:
                del held[column]
            elif column < len(row) and not row[column] and any(row):
                row[column] = text
        for column, last in below.get(number, ()):
            if column < len(row) and is_of_each_row(row[column]):
                held[column] = (row[column], last)
        yield row


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
            _put_rows(page, head, held)  # its first row has no numbers, so it is a separate table
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
        has_head = len(rows) > 1 and _can_name(head) and (sum(map(bool, head)) > 2 or names_columns(rows))
        page.add_table(rows if has_head else held, heads=has_head)
        held.clear()


def _can_name(head: list[str]) -> bool:
    """Whether the first row can name columns: its numbers are years (`2026 EUR`), and it does not begin with a date."""
    numbers = (cell for cell in head if read_number(cell) is not None)
    return read_day(head[0]) is None and all(_YEAR.match(cell) for cell in numbers)


_YEAR = re.compile(r"(?:19|20)\d\d(?![\d.,])")
_SIGN_OF_FORMAT = re.compile(
    r'\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|"([^"]*)"|[_*].|\\(.)|([€£¥₹$%])|(?<=[#0?])(,+)(?![#0?,.])|[#0?]()'
)
"""A currency, a colour or a condition, a text, a space, a sign, a scale, a digit (ECMA-376-1, 18.8.31)."""


def _cell(cell: Any) -> str:
    """Return the value of a cell, with the currency or the unit that its format shows beside a number.

    Commas after the last digit of a format scale by thousands: `#,##0,"k"` shows 1250000 as `1250k`.
    """
    text = _value(cell.value)
    if not isinstance(cell.value, int | float) or isinstance(cell.value, bool) or cell.number_format == "General":
        return text
    before, after, thousands = "", "", 0
    for found in _SIGN_OF_FORMAT.finditer(cell.number_format.split(";")[0]):
        if found[6] is not None:
            before, after = before + after, ""
        elif found[5]:
            thousands = len(found[5])
        else:
            after += found[1] or found[2] or found[3] or found[4] or ""
    if after.strip() == "%" and '"' not in cell.number_format:
        return f"{_value(round(cell.value * 100, 10))}%"
    if thousands:
        return f"{before}{_value(cell.value / 1000**thousands)}{after}".strip()
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
