"""Puts runs in reading order: columns of prose, lines, cells.

Columns are found as in the recursive X-Y cut (Nagy and Seth 1984): by a gutter, a white strip with prose on both sides.
Lines of prose fill their column, cells of a table do not. A gutter counts between two lines that cross it (a title, a
wide table), so a page can have columns in one part only.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from statistics import median
from typing import NamedTuple

from .runs import Grid, Item, Line, Run

_GAP = 1.2
"""Least gap between two cells of a row, in letter sizes. Words are a quarter of a size apart."""
_LINES_OF_A_COLUMN = 4
_PROSE = 0.55
"""Least share of its column that the lines of most of its text fill."""
_SHORTEST_PROSE = 13
"""Least length of these lines in letter sizes: about thirty letters. Cells are shorter."""
_MOST_GUTTERS = 8
"""Most gutters of a region that are tried, those with fewest crossing lines first."""
_NEAR_GUTTERS = 12
"""Least distance of two gutters in points; of nearer ones the emptier is tried."""
_MOST_INNER = 3
"""Most gutters that are tried to find whether one side of a gutter has columns itself."""
_DEEPEST = 6
"""Most levels of columns within columns."""
_CROSSED = 0.6
"""Most lines over a gutter, as a share of those over the fullest place beside it."""
_OVERHANG = 1.5
"""Letter sizes by which a line of a column can reach into the gutter."""
_OVERLONG = 0.12
"""The same as a share of the line."""
_INSET = 0.7
"""Most width of a box between columns, as a share of the page's."""
_SMALL = 0.8
"""Size beside that of the line below which letters are raised or lowered."""
_LONGEST_RAISED = 4
_BETWEEN_AMOUNTS = 0.35
"""Least gap between two amounts, which are never neighbours in a sentence, in letter sizes."""
_BULLETS = "•▪‣◦●○■"
_AMOUNT = re.compile(r"[$€£(]?[-–]?\d[\d.,]*[.,]\d+\)?%?")
_SIGN = re.compile(r"[$€£¥₹(]|US\$|R\$|EUR|USD|GBP|CHF")
_AFTER = re.compile(r"\)?%?\)?")


class _Band(NamedTuple):
    """A horizontal part of a region. With columns: those left and right of a gutter, and boxes over it."""

    left: list[Item]
    right: list[Item] = []  # noqa: RUF012
    insets: list[Item] = []  # noqa: RUF012
    has_columns: bool = False


def reading_order(items: Sequence[Item], depth: int = 0) -> list[Line]:
    """Return the lines of a region, column after column."""
    bands = _bands(items, depth)
    if bands is None:
        return lines_of(items)
    lines: list[Line] = []
    for band in bands:
        for part in (band.left, band.right, band.insets):
            lines += reading_order(part, depth + 1)
    return lines


# --- columns ---------------------------------------------------------------------------------------------------------


def _bands(items: Sequence[Item], depth: int) -> list[_Band] | None:
    """Return the bands of the gutter with most text beside it; None for one column."""
    if depth > _DEEPEST or sum(_is_wide(item) for item in items) < _LINES_OF_A_COLUMN:
        return None
    best: list[_Band] | None = None
    most = 0.0
    for gutter in _gutters(items)[: _MOST_GUTTERS if depth < _DEEPEST - 1 else _MOST_INNER]:
        bands = [*_cut(items, gutter, depth)]
        beside = sum(item.right - item.left for band in bands if band.has_columns for item in band.left + band.right)
        if beside > most:
            best, most = bands, beside
    return best


def _gutters(items: Sequence[Item]) -> list[float]:
    """Return the x positions of strips that few lines cross, the emptiest first."""
    left, right = min(item.left for item in items), max(item.right for item in items)
    begin, width = int(left), int(right - left) + 2
    change = [0] * (width + 1)
    for item in items:
        change[int(item.left) - begin] += 1
        change[int(item.right) - begin + 1] -= 1
    covered, count = [], 0
    for one in change[:width]:
        count += one
        covered.append(count)
    # A gutter is a valley: fewer lines than somewhere left and somewhere right of it. It ends where the next column
    # begins, since right ends are ragged.
    highest_left = [*accumulate(covered, max)]
    highest_right = [*accumulate(reversed(covered), max)][::-1]
    lengths = sorted(item.right - begin for item in items if _is_wide(item)), sorted(
        item.left - begin for item in items if _is_wide(item)
    )
    found: list[tuple[float, float]] = []
    for at in range(int(width * 0.1), int(width * 0.9)):
        if covered[at] < covered[at + 1]:
            share = covered[at] / min(highest_left[at], highest_right[at])
            beside = bisect_right(lengths[0], at + 8), len(lengths[1]) - bisect_left(lengths[1], at - 8)
            if share > _CROSSED or max(beside) < _LINES_OF_A_COLUMN:
                continue
            if found and begin + at - 0.5 - found[-1][1] < _NEAR_GUTTERS:
                if share > found[-1][0]:
                    continue
                found.pop()
            found.append((share, begin + at - 0.5))
    return [x for _, x in sorted(found)[:_MOST_GUTTERS]]


def _cut(items: Sequence[Item], gutter: float, depth: int) -> Iterator[_Band]:
    """Yield the bands of a region from top to bottom: columns on both sides of a gutter, or text across it."""
    crossing = [item for item in items if _crosses(item, gutter)]
    sides = [item for item in items if not _crosses(item, gutter)]
    insets = _insets(crossing, sides, gutter, max(i.right for i in items) - min(i.left for i in items))
    blocks = sorted((item for item in crossing if item not in insets), key=lambda one: -one.top)
    events = sorted(sides, key=lambda one: -one.middle)
    parts: list[tuple[list[Item], list[Item]]] = [([], [])]  # what crosses, and what is below it beside the gutter
    at = 0
    for block in blocks:
        while at < len(events) and events[at].middle > block.top:
            parts[-1][1].append(events[at])
            at += 1
        within = []
        while at < len(events) and events[at].middle >= block.bottom:
            within.append(events[at])
            at += 1
        if parts[-1][1]:
            parts.append(([], []))
        parts[-1][0].extend([block, *within])
    parts[-1][1].extend(events[at:])
    halves = [_halves(below, gutter) for _, below in parts]
    are_columns = [_are_columns(*half, depth) for half in halves]
    if any(are_columns):
        firm = [half for half, is_one in zip(halves, are_columns, strict=True) if is_one]
        starts = [min(item.left for half in firm for item in half[side]) for side in (0, 1)]
        are_columns = [one or _fit(half, starts) for one, half in zip(are_columns, halves, strict=True)]
    mixed: list[Item] = []
    for (over, below), half, is_one in zip(parts, halves, are_columns, strict=True):
        mixed += over
        if not is_one:
            mixed += below
            continue
        if mixed:
            yield _Band(mixed)
        low, high = min(item.bottom for item in below), max(item.top for item in below)
        boxes = [item for item in insets if low <= item.middle <= high]
        yield _Band(*half, boxes, has_columns=True)
        insets = [item for item in insets if item not in boxes]
        mixed = []
    if mixed or insets:
        yield _Band(mixed + insets)


def _halves(items: list[Item], gutter: float) -> tuple[list[Item], list[Item]]:
    """Return the items left and right of a gutter."""
    is_right = [item.left + item.right > 2 * gutter for item in items]
    return (
        [item for item, there in zip(items, is_right, strict=True) if not there],
        [item for item, there in zip(items, is_right, strict=True) if there],
    )


def _crosses(item: Item, gutter: float) -> bool:
    """Whether an item is on both sides of a gutter: a line of a column can reach into it, or a little over it."""
    over = max(_OVERHANG * item.size, _OVERLONG * (item.right - item.left))
    return item.left + over < gutter < item.right - over


def _insets(crossing: list[Item], sides: list[Item], gutter: float, width: float) -> list[Item]:
    """Return what crosses a gutter as a box between columns: it is narrow, and prose stands on both sides of it."""
    found = []
    for item in crossing:
        if item.right - item.left > _INSET * width:
            continue
        beside = [one for one in sides if one.bottom < item.middle < one.top]
        if all(
            any(map(_is_wide, side))
            for side in _halves(beside, gutter)
        ):
            found.append(item)
    return found


def _are_columns(left: list[Item], right: list[Item], depth: int) -> bool:
    """Whether both sides are prose; or one is, and the lines of the other are at heights of their own."""
    if min(len(left), len(right)) < 2 or max(len(left), len(right)) < _LINES_OF_A_COLUMN:
        return False
    are_prose = [_is_prose(side, depth) for side in (left, right)]
    if all(are_prose):
        return True
    if not any(are_prose):
        return False
    prose, other = (left, right) if are_prose[0] else (right, left)
    levels = sorted(line.middle for line in lines_of(prose))
    rows = lines_of(other)
    if len(rows) < 2:
        return False
    level = sum(any(abs(row.middle - one) < 0.2 * row.size for one in levels) for row in rows)
    return level * 2 < len(rows)


def _is_prose(items: list[Item], depth: int) -> bool:
    if sum(map(_is_wide, items)) < _LINES_OF_A_COLUMN:
        return False
    return _is_column(items) or _bands(items, max(depth + 1, _DEEPEST - 1)) is not None


def _is_wide(item: Item) -> bool:
    """Whether an item is as long as a line of prose, in a narrow column."""
    return item.right - item.left >= 0.7 * _SHORTEST_PROSE * item.size


def _is_column(items: list[Item]) -> bool:
    lines = [line for line in lines_of(items) if line.grid is None]
    if len(lines) < _LINES_OF_A_COLUMN:
        return False
    width = max(line.right for line in lines) - min(line.left for line in lines)
    usual = _usual([max(cell.right - cell.left for cell in line.cells) for line in lines])
    return usual >= width * _PROSE and usual >= _SHORTEST_PROSE * median(line.size for line in lines)


def _usual(lengths: list[float]) -> float:
    """Return the length of a line in the middle of the text: half of the text is in lines that are at most as long."""
    total = 0.0
    for one in sorted(lengths):
        total += one
        if total * 2 >= sum(lengths):
            return one
    return 0.0


def _fit(half: tuple[list[Item], list[Item]], starts: list[float]) -> bool:
    """Whether a few lines beside a gutter belong to the columns that it has elsewhere on the page."""
    return all(
        items
        and all(len(line.cells) == 1 for line in lines_of(items))
        and any(map(_is_wide, items))
        and abs(min(item.left for item in items) - start) < 2 * items[0].size
        for items, start in zip(half, starts, strict=True)
    )


# --- lines -----------------------------------------------------------------------------------------------------------


def lines_of(items: Iterable[Item]) -> list[Line]:
    """Return lines from top to bottom; a ruled table comes before the text beside it."""
    runs: list[Run] = []
    grids: list[Grid] = []
    for item in items:
        if isinstance(item, Grid):
            grids.append(item)
        else:
            runs.append(item)
    lines = [Line(cells_of(row)) for row in rows_of(runs)]
    for grid in grids:
        place = next((at for at, line in enumerate(lines) if line.middle < grid.top), len(lines))
        edge = Run(grid.left, grid.bottom, grid.right, grid.top, "", grid.size, bold=False)
        lines.insert(place, Line((edge,), grid))
    return lines


def rows_of(runs: Iterable[Run]) -> list[list[Run]]:
    """Group runs at one height, from left to right, rows from top to bottom."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda one: -one.bottom - one.top):
        if rows and (abs(rows[-1][0].bottom - run.bottom) < 0.1 or _is_level(rows[-1][0], run)):
            rows[-1].append(run)
        else:
            rows.append([run])
    return [sorted(row, key=lambda one: one.left) for row in rows]


def _is_level(run: Run, other: Run) -> bool:
    """Whether two runs are in one row; small ones, such as the number of a footnote, can be higher or lower."""
    apart = abs(run.middle - other.middle)
    if apart < 0.5 * min(run.size, other.size):
        return True
    small, large = (run, other) if run.size < other.size else (other, run)
    return len(small.text) <= _LONGEST_RAISED and small.size < _SMALL * large.size and apart < 0.5 * large.size


def cells_of(row: list[Run]) -> tuple[Run, ...]:
    """Join runs of a line that are not separated by a wide gap, and signs with their number: `$`, `2,278`."""
    cells = [row[0]]
    for run in row[1:]:
        last = cells[-1]
        gap = run.left - last.right
        is_sign = (
            (gap < 10 * run.size and run.text[0] in "0123456789(.,-–—" and _SIGN.fullmatch(last.text) is not None)
            or (gap < 2 * run.size and last.text[-1].isdigit() and _AFTER.fullmatch(run.text) is not None)
            or (gap < 4 * run.size and last.text in _BULLETS)
        )
        size = min(run.size, last.size)
        is_apart = gap > _GAP * size or (gap > _BETWEEN_AMOUNTS * size and _are_amounts(last.text, run.text))
        if is_apart and not is_sign:
            cells.append(run)
            continue
        # Letters of one word neither part nor lie over each other.
        space = " " if not -0.3 < gap / run.size < 0.2 else ""
        cells[-1] = Run(
            last.left, min(last.bottom, run.bottom), max(last.right, run.right), max(last.top, run.top),
            f"{last.text}{space}{run.text}", max(last.size, run.size), last.bold and run.bold,
        )  # fmt: skip
    return tuple(cells)


def _are_amounts(first: str, second: str) -> bool:
    """Whether the last word of a text and the first one of another are amounts: `1,530`, `0.25`."""
    if not first[-1].isdigit() or not second[0].isdigit():
        return False
    return all(_AMOUNT.fullmatch(word) for word in (first[first.rfind(" ") + 1 :], second.partition(" ")[0]))
