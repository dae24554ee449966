"""Labelled values: a value beside its label in a table, after a colon, or at the end of a short line.

`Vceo | 60 V`, `Invoice no.: AC-82744`, `Total GBP 1,484.40`, `Contract no. C-2024-112`. Labels are not interpreted
here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from qlc.language.quantities import Style, currency_of

from ..pages import Block, Page, Span
from ..scales import COUNTED, NOT_SCALED, scale_of, stated
from .labelled import Labelled
from .labelled_lines import labelled_in_lines
from .labelled_tables import labelled_in_table


def labelled_values(pages: Iterable[Page], style: Style) -> Iterator[Labelled]:
    """Yield the labelled values of a document, in order."""
    pages = [*pages]
    stated = _Scales(pages)
    rows = 0
    for page in pages:
        for part in _parts(page):
            if isinstance(part, Block):
                found, scale = labelled_in_table(page, part, rows, style), part.scale
                rows += len(part.rows)
            else:
                found, scale = labelled_in_lines(page, part, style), ""
            yield from (stated.applied(one, scale) for one in found if _says(one.label.strip("~")) and _says(one.value))


_STATEMENT = re.compile(
    r"^[ \t#*|>]*\(?(?P<all>all |alle )?"
    r"(?:amounts|figures|values|numbers|dollars|beträge|angaben|montants|importes|in|en"
    r"|[$\u20ac\u00a3]|(?:USD|EUR|GBP|CHF|T\u20ac|TEUR)\b)[^\n\d]{0,80}(?:000[^\n\d]{0,20})?$",
    re.IGNORECASE | re.MULTILINE,
)
class _Scales:
    """Scales that a document states for amounts without their own: `(in thousands of EUR)` above a table holds for its
    page, `All amounts are in thousands` for the document."""

    def __init__(self, pages: Sequence[Page]) -> None:
        self._on: dict[int, list[tuple[int, str]]] = {}
        self._everywhere = ""
        for page in pages:
            for found in _STATEMENT.finditer(page.text):
                if stated(found[0])[0] != 1:
                    self._on.setdefault(page.number, []).append((found.start(), found[0]))
                    self._everywhere = found[0] if found["all"] else self._everywhere

    def applied(self, one: Labelled, of_table: str) -> Labelled:
        """Return a value with its scale: that of its label, of its table, of its page, of the document."""
        lines = [one.label, one.column]
        if not NOT_SCALED.search(one.label) and not COUNTED.search(one.label):
            lines += [of_table, *([] if currency_of(one.unit) else [self._above(one)])]
        scale, currency = scale_of(*lines)
        return one if scale == 1 else replace(one, scale=scale, unit=currency or one.unit)

    def _above(self, one: Labelled) -> str:
        on_page = self._on.get(one.page, [(0, self._everywhere)])
        return [on_page[0], *(each for each in on_page if each[0] < one.span.begin)][-1][1]


def _parts(page: Page) -> Iterator[Block | list[Span]]:
    """Yield tables and texts; consecutive short paragraphs are one text."""

    def is_line(block: Block) -> bool:
        text = page.of(block.span)
        return block.kind in ("paragraph", "item") and not block.rows and len(text) <= 90 and "\n" not in text

    for are_lines, blocks in groupby(page.blocks, is_line):
        if are_lines:
            yield [block.span for block in blocks]
        else:
            yield from (
                block if block.rows else [block.span] for block in blocks if block.rows or block.kind != "margin"
            )


def _says(text: str) -> bool:
    return re.search(r"[^\W_]|~~", text) is not None
