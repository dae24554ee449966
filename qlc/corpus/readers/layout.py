"""Puts positioned runs of letters in reading order: columns, lines, tables, paragraphs and headings.

Columns are found as in the recursive X-Y cut (Nagy and Seth 1984): by a gutter that no line of prose crosses. Lines of
prose fill their column, cells of a table do not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median

from qlc.base.words.sentences import ends_with_abbreviation

from ..pages import Page, PageText

_GAP = 1.2
"""Least gap between two cells of a row, in letter sizes. Words are a quarter of a size apart."""
_EDGE = 0.09
"""Share of a page's height, at top and bottom, for headers and footers."""
_APART = 1.4
"""Multiple of the distance of a table's rows above which a row with other columns begins another table."""
_LINES_OF_A_COLUMN = 4
_PROSE = 0.55
"""Least share of its column that a line of prose fills, in the median."""
_SHORTEST_PROSE = 13
"""Least length of a line of prose in letter sizes, in the median: about thirty letters. Cells are shorter."""


@dataclass(frozen=True, slots=True)
class Run:
    """Adjacent letters, and their place in points from the lower left corner of the page."""

    left: float
    bottom: float
    right: float
    top: float
    text: str
    size: float
    bold: bool

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2


@dataclass(frozen=True, slots=True)
class Line:
    """Adjacent cells from left to right; a line of prose is one cell."""

    cells: tuple[Run, ...]

    @property
    def left(self) -> float:
        return self.cells[0].left

    @property
    def right(self) -> float:
        return self.cells[-1].right

    @property
    def middle(self) -> float:
        return self.cells[0].middle

    @property
    def size(self) -> float:
        return max(cell.size for cell in self.cells)

    @property
    def text(self) -> str:
        return "\t".join(cell.text for cell in self.cells)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page as drawn; width and height are in points."""

    number: int
    width: float
    height: float
    runs: list[Run]


def page_of(sheet: Sheet, neighbours: Iterable[Sheet | None]) -> Page:
    """Return a page in reading order. Text that also is at the edge of a neighbour is a margin, whatever its
    numbers."""
    known = {_edge_key(run) for other in neighbours if other for run in other.runs if _at_edge(run, other)}
    rows = _rows(sheet.runs)
    ends = rows[:1] + rows[-1:] if len(rows) > 2 else []
    outer = [row for row in ends if len(row) == 1 and _is_page_number(row[0])]
    usual = median(run.size for run in sheet.runs) if sheet.runs else 0.0
    edges = _rows(run for run in sheet.runs if _at_edge(run, sheet) and run.size <= usual * 1.2)  # larger is a title
    margins = [row for row in edges if any(_edge_key(run) in known or _is_page_number(run) for run in row)]
    margins += [row for row in outer if not _at_edge(row[0], sheet)]
    left_out = {id(run) for row in margins for run in row}
    page = PageText(sheet.number)
    _put_lines(page, _reading_order([run for run in sheet.runs if id(run) not in left_out]))
    for row in margins:
        page.add("margin", Line(_cells(row)).text)
    return page.page()


# --- margins ---------------------------------------------------------------------------------------------------------


def _at_edge(run: Run, sheet: Sheet) -> bool:
    return not sheet.height * _EDGE < run.middle < sheet.height * (1 - _EDGE)


def _edge_key(run: Run) -> str:
    return f"{round(run.bottom / 6)} {re.sub(r'[0-9]+', '0', run.text)}"


def _is_page_number(run: Run) -> bool:
    return (
        re.fullmatch(r"(?:page|seite|p\.)?\s*[-–]?\s*\d{1,4}\s*(?:(?:of|/|von)\s*\d{1,4})?\s*[-–]?", run.text, re.I)
        is not None
    )


# --- reading order ---------------------------------------------------------------------------------------------------


def _reading_order(runs: list[Run]) -> list[Line]:
    """Return the lines of a region, column after column."""
    gutter = _gutter(runs)
    if gutter is None:
        return _lines(runs)
    lines: list[Line] = []
    band: list[Run] = []
    for run in sorted(runs, key=lambda one: -one.top):
        if run.left < gutter < run.right:  # over all columns: a title, a wide table
            lines += [*_columns(band, gutter), *_lines([run])]
            band = []
        else:
            band.append(run)
    return lines + _columns(band, gutter)


def _columns(band: list[Run], gutter: float) -> list[Line]:
    left = [run for run in band if run.right <= gutter]
    right = [run for run in band if run.right > gutter]
    if _is_column(left) and _is_column(right):
        return [*_reading_order(left), *_reading_order(right)]
    return _lines(band)


def _gutter(runs: list[Run]) -> float | None:
    """Return the x position of a white strip between two columns of prose; None for one column."""
    if len(runs) < 2 * _LINES_OF_A_COLUMN:
        return None
    left, right = min(run.left for run in runs), max(run.right for run in runs)
    covered: Counter[int] = Counter()
    for run in runs:
        covered.update(range(int(run.left), int(run.right) + 1))
    inner = range(int(left + (right - left) * 0.25), int(left + (right - left) * 0.75))
    if not inner:
        return None
    fewest = min(covered[x] for x in inner)
    strip = [x for x in inner if covered[x] == fewest]
    gutter = strip[len(strip) // 2] + 0.5
    sides = [run for run in runs if run.right <= gutter], [run for run in runs if run.left >= gutter]
    return gutter if all(map(_is_column, sides)) and fewest * 3 <= min(map(len, sides)) else None


def _is_column(runs: list[Run]) -> bool:
    lines = _lines(runs)
    if len(lines) < _LINES_OF_A_COLUMN:
        return False
    width = max(line.right for line in lines) - min(line.left for line in lines)
    usual = median(max(cell.right - cell.left for cell in line.cells) for line in lines)
    return usual >= width * _PROSE and usual >= _SHORTEST_PROSE * median(line.size for line in lines)


def _lines(runs: Iterable[Run]) -> list[Line]:
    """Return lines from top to bottom."""
    return [Line(_cells(row)) for row in _rows(runs)]


def _rows(runs: Iterable[Run]) -> list[list[Run]]:
    """Group runs at one height, from left to right, rows from top to bottom."""
    rows: list[list[Run]] = []
    for run in sorted(runs, key=lambda one: -one.middle):
        if rows and rows[-1][0].middle - run.middle < min(rows[-1][0].size, run.size) * 0.5:
            rows[-1].append(run)
        else:
            rows.append([run])
    return [sorted(row, key=lambda one: one.left) for row in rows]


def _cells(row: list[Run]) -> tuple[Run, ...]:
    """Join runs of a line that are not separated by a wide gap."""
    cells = [row[0]]
    for run in row[1:]:
        last = cells[-1]
        gap = run.left - last.right
        if gap > _GAP * min(run.size, last.size):
            cells.append(run)
            continue
        # Letters of one word neither part nor lie over each other.
        space = " " if not -0.3 < gap / run.size < 0.2 else ""
        cells[-1] = Run(
            last.left, min(last.bottom, run.bottom), max(last.right, run.right), max(last.top, run.top),
            f"{last.text}{space}{run.text}", max(last.size, run.size), last.bold and run.bold,
        )  # fmt: skip
    return tuple(cells)


# --- blocks ----------------------------------------------------------------------------------------------------------


def _put_lines(page: PageText, lines: list[Line]) -> None:
    body = _body_size(lines)
    at = 0
    while at < len(lines):
        end = _end_of_table(lines, at)
        if end > at + 1:
            rows = _table(lines[at:end])
            page.add_table(rows, has_head=_has_head(rows, lines[at]))
        else:
            end = at + 1
            level = _heading_level(lines[at], body)
            while end < len(lines) and _goes_on(lines[end - 1], lines[end], level, body):
                end += 1
            text = "\n".join(line.text for line in lines[at:end])
            page.add("heading" if level else "item" if _BULLET.match(text) else "paragraph", text, level)
        at = end


def _body_size(lines: Sequence[Line]) -> float:
    """Return the size of most text in lines of prose, if there are any; tables are often smaller."""
    prose = [line for line in lines if len(line.cells) == 1 and len(line.text) > 40] or lines
    sizes: Counter[float] = Counter()
    for line in prose:
        sizes[round(line.size, 1)] += len(line.text)
    return max(sizes, key=lambda size: sizes[size], default=10.0) or 10.0


_BULLET = re.compile(r"(?:[•▪‣◦*–-]|\(?[a-z0-9]{1,3}[.)])\s")
_NUMBERED = re.compile(r"(\d+(?:\.\d+)*)\.?\s+\S")


def _heading_level(line: Line, body: float) -> int:
    """Return the level of a heading, 0 for other lines. Headings are larger or bolder than the text, short, and not
    sentences."""
    text = line.text
    is_sentence = text.endswith((".", ",", ";", ":")) and not ends_with_abbreviation(text)
    if is_sentence or len(line.cells) > 1 or len(text) > 120 or not re.search(r"[^\W\d_]", text):
        return 0
    ratio = line.size / body
    if ratio < 1.15 and not line.cells[0].bold:
        return 0
    if found := _NUMBERED.match(text):
        return min(6, 1 + len(found[1].split(".")))
    return 1 if ratio >= 1.5 else 2 if ratio >= 1.1 else 3


def _goes_on(line: Line, following: Line, level: int, body: float) -> bool:
    """Whether two lines belong to one paragraph, or to one heading."""
    if len(following.cells) > 1 or len(line.cells) > 1 or _BULLET.match(following.text):
        return False
    if _heading_level(following, body) != level or abs(line.size - following.size) > line.size * 0.1:
        return False
    apart = line.middle - following.middle
    return 0 < apart <= 1.75 * line.size and abs(following.left - line.left) <= 4 * line.size


def _end_of_table(lines: list[Line], at: int) -> int:
    """Return the end of a table that begins at `at`; `at` if none does."""
    end = at
    pitch = 0.0
    while end < len(lines) and len(lines[end].cells) > 1:
        if end > at:
            gap = lines[end - 1].middle - lines[end].middle
            is_apart = pitch and gap > _APART * pitch
            if not 0 < gap <= 5 * lines[end].size or (is_apart and _other_columns(lines[end - 1 : end + 1])):
                break
            pitch = min(pitch or gap, gap)
        end += 1
        while end < len(lines) and _is_rest_of_row(lines[end - 1], lines[end]):
            end += 1
    return end if sum(len(line.cells) > 1 for line in lines[at:end]) > 1 else at


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
        return True
    open_ones = [(cell.left, cell.right) for cell in line.cells if cell.text.endswith(_UNFINISHED)]
    return all(any(_overlap(column, cell) > 0 for column in open_ones) for cell in following.cells)


_UNFINISHED = ("/", "&", ",", "(")
"""Endings of a cell that continues below."""


def _table(lines: list[Line]) -> list[list[str]]:
    """Return the rows of a table. A column is where cells of several rows are above each other."""
    columns = _column_intervals(lines)
    rows: list[list[str]] = []
    for above, line in zip([None, *lines], lines, strict=False):
        is_rest = above is not None and (len(line.cells) == 1 or _is_rest_of_row(above, line))
        row = rows[-1] if is_rest else [""] * len(columns)
        for cell in line.cells:
            place = max(range(len(columns)), key=lambda index: _overlap(columns[index], cell))
            row[place] = f"{row[place]} {cell.text}".strip()
        if not rows or row is not rows[-1]:
            rows.append(row)
    return rows


def _column_intervals(lines: list[Line]) -> list[tuple[float, float]]:
    """Return the columns of the line with most cells, each widened by cells that overlap only it."""
    widest = max(lines, key=lambda line: len(line.cells))
    columns = [(cell.left, cell.right) for cell in widest.cells]
    for line in lines:
        for cell in line.cells:
            over = [index for index, column in enumerate(columns) if _overlap(column, cell) > 0]
            if len(over) == 1:
                left, right = columns[over[0]]
                columns[over[0]] = (min(left, cell.left), max(right, cell.right))
    return columns


def _overlap(column: tuple[float, float], cell: Run) -> float:
    """Return the overlap in points; a negative number is the distance."""
    return min(column[1], cell.right) - max(column[0], cell.left)


def _has_head(rows: list[list[str]], first: Line) -> bool:
    """Whether the first row names the columns: it is bold, or has no numbers but the rows below have some.

    With two columns the first row may also be a label and its value, unless its second cell ends with a unit in
    brackets.
    """
    if not all(rows[0]):
        return False
    if all(cell.bold for cell in first.cells) or (len(rows[0]) == 2 and rows[0][1].endswith(")")):
        return True
    has_numbers = [any(re.search(r"\d", cell) for cell in row) for row in rows]
    return len(rows[0]) > 2 and not has_numbers[0] and any(has_numbers)
