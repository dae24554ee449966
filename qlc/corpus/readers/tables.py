"""Tables without drawn lines: consecutive lines of cells above each other, with heads, inner headings and a scale."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from qlc.language.quantities import CURRENCY

from ..pages import Page
from ..scales import stated
from .hyphens import Words, text_of
from .order import _GAP
from .runs import Line, Run

_APART = 1.4
"""Multiple of the distance of a table's rows above which a row with other columns begins another table."""
_LONGEST_SECTION = 100
"""Most letters of an inner heading."""
_MOST_SECTIONS = 2
"""Most inner headings one below the other."""
_UNFINISHED = ("/", "&", ",", "(")
"""Endings of a cell that continues below."""
_MOST_HEADS = 3
"""Most rows of column heads."""
_PERIOD_WORD = re.compile(
    r"(?:FY|CY|Q|H)?(?:\d\d?|(?:19|20)\d\d)[A-Z]?|\d[QH]|FY|years?|fiscal|(?:first|second|third|fourth|one|two|three|six|nine|twelve)|"
    r"months?|quarters?|weeks?|days?|ended|ending|as|at|of|in|on|the|and|to|th|st|nd|rd|"
    r"(?:geschäfts)?jahre?|zum|bis|per|exercice|année|año|"
    r"(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[^\W\d]*",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_UNIT = re.compile(rf"\b(?:in|en)\s+(?:whole\s+)?(?:percent\b|%|{CURRENCY})", re.IGNORECASE)


def is_period(text: str) -> bool:
    """Whether a text is a period: `December 31, 2022`, `Three months ended`, `FY2022`, `31.12.2022`."""
    words = re.findall(r"[^\W_]+", text[: _LONGEST_SECTION + 1])
    return bool(words) and len(text) <= _LONGEST_SECTION and all(_PERIOD_WORD.fullmatch(word) for word in words)


def scale_in(text: str) -> bool:
    """Whether a short text, such as a caption, says the unit of a table: `in thousands`, `in %`, `TEUR`."""
    return len(text) <= _LONGEST_SECTION and (stated(text) != (1, "") or _UNIT.search(text) is not None)


_LINES_OF_CAPTION = 3
"""Most lines above a table that can say its unit."""


@dataclass(slots=True)
class _Begun:
    """The last table: its columns, the rows of its heads, its scale, the inner heading of its last row."""

    width: int
    heads: tuple[tuple[str, ...], ...]
    scale: str = ""
    section: str = ""
    is_open: bool = True
    """Whether no text is below it."""


def in_context(pages: Iterable[Page]) -> Iterator[Page]:
    """Yield pages whose tables have their heads, and the line or the corner that says their unit: `(in thousands)`.

    A table that goes on at the top of the next page keeps it, and its heads and inner heading if no text is between.
    """
    last = _Begun(0, ())
    for page in pages:
        above: list[str] | None = None  # lines since the last table; None at the top of a page
        blocks = []
        for block in page.blocks:
            if block.rows:
                rows = [tuple(map(page.of, row)) for row in block.rows]
                count = max(block.heads, heads_of(rows, is_bold=False) if len(rows[0]) > 2 else 0)
                heads = tuple(rows[:count])
                if above is not None or last.width != len(rows[0]) or heads not in ((), last.heads):
                    lines = [*(row[0] for row in heads), *reversed(above or ())]
                    last = _Begun(len(rows[0]), heads, next(filter(scale_in, lines), ""))
                elif heads:
                    last.section = ""
                elif last.is_open:
                    block = replace(block, above=last.heads, section=last.section)
                block = replace(block, heads=count, scale=last.scale)
                above, last.is_open = [], True
                for row in block.rows[count:]:
                    last.section = page.inner_heading(row) or last.section
            elif block.kind != "margin" and not block.is_aside:
                above = [*(above or ()), *page.of(block.span).split("\n")][-_LINES_OF_CAPTION:]
                last.is_open = False
            blocks.append(block)
        yield replace(page, blocks=tuple(blocks))


# --- extent ----------------------------------------------------------------------------------------------------------


def table_at(lines: Sequence[Line], at: int) -> int:
    """Return the end of a table that begins at `at`; `at` if none does.

    It may begin with heads over several columns (`Year ended December 31,`), and goes on below inner headings.
    """
    begin = at
    while begin < len(lines) and begin - at < _MOST_HEADS - 1 and _is_head_above(lines, begin):
        begin += 1
    end = _end_of_table(lines, begin)
    return end if end > begin else at


def _is_head_above(lines: Sequence[Line], at: int) -> bool:
    """Whether a line of one cell stands over the columns of the lines of cells below it, right of their first cell."""
    line = lines[at]
    if line.grid or len(line.cells) > 1 or len(line.text) > _LONGEST_SECTION:
        return False
    for below in lines[at + 1 : at + _MOST_HEADS]:
        if below.grid or not 0 < line.middle - below.middle <= 2.2 * _MOST_HEADS * line.size:
            return False
        if len(below.cells) > 1:
            if not 0 < line.middle - lines[at + 1].middle <= 2.2 * line.size:
                return False
            if is_period(line.text) and all(is_period(cell.text) for cell in below.cells):
                return True
            is_right = line.left > below.left + 2 * line.size
            return is_right and any(_overlap_of(line, cell) > 0 for cell in below.cells[1:])
    return False


def _overlap_of(line: Line, cell: Run) -> float:
    return min(line.right, cell.right) - max(line.left, cell.left)


def _end_of_table(lines: Sequence[Line], at: int) -> int:
    end, rows = at, 0
    pitch = 0.0
    last = at  # the last row of cells
    while end < len(lines) and lines[end].grid is None:
        if len(lines[end].cells) == 1:
            row = _row_after_sections(lines, end)
            if rows == 0 or row == end or not _same_columns(lines[last], lines[row], lines[at]):
                break
            end = row
            pitch = 0.0
        elif end > at:
            gap = lines[end - 1].middle - lines[end].middle
            is_apart = pitch and gap > _APART * pitch
            if not 0 < gap <= 5 * lines[end].size or (is_apart and _other_columns(lines[end - 1 : end + 1])):
                break
            pitch = min(pitch or gap, gap)
        rows += 1
        last = end
        end += 1
        while end < len(lines) and lines[end].grid is None and _is_rest_of_row(lines[end - 1], lines[end]):
            end += 1
    return end if rows > 1 else at


def _row_after_sections(lines: Sequence[Line], at: int) -> int:
    """Return the row of cells below inner headings that begin at `at`; `at` if other text is there."""
    for end in range(at, min(at + _MOST_SECTIONS + 1, len(lines))):
        line, above = lines[end], lines[end - 1]
        if line.grid or not 0 < above.middle - line.middle <= 3.5 * line.size:
            return at
        if len(line.cells) > 1:
            return end
        text = line.text
        if len(text) > _LONGEST_SECTION or text.endswith(".") or line.left > lines[at - 1].left + 12 * line.size:
            return at
    return at


def _same_columns(row: Line, other: Line, first: Line) -> bool:
    """Whether cells of two rows, or of a row and the table's first one, stand above each other."""
    return any(
        abs(cell.left - above.left) < 4 or abs(cell.right - above.right) < 4 or
        abs(cell.left + cell.right - above.left - above.right) < 8
        for held in (row, first) for above in held.cells[1:] for cell in other.cells[1:]
    )  # fmt: skip


def _other_columns(lines: Sequence[Line]) -> bool:
    """Whether two rows share no edge of a cell but that of the first cell."""
    edges = [{round(edge / 3) for cell in line.cells[1:] for edge in (cell.left, cell.right)} for line in lines]
    return not edges[0] & edges[1]


def _is_rest_of_row(line: Line, following: Line) -> bool:
    """Whether a line continues cells of the line above: with one cell that is not the first of its row, or after
    unfinished cells (`Techniker /`)."""
    if not 0 < line.middle - following.middle <= 1.5 * line.size:
        return False
    if len(following.cells) == 1 and following.left > line.left + _GAP * line.size:
        return any(_overlap((cell.left, cell.right), following.cells[0]) > 0 for cell in line.cells[1:])
    open_ones = [(cell.left, cell.right) for cell in line.cells if cell.text.endswith(_UNFINISHED)]
    return all(any(_overlap(column, cell) > 0 for column in open_ones) for cell in following.cells)


# --- cells -----------------------------------------------------------------------------------------------------------


def rows_of_table(lines: Sequence[Line], words: Words) -> list[list[str]]:
    """Return the rows of a table. A column is where cells of several rows are above each other.

    A line of one cell is the rest of the row above, the first line of the label below (`Net cash provided by`, then
    `operations  1,234`), or an inner heading, which is a row of its own.
    """
    columns = _column_intervals(lines)
    rows: list[list[list[str]]] = []
    label: str = ""
    for at, line in enumerate(lines):
        above = lines[at - 1] if at else None
        is_rest = above is not None and not label and _is_rest_of_row(above, line)
        if len(line.cells) == 1 and not is_rest and _is_begun_label(lines, at):
            label = f"{label} {line.text}".strip()
            continue
        row = rows[-1] if is_rest else [[] for _ in columns]
        if label:
            row[0].append(label)
            label = ""
        for cell in line.cells:
            place = max(range(len(columns)), key=lambda index: _overlap(columns[index], cell))
            if len(line.cells) == 1 and not is_rest and place and line.left < columns[0][1]:
                place = 0
            row[place].append(cell.text)
        if not is_rest:
            rows.append(row)
    return [[text_of(cell, words, " ") for cell in row] for row in rows]


def _is_begun_label(lines: Sequence[Line], at: int) -> bool:
    """Whether a line of one cell is continued by the first cell of the next row, which begins in lower case."""
    if at + 1 >= len(lines) or len(lines[at + 1].cells) == 1:
        return False
    first, line = lines[at + 1].cells[0], lines[at]
    is_near = 0 < line.middle - first.middle <= 1.6 * line.size and first.left >= line.left - 2
    return is_near and first.text[0].islower() and not line.text.endswith((":", "."))


def _column_intervals(lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Return the columns of the line with most cells, each widened by cells that overlap only it, and further columns
    for cells that are beside all of these."""
    widest = max(lines, key=lambda line: len(line.cells))
    columns = [(cell.left, cell.right) for cell in widest.cells]
    for line in lines:
        for cell in line.cells:
            over = [index for index, column in enumerate(columns) if _overlap(column, cell) > 0]
            if len(over) == 1 and (len(line.cells) > 1 or over[0]):
                left, right = columns[over[0]]
                columns[over[0]] = (min(left, cell.left), max(right, cell.right))
            elif not over and len(line.cells) > 1 and all(_overlap(one, cell) < -cell.size for one in columns):
                columns.append((cell.left, cell.right))
                columns.sort()
    return columns


def _overlap(column: tuple[float, float], cell: Run) -> float:
    """Return the overlap in points; a negative number is the distance."""
    return min(column[1], cell.right) - max(column[0], cell.left)


# --- heads -----------------------------------------------------------------------------------------------------------


def heads_of(rows: Sequence[Sequence[str]], is_bold: bool) -> int:
    """Return the number of rows that name the columns: `Part`, `Price`; `2022`, `2021`, also below `Year ended`.

    The first row does if it is bold, or has no numbers but the rows below have some. With two columns it may also be a
    label and its value, unless its second cell ends with a unit in brackets.
    """
    count = 0
    while count < min(_MOST_HEADS, len(rows) - 1) and _is_of_periods(rows[count]):
        count += 1
    if not count and _is_of_years(rows[0]) and not any(_is_of_years(row) for row in rows[1:]):
        return 1
    if count and any(_YEAR.search(cell) or len(row) > 2 for row in rows[:count] for cell in row[1:]):
        return count if any(re.search(r"\d", cell) for row in rows[count:] for cell in row[1:]) else 0
    if not all(rows[0]):
        return 0
    if is_bold or (len(rows[0]) == 2 and rows[0][1].endswith(")")):
        return 1
    has_numbers = [any(re.search(r"\d", cell) for cell in row) for row in rows]
    return int(len(rows[0]) > 2 and not has_numbers[0] and any(has_numbers))


def _is_of_periods(row: Sequence[str]) -> bool:
    """Whether a row names periods: all cells but the first do, and the first names periods, a unit, or nothing."""
    first, inner = row[0], [cell for cell in row[1:] if cell]
    return (
        bool(inner)
        and (not first or is_period(first) or scale_in(first) or first.endswith("ended"))
        and all((is_period(cell) and re.search(r"[^\W\d_]|\d{4}", cell)) or scale_in(cell) for cell in inner)
    )


def _is_of_years(row: Sequence[str]) -> bool:
    """Whether all cells but the first are periods with a year: `Fleet`, `2031`, `2030`."""
    inner = [cell for cell in row[1:] if cell]
    return len(inner) > 1 and all(_YEAR.search(cell) and is_period(cell) for cell in inner)
