"""Pages of text, the output of readers, and the kind of each part of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["heading", "paragraph", "item", "table", "margin"]
"""`item` is a line of a list. `margin` is a page number, or a header or footer that an earlier page has too; passages
leave it out."""


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
    heads: int = 0
    """For a table: number of its first rows that name the columns."""
    scale: str = ""
    """For a table: the line above it that says its unit, such as `(in thousands)`."""
    above: tuple[tuple[str, ...], ...] = ()
    """For a table that goes on from the page before: the rows of heads that it began with."""
    section: str = ""
    """For such a table: the inner heading that its first rows belong to."""
    is_aside: bool = False
    """Whether this is a header or a footer, shown where it occurs first. Sentences continue past it."""

    @property
    def has_head(self) -> bool:
        return self.heads > 0


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

    def inner_heading(self, row: tuple[Span, ...]) -> str:
        """Return the text of a row whose first cell alone is filled: `Current assets` above the rows of assets."""
        is_alone = len(row) > 1 and not self.of(Span(row[1].begin, row[-1].end)).strip()
        return self.of(row[0]).strip() if is_alone else ""


@dataclass(frozen=True, slots=True)
class About:
    """Properties of a file. Times are in ISO 8601, as far as the file has them."""

    title: str = ""
    created: str = ""
    modified: str = ""
    has_pages: bool = False
    """Whether the format has pages (PDF, slides, sheets); otherwise all text is on page 1."""


@dataclass(frozen=True, slots=True)
class Attached:
    """A file in another one, as an attachment of a message. Its name is as written there."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class OpenedDocument:
    """An open file: its properties at once, its pages and the files in it one after another."""

    about: About
    pages: Iterator[Page]
    attached: Iterable[Attached] = ()


@dataclass(slots=True)
class PageText:
    """Builds the text of a page from blocks. Blocks are separated by an empty line, rows of a table by a line end."""

    number: int = 1
    parts: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    length: int = 0

    def add(self, kind: Kind, text: str, level: int = 0, *, is_aside: bool = False) -> None:
        """Add a block, unless the text is empty."""
        if text := text.replace("\u00ad", "").strip():
            begin = self._begin()
            self.blocks.append(Block(kind, Span(begin, begin + len(text)), level, is_aside=is_aside))
            self._put(text)

    def add_table(self, rows: Sequence[Sequence[str]], heads: int = 0) -> None:
        """Add a table with cells separated by tabs; its first rows can be `heads`.

        Empty rows are left out; rows with two lines become two rows.
        """
        lines = [(row, at) for at, cells in enumerate(rows) for row in _with_labels_apart(cells)]
        numbered = [([" ".join(cell.replace("\u00ad", "").split()) for cell in cells], at) for cells, at in lines]
        kept = [row for row, _ in numbered if any(row)]
        if not kept:
            return
        heads = min(sum(any(row) and at < heads for row, at in numbered), len(kept))
        begin = at = self._begin()
        spans = []
        for row in kept:
            cells = []
            for cell in row:
                cells.append(Span(at, at + len(cell)))
                at += len(cell) + 1  # a tab, or the end of the line
            spans.append(tuple(cells))
        self.blocks.append(Block("table", Span(begin, at - 1), rows=tuple(spans), heads=heads))
        self._put("\n".join("\t".join(row) for row in kept))

    def add_blocks(self, text: str, blocks: Iterable[Block]) -> None:
        """Add a text with known blocks, unchanged."""
        at = self._begin()
        for one in blocks:
            rows = tuple(tuple(cell.moved(at) for cell in row) for row in one.rows)
            self.blocks.append(replace(one, span=one.span.moved(at), rows=rows))
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


def struck(text: str) -> str:
    """Return a text that is struck out, with its marks: `EUR 30 ` -> `~~EUR 30~~ `."""
    said = text.strip()
    return text.replace(said, f"~~{' '.join(said.split())}~~", 1) if said else text


_STRUCK = re.compile(r"~~(?=[^\s~])[^~\n]*~~")


def without_struck(page: Page) -> Page:
    """Replace what is struck out by `~` of the same length, so that spans stay: `~~EUR 5~~ EUR 6` has the value 6."""
    if "~~" not in page.text:
        return page
    return replace(page, text=_STRUCK.sub(lambda found: "~" * len(found[0]), page.text))


def names_columns(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names columns: it has no numbers, and the rows below have some, or there are three
    columns."""
    if len(rows) < 2 or not all(cell.strip() for cell in rows[0]):
        return False
    return not any(re.search(r"\d", cell) for cell in rows[0]) and (
        len(rows[0]) > 2 or any(re.search(r"\d", cell) for row in rows[1:] for cell in row)
    )
