"""Finds values by the meaning of their sentence, for fields without a matching label or word.

`Neither side owes the other more than EUR 75,000` is a liability cap without either word. Each sentence and table row
with one amount of a field's type is compared with the field's names and description. The best is taken if it is similar
enough, clearly more similar than any with another value, and more similar to this field than to others of the type.
Requires the extra `semantic`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from qlc.language.quantities import Quantity, current

from ..embedders import Embedder, default_embedder
from ..pages import Page, Span
from ..sentences import sentences
from ..work import own_needs
from .amounts import Amounts
from .labelled import Labelled
from .labels import words
from .prose import TYPES_OF_CLAUSES, Places
from .synonyms import END
from .topics import is_foreign
from .typed import Scalar, Value, Wanted, amount_value, doubt_of

_NEAR = 0.45
"""Least cosine of a sentence with the field."""
_MARGIN = 0.1
"""Least lead over a sentence with another value, and over other fields of the type."""
_MORE = 0.15
"""Bound on how much more similar a line is, with or without heading, than both with other numbers, whose vectors are
cached from other documents. Of 1,364 measured, one line exceeded it, by .04."""
_HEADING = 0.08
"""Least cosine between the heading of a clause and a field. `Conduct` is below it for a notice period."""
_NUMBERED = re.compile(r"^\W*(?:(?:clause|section|article|part|annex)?\W*[\d.()]+\W*)?")
_FEW = 4
"""Number of lines up to which all are embedded."""
_ONE_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_MOST_LINES = 100
"""Most compared lines of a document; with more, none are compared: in a long report something is always similar."""
_TYPES = ("date", "duration", "money", "number")
_TRUST = 0.3


@dataclass(frozen=True, slots=True)
class _Line:
    page: Page
    span: Span
    section: str
    amounts: tuple[Quantity, ...]
    title: str
    """The first heading of the document."""

    @property
    def text(self) -> str:
        return " ".join(self.page.of(self.span).split())


def by_meaning(
    missing: Sequence[Wanted], wanted: Sequence[Wanted], pages: Sequence[Page], labelled: Sequence[Labelled],
    amounts: Amounts, found: Sequence[Value],
) -> Iterator[Value]:  # fmt: skip
    """Yield values of missing fields. Values of other fields are excluded, and so are values with a label that shares
    the field's last word but did not match: an upload speed is not a download speed."""
    missing = [one for one in missing if one.type in _TYPES and (one.unit or one.type != "number") and not one.is_list]
    if not missing or _embedder() is None:
        return
    taken = Places(found)
    lines = [
        one for one in _lines(pages, amounts)
        if not taken.within(one.page.number, one.span) and not taken.around(one.page.number, one.span.begin)
    ]  # fmt: skip
    said: dict[str, dict[int, _Said]] = {
        one.name: {at: value for at, line in enumerate(lines)
                   if (value := _only_value(one, line)) and not _is_of_another(one, line, labelled)}
        for one in missing
    }  # fmt: skip
    if len({at for values in said.values() for at in values}) > _MOST_LINES:
        return
    fields = [one for one in wanted if one.type in _TYPES]
    for one in missing:
        others = [each for each in fields if each.type == one.type and each.name != one.name]
        at = _best(one, others, lines, said[one.name])
        if at is not None:
            amount, unit, why = said[one.name][at]
            page, span = lines[at].page.number, lines[at].span
            yield Value(one.name, amount, unit, page, span, _TRUST, is_disputed=bool(why), by="meaning", why=why)


def _best(
    one: Wanted, others: Sequence[Wanted], lines: Sequence[_Line], values: dict[int, _Said]
) -> int | None:
    """Return the index of the line to take. Lines that cannot win are not embedded, since that takes longest."""
    asked = _asked(one)

    def can_pass(at: int, least: float) -> bool:
        return len(values) <= _FEW or any(
            _near(asked, _ONE_NUMBER.sub("1", text)) > least - _MORE for text in (lines[at].text, lines[at].section)
        )

    def near(at: int) -> float:
        return max(_near(asked, lines[at].text), _near(asked, f"{lines[at].section}: {lines[at].text}"))

    def is_headed_otherwise(at: int) -> bool:
        head = _NUMBERED.sub("", lines[at].section)
        return bool(head) and head != lines[at].title and _near(asked, head) < _HEADING

    def is_nearest_to(at: int) -> bool:
        rival = max((_near(_asked(each), lines[at].text) for each in others), default=0.0)
        return _near(asked, lines[at].text) >= rival + _MARGIN

    best, score = -1, _NEAR
    for at in values:
        if can_pass(at, score) and is_nearest_to(at) and (its := near(at)) > score and not is_headed_otherwise(at):
            best, score = at, its
    if best < 0:
        return None
    for at, said in values.items():
        least = score - (_MARGIN if said != values[best] else 0.0)
        if can_pass(at, least) and near(at) > least:
            return None
    return best


@cache
def _embedder() -> Embedder | None:
    return default_embedder()


@lru_cache(maxsize=1_000)
def _vector(text: str) -> Sequence[float]:
    """Embed a text, cached since clauses recur across documents."""
    embedder = _loaded()
    return embedder.embed([text])[0] if embedder is not None else ()


@cache
def _loaded() -> Embedder | None:
    """Return the embedder with its model, which is loaded with a first text; the memory is not the file's."""
    with own_needs():
        if (embedder := _embedder()) is not None:
            embedder.embed(["a"])
        return embedder


def _near(asked: str, text: str) -> float:
    """Return the cosine of two texts."""
    return sum(one * other for one, other in zip(_vector(asked), _vector(text), strict=True))


def _asked(one: Wanted) -> str:
    called = one.phrases[-1]
    return f"{called}: {one.description}" if one.description else called


def _lines(pages: Sequence[Page], amounts: Amounts) -> Iterator[_Line]:
    """Return sentences and table rows with amounts, each with its heading."""
    section = title = ""
    for page in pages:
        for block in page.blocks:
            if block.kind == "heading":
                section = page.of(block.span)
                title = title or section
            elif block.kind != "margin":
                rows = [Span(row[0].begin, row[-1].end) for row in block.rows]
                for span in rows or sentences(page.text, block.span):
                    found = tuple(current(page.text, amounts.within(page, span)))
                    if found:
                        yield _Line(page, span, section, found, title)


_Said = tuple[Scalar, str, str]
"""A value with its unit, and the reason for a doubtful one: `it is a range`."""


def _only_value(one: Wanted, line: _Line) -> _Said | None:
    """Return the only value of a field's type in a line, if it has a unit or a currency."""
    found = {
        (value, each.unit if one.type == "money" else one.unit): at
        for at, each in enumerate(line.amounts)
        if each.kind != "number" and (one.type != "money" or each.kind == "money")
        and (value := amount_value(one, each)) is not None
    }  # fmt: skip
    if len(found) != 1:
        return None
    (((value, unit), at),) = found.items()
    if one.type in TYPES_OF_CLAUSES and is_foreign(one, line.text, line.section, line.title):
        return None
    start = line.amounts[at].start
    before = line.page.text[max(line.span.begin, start - _BEFORE) : start]
    if one.type == "date" and bool(END.search(_asked(one))) != bool(END.search(before)):
        return None
    return value, unit, doubt_of(one, line.page.text, line.amounts, at)


def _is_of_another(one: Wanted, line: _Line, labelled: Sequence[Labelled]) -> bool:
    heads = {words(phrase)[-1] for phrase in one.phrases if words(phrase)}
    return any(
        each.page == line.page.number and line.span.begin <= each.span.begin < line.span.end
        and heads & {*words(each.label)}
        for each in labelled
    )  # fmt: skip


_BEFORE = 40
"""Number of characters before a date that can describe it."""
