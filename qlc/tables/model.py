"""Tables as they are read, before their columns have types."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = tuple[int, Sequence[Any]]
"""The line of a file (or the number of a row) and its cells."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row, or one cell of it, that is not loaded: where it is, and why."""

    file: str
    line: int
    column: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True)
class RawTable:
    """One table of a file. `rows` reads the rows anew each time; what it leaves out it adds to `bad` and `left_out`.

    `name` is what the file, sheet or table is called. `keys` are columns that identify a row, `references` lead from a
    column to a table of the file and its column. `nested`: a point in a header leads into an object. `is_sheet`: it is
    named by a sheet. `place` returns the file and the line there of a line of a table that is joined of several.
    """

    name: str
    file: str
    headers: tuple[str, ...]
    rows: Callable[[Report], Iterator[Row]]
    keys: tuple[str, ...] = ()
    references: tuple[tuple[str, str, str], ...] = ()
    left_out: tuple[str, ...] = ()
    nested: bool = False
    is_sheet: bool = False
    place: Callable[[int], tuple[str, int]] | None = None

    def at(self, line: int) -> tuple[str, int]:
        """Return the file and the line of a row."""
        return (self.file, line) if self.place is None else self.place(line)


@dataclass(slots=True)
class Report:
    """Bad rows of a table, totals and notes that were left out, and rows that are doubtful, in sentences."""

    bad: list[BadRow] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
