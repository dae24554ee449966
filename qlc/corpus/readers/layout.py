"""Makes the text of a page from its runs: reading order, tables, paragraphs and headings, headers and footers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import median

from qlc.base.words.sentences import ends_with_abbreviation

from ..pages import Page, PageText
from .hyphens import Words, text_of
from .margins import EdgeLine, is_own_number
from .order import reading_order
from .runs import Line, Sheet
from .tables import heads_of, rows_of_table, table_at


def page_of(
    sheet: Sheet, margins: Sequence[EdgeLine] = (), new: Collection[str] = (), words: Words | None = None
) -> Page:
    """Return a page in reading order.

    `margins` are its headers and footers. Those whose keys are in `new` are on no page before, and are a part of the
    text, since they may hold what is nowhere else; at the top of the first page they may be its title.
    """
    words = words or Words()
    margins = [one for one in margins if sheet.number > 1 or one.key not in new or one.line.middle < sheet.height / 2]
    left_out = {id(run) for margin in margins for run in margin.runs}
    page = PageText(sheet.number)
    above = [one for one in margins if one.line.middle > sheet.height / 2]
    below = [one for one in reversed(margins) if one.line.middle <= sheet.height / 2]
    for one in above:
        if one.key in new:
            _add_aside(page, one)
    _put_lines(page, reading_order([*sheet.grids, *(run for run in sheet.runs if id(run) not in left_out)]), words)
    for runs in sheet.turned:
        _put_lines(page, reading_order(runs), words)
    for one in below:
        if one.key in new:
            _add_aside(page, one)
    for one in (*above, *below):
        if one.key not in new:
            page.add("margin", one.line.text)
    return page.page()



def _add_aside(page: PageText, margin: EdgeLine) -> None:
    """Add a header or footer to the text, without the number of the page, which is a margin."""
    numbers = [cell for cell in margin.line.cells if is_own_number(cell, margin.number)]
    page.add("paragraph", "\t".join(cell.text for cell in margin.line.cells if cell not in numbers), is_aside=True)
    for cell in numbers:
        page.add("margin", cell.text)


# --- blocks ----------------------------------------------------------------------------------------------------------


def _put_lines(page: PageText, lines: list[Line], words: Words) -> None:
    body = _body_size(lines)
    pitch = _pitch(lines)
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.grid is not None:
            page.add_table(line.grid.rows, heads=heads_of(line.grid.rows, line.grid.bold))
            end = at + 1
        elif (end := table_at(lines, at)) > at + 1:
            rows = rows_of_table(lines[at:end], words)
            first = next(one for one in lines[at:end] if len(one.cells) > 1)
            page.add_table(rows, heads=heads_of(rows, all(cell.bold for cell in first.cells)))
        else:
            end = at + 1
            level = _heading_level(line, body)
            while end < len(lines) and _goes_on(lines[end - 1], lines[end], level, body, pitch):
                end += 1
            text = text_of((one.text for one in lines[at:end]), words)
            page.add("heading" if level else "item" if _BULLET.match(text) else "paragraph", text, level)
        at = end


def _body_size(lines: Sequence[Line]) -> float:
    """Return the size of most text in lines of prose, if there are any; tables are often smaller."""
    prose = [line for line in lines if line.grid or (len(line.cells) == 1 and len(line.text) > 25)] or lines
    sizes: Counter[float] = Counter()
    for line in prose:
        sizes[round(line.size, 1)] += len(line.grid.text if line.grid else line.text)
    return max(sizes, key=lambda size: sizes[size], default=10.0) or 10.0


def _pitch(lines: Sequence[Line]) -> float:
    """Return the usual distance of lines of prose, which can be double-spaced, at most three letter sizes."""
    prose = [one for one in lines if len(one.cells) == 1 and len(one.text) > 40]
    distances = [above.middle - one.middle for above, one in pairwise(prose)]
    near = [distance for distance, one in zip(distances, prose, strict=False) if 0 < distance < 3 * one.size]
    return median(near) if len(near) > 3 else 0.0


_BULLET = re.compile(r"(?:[•▪‣◦*–-]|\(?[a-z0-9]{1,3}[.)])\s")
_NUMBERED = re.compile(r"(\d+(?:\.\d+)*)\.?\s+\S")


def _heading_level(line: Line, body: float) -> int:
    """Return the level of a heading, 0 for other lines. Headings have letters, are larger or bolder than the text,
    short, and not sentences."""
    return _level(line, body) if re.search(r"[^\W\d_]", line.text) else 0


def _level(line: Line, body: float) -> int:
    """Return the level of a heading or of a line that goes on with one: `2025` below `Annual Report`."""
    text = line.text
    ratio = line.size / body
    is_larger = ratio >= 1.15
    is_sentence = text.endswith((".", ";") if is_larger else (".", ",", ";", ":")) and not ends_with_abbreviation(text)
    if is_sentence or len(line.cells) > 1 or len(text) > 120 or not (is_larger or line.cells[0].bold):
        return 0
    if found := _NUMBERED.match(text):
        return min(6, 1 + len(found[1].split(".")))
    return 1 if ratio >= 1.5 else 2 if ratio >= 1.1 else 3


def _goes_on(line: Line, following: Line, level: int, body: float, pitch: float) -> bool:
    """Whether two lines belong to one paragraph, or to one heading."""
    if line.grid or following.grid or len(following.cells) > 1 or len(line.cells) > 1 or _BULLET.match(following.text):
        return False
    level_below = _level(following, body) if level else _heading_level(following, body)
    if level_below != level or abs(line.size - following.size) > line.size * 0.1:
        return False
    apart = line.middle - following.middle
    most = max(1.75 * line.size, 1.2 * pitch) if len(line.text) > 40 else 1.75 * line.size
    return 0 < apart <= most and _is_aligned(line, following, is_heading=level > 0)


def _is_aligned(line: Line, following: Line, *, is_heading: bool) -> bool:
    """Whether the line below begins about where the line does; lines of a heading may be centred or end alike."""
    left, right = following.left - line.left, following.right - line.right
    return abs(left) <= 4 * line.size or (is_heading and min(abs(left + right) / 2, abs(right)) <= line.size)
