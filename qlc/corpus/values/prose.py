"""What sentences say of a field, where no label leads to its value."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from ..pages import Page, Span
from ..sentences import sentences
from .labelled import Labelled
from .labels import Vocabulary, vocabulary, words
from .quantities import Amount, Style, amounts
from .typed import Scalar, Value, Wanted, amount_value, choice_in, polarity, typed, unit_in

_PROSE = 0.35
_MARGIN = 0.08
"""By how much the best has to be better than the second, where their values differ."""


class Places:
    """The spans of values, page by page, to be looked up."""

    def __init__(self, values: Iterable[Value | Labelled]) -> None:
        self._spans: dict[int, list[Span]] = {}
        for page, span in sorted({(one.page, one.span) for one in values}):
            self._spans.setdefault(page, []).append(span)

    def around(self, page: int, at: int) -> bool:
        """Whether a place is in the last span that begins before it."""
        spans = self._spans.get(page, [])
        place = bisect_right(spans, at, key=lambda one: one.begin)
        return place > 0 and at < spans[place - 1].end

    def within(self, page: int, span: Span) -> int:
        """How many begin in a span."""
        spans = self._spans.get(page, [])
        first, last = (bisect_left(spans, edge, key=lambda one: one.begin) for edge in span)
        return last - first


def by_patterns(wanted: Sequence[Wanted], pages: Sequence[Page], style: Style) -> Iterator[Value]:
    for one in wanted:
        matches = (
            (page, match)
            for pattern in one.patterns
            for page in pages
            for match in _expression(pattern).finditer(page.text)
        )
        for page, match in matches:
            value = typed(one, match["value"], style)
            if value is not None:
                unit = unit_in(one, match["value"], "", style)
                yield Value(one.name, value, unit, page.number, Span(*match.span()), 1.0)
                if not one.is_list:
                    break


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    """A text with `{value}` as a regular expression: white space is any, a value is at most 80 characters of a
    paragraph.
    """
    before, _, after = (re.sub(r"(?:\\?\s)+", r"\\s+", re.escape(part)) for part in pattern.partition("{value}"))
    value = r"(?P<value>(?:[^\n]|\n(?!\n)){1,80}?)"
    return re.compile(before + value + (after or r"(?=[.;]\s|\n\n|$)"), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Sentence:
    page: Page
    span: Span
    section: str
    words: frozenset[str]
    """Those of its section, too."""
    bare: frozenset[str]
    """Without those of its amounts."""
    amounts: tuple[Amount, ...]


def by_sentences(
    wanted: Sequence[Wanted], pages: Sequence[Page], style: Style, labelled: Sequence[Labelled], found: Sequence[Value]
) -> Iterator[Value]:
    """What sentences say. A list of labelled values is none, nor is what another field has as its value."""
    if not wanted:
        return
    places, told = Places(labelled), Places(one for one in labelled if not one.is_amount)
    said = [
        one
        for one in _sentences(pages, style)
        if places.within(one.page.number, one.span) < 2 and not told.within(one.page.number, one.span)
    ]
    known = vocabulary(" ".join(one.words) for one in said)
    for one in wanted:
        if one.type == "boolean":
            yield from _said_to_be(one, said)
        if one.type in ("date", "money", "duration", "number", "choice") and (one.type != "number" or one.unit):
            others = Places(value for value in found if value.field != one.name)
            free = [each for each in said if not others.within(each.page.number, each.span)]
            yield from _best_sentence(one, free, known, style)


def _sentences(pages: Sequence[Page], style: Style) -> Iterator[_Sentence]:
    section, is_title = "", True
    for page in pages:
        for block in page.blocks:
            if block.kind == "heading":
                section = "" if is_title else page.of(block.span)  # a title tells nothing of a single sentence
                is_title = False
            elif block.kind != "margin" and not block.rows:
                for span in sentences(page.text, block.span):
                    found = tuple(amounts(page.text, style, *span))
                    every, bare = (
                        frozenset((*words(text), *words(section)))
                        for text in (page.of(span), _without(page.of(span), found, span.begin))
                    )
                    yield _Sentence(page, span, section, every, bare, found)


def _without(text: str, found: Sequence[Amount], begin: int) -> str:
    """A text without its amounts: the hours of `within 48 hours` tell nothing of weekly hours."""
    for one in reversed(found):
        text = f"{text[: one.begin - begin]} {text[one.end - begin :]}"
    return text


def _best_sentence(one: Wanted, said: Sequence[_Sentence], known: Vocabulary, style: Style) -> Iterator[Value]:
    asked = [set(words(phrase)) for phrase in one.phrases]
    described = set(words(one.description))
    scored: list[tuple[float, _Sentence, Scalar, str]] = []
    for sentence in said:
        score = max(_likeness(words, sentence.bare, known) for words in asked)
        score = max(score, _likeness(described, sentence.words, known))
        if one.type == "choice":
            value, unit, named = _choice_of(one, sentence)
            score = max(score, _PROSE) if named else score
        else:
            value, unit = _amount_of(one, sentence, asked, described, known)
        if value is not None and score >= _PROSE:
            scored.append((score, sentence, value, unit))
    if scored:
        best, sentence, value, unit = max(scored, key=lambda candidate: candidate[0])
        if all(other == value or score <= best - _MARGIN for score, _, other, _ in scored):
            yield Value(one.name, value, unit or one.unit, sentence.page.number, sentence.span, best)


def _said_to_be(one: Wanted, said: Sequence[_Sentence]) -> Iterator[Value]:
    """A property that a clause with its name says is so, or is not; none where two clauses disagree."""
    phrases = [set(words(phrase)) for phrase in one.phrases]
    found = [
        (so, sentence)
        for sentence in said
        for part in re.split(";", sentence.page.of(sentence.span))
        if any(phrase <= {*words(part)} for phrase in phrases) and (so := polarity(part)) is not None
    ]
    if found and len({so for so, _ in found}) == 1:
        so, sentence = found[0]
        yield Value(one.name, so, "", sentence.page.number, sentence.span, _PROSE)


def _amount_of(
    one: Wanted, sentence: _Sentence, asked: Sequence[set[str]], described: set[str], known: Vocabulary
) -> tuple[Scalar | None, str]:
    """The amount that fits; of several that of the clause with most words of the field, the first of those that have
    as many."""
    fitting = [
        (amount, value) for amount in sentence.amounts
        if (one.type != "money" or amount.kind == "money") and (value := amount_value(one, amount)) is not None
    ]  # fmt: skip
    text, begin = sentence.page.text, sentence.span.begin
    named = asked if not described else [*asked, described]
    fitting = [one for one in fitting if not _is_of_another_clause(one[0], sentence, named)]
    if not fitting:
        return None, ""
    shares = []
    for at, (amount, _) in enumerate(fitting):
        stop = fitting[at + 1][0].begin if at + 1 < len(fitting) else sentence.span.end
        end = _end_of_clause(text, amount.end, stop)
        clause = frozenset(words(text[begin:end]))
        shares.append(max(_likeness(phrase, clause, known) for phrase in asked) + _likeness(described, clause, known))
        begin = end
    amount, value = fitting[shares.index(max(shares))]
    return value, amount.unit if amount.kind == "money" else one.unit


_CLAUSES = re.compile(r";|,\s+(?:and|but)\b")


def clause_of(text: str, amount: Amount) -> str:
    """The part of a sentence that an amount stands in."""
    begin = max((one.end() for one in _EDGES.finditer(text, 0, amount.begin)), default=0)
    edge = _EDGES.search(text, amount.end)
    return text[begin : edge.start() if edge else len(text)]


_EDGES = re.compile(rf"[.!?]\s|\n\s*\n|{_CLAUSES.pattern}")


def _is_of_another_clause(amount: Amount, sentence: _Sentence, named: Sequence[set[str]]) -> bool:
    """Whether the words of a field stand in another clause than an amount: `The hire lasts five years, and at its end
    the hirer may buy her for EUR 1,900,000.`"""
    text = sentence.page.of(sentence.span)
    edges = [0, *(one.start() for one in _CLAUSES.finditer(text)), len(text)]
    clauses = [text[begin:end] for begin, end in pairwise(edges)]
    own = bisect_right(edges, amount.begin - sentence.span.begin) - 1
    having = [any(phrase & {*words(clause)} for phrase in named) for clause in clauses]
    return any(having) and not having[min(own, len(having) - 1)]


def _end_of_clause(text: str, begin: int, end: int) -> int:
    found = re.compile(r"[,;:]|\band\b").search(text, begin, end)
    return found.start() if found else end


def _choice_of(one: Wanted, sentence: _Sentence) -> tuple[Scalar | None, str, bool]:
    """The value that a sentence has; and whether it is said in several words, which hardly mean anything else."""
    text = " ".join(sentence.page.of(sentence.span).split())
    value = choice_in(one, text)
    spellings = one.choices.get(value, ()) if value else ()
    return value, "", any(" " in each and each.lower() in text.lower() for each in spellings)


def _likeness(asked: set[str], said: frozenset[str], known: Vocabulary) -> float:
    """How much of what is asked is said, by weight; several words that are there say more than a single one."""
    found = asked & said
    share = sum(map(known.weight, found)) / (sum(map(known.weight, asked)) or 1.0)
    return share * (0.7 + 0.1 * min(3, len(found)))


_NAME = r"(?P<value>[^\W\d_a-z][\w&.'’-]*(?:\s+(?:(?:&|and|of|de|du|van|von)\s+)?[^\W\d_a-z][\w&.'’-]*){0,6})"


def in_roles(one: Wanted, pages: Sequence[Page]) -> Iterator[Value]:
    """`Tomasz Wilk, the lessee`, `Northwind Ltd (the "Supplier")`, `R. Keane, chartered surveyor`: who is called what
    the field is called. None where two are, unless the field is a list."""
    roles = "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in one.phrases)
    form = re.compile(
        rf"{_NAME}\s*(?:,\s*|\()(?:(?i:hereinafter|hereafter|called|the|as|an?)\s+){{0,3}}[\"“'‘(]*"
        rf"(?:[a-z]+\s+)?(?i:{roles})(?![\w-])"
    )
    found = {
        " ".join(match["value"].split()): (page, match)
        for page in pages for match in reversed([*form.finditer(page.text)])
    }  # fmt: skip
    if len(found) == 1 or one.is_list:
        for name, (page, match) in found.items():
            yield Value(one.name, name, "", page.number, Span(*match.span()), _PROSE)
