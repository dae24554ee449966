"""Read comparisons of quantities and periods: `at least 50 V`, `between 5 and 10 EUR`, `since 2023`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import pairwise
from typing import Literal, TypeAlias

from .dates import day_of
from .periods import Period, periods
from .quantities import Quantity, Style, named_currency, quantities
from .reporting_periods import reporting_periods

Operator: TypeAlias = Literal["=", "!=", ">", ">=", "<", "<="]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A quantity or a period (as the query language writes it), with its comparison and its place."""

    operator: Operator
    quantity: Quantity
    text: str
    start: int
    end: int
    period: str = ""


MORE = "more|above|over|up|greater|higher|bigger|longer|larger|later|wider|taller|heavier|older|better|deeper|faster"
LESS = "less|below|under|fewer|lower|smaller|shorter|sooner|earlier|narrower|lighter|cheaper|younger|slower"
_WORDS: tuple[tuple[Operator, str], ...] = (
    (">=", rf"at least|(?:no|not) (?:{LESS}) than|minimum of|since|>=|≥|and up|(?:or|and) (?:{MORE})"),
    ("<=", rf"at most|(?:no|not) (?:{MORE}) than|maximum of|up to|within|<=|≤|(?:or|and) (?:{LESS})"),
    (">", rf"(?:{MORE})(?:\s+[\w-]+){{0,3}}?\s+than|over|above|exceeding|beyond|after|>"),
    ("<", rf"(?:{LESS})(?:\s+[\w-]+){{0,3}}?\s+than|under|below|before|<"),
)
_BEFORE = tuple((sign, re.compile(rf"(?:{form})\s*$", re.IGNORECASE)) for sign, form in _WORDS)
_OR_AND = r"(?:['’]?\s+(?!(?:or|and)\b)[\w-]+)?\s*(?:or|and)\b"
_AFTER = tuple(
    (sign, re.compile(rf"(?={_OR_AND})(?:['’]?\s+(?!(?:or|and)\b)[\w-]+)?\s*(?:{form})\b", re.IGNORECASE))
    for sign, form in _WORDS
)
MORE_THAN = re.compile(rf"\b(?:{MORE}|{LESS})(?=(?:\s+[\w-]+){{1,3}}?\s+than\s+\d)", re.IGNORECASE)
"""The first word of `more lead than 10`."""
_RANGE = re.compile(r"\b(?:between|from)\s*$", re.IGNORECASE)
_RANGE_LINK = re.compile(r"\s*(?:and|to|-|–)\s*", re.IGNORECASE)
_YEAR = re.compile(r"\b(?:19\d\d|20[0-4]\d)\b")


_FORM = re.compile(r"\d{1,2}-[KQF](?:/A)?(?![\w/])")
"""The name of a form, and not a temperature: `10-K`."""


def comparisons(text: str) -> Iterator[Comparison]:
    """Yield the quantities of a text with their comparisons; a range gives two of them.

    A plain number without a comparison is skipped, as part of a name (`ISO 27001`), but for years.
    """
    found = [in_currency(one, text) for one in quantities(text, Style()) if not _FORM.match(text, one.start)]
    in_range: set[int] = set()
    for one, other in pairwise(found):
        opened, link = _RANGE.search(text, 0, one.start), _RANGE_LINK.fullmatch(text, one.end, other.start)
        shares_unit = one.kind == "number" and other.kind in ("measure", "money")  # `5 to 10 EUR`
        if link and (opened or (shares_unit and link[0].strip() != "and")):
            one = replace(one, kind=other.kind, unit=other.unit) if shares_unit else one
            start = opened.start() if opened else one.start
            whole = text[start : other.end]
            yield Comparison(">=", one, whole, start, other.start)
            yield Comparison("<=", other, whole, other.start, other.end)
            in_range |= {one.start, other.start}
    for quantity in found:
        if quantity.start in in_range:
            continue
        operator, start = _operator_before(quantity.start, text)
        if operator and MORE_THAN.match(text, start):
            start = text.rindex("than", 0, quantity.start)
        end = quantity.end
        for sign, form in _AFTER:
            if operator in ("", sign) and (after := form.match(text, quantity.end)):
                operator, end = sign, after.end()
        is_named = not is_year(quantity) or re.search(r"\s[A-Z][\w-]*\s+$", text[: quantity.start])
        if operator or quantity.kind != "number" or not is_named:
            yield Comparison(operator or "=", quantity, text[start:end], start, end)


def _operator_before(start: int, text: str) -> tuple[Operator | Literal[""], int]:
    """Return the comparison right before a place, and where it begins."""
    found = ((sign, said.start()) for sign, form in _BEFORE if (said := form.search(text, 0, start)))
    return next(found, ("", start))


def in_currency(one: Quantity, text: str) -> Quantity:
    """Return a number before the name of a currency as money: `5,000 Swiss francs`."""
    after = re.compile(r"\s?(?:\w+\s){0,1}\w+").match(text, one.end)
    named = named_currency(after[0]) if after and one.kind == "number" else None
    if named is None or not after or not after[0].lstrip().startswith(named[1]):
        return one
    end = one.end + after[0].index(named[1]) + len(named[1])
    return replace(one, kind="money", unit=named[0], end=end)


def is_year(quantity: Quantity, text: str = "") -> bool:
    """Return whether a plain number is a year: of four digits, from 1900 to 2049.

    In the text of a comparison `2,000` is none, nor is `over 2000`; `after 2000` is one.
    """
    is_plain = quantity.kind == "number" and _OF_SIZE.search(text) is None
    return is_plain and _YEAR.fullmatch(str(quantity.number)) is not None


_OF_SIZE = re.compile(
    r"\d,\d{3}|\b(?:over|above|under|below|exceeding|(?:more|less|fewer|greater|higher|lower|larger|bigger|smaller|cheaper)"
    r" than|at least|at most|up to)\b",
    re.IGNORECASE,
)


def fiscal_years(text: str) -> Iterator[Comparison]:
    """Yield the reporting years of a text: `FY 2022`, `fiscal 2022`, `the year ended December 31, 2022`."""
    for one in reporting_periods(text):
        if one.year and one.months == 12:
            whole, quantity = text[one.start : one.end], Quantity("number", one.start, one.end, Decimal(one.year))
            if one.day:
                quantity = replace(quantity, kind="date", date=day_of(one.year, one.month, one.day))
            yield Comparison("=", quantity, whole, one.start, one.end)


def period_comparisons(text: str) -> Iterator[Comparison]:
    """Yield the periods of a text with their comparisons: `since March 2024`, `in H1 2025`."""
    for period in periods(text):
        operator, start = _operator_before(period.start, text)
        whole, quantity = text[start : period.end], Quantity("date", period.start, period.end)
        for sign, part in _ends_of(period, operator or "="):
            yield Comparison(sign, quantity, whole, start, period.end, part)


def _ends_of(period: Period, operator: Operator) -> tuple[tuple[Operator, str], ...]:
    """Return the bounds that a comparison with a period means: `after H1 2024` -> `> 2024-06`."""
    if not period.last:
        return ((operator, period.text),)
    if operator == "=":
        return (">=", period.text), ("<=", period.last)
    return ((operator, period.text if operator in (">=", "<") else period.last),)
