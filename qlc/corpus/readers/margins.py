"""Finds headers, footers and page numbers: lines at the same place of most pages near by, apart from page numbers.

Nothing else is a margin, so a row of a table at the edge of a page, or a total, stays in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from .order import cells_of, rows_of
from .runs import Line, Run, Sheet

WINDOW = 4
"""Pages before and after a page with which it is compared."""
_EDGE = 0.12
"""Share of a page's height, at top and bottom, where headers and footers can be."""
_MOST_LINES = 4
"""Most lines of a header, and of a footer."""
_SAME_PLACE = 4.0
"""Most points between the heights of a header on two pages."""
_TITLE = 1.2
"""Size beside the usual one above which a line is a title."""
_NUMBER = re.compile(
    r"\b(?:page|seite|p|pág|página|pagina|sida|side|blatt|sheet|folio|s)\b\.?\s*(\d{1,4})"
    r"(?:\s*(?:of|/|von|de|av|di|sur)\s*\d{1,4})?"
    r"|^\W{0,2}(\d{1,4})\W{0,2}$|^(\d{1,4})\s*(?:of|/|von)\s*\d{1,4}$",
    re.IGNORECASE,
)
"""`Page 3 of 9`, `- 3 -`, `3/9`."""


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """A line near an edge; `key` is its text with `#` for the page number."""

    line: Line
    runs: tuple[Run, ...]
    key: str
    number: int
    """The page number in it; -1 without one."""
    is_number: bool
    """Whether it is a page number alone."""


Edges = tuple[tuple[EdgeLine, ...], tuple[EdgeLine, ...]]
"""The lines at the top and at the bottom of a page, the outermost first."""


def edges_of(sheet: Sheet) -> Edges:
    """Return the lines of a page that can be a header or a footer. Larger lines are titles."""
    if not sheet.runs:
        return (), ()
    usual = median(run.size for run in sheet.runs)
    rows = rows_of(run for run in sheet.runs if not sheet.height * 0.2 < run.middle < sheet.height * 0.8)
    outermost = {id(rows[0]), id(rows[-1])} if rows else set()
    top: list[EdgeLine] = []
    bottom: list[EdgeLine] = []
    for side, ordered in ((top, rows), (bottom, rows[::-1])):
        for row, following in zip(ordered, [*ordered[1:], None], strict=False):
            high = row[0].middle > sheet.height / 2
            within = not sheet.height * _EDGE < row[0].middle < sheet.height * (1 - _EDGE)
            if len(side) == _MOST_LINES or high is not (side is top) or not (within or id(row) in outermost):
                break
            if max(run.size for run in row) > _TITLE * usual or (following and _begins_table(row, following)):
                break
            side.append(_edge_line(row))
    return tuple(top), tuple(bottom)


def _begins_table(row: list[Run], inner: list[Run]) -> bool:
    """Whether two rows of cells follow each other closely."""
    distance = abs(row[0].middle - inner[0].middle)
    return distance < 2 * row[0].size and len(cells_of(row)) > 2 and len(cells_of(inner)) > 2


def _edge_line(row: list[Run]) -> EdgeLine:
    line = Line(cells_of(row))
    number = -1
    texts = []
    for cell in line.cells:
        text = cell.text
        if number < 0 and (found := _NUMBER.search(text)):
            number = int(found[1] or found[2] or found[3])
            text = f"{text[: found.start()]}#{text[found.end() :]}"
        texts.append(text)
    return EdgeLine(line, tuple(row), "\t".join(texts), number, "".join(texts).strip() == "#")


def margins_of(number: int, edges: Sequence[tuple[int, Edges]]) -> Iterator[EdgeLine]:
    """Yield the headers, then the footers of a page.

    `edges` has the lines of this page and of the pages near it, by page number. A header or footer recurs on more than
    half of these pages, or of those with the same parity (left and right pages), or it is the outermost line and holds
    the number of its page (`Page 3`).
    """
    own = next(held for page, held in edges if page == number)
    for side in (0, 1):
        for at, one in enumerate(own[side]):
            alike = [page for page, held in edges if _is_there(one, number, held[side], page)]
            if any(
                len(alike_ones) > 1 and len(alike_ones) * 2 > len(pages)
                for pages, alike_ones in (
                    ([page for page, _ in edges], alike),
                    (
                        [page for page, _ in edges if (page - number) % 2 == 0],
                        [page for page in alike if (page - number) % 2 == 0],
                    ),
                )
            ) or (not at and any(is_own_number(cell, number) for cell in one.line.cells)):
                yield one


def is_own_number(cell: Run, number: int) -> bool:
    """Whether a cell says that it numbers its page: `Page 3`, `3 of 9`, and not `3`."""
    found = _NUMBER.fullmatch(cell.text)
    return found is not None and not found[2] and int(found[1] or found[3]) == number


def _is_there(one: EdgeLine, number: int, others: Sequence[EdgeLine], page: int) -> bool:
    """Whether a line of one page is on another page too, with the page number of that page."""
    return any(
        other.key == one.key
        and abs(other.line.middle - one.line.middle) <= _SAME_PLACE
        and (other.number == one.number or other.number - one.number == page - number)
        for other in others
    )
