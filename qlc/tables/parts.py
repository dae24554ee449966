"""Joins the parts of one table: files or sheets with the same columns whose names differ only in a number or a month.

`sales-2025-01.csv`, `sales-2025-02.csv` -> one table `sales` with a column `File`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from qlc.base.words.sentences import listed
from qlc.tables.cells import is_month
from qlc.tables.model import RawTable, Report, Row

_NUMBER_OR_WORD = re.compile(r"\d+|[^\W\d_]+")
_GAPS = re.compile(r"\*(?:[\s_.-]*\*)+")
_MOST_NAMED = 4


def pattern(name: str) -> str:
    """Return a name with `*` for its numbers and months: `sales-2025-01` -> `sales-*`, `January` -> `*`."""
    starred = _NUMBER_OR_WORD.sub(lambda one: "*" if one[0].isdigit() or is_month(one[0]) else one[0], name)
    return _GAPS.sub("*", starred)


def file_pattern(name: str) -> str:
    """Return the path of a file with `*` for the numbers and months of its name; without any it stays as it is."""
    path = PurePosixPath(name)
    stem, point, rest = path.name.partition(".")
    return str(path.with_name(f"{pattern(stem) or stem}{point}{rest}"))


def name_of(starred: str, otherwise: str) -> str:
    """Return what a joined table is called: `sales-*` -> `sales`; `otherwise` if nothing is left."""
    return starred.replace("*", " ").strip(" _.-") or otherwise


def may_join(tables: Sequence[RawTable]) -> bool:
    """Whether tables have the same columns, in any order."""
    return len(tables) > 1 and len({frozenset(one.headers) for one in tables}) == 1


def joined(tables: Sequence[RawTable], labels: Sequence[str], column: str, called: str, file: str) -> RawTable:
    """Return tables with the same columns as one. The last column has the label of each part."""
    first = tables[0]
    column = next(one for one in (column, f"Name of {column.lower()}", "Part of") if one not in first.headers)
    starts: list[int] = []

    def rows(report: Report) -> Iterator[Row]:
        before = 0
        starts.clear()
        for one, label in zip(tables, labels, strict=True):
            starts.append(before)
            order = [one.headers.index(header) for header in first.headers]
            line = 0
            for line, cells in one.rows(report):
                yield before + line, [*(cells[at] for at in order), label]
            before += line

    def place(line: int) -> tuple[str, int]:
        at = max(0, bisect_right(starts, line - 1) - 1)
        return tables[at].file, line - starts[at]

    names = [*labels[:_MOST_NAMED], *([f"{len(labels) - _MOST_NAMED} more"] if len(labels) > _MOST_NAMED else [])]
    note = f"{listed(names)} have the same columns and are one table: '{column}' says which row is from where"
    own = dict.fromkeys(f"{label}: {said}" for one, label in zip(tables, labels, strict=True) for said in one.left_out)
    return RawTable(called, file, (*first.headers, column), rows, left_out=(note, *own), nested=first.nested,
                    place=place)


def with_joined_sheets(tables: Sequence[RawTable], name: str, file: str) -> Iterator[RawTable]:
    """Yield the tables of a workbook, those of sheets for months or numbers as one."""
    groups: dict[str, list[RawTable]] = {}
    for one in tables:
        starred = pattern(one.name)
        groups.setdefault(starred if "*" in starred else f"={one.name}", []).append(one)
    for starred, group in groups.items():
        if starred[0] != "=" and may_join(group):
            yield joined(group, [one.name for one in group], "Sheet", name_of(starred, name), file)
        else:
            yield from group


def groups_of(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the files that may be parts of one table, by their common pattern, each in order."""
    found: dict[str, list[str]] = {}
    for name in names:
        if "*" in (starred := file_pattern(name)):
            found.setdefault(starred, []).append(name)
    return {starred: sorted(group) for starred, group in found.items() if len(group) > 1}

