"""The quantities of a document, read once for each page and shared by everything that looks for values."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from qlc.language.quantities import Quantity, Style, quantities

from ..pages import Page, Span


class Amounts:
    """The quantities of some pages."""

    def __init__(self, pages: Sequence[Page], style: Style) -> None:
        self._pages = pages
        self._style = style
        self._found: dict[int, tuple[list[int], list[Quantity]]] = {}

    def __iter__(self) -> Iterator[tuple[Page, Quantity]]:
        return ((page, one) for page in self._pages for one in self._on(page)[1])

    def within(self, page: Page, span: Span) -> Sequence[Quantity]:
        """Return the quantities of a sentence or of a row; one that goes past its ends is read anew."""
        starts, found = self._on(page)
        first, last = bisect_left(starts, span.begin), bisect_left(starts, span.end)
        if (first and found[first - 1].end > span.begin) or (first < last and found[last - 1].end > span.end):
            return quantities(page.text, self._style, *span)
        return found[first:last]

    def _on(self, page: Page) -> tuple[list[int], list[Quantity]]:
        if page.number not in self._found:
            found = quantities(page.text, self._style, 0, len(page.text))
            self._found[page.number] = [one.start for one in found], found
        return self._found[page.number]
