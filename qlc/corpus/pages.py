"""Pages of text, the output of readers, and the kind of each part of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["heading", "paragraph", "item", "table", "margin"]
"""`item` is a line of a list; `margin` is a header, a footer or a page number, which passages leave out."""


class Span(NamedTuple):
    """A part of a page's text: the characters from `begin` up to, not including, `end`."""

    begin: int
    end: int

    def moved(self, by: int) -> Span:
        return Span(self.begin + by, self.end + by)


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a page."""

    kind: Kind
    span: Span
    level: int = 0
    """For a heading: 1 is the highest."""
    rows: tuple[tuple[Span, ...], ...] = ()
    """For a table: its cells, row by row; an empty cell has an empty span."""
    has_head: bool = False
    """For a table: whether its first row names the columns."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page, or the whole text of a format without pages."""

    number: int
    """Page number, from 1."""
    text: str
    blocks: tuple[Block, ...]

    def of(self, span: Span) -> str:
        """Return the text of a part of this page."""
        return self.text[span.begin : span.end]


@dataclass(frozen=True, slots=True)
class About:
    """Properties of a file. Times are in ISO 8601, as far as the file has them."""

    title: str = ""
    created: str = ""
    modified: str = ""
    has_pages: bool = False
    """Whether the format has pages (PDF, slides, sheets); otherwise all text is on page 1."""


@dataclass(frozen=True, slots=True)
class OpenedDocument:
    """An open file: its properties at once, its pages one after another."""

    about: About
    pages: Iterator[Page]


@dataclass(slots=True)
class PageText:
    """Builds the text of a page from blocks. Blocks are separated by an empty line, rows of a table by a line end."""

    number: int = 1
    parts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    length: int = 0

    def add(self, kind: Kind, text: str, level: int = 0) -> None:
        """Add a block, unless the text is empty."""
        if text := text.strip():
            begin = self._begin()
            self.blocks.append(Block(kind, Span(begin, begin + len(text)), level))
            self._put(text)

    def add_table(self, rows: Sequence[Sequence[str]], has_head: bool) -> None:
        """Add a table with cells separated by tabs. Empty rows are left out; rows with two lines become two rows."""
        lines = (row for cells in rows for row in _with_labels_apart(cells))
        kept = [row for row in ([" ".join(cell.split()) for cell in cells] for cells in lines) if any(row)]
        if not kept:
            return
        begin = at = self._begin()
        spans = []
        for row in kept:
            cells = []
            for cell in row:
                cells.append(Span(at, at + len(cell)))
                at += len(cell) + 1  # a tab, or the end of the line
            spans.append(tuple(cells))
        self.blocks.append(Block("table", Span(begin, at - 1), rows=tuple(spans), has_head=has_head))
        self._put("\n".join("\t".join(row) for row in kept))

    def add_blocks(self, text: str, blocks: Iterable[Block]) -> None:
        """Add a text with known blocks, unchanged."""
        at = self._begin()
        for one in blocks:
            rows = tuple(tuple(cell.moved(at) for cell in row) for row in one.rows)
            self.blocks.append(Block(one.kind, one.span.moved(at), one.level, rows, one.has_head))
        self._put(text)

    def page(self) -> Page:
        return Page(self.number, "".join(self.parts), tuple(self.blocks))

    def _begin(self) -> int:
        if self.length:
            self._put("\n\n")
        return self.length

    def _put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)


def _with_labels_apart(cells: Sequence[str]) -> Sequence[Sequence[str]]:
    """Split a row into two, if each cell has a label in its first line and the value in its second."""
    lines = [[line for line in cell.split("\n") if line.strip()] for cell in cells]
    if any(lines) and all(len(one) in (0, 2) and (not one or one[0].strip()[0].isalpha()) for one in lines):
        return [one[0] if one else "" for one in lines], [one[1] if one else "" for one in lines]
    return [cells]


def names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names columns: it has no numbers, and the rows below have some, or there are three
    columns."""
    if len(rows) < 2 or not all(cell.strip() for cell in rows[0]):
        return False
    return not any(re.search(r"\d", cell) for cell in rows[0]) and (
        len(rows[0]) > 2 or any(re.search(r"\d", cell) for row in rows[1:] for cell in row)
    )
