"""Parts of a sheet that are tables of their own: Excel's table objects, and tables beside each other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from qlc.tables.cells import as_text
from qlc.tables.grid import is_empty
from qlc.tables.model import Row

_GIVEN_NAME = re.compile(
    r"(?!(?:Table|Tabelle|Tableau|Tabla|Tabella|Tabela|テーブル|表)_?\d+$)(?:tbl_?)?(.+)", re.IGNORECASE
)
"""The name of an Excel table that a person gave: not `Table1`, and `Orders` of `tblOrders`."""


@dataclass(frozen=True, slots=True)
class Area:
    """A part of a sheet. Rows are counted from 1, columns from 0; the last ones are inside.

    `headers` are those of a table that shows none; `totals` is the number of its rows of totals at the end.
    """

    name: str
    rows: tuple[int, int]
    columns: tuple[int, int]
    headers: tuple[str, ...] = ()
    totals: int = 0


def table_objects(sheet: Any) -> list[Area]:
    """Return the areas of Excel's table objects in a sheet of openpyxl, from top to bottom."""
    found = []
    for table in sheet.tables.values():
        left, top, right, bottom = _bounds(table.ref)
        given = _GIVEN_NAME.fullmatch(table.displayName or "")
        headers = tuple(one.name for one in table.tableColumns) if table.headerRowCount == 0 else ()
        name = given[1].replace("_", " ").strip() if given is not None else ""
        found.append(Area(name, (top, bottom), (left - 1, right - 1), headers, table.totalsRowCount or 0))
    return sorted(found, key=lambda one: (one.rows[0], one.columns[0]))


def _bounds(reference: str) -> tuple[int, int, int, int]:
    from openpyxl.utils import range_boundaries

    left, top, right, bottom = range_boundaries(reference)
    return left or 1, top or 1, right or 1, bottom or 1


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a sheet: its name, its cells, and sentences on rows that were left out."""

    name: str
    grid: Sequence[Row]
    left_out: tuple[str, ...] = ()


def parted(grid: Sequence[Row], areas: Sequence[Area], title: str) -> Iterator[Part]:
    """Yield the areas of a sheet, then its other tables.

    A single area is named by the sheet, unless there are other tables beside it.
    """
    rest = _without(grid, areas)
    others = list(side_by_side(rest))
    for area in areas:
        alone = len(areas) == 1 and not any(_is_tabular(one) for one in others)
        name = title if alone or not area.name else area.name
        totals = tuple(f"line {area.rows[1] - at:,}, a total, is left out" for at in range(area.totals))
        yield Part(name, _cut(grid, area), totals)
    yield from (Part(title, part) for part in others if not areas or _is_tabular(part))


def _cut(grid: Sequence[Row], area: Area) -> list[Row]:
    (top, bottom), (left, right) = area.rows, area.columns
    rows: list[Row] = [(at, cells[left : right + 1]) for at, cells in grid if top <= at <= bottom - area.totals]
    return [(top - 1, list(area.headers)), *rows] if area.headers else rows


def _without(grid: Sequence[Row], areas: Sequence[Area]) -> Sequence[Row]:
    if not areas:
        return grid
    found = []
    for line, cells in grid:
        kept = list(cells)
        for area in areas:
            if area.rows[0] <= line <= area.rows[1]:
                for at in range(area.columns[0], min(area.columns[1] + 1, len(kept))):
                    kept[at] = None
        found.append((line, kept))
    return found


def _is_tabular(part: Sequence[Row]) -> bool:
    """Whether there are at least two rows with several cells: titles and notes have one each."""
    return sum(sum(not is_empty((cell,)) for cell in cells) > 1 for _, cells in part) > 1


def side_by_side(grid: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """Yield tables with an empty column between them, if one goes on where the other has ended, or each has a title or
    the same heads; else the whole grid.

    An empty column inside a table has values on both of its sides in each row.
    """
    width = max((len(cells) for _, cells in grid), default=0)
    empty = set(range(width))
    for _, cells in grid:
        empty -= {at for at in empty if at < len(cells) and not is_empty((cells[at],))}
        if not empty:
            yield grid
            return
    lines = [{line for line, cells in grid if at < len(cells) and not is_empty((cells[at],))} for at in range(width)]
    parts: list[list[int]] = []
    for at in range(width):
        if lines[at]:
            if not parts or not lines[at - 1]:
                parts.append([])
            parts[-1].append(at)
    parts = [part for part in parts if len(part) > 1 or len(lines[part[0]]) > 1]  # without titles
    if not all(len(part) > 1 for part in parts):
        parts = []
    filled = [Counter(line for at in part for line in lines[at]) for part in parts]
    is_apart = any(_goes_on(one, other) for one, other in permutations(filled, 2)) or _have_own_heads(grid, parts)
    if len(parts) > 1 and not is_apart:
        parts = []
    for part in parts or [list(range(width))]:
        yield [(line, cells[part[0] : part[-1] + 1]) for line, cells in grid] if part else grid


def _have_own_heads(grid: Sequence[Row], parts: Sequence[Sequence[int]]) -> bool:
    """Whether each part begins with a title of its own, or all have the same heads."""
    for _, cells in grid:
        texts = [[as_text(cells[at]).strip() for at in part if at < len(cells) and not is_empty((cells[at],))]
                 for part in parts]  # fmt: skip
        if len(texts) > 1 and all(len(one) == 1 for one in texts):
            return all(len(part) > 1 for part in parts)
        if sum(map(len, texts)) > 1:
            return all(one == texts[0] for one in texts)
    return False


def _goes_on(one: Counter[int], other: Counter[int]) -> bool:
    """Whether rows of one part, by the number of their filled cells, go on above or below all of another part."""
    rows = [line for line, count in one.items() if count > 1]
    alone = [line for line in rows if line not in other]
    outside = bool(other) and all(not min(other) < line < max(other) for line in alone)
    return outside and len(alone) >= min(2, max(1, len(rows) // 5))
