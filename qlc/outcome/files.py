"""Answers as files: CSV, NDJSON, and XLSX and Parquet, whose libraries are imported when a file is written.

Columns are called by their labels. Numbers, dates and truth values keep their types, and a text of XLSX that begins
with `=`, `+`, `-` or `@` stays a text.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

from qlc.base.currencies import CURRENCIES
from qlc.base.errors import UsageError
from qlc.base.lazy import optional
from qlc.base.units import find_unit
from qlc.outcome.amounts import is_day, is_instant
from qlc.outcome.export import Format, cell_of_csv
from qlc.outcome.frames import arrow_table, columns_of_rows
from qlc_search import install

FileFormat = Literal["csv", "ndjson", "xlsx", "parquet"]
SUFFIXES: dict[str, FileFormat] = {
    ".csv": "csv", ".ndjson": "ndjson", ".jsonl": "ndjson", ".xlsx": "xlsx", ".parquet": "parquet",
}  # fmt: skip
MOST_ROWS = 1_048_575
"""Most rows of an XLSX file below its header; of Parquet too, whose rows are in memory until it is written."""
LONGEST_TEXT = 32_767
"""Most characters of a cell of XLSX."""
LARGEST_EXACT = 10**15
"""Spreadsheets round larger whole numbers, so they are written as texts."""

Lines = Callable[[Format, bool], Iterable[str]]
"""Lines of an answer in a format, for spreadsheets or not: `qlc.outcome.export`."""


def format_of(name: str) -> FileFormat:
    """Return the format of a file by its name. Raises UsageError."""
    found = SUFFIXES.get(Path(name).suffix.casefold())
    if found is None:
        raise UsageError(f"'{name}' does not say what kind of file it is: end it in {', '.join(SUFFIXES)}")
    return found


def save(path: Path, lines: Lines, zone: tzinfo | None = None) -> int:
    """Write an answer to a file and return the number of rows. A file that cannot be finished is not there, and one of
    the same name stays as it was. Raises UsageError, OSError."""
    format = format_of(path.name)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            rows = write(file, format, lines, zone)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, path.stat().st_mode if path.exists() else 0o666 & ~mask)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return rows


def write(file: IO[bytes], format: FileFormat, lines: Lines, zone: tzinfo | None = None) -> int:
    """Write an answer and return the number of rows. Times of XLSX are in the zone (default UTC). Raises UsageError if
    there are too many rows, or the library is missing."""
    if format == "csv" or format == "ndjson":
        written = sum(file.write(line.encode("utf-8", "replace")) > 0 for line in lines(format, format == "csv"))
        return written - (format == "csv")
    library = {"xlsx": "openpyxl", "parquet": "pyarrow"}[format]
    if optional(library) is None:
        raise UsageError(f"a .{format} file needs {library}, not installed here: {install('tables')}")
    given = iter(lines("table", False))
    head = json.loads(next(given))
    read = map(json.loads, _bounded(given, format))
    return _xlsx(file, head, read, zone or UTC) if format == "xlsx" else _parquet(file, head, read)


def _bounded(lines: Iterable[str], format: str) -> Iterator[str]:
    lines = iter(lines)
    yield from islice(lines, MOST_ROWS)
    if next(lines, None) is not None:
        raise UsageError(f"a .{format} file has at most {MOST_ROWS:,} rows here: write .csv or .ndjson")


# --- Parquet ---------------------------------------------------------------------------------------------------------


def _parquet(file: IO[bytes], head: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> int:
    from pyarrow import parquet

    labels = dict(zip(head["columns"], head["headers"], strict=True))
    table = arrow_table(columns_of_rows(head["columns"], list(rows)), labels, head["units"])
    parquet.write_table(table, file)
    return int(table.num_rows)


# --- XLSX ------------------------------------------------------------------------------------------------------------


def _xlsx(file: IO[bytes], head: Mapping[str, Any], rows: Iterable[Mapping[str, Any]], zone: tzinfo) -> int:
    from openpyxl import Workbook
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font
    from openpyxl.utils import get_column_letter

    book = Workbook(write_only=True)
    sheet = book.create_sheet("Answer")
    sheet.freeze_panes = "A2"
    for number, header in enumerate(head["headers"], 1):
        sheet.column_dimensions[get_column_letter(number)].width = min(max(len(header) + 2, 12), 40)

    def cell(value: Any, form: str | None = None) -> Any:
        made = WriteOnlyCell(sheet)
        if isinstance(value, str):  # not by `value`, which takes a text that begins with `=` for a formula
            made._value, made.data_type = _NOT_IN_XML.sub("\ufffd", value)[:LONGEST_TEXT], "s"
            made.quotePrefix = value[:1] in ("=", "+", "-", "@")
        else:
            made.value = value
        if form is not None:
            made.number_format = form
        return made

    names: Sequence[str] = head["columns"]
    forms = {name: _number_format(unit) for name, unit in head["units"].items()}
    headers = [cell(header) for header in head["headers"]]
    for one in headers:
        one.font = Font(bold=True)
    sheet.append(headers)
    count = 0
    try:
        for row in rows:
            sheet.append([cell(*_typed(row.get(name), forms.get(name), zone)) for name in names])
            count += 1
    except BaseException:
        sheet.close()
        raise
    book.save(file)
    return count


def _typed(value: Any, form: str | None, zone: tzinfo) -> tuple[Any, str | None]:
    """Return a value as a spreadsheet has it, with its format."""
    if isinstance(value, bool) or value is None:
        return value, None
    if isinstance(value, int) and abs(value) >= LARGEST_EXACT:
        return str(value), None
    if isinstance(value, int | float):
        return value, form
    if is_instant(value) and value[:4] >= "1900":  # spreadsheets have no earlier dates
        moment = datetime.fromisoformat(value)
        if is_day(value):
            return moment.replace(tzinfo=None), "yyyy-mm-dd"
        return moment.astimezone(zone).replace(tzinfo=None), "yyyy-mm-dd hh:mm:ss"
    return cell_of_csv(value), None


def _number_format(unit: str) -> str:
    """Return the format of numbers with their unit: `#,##0.00 "EUR"`, `General "kg"`, `0.##%`."""
    known = find_unit(unit)
    if known is not None and known.dimension == "part" and known.numerator == 100 * known.denominator:
        return "0.##%"
    written = unit.replace('"', "")
    return f'#,##0.00 "{written}"' if unit in CURRENCIES else f'General "{written}"'


_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
