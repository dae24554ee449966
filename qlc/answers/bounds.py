"""Amounts and times of a question with their comparisons: `at least 50 V`, `under 60 days`, `since March 2024`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

from qlc.corpus.values.quantities import Amount, Style, amounts, currency_said

from .decomposition import Operator


@dataclass(frozen=True, slots=True)
class Bound:
    """An amount in the question with its comparison: `at least 50 V`, `under 60 days`, `in 2023`."""

    operator: Operator
    amount: Amount
    text: str
    begin: int
    end: int
    period: str = ""
    """A time as the query language writes it: `this year`, `2024-03`."""


Measure: TypeAlias = Literal["min", "max", "avg", "sum", "count", ""]

_UP = "more|above|over|up|greater|higher|bigger|longer|larger|later|wider|taller|heavier|older|better|deeper|faster"
_DOWN = "less|below|under|fewer|lower|smaller|shorter|sooner|earlier|narrower|lighter|cheaper|younger|slower"
_COMPARISONS: tuple[tuple[Operator, str], ...] = (
    (">=", r"at least|(?:no|not) (?:" + _DOWN + ") than|minimum of|since|>=|≥|and up|(?:or|and) (?:" + _UP + ")"),
    ("<=", r"at most|(?:no|not) (?:" + _UP + ") than|maximum of|up to|within|<=|≤|(?:or|and) (?:" + _DOWN + ")"),
    (">", r"(?:" + _UP + r")(?:\s+[\w-]+){0,3}?\s+than|over|above|exceeding|beyond|after|>"),
    ("<", r"(?:" + _DOWN + r")(?:\s+[\w-]+){0,3}?\s+than|under|below|before|<"),
)
MORE = re.compile(rf"\b(?:{_UP}|{_DOWN})(?=(?:\s+[\w-]+){{1,3}}?\s+than\s+\d)", re.IGNORECASE)
"""`more lead than 10`: its first word; the amount has the last."""

_Forms: TypeAlias = tuple[tuple[Operator, re.Pattern[str]], ...]
_BEFORE: _Forms = tuple((sign, re.compile(rf"(?:{form})\s*$", re.IGNORECASE)) for sign, form in _COMPARISONS)
_AFTER: _Forms = tuple(
    (sign, re.compile(rf"(?:['’]?\s+(?!(?:or|and)\b)[\w-]+)?\s*(?:{form})\b", re.I)) for sign, form in _COMPARISONS
)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905
_PERIOD = re.compile(
    rf"\b(?:(?P<moving>(?:this|last|next) (?:year|month|week|quarter))"
    rf"|(?P<month>{'|'.join(_MONTHS)})[a-z]*\.?,? (?P<year>(?:19|20)\d\d))\b",
    re.IGNORECASE,
)
_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 0, "final": 0}
_PART = re.compile(
    rf"\b(?:(?:the )?(?:(?P<nth>{'|'.join(_NTH)}) (?P<part>half|quarter)(?:[- ]year)?|(?P<short>[HQ][1-4]))"
    r"(?: of)?(?: the year)?,?[ /-]?(?P<year>(?:19|20)\d\d)|(?P<before>(?:19|20)\d\d)[ /-]?(?P<after>[HQ][1-4]))\b",
    re.IGNORECASE,
)
"""A half or a quarter of a year: `H1 2024`, `2024-Q3`, `the first half of 2024`."""
_YEAR = re.compile(r"\b(?:19\d\d|20[0-4]\d)\b")


def amount_bounds(text: str) -> Iterator[Bound]:
    found = [in_currency(one, text) for one in amounts(text, Style())]
    between: set[int] = set()
    for one, other in pairwise(found):
        before = re.search(r"\b(?:between|from)\s*$", text[: one.begin], re.IGNORECASE)
        if before and re.fullmatch(r"\s*(?:and|to|-|–)\s*", text[one.end : other.begin], re.IGNORECASE):
            if one.kind == "number" and other.kind in ("measure", "money"):  # the unit stands once
                one = replace(one, kind=other.kind, unit=other.unit)
            yield Bound(">=", one, text[before.start() : other.end], before.start(), other.begin)
            yield Bound("<=", other, text[before.start() : other.end], other.begin, other.end)
            between |= {one.begin, other.begin}
    for amount in (one for one in found if one.begin not in between):
        begin, end = amount.begin, amount.end
        sign: Operator | None = None
        for operator, form in _BEFORE:
            if (said := form.search(text, 0, amount.begin)) and not sign:
                middle = MORE.match(text, said.start())
                sign, begin = operator, text.rindex("than", 0, amount.begin) if middle else said.start()
        for operator, form in _AFTER:
            follows = re.match(r"(?:['’]?\s+(?!(?:or|and)\b)[\w-]+)?\s*(?:or|and)\b", text[amount.end :])
            if follows and (said := form.match(text, amount.end)) and sign in (None, operator):
                sign, end = operator, said.end()
        is_of_name = not _YEAR.fullmatch(str(amount.number)) or re.search(r"\s[A-Z][\w-]*\s+$", text[: amount.begin])
        if not sign and amount.kind == "number" and is_of_name:
            continue  # a part of a name: `ISO 27001`
        yield Bound(sign or "=", amount, text[begin:end], begin, end)


def in_currency(one: Amount, text: str) -> Amount:
    """A number before the name of a currency is money: `5,000 Swiss francs`."""
    after = re.match(r"\s?(?:\w+\s){0,1}\w+", text[one.end :])
    said = currency_said(after[0]) if after and one.kind == "number" else None
    if said is None or not after or not after[0].lstrip().startswith(said[1]):
        return one
    end = one.end + after[0].index(said[1]) + len(said[1])
    return replace(one, kind="money", unit=said[0], end=end)


_BETWEEN_MONTHS = re.compile(
    rf"\b(?:between|from) ({'|'.join(_MONTHS)})[a-z]*(?: ((?:19|20)\d\d))? (?:and|to|until) "
    rf"({'|'.join(_MONTHS)})[a-z]* ((?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def periods(text: str) -> Iterator[Bound]:
    """`this year`, `since March 2024`, `in Q2 2025`, `in H1 2025`, `between June and August 2025`. A month with a day
    before it is a date."""
    for found in _BETWEEN_MONTHS.finditer(text):
        for sign, month, year, place in ((">=", 1, 2, 1), ("<=", 3, 4, 3)):
            begin = found.start() if place == 1 else found.start(3)
            end = found.start(3) if place == 1 else found.end()
            period = f"{found[year] or found[4]}-{_MONTHS.index(found[month].lower()) + 1:02}"
            yield Bound(sign, Amount("date", begin, end), found[0], begin, end, period)  # type: ignore[arg-type]
        text = text[: found.start()] + " " * (found.end() - found.start()) + text[found.end() :]
    for found in _PART.finditer(text):
        yield from _part_of_year(found, text)
        text = text[: found.start()] + " " * (found.end() - found.start()) + text[found.end() :]
    for found in _PERIOD.finditer(text):
        if found["month"]:
            if re.search(r"\d(?:st|nd|rd|th)?(?: day)?(?: of)? $", text[: found.start()]):
                continue
            period = f"{found['year']}-{_MONTHS.index(found['month'].lower()) + 1:02}"
        else:
            period = found["moving"].lower()
        sign, begin = _sign_before(found.start(), text)
        yield Bound(sign, Amount("date", *found.span()), text[begin : found.end()], begin, found.end(), period)


def _sign_before(begin: int, text: str) -> tuple[Operator, int]:
    """The comparison that stands before a time, and where it begins."""
    found = ((sign, said.start()) for sign, form in _BEFORE if (said := form.search(text, 0, begin)))
    return next(found, ("=", begin))


def _part_of_year(found: re.Match[str], text: str) -> Iterator[Bound]:
    """A quarter, which the query language has; a half is from its first month to its last."""
    year, short = found["year"] or found["before"], found["short"] or found["after"]
    in_year = 2 if (short or found["part"]).lower().startswith("h") else 4
    nth = int(short[1]) if short else _NTH[found["nth"].lower()] or in_year
    if nth > in_year:
        return
    sign, begin = _sign_before(found.start(), text)
    said = text[begin : found.end()]
    first, last = (f"{year}-{month:02}" for month in (6 * nth - 5, 6 * nth))
    ends: dict[Operator, str] = {">=": first, "<": first, "<=": last, ">": last}
    one_end: tuple[tuple[Operator, str], ...] = ((sign, f"{year}-Q{nth}" if in_year == 4 else ends.get(sign, "")),)
    for operator, period in one_end if one_end[0][1] else ((">=", first), ("<=", last)):
        yield Bound(operator, Amount("date", *found.span()), said, begin, found.end(), period)


def is_year(bound: Bound) -> bool:
    """Whether a number is a year: of four digits, without a unit."""
    one = bound.amount
    return one.kind == "number" and bool(_YEAR.fullmatch(str(one.number))) and str(one.number) in bound.text


HOW_MANY = re.compile(
    r"\b(?:how many|number of|count)\s+"
    r"((?:(?!(?:of|in|on|by|with|from|for|were|was|are|is|do|does|did|have|has)\b)\w\S*\s*)+)",
    re.IGNORECASE,
)
"""What is counted."""
