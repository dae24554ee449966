"""Whether a sentence turns around what a quote says: a clause is negated there and not here, a bound is another one.

Each clause of a sentence is compared with the clause of the quotes that speaks of the same, each amount with the
same amount.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from qlc.base.words.sentences import ends_in
from qlc.corpus.pages import Span
from qlc.corpus.sentences import sentences
from qlc.language.quantities import Quantity, Style, quantities

from .terms import share, terms

# --- bounds ----------------------------------------------------------------------------------------------------------

Side: TypeAlias = int
"""Whether an amount is the most (-1) or the least (1), or neither."""


@dataclass(frozen=True, slots=True)
class Bounded:
    """How an amount stands in a text. `is_strict`: it is said to be a bound (`at most`), not only a time (`within`)."""

    side: Side = 0
    is_strict: bool = False
    than: str = ""
    """Direction of counting, if the amount is counted from something: `24 hours before`, `30 days after`."""


_UP = "more|greater|higher|larger|longer|later|older|bigger|wider|heavier|better"
_DOWN = "less|fewer|lower|smaller|shorter|earlier|sooner|younger|lighter|narrower"
_BETWEEN = r"(?:\W+(?:an?|the|of|about|some|approx|approximately|around|roughly|ca|by|period|total|amount))*\W*$"
_LEFT: tuple[tuple[Side, bool, re.Pattern[str]], ...] = tuple(
    (side, is_strict, re.compile(rf"(?:{form}){_BETWEEN}", re.IGNORECASE))
    for side, is_strict, form in (
        (1, True, rf"\bat least|\bminimum of|(?:\b(?:{_UP})\b[\w\s]{{0,20}}?\bthan)|\b(?:over|above|beyond)|[≥>]=?"),
        (1, True, r"\bexceed(?:s|ed|ing)?"),
        (-1, True, (rf"\bat most|\bup to|\bmaximum of|(?:\b(?:{_DOWN})\b[\w\s]{{0,20}}?\bthan)|\b(?:under|below)"
                    r"|[≤<]=?")),
        (-1, True, r"\b(?:limited|capped) (?:to|at)"),
        (1, False, r"\b(?:after|from|since|starting(?: on)?)"),
        (-1, False, r"\b(?:within|before)"),
    )
)
_UNTIL = re.compile(rf"\b(?:by|until|till){_BETWEEN}", re.IGNORECASE)
_RIGHT: tuple[tuple[Side, re.Pattern[str]], ...] = tuple(
    (side, re.compile(rf"\W{{1,2}}(?:{form})\b", re.IGNORECASE))
    for side, form in (
        (1, rf"(?:or|and) (?:{_UP}|above|over|up)|at least|minimum|min"),
        (-1, rf"(?:or|and) (?:{_DOWN}|below|under)|at most|maximum|max"),
    )
)  # fmt: skip
_NAMED: tuple[tuple[Side, re.Pattern[str]], ...] = (
    (-1, re.compile(r"\b(?:cap|capped|limits?|limited|ceiling|max|maximum|highest|most)\b", re.IGNORECASE)),
    (1, re.compile(r"\b(?:min|minimum|lowest|least|floor)\b", re.IGNORECASE)),
)
_NEGATOR = r"(?:not|no|never|neither|nor|none|cannot|nobody|nothing)\b|n['’]t\b"
_TURNED = re.compile(rf"(?:{_NEGATOR})(?:\W+\w+){{0,8}}?\W*$", re.IGNORECASE)


_COUNTED = re.compile(
    r"\W+(?:(?:calendar|working|business) days\W+)?(before|prior to|ahead of|after|following|from)\b", re.I
)
_AHEAD = frozenset({"before", "prior to", "ahead of"})


def bounded(text: str, one: Quantity) -> Bounded:
    """Return how an amount is bounded in its clause."""
    found = _COUNTED.match(text[one.end : one.end + 40])
    than = "" if found is None else "before" if found[1].lower() in _AHEAD else "after"
    return replace(_side(text, one), than=than)


_END = re.compile(r"[;.!?]\s|\n")


def _side(text: str, one: Quantity) -> Bounded:
    begin = max((found.end() for found in ends_in(_END, text[: one.start])), default=0)
    left, right = text[begin : one.start], text[one.end : one.end + 30]
    for side, form in _RIGHT:
        if form.match(right):
            return Bounded(side, is_strict=True)
    for side, is_strict, form in _LEFT:
        if found := form.search(left):
            is_turned = is_strict and _TURNED.search(left[: found.start()]) is not None
            return Bounded(-side if is_turned else side, is_strict)
    if one.kind == "date" and _UNTIL.search(left):
        return Bounded(-1)
    named: set[Side] = {side for side, form in _NAMED if form.search(left)}
    return Bounded(named.pop()) if len(named) == 1 else Bounded()


def is_other_bound(said: Bounded, quoted: Sequence[Bounded]) -> bool:
    """Return whether a sentence states a bound, or a direction of counting, that no quoted place has.

    "at most 30 days" against a quoted "30 days" is one. "30 days" against a quoted "within 30 days" is not: a bound may
    be repeated as a plain amount.
    """
    counted = {one.than for one in quoted}
    if said.than and counted and not counted & {said.than, ""}:
        return True
    if not said.side or not quoted:
        return False
    sides = {one.side for one in quoted}
    return said.side not in sides and (said.is_strict or 0 not in sides)


# --- negations -------------------------------------------------------------------------------------------------------

_VERB = (
    r"(?:is|are|was|were|be|may|might|must|shall|should|can|cannot|could|will|would|has|have|had|do|does|did|needs?)"
)
_CLAUSE = re.compile(
    rf"[;:]\s|[,\s]\s*\b(?:but|while|whereas|unless|except(?: that)?|however|although|provided that)\b|,?\s+\band\b"
    rf"(?=(?:\s+(?!and\b)[\w'’-]+){{0,2}}?\s+(?:{_VERB}|not|never|no)\b|\s+(?:the|it|they|this|an?)\s)"
    rf"|,(?=(?:\s+[\w'’-]+){{1,5}}?\s+{_VERB}\b)|,(?=\s+(?:{_VERB}\s+)?(?:not|never)\b)",
    re.IGNORECASE,
)
_NUMBER_SIGN = re.compile(r"\bno(?:s)?\.(?=:|\s*[\w#])|\bno(?=:|\s+(?-i:[A-Z]*[-/]?)\d)", re.IGNORECASE)
"""`no.` that is short for number: `Invoice no. 12`, `Serial no.: VC-012`."""
_ANSWER = re.compile(r"^\W*(?:yes|no)\b(?=[,.:;!])", re.IGNORECASE)
_OF_BOUND = re.compile(
    rf"(?:{_NEGATOR})(?:\W+\w+){{0,8}}?\W+(?:(?:{_UP}|{_DOWN})\b[\w\s]{{0,20}}?\bthan|exceed(?:s|ed|ing)?)\b(?=[^;.]*[\d]|"
    rf"\W+\w+)|\bnot only\b|\b(?:at the )?least\b",
    re.IGNORECASE,
)
"""A negation of a comparison is a bound: `not less than two months`, `neither owes more than`."""
_NEGATIONS = re.compile(
    rf"\b(?!nor\b){_NEGATOR}|\b(?:prohibited|forbidden|excluded|impossible|lacks?|lacking)\b", re.IGNORECASE
)
_WITHOUT = re.compile(r"\b(?:without|free (?:of|from)|no|not|none|nor)\b", re.IGNORECASE)
_ALIKE = 0.5
"""The share of a clause's words from which a clause of a quote speaks of the same."""


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence with its own verb.

    words: the stems and amounts of all of it. denied: of the part after its `not`, `never` or `no`.
    """

    words: frozenset[str]
    is_negated: bool
    denied: frozenset[str] = frozenset()


def clauses(text: str) -> Iterator[Clause]:
    plain = _NUMBER_SIGN.sub("number ", text)
    for span in sentences(plain, Span(0, len(plain))):
        for part in _CLAUSE.split(plain[span.begin : span.end]):
            if part.strip():
                after = _NEGATIONS.search(part)
                denied = _words(part[after.end() :]) if after is not None else frozenset[str]()
                yield Clause(_words(part), is_negated(part), denied)


def is_negated(text: str) -> bool:
    """Whether a clause is negated; a double negation is not one."""
    return len(_NEGATIONS.findall(_OF_BOUND.sub(" ", _ANSWER.sub("", _NUMBER_SIGN.sub("", text))))) % 2 == 1


def _words(text: str) -> frozenset[str]:
    said = {one.stem for one in terms(text) if not _NEGATIONS.fullmatch(one.raw)}
    return frozenset(said | {f"{one.number} {one.unit} {one.date}" for one in quantities(text, Style())})


def turned_around(text: str, quotes: Sequence[str]) -> Iterator[str]:
    """Yield a problem if a clause is negated and the nearest quoted clause is not, or the other way round."""
    every = [clause for one in quotes for clause in clauses(one)]
    items = [part for one in quotes if "," in one for at in one.split(",") for part in clauses(at)]
    heads = frozenset(word for one in every if not one.is_negated for word in one.words)
    rows_with_no = [_words(line) for one in quotes for line in one.split("\n") if _CELL_NO.search(line)]
    for said in clauses(text):
        if said.is_negated and said.denied & heads and any(said.words & row for row in rows_with_no):
            continue  # the row of a table has `no` below `Limit kept`
        # A denial is compared with the clauses that have its verb: "fridge EQ-30 does not comply" with "the appliance
        # does not comply", and not with the quote of its name.
        quoted = [one for one in every if said.is_negated and said.denied & one.words] or every
        alike = [share(said.words, one.words) for one in quoted]
        best = max(alike, default=0.0)
        nearest = [one for one, near in zip(quoted, alike, strict=True) if near == best]
        is_turned = any(one.is_negated for one in nearest) != said.is_negated
        if is_turned and any(not one.is_negated and share(said.words, one.words) == best for one in items):
            is_turned = said.is_negated  # what is said stands beside the denial: `not measured, new date 3 March`
        if is_turned and (said.is_negated or best >= _ALIKE):
            yield _TURNED_AROUND
    if re.search(r"\bwithout\b", text, re.IGNORECASE) and not any(_WITHOUT.search(one) for one in quotes):
        yield "'without' is not in its quotes"


_CELL_NO = re.compile(r"\sno\s*$", re.IGNORECASE)
_TURNED_AROUND = "one of sentence and quotes is negated, and the other is not"
