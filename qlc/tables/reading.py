"""Reads the tables of a file. Each format has its reader: csv, openpyxl, python-calamine, sqlite3, pyarrow, json."""

from __future__ import annotations

import codecs
import csv
import gzip
import json
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from io import TextIOWrapper
from pathlib import Path
from string import ascii_lowercase
from typing import IO, Any, cast

from qlc.base.errors import UsageError
from qlc.tables.areas import Area, parted, table_objects
from qlc.tables.cells import as_text, is_of_each_row, read_number
from qlc.tables.columns import is_code
from qlc.tables.grid import is_empty, table_of, tables_of
from qlc.tables.model import BadRow, RawTable, Report, Row
from qlc.tables.packed import Folder, unpack_gzip, unpack_zip
from qlc.tables.parts import with_joined_sheets

SEPARATED = (".csv", ".tsv", ".tab", ".psv")
WORKBOOKS = (".xlsx", ".xlsm")
OTHER_SHEETS = (".ods", ".xls", ".xlsb")
DATABASES = (".sqlite", ".sqlite3", ".db")
COLUMNAR = (".parquet", ".arrow", ".feather")
OBJECTS = (".json",)
LINES = (".jsonl", ".ndjson")
NOT_STREAMED = (*WORKBOOKS, *OTHER_SHEETS, *DATABASES, *COLUMNAR)
"""Their readers take no packed file."""
SUFFIXES = (*SEPARATED, *WORKBOOKS, *OTHER_SHEETS, *DATABASES, *COLUMNAR, *OBJECTS, *LINES)
DELIMITERS = ",;\t|"
_SNIFFED = 256 * 1024
_SAMPLED_LINES = 200
_LARGEST_OF_SEVERAL = 4 * 1024 * 1024
"""Bytes of a file up to which tables below each other are looked for; a larger one is read row by row."""
_BIGGEST_FIELD = 16 * 1024 * 1024
MOST_JSON = 500 * 1024 * 1024
"""Bytes of a JSON array, which is read as a whole."""


_UNREADABLE = (OSError, ValueError, KeyError, EOFError, csv.Error, sqlite3.Error, zipfile.BadZipFile, zlib.error)


def is_table(path: Path) -> bool:
    """Whether a file is one that `read_tables` reads, by its name."""
    return _suffix(path) in (*SUFFIXES, ".zip")


def read_tables(path: Path) -> list[RawTable]:
    """Return the tables of a file, or of the files of an archive; none for one that can be read and holds no table.
    Raises UsageError for a file that cannot be read, with what to do."""
    suffix = _suffix(path)
    if not is_table(path):
        kinds = ", ".join(SUFFIXES)
        raise UsageError(f"'{path.name}' is not a table: give one of {kinds}, packed by gzip or zip or not")
    try:
        if suffix == ".zip":
            found = list(_archive(path))
        elif suffix in NOT_STREAMED and path.suffix.lower() == ".gz":
            folder = Folder()
            found = [folder.keep_for(one) for one in _READERS[suffix](unpack_gzip(path, folder))]
        else:
            found = list(_READERS[suffix](path))
        if suffix in (*WORKBOOKS, *OTHER_SHEETS):
            found = list(with_joined_sheets(found, _name(path), path.name))
        if found and suffix in (*WORKBOOKS, *OTHER_SHEETS) and path.suffix.lower() != ".gz":
            said = tuple(f"the hidden sheet '{one}' is left out" for one in _hidden(path))
            found[0] = replace(found[0], left_out=(*said, *found[0].left_out))
    except UsageError:
        raise
    except ModuleNotFoundError as problem:
        raise UsageError(
            f"to read '{path.name}', install the extra 'tables': pip install 'qlc-search[tables]' ({problem.name})"
        ) from problem
    except PermissionError as problem:
        raise UsageError(f"'{path.name}' may not be read by you: change its permissions, or load a copy") from problem
    except _UNREADABLE as problem:
        where = f" ({problem})" if isinstance(problem, json.JSONDecodeError) else ""
        kind = suffix.removeprefix(".").upper()
        raise UsageError(
            f"'{path.name}' cannot be read: it is damaged, or no {kind} file{where}. "
            "Open it with the program that wrote it, save it anew, and load that"
        ) from problem
    return found


def no_table(path: Path) -> UsageError:
    """Return the error for a file without a table."""
    return UsageError(f"'{path.name}' holds no table: a row of column names above rows of values was not found")


def _archive(path: Path) -> Iterator[RawTable]:
    folder = Folder()
    for member in unpack_zip(path, folder, lambda one: _suffix(one) in SUFFIXES):
        for table in read_tables(member):
            yield folder.keep_for(table)


def _suffix(path: Path) -> str:
    parts = [one.lower() for one in path.suffixes]
    return parts[-2] if parts[-1:] == [".gz"] and len(parts) > 1 else parts[-1] if parts else ""


def _name(path: Path) -> str:
    return path.name.split(".")[0]


def _bytes(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path)) if path.suffix.lower() == ".gz" else path.open("rb")


# --- separated values ------------------------------------------------------------------------------------------------


def _separated(path: Path) -> Iterator[RawTable]:
    encoding = _encoding(path)
    with _bytes(path) as file, TextIOWrapper(file, encoding=encoding, errors="replace", newline="") as text:
        delimiter = _delimiter(text.read(_SNIFFED), "\t" if _suffix(path) in (".tsv", ".tab") else ",")
    csv.field_size_limit(_BIGGEST_FIELD)

    def opened() -> Iterator[Row]:
        with _bytes(path) as file, TextIOWrapper(file, encoding=encoding, errors="replace", newline="") as text:
            rows = csv.reader(text, delimiter=delimiter)
            at = 1
            for cells in rows:
                yield at, cells
                at = rows.line_num + 1

    if path.stat().st_size <= _LARGEST_OF_SEVERAL:
        several = list(tables_of(_name(path), path.name, [*opened()], lambda _: False))
        several = several if len(several) <= len(ascii_lowercase) else []  # no table, but texts with gaps
        names = {one.name for one in several}
        is_found = len(several) > 1 or any(one.place is not None for one in several)
        for number, one in enumerate(several if is_found else ()):
            # a letter: indices whose names differ in a number are parts of one table
            called = one.name if len(names) == len(several) or not number else f"{one.name} {ascii_lowercase[number]}"
            yield replace(one, name=called, is_sheet=False)
        if is_found:
            return
    found = table_of(_name(path), path.name, opened)
    if found is not None:
        yield found


def _encoding(path: Path) -> str:
    """The encoding of a text, by its mark, else UTF-8 where all of it is, else the likeliest of the old ones."""
    with _bytes(path) as file:
        start = file.read(4)
        for mark, name in _MARKS.items():
            if start.startswith(mark):
                return name
        decoder = codecs.getincrementaldecoder("utf-8")()
        sample, piece = start, b""
        try:
            decoder.decode(start)
            while piece := file.read(1 << 20):
                decoder.decode(piece)
                sample += piece[: max(0, _SNIFFED - len(sample))]
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            sample += piece[:_SNIFFED] if start != sample or piece else b""
        else:
            return "utf-8"
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=["cp1252", "cp1250", "cp1251", "cp1253", "iso8859_15", "mac_roman"]).best()
    encoding = best.encoding if best is not None else "cp1252"
    return "cp1252" if encoding == "mac_roman" and _WESTERN.fullmatch(sample.decode("cp1252", "replace")) else encoding


_WESTERN = re.compile(r"(?:[\x00-\x7f€£°§²³½«»–—‘’“”…]|[À-ÖØ-öø-ÿ](?![À-ÖØ-öø-ÿ]{2}))*")
"""Texts in Western languages: letters with accents are few and far between. In a text of an old Macintosh that is read
as Windows-1252, `ä` and `ö` are `Š` and `š`."""


_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def _delimiter(sample: str, usual: str) -> str:
    """The delimiter with which most lines have the same number of cells, of those that part them at all."""
    lines = sample.splitlines(keepends=True)[:_SAMPLED_LINES]
    best, delimiter = (0.0, 0), usual
    for one in DELIMITERS:
        widths = [len(cells) for cells in csv.reader(lines, delimiter=one) if cells]
        usual_width = max(set(widths), key=widths.count, default=1)
        share = widths.count(usual_width) / max(1, len(widths))
        if usual_width > 1 and (share, usual_width) > best:
            best, delimiter = (share, usual_width), one
    return delimiter


# --- workbooks -------------------------------------------------------------------------------------------------------


def _workbook(path: Path) -> Iterator[RawTable]:
    from openpyxl import load_workbook

    book = load_workbook(path, data_only=True)
    for sheet in book.worksheets:
        if sheet.sheet_state == "visible":
            grid = [(at, [_cell(one) for one in row]) for at, row in enumerate(sheet.iter_rows(), start=1)]
            _fill_down(grid, sheet.merged_cells.ranges)
            merged = {one.min_row for one in sheet.merged_cells.ranges if one.max_col > one.min_col}
            yield from _tables_of_sheet(sheet.title, path, grid, table_objects(sheet), merged.__contains__)


def _fill_down(grid: Sequence[tuple[int, list[Any]]], ranges: Iterable[Any]) -> None:
    """Repeat a text, a year or a code that is merged over several rows in each of them."""
    for one in ranges:
        value = grid[one.min_row - 1][1][one.min_col - 1]
        above = (as_text(cells[one.min_col - 1]) for _, cells in reversed(grid[: one.min_row - 1]))
        header = next((text for text in above if text and read_number(text) is None), "")
        for _, cells in grid[one.min_row : one.max_row] if is_of_each_row(value) or is_code(header) else ():
            if not is_empty(cells):
                cells[one.min_col - 1] = value


def _tables_of_sheet(
    title: str, path: Path, grid: Sequence[Row], areas: Sequence[Area], spans: Callable[[int], bool]
) -> Iterator[RawTable]:
    found = list(parted(grid, areas, title))
    for part in found:
        for table in tables_of(part.name, f"{path.name} [{title}]", part.grid, spans, beside_others=len(found) > 1):
            yield replace(table, left_out=(*table.left_out, *part.left_out))


def _hidden(path: Path) -> list[str]:
    """The sheets of a workbook that are not visible, which are left out."""
    book = _calamine(path)
    return [one.name for one in book.sheets_metadata if one.visible != type(one.visible).Visible]


def _cell(cell: Any) -> Any:
    """The value of a cell; a number that is shown as a percentage or an amount as the text that is shown."""
    value, shown = cell.value, cell.number_format or ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        if shown.endswith("%"):
            return f"{round(100 * value, 10):g}%"
        for sign in "€$£¥":
            if sign in shown.partition(";")[0].replace("[$", "[").replace("$-", "-"):
                return f"{value!r} {sign}"
    return value


def _other_sheets(path: Path) -> Iterator[RawTable]:
    book, hidden = _calamine(path), _hidden(path)
    for name in book.sheet_names:
        if name not in hidden:
            grid: list[Row] = list(enumerate(book.get_sheet_by_name(name).to_python(), start=1))
            yield from _tables_of_sheet(name, path, grid, [], lambda line: False)


def _calamine(path: Path) -> Any:
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        return CalamineWorkbook.from_path(str(path))
    except CalamineError as problem:
        raise ValueError(str(problem)) from None


# --- databases and columns -------------------------------------------------------------------------------------------


def _database(path: Path) -> Iterator[RawTable]:
    with closing(_connected(path)) as database:
        for (name,) in database.execute(_TABLES).fetchall():
            columns = database.execute(f"pragma table_info({_quoted(name)})").fetchall()
            keys = tuple(column[1] for column in columns if column[5])
            foreign = database.execute(f"pragma foreign_key_list({_quoted(name)})").fetchall()
            references = tuple((one[3], one[2], one[4] or "") for one in foreign)

            def rows(report: Report, name: str = name) -> Iterator[Row]:
                with closing(_connected(path)) as own:
                    yield from enumerate(own.execute(f"select * from {_quoted(name)}"), start=1)

            headers = tuple(column[1] for column in columns)
            yield RawTable(name, f"{path.name} [{name}]", headers, rows, keys if len(keys) == 1 else (), references)


_TABLES = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name"


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _columnar(path: Path) -> Iterator[RawTable]:
    import pyarrow.dataset

    form = "parquet" if _suffix(path) == ".parquet" else "feather"
    data = pyarrow.dataset.dataset(path, format=form)

    def rows(report: Report) -> Iterator[Row]:
        at = 0
        for batch in data.to_batches():
            columns = [column.to_pylist() for column in batch.columns]
            for cells in zip(*columns, strict=True):
                at += 1
                yield at, cells

    yield RawTable(_name(path), path.name, tuple(data.schema.names), rows)


# --- JSON ------------------------------------------------------------------------------------------------------------


def _objects(path: Path) -> Iterator[RawTable]:
    if path.stat().st_size > MOST_JSON:
        raise UsageError(f"'{path.name}' is too large for one JSON array: write a line for each object (.jsonl)")
    with _bytes(path) as file:
        data = json.loads(file.read())
    if isinstance(data, Mapping):  # `{"orders": [...], "customers": [...]}`
        lists = {name: one for name, one in data.items() if isinstance(one, list) and one and isinstance(one[0], dict)}
        found = lists or {_name(path): [data]}
    else:
        found = {_name(path): data if isinstance(data, list) else []}
    for name, elements in found.items():
        yield from table_of_objects(name, path.name, lambda elements=elements: enumerate(elements, start=1))  # type: ignore[misc]


def _lines(path: Path) -> Iterator[RawTable]:
    def opened() -> Iterator[tuple[int, Any]]:
        with _bytes(path) as file:
            for at, line in enumerate(file, start=1):
                if line.strip():
                    try:
                        yield at, json.loads(line)
                    except ValueError as problem:
                        yield at, problem

    yield from table_of_objects(_name(path), path.name, opened)


def table_of_objects(name: str, file: str, opened: Callable[[], Iterator[tuple[int, Any]]]) -> Iterator[RawTable]:
    """Objects as rows: objects inside them give columns with a point in their names."""
    headers: dict[str, None] = {}
    for _, one in opened():
        if isinstance(one, Mapping):
            headers.update(dict.fromkeys(_flat(one)))
    if not headers:
        return

    def rows(report: Report) -> Iterator[Row]:
        for at, one in opened():
            if isinstance(one, Mapping):
                flat = _flat(one)
                yield at, [flat.get(header) for header in headers]
            else:
                reason = f"not JSON: {one}" if isinstance(one, ValueError) else "not a JSON object"
                report.bad.append(BadRow(file, at, "", str(one)[:80], reason))

    yield RawTable(name, file, tuple(headers), rows, nested=True)


def _flat(given: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, Mapping) and value:
            found |= _flat(value, f"{before}{name}.")
        else:
            found[f"{before}{name}"] = value
    return found


_READERS: dict[str, Callable[[Path], Iterator[RawTable]]] = {
    **dict.fromkeys(SEPARATED, _separated),
    **dict.fromkeys(WORKBOOKS, _workbook),
    **dict.fromkeys(OTHER_SHEETS, _other_sheets),
    **dict.fromkeys(DATABASES, _database),
    **dict.fromkeys(COLUMNAR, _columnar),
    **dict.fromkeys(OBJECTS, _objects),
    **dict.fromkeys(LINES, _lines),
}
