"""Any answer as CSV or as newline-delimited JSON: line after line, with one page in memory at a time.

Values are in the form for programs: sizes in stored units, dates ISO 8601 in UTC. CSV has the names of references, days
without the time where a column has whole days, the ids once, and in its first line the labels of columns; JSON has
names and ids, and the names of columns.

Spreadsheets treat a cell that begins with `=`, `+`, `-` or `@` as a formula, some also behind spaces and characters
that are not seen, and a formula can send other cells to a server. With `for_spreadsheets`, CSV has `'` before such a
text, as OWASP advises ("CSV Injection"); numbers stay numbers.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, get_args

from qlc.base.beside import beside
from qlc.base.errors import QlcError, UsageError
from qlc.outcome.amounts import is_day, is_instant
from qlc.outcome.model import Failed, Hits, Outcome
from qlc.outcome.tables import columns_of, headers, rows_of

Format = Literal["csv", "ndjson", "table"]
"""`table` is for programs that write files (`qlc.outcome.files`): NDJSON after a line with columns, headers, units."""

EXPORTED = frozenset({"hits", "count", "aggregate", "value"})
"""The outcomes with content."""

PAGE = 1000
"""Page size for reading further hits."""


class ExportFailed(QlcError):
    """A page could not be read, so the export is incomplete. `outcome` says why."""

    exit_code = 5

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(f"the list could not be read to its end: {outcome.message}")
        self.outcome = outcome


def export(
    outcome: Outcome,
    format: Format,
    more: Callable[[str], Outcome] | None = None,
    *,
    for_spreadsheets: bool = False,
) -> Iterator[str]:
    """The lines of an answer, each with its line end. `more` is a function from a cursor to the outcome of its page;
    without it, only this page is exported. With `for_spreadsheets` no cell of CSV is a formula.

    Raises UsageError at once for another format, and for an outcome without rows (a clarification, a refusal);
    ExportFailed if a page cannot be read.
    """
    lines = _writer(outcome, format, for_spreadsheets)
    return _pages(outcome, lines, more)


def _pages(outcome: Outcome, lines: _Lines, more: Callable[[str], Outcome] | None) -> Iterator[str]:
    yield from lines.head()
    yield from lines.of(outcome)
    while more is not None and (cursor := getattr(outcome, "cursor", None)) is not None:
        outcome = _next(more(cursor))
        yield from lines.of(outcome)


def export_rows(
    columns: Sequence[str], rows: Iterable[Mapping[str, Any]], format: Format, *, for_spreadsheets: bool = False
) -> Iterator[str]:
    """Yield the lines of given rows, as `export` writes those of an outcome."""
    lines = _Lines(columns, _known(format), for_spreadsheets)
    yield from lines.head()
    yield from map(lines.line, rows)


async def export_async(
    outcome: Outcome,
    format: Format,
    more: Callable[[str], Awaitable[Outcome]] | None = None,
    *,
    for_spreadsheets: bool = False,
) -> AsyncIterator[str]:
    """As `export`, where pages are read by an asynchronous client. Lines are made on a thread."""
    lines = _writer(outcome, format, for_spreadsheets)
    for line in lines.head():
        yield line
    for line in await beside(lambda page: [*lines.of(page)], outcome):
        yield line
    while more is not None and (cursor := getattr(outcome, "cursor", None)) is not None:
        outcome = _next(await more(cursor))
        for line in await beside(lambda page: [*lines.of(page)], outcome):
            yield line


def _next(outcome: Outcome) -> Outcome:
    if not isinstance(outcome, Hits):
        raise ExportFailed(outcome)
    return outcome


# --- rows ------------------------------------------------------------------------------------------------------------


class _Lines:
    """Formats rows. `columns` are equal for all pages, and `headers` are their labels, for the first line of CSV."""

    def __init__(
        self, columns: Sequence[str], format: Format, for_spreadsheets: bool, headers: Sequence[str] = (),
        units: Mapping[str, str] | None = None,
    ) -> None:  # fmt: skip
        self.columns = columns
        self._headers, self._units = headers or columns, units or {}
        self._format = format
        self._record = _spreadsheet_csv if for_spreadsheets else _csv
        self._days: frozenset[str] | None = None

    def head(self) -> Iterator[str]:
        if self._format == "csv":
            yield self._record(self._headers)
        elif self._format == "table":
            yield self._json({"columns": [*self.columns], "headers": [*self._headers], "units": {**self._units}})

    def of(self, outcome: Outcome) -> Iterator[str]:
        if self._format != "csv" or self._days is not None:
            return map(self.line, rows_of(outcome))
        rows = list(rows_of(outcome))
        self._days = frozenset(name for name in self.columns if _has_days(row.get(name) for row in rows))
        return map(self.line, rows)

    def line(self, row: Mapping[str, Any]) -> str:
        if self._format == "csv":
            days = self._days or frozenset()
            return self._record([cell_of_csv(_day(row.get(name)) if name in days else row.get(name))
                                 for name in self.columns])  # fmt: skip
        return self._json(row)

    def _json(self, row: Mapping[str, Any]) -> str:
        return json.dumps(row, ensure_ascii=False) + "\n"


def _has_days(values: Iterable[Any]) -> bool:
    """Whether values of the first page are whole days, and none is a moment."""
    instants = [one for one in values if isinstance(one, str) and is_instant(one)]
    return bool(instants) and all(map(is_day, instants))


def _day(value: Any) -> Any:
    return value[:10] if isinstance(value, str) and is_instant(value) and is_day(value) else value


def _known(format: Format) -> Format:
    if format not in get_args(Format):
        raise UsageError(f"there is no format '{format}': take csv or ndjson")
    return format


def _writer(outcome: Outcome, format: Format, for_spreadsheets: bool) -> _Lines:
    if isinstance(outcome, Failed):
        raise ExportFailed(outcome)
    columns = columns_of(outcome)
    if _repeats_id(outcome):
        columns = columns[1:]
    units = getattr(outcome, "units", {})
    if outcome.kind == "value" and "" in units:
        units = {columns[0]: units[""]}
    return _Lines(columns, _known(format), for_spreadsheets, headers(columns, outcome), units)


def _repeats_id(outcome: Outcome) -> bool:
    """Whether a shown field of a list has the ids of all hits of its first page: it is the id field."""
    hits = outcome.hits if isinstance(outcome, Hits) else []
    shown = hits[0].values.keys() - {"id"} if hits else ()
    return any(all(str(hit.values.get(name)) == hit.id for hit in hits) for name in shown)


def cell_of_csv(value: Any) -> str:
    """Return a value as text, a reference by its name."""
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case Mapping():
            return str(value.get("name") or value.get("id") or json.dumps(value, ensure_ascii=False))
        case list():
            return "; ".join(map(cell_of_csv, value))
        case _:
            return str(value)


_FORMULA = frozenset("=+-@")
"""First characters of a formula, also in wide or small forms (NFKC)."""
_CONTROLS = frozenset("\t\r\n\0")
"""Characters that a cell must not begin with."""
_UNSEEN = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Me"})
"""Categories of invisible characters: spaces, controls, formats, marks. Some programs skip them at the start of a cell,
and find a formula after them."""
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Invisible letters and symbols."""
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
_DIVIDES = re.compile('[,"\r\n]')
_DIVIDES_SOMEWHERE = re.compile('[,;"\t\r\n\0]')
"""Separators of cells in any country."""


def _csv(cells: Sequence[str]) -> str:
    """Return a record quoted as in RFC 4180; lines end with a line feed."""
    record = ",".join(_quoted(cell) if _DIVIDES.search(cell) else cell for cell in cells)
    return f"{record or _quoted('')}\n"


def _spreadsheet_csv(cells: Sequence[str]) -> str:
    """Return a record as `_csv` does, without formulas, and with separators quoted so that no cell is split."""
    return f"{','.join(map(_spreadsheet_cell, cells)) or _quoted('')}\n"


def _spreadsheet_cell(text: str) -> str:
    if _is_formula(text):
        return _quoted(f"'{text}")
    return _quoted(text) if _DIVIDES_SOMEWHERE.search(text) else text


def _is_formula(text: str) -> bool:
    if text[:1].isalnum() and text[0] not in _BLANK:
        return False
    if text[:1] in _CONTROLS:
        return True
    for one in text:
        if one not in _BLANK and unicodedata.category(one) not in _UNSEEN:
            return unicodedata.normalize("NFKC", one)[0] in _FORMULA and not _NUMBER.fullmatch(text)
    return False


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
