"""Passages: parts of pages of about 200 tokens that keep sentences, rows of tables and, if they fit, sections whole.

A passage is a span of its page, so that it can be cited. The first passage of a section begins with its heading, others
repeat the last sentence of the passage before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from .pages import Block, Page, Span
from .sentences import sentences

TOKENS = 200
"""Approximate tokens of a passage, as `tokens` counts them for a language model."""
_TOKENS_OF_OVERLAP = 60
_LONGEST_WORD = 2_000
"""Most letters of a word; a longer one is data or a line of signs, and is cut."""
_LONGEST_REPEATED = 1_000
"""Most characters of a heading, and of column heads, that are repeated in each passage. Without a bound, a huge first
line would be stored as often as there are passages."""
LONGEST_PAGE_HEAD = 250
"""Characters of the beginning of a page that are searched with each of its passages."""
_WORD = re.compile(r"\w+|[^\w\s]")
_UNENDED = re.compile(r"[\w,;–-]$")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document."""

    ordinal: int
    """Position in the document, from 0."""
    page_from: int
    page_to: int
    """The last page; another one only if a sentence continues there."""
    begin: int
    end: int
    """Span of the passage: from `begin` in the first page's text up to, not including, `end` in the last page's."""
    section: tuple[str, ...]
    """The headings above it, the highest first."""
    text: str
    head: str = ""
    """For a passage that begins inside a table: its scale, the heads of its columns, the inner heading above its
    first row, as far as earlier passages have them."""
    page_head: str = ""
    """The beginning of its first page, if the passage itself is further below."""


def tokens(text: str) -> int:
    """Estimate the tokens of a language model: words and signs, times 1.25."""
    return max(len(_WORD.findall(text)) * 5 // 4, len(text) // 16)


@dataclass(frozen=True, slots=True)
class _Unit:
    """An indivisible part: a sentence, a row of a table, a heading."""

    page: Page
    span: Span
    section: tuple[str, ...]
    tokens: int
    is_heading: bool = False
    head: str = ""
    """Context of a table row: scale, column heads, inner heading (`in thousands`, `2022 2021`); a tab without one."""
    is_aside: bool = False

    @property
    def text(self) -> str:
        return self.page.of(self.span)


def passages(pages: Iterable[Page]) -> Iterator[Passage]:
    """Yield the passages of a document while its pages are read.

    A header or footer is a passage of its own, after the one that it would interrupt.
    """
    for ordinal, held in enumerate(_groups(_units(pages))):
        yield _passage(ordinal, held)


def _groups(units: Iterable[_Unit]) -> Iterator[list[_Unit]]:
    held: list[_Unit] = []
    asides: list[_Unit] = []
    for unit in units:
        if unit.is_aside:
            asides.append(unit)
            continue
        if held and _begins_anew(held, unit):
            yield held
            yield from ([one] for one in asides)
            asides = []
            held = _overlap(held) if unit.section == held[-1].section and unit.page is held[0].page else []
        held.append(unit)
    if held:
        yield held
    yield from ([one] for one in asides)


def _begins_anew(held: list[_Unit], unit: _Unit) -> bool:
    last = held[-1]
    if unit.page is not last.page:
        return not _goes_on(last, unit)
    if last.page is not held[0].page:  # the rest of a sentence of the page before ends it
        return True
    if unit.is_heading or unit.section != last.section:
        return not all(one.is_heading for one in held)
    return sum(one.tokens for one in held) + unit.tokens > TOKENS


def _goes_on(last: _Unit, unit: _Unit) -> bool:
    """Whether a sentence continues on the next page."""
    return not (last.is_heading or unit.is_heading or last.head or unit.head) and (
        _UNENDED.search(last.text) is not None and re.match(r"[^\W\d_A-Z]", unit.text) is not None
    )


def _overlap(held: list[_Unit]) -> list[_Unit]:
    """Return the last sentence if it is short; rows of a table are not repeated."""
    last = held[-1]
    return (
        [last] if len(held) > 1 and last.tokens <= _TOKENS_OF_OVERLAP and not last.head and not last.is_heading else []
    )


def _passage(ordinal: int, held: list[_Unit]) -> Passage:
    first, last = held[0], held[-1]
    begin, end = first.span.begin, last.span.end
    if first.page is last.page:
        text = first.page.text[begin:end]
    else:
        stops = max(unit.span.end for unit in held if unit.page is first.page)
        starts = next(unit.span.begin for unit in held if unit.page is last.page)
        text = f"{first.page.text[begin:stops]}\n{last.page.text[starts:end]}"
    there = {line.strip() for line in text.split("\n")}
    missing = (line for line in first.head.split("\n") if line.strip() and line.strip() not in there)
    head = "\n".join(missing)[:_LONGEST_REPEATED]
    above = _head_of(first.page, begin)
    return Passage(ordinal, first.page.number, last.page.number, begin, end, last.section, text, head, above)


def _head_of(page: Page, begin: int) -> str:
    """Return what a page begins with, without its margins, up to a place on it."""
    found = ""
    for block in page.blocks:
        if block.span.begin >= begin or len(found) >= LONGEST_PAGE_HEAD:
            break
        if block.kind != "margin" and not block.is_aside:
            found += page.text[block.span.begin : min(block.span.end, begin)].strip() + "\n"
    return found[:LONGEST_PAGE_HEAD].strip()


def _units(pages: Iterable[Page]) -> Iterator[_Unit]:
    section: dict[int, str] = {}
    for page in pages:
        for block in page.blocks:
            if block.kind == "margin":
                continue
            text = page.of(block.span)
            if block.kind == "heading":
                section = {level: name for level, name in section.items() if level < block.level}
                section[block.level] = " ".join(text.split())[:_LONGEST_REPEATED]
            path = tuple(section[level] for level in sorted(section))
            for span, head in _parts(page, block):
                part = page.of(span)
                yield _Unit(page, span, path, tokens(part), block.kind == "heading", head, block.is_aside)


def _rows(page: Page, block: Block) -> Iterator[tuple[Span, str]]:
    """Yield the rows of a table, each with its context as lines: scale, heads, inner heading; a tab if it has none."""
    heads = [page.of(_row(row)) for row in block.rows[: block.heads]] or ["\t".join(row) for row in block.above]
    is_in_heads = any(line.startswith(block.scale) for line in heads)
    above, section = heads if is_in_heads or not block.scale else [block.scale, *heads], block.section
    for at, row in enumerate(block.rows):
        inner = page.inner_heading(row) if at >= block.heads else ""
        section = inner or section
        lines = [] if at < block.heads else above if inner else [*above, *filter(None, [section])]
        yield _row(row), "\n".join(lines)[:_LONGEST_REPEATED] or "\t"


def _row(cells: tuple[Span, ...]) -> Span:
    return Span(cells[0].begin, cells[-1].end)


def _parts(page: Page, block: Block) -> Iterator[tuple[Span, str]]:
    if block.kind == "heading":
        yield block.span, ""
        return
    for span, head in _rows(page, block) if block.rows else ((one, "") for one in sentences(page.text, block.span)):
        yield from ((part, head) for part in _cut(page.text, span))


def _cut(text: str, sentence: Span) -> Iterator[Span]:
    """Split a sentence longer than twice the tokens of a passage."""
    words = [found.span() for found in re.finditer(rf"\S{{1,{_LONGEST_WORD}}}", text[sentence.begin : sentence.end])]
    limit = TOKENS * 2 * 4 // 5
    if len(words) <= limit and sentence.end - sentence.begin <= limit * 20:
        yield sentence
        return
    starts = [0]
    count = 0
    for word_begin, word_end in words:
        count += 1
        if count > limit or word_end - starts[-1] > limit * 20:
            if word_begin > starts[-1]:
                starts.append(word_begin)
            count = 1
    for begin, end in pairwise([*starts, sentence.end - sentence.begin]):
        part = text[sentence.begin + begin : sentence.begin + end].rstrip()
        yield Span(sentence.begin + begin, sentence.begin + begin + len(part))
