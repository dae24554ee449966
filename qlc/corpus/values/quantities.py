"""Amounts in a text with their places: dates, money, numbers with a unit, plain numbers."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Literal, TypeAlias

from .dates import DateStyle, date_style, dates
from .numbers import NUMBER, NUMBER_IN_WORDS, NumberStyle, is_doubtful, number_style, parse_number, parse_words
from .units import UNIT, WORKING_DAYS, unit_of

Kind: TypeAlias = Literal["date", "money", "measure", "number"]

_CODES = "EUR|USD|GBP|CHF|CAD|AUD|NZD|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|BRL|MXN|ZAR|SGD|HKD|KRW|TRY|ILS|AED"
_SIGNS = {
    "€": "EUR", "£": "GBP", "US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "$": "USD", "¥": "JPY", "₹": "INR",
    "zł": "PLN",
    "Euro": "EUR", "euro": "EUR", "euros": "EUR", "dollars": "USD", "Fr.": "CHF", "Rs.": "INR", "Rs": "INR",
}  # fmt: skip
_CURRENCY = (
    rf"(?:(?<![A-Za-z])(?:{_CODES})(?![A-Za-z])|{'|'.join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))})"
)
_TIMES = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "mio": 6, "million": 6, "bn": 9, "billion": 9}
_SCALE = r"(?:thousand|million|billion|[Mm]io\.?|mn|bn|[kKmM](?![A-Za-z]))"

_MONEY_BEFORE = re.compile(rf"((?<![\w-])[-\u2212])?({_CURRENCY})\s?({NUMBER}(?!\d))(?:\s?({_SCALE}))?(?![\w])")
_MONEY_AFTER = re.compile(rf"(?<![\w.,'’])({NUMBER})(?:\s?({_SCALE}))?\s?({_CURRENCY})(?![A-Za-z])")
_IN_WORDS = re.compile(rf"(?<!\w)(?i:({NUMBER_IN_WORDS}))(?:\s*\(({NUMBER})\))?(?:[\s-]+|\s*\(?)({UNIT})", 0)
_MEASURE = re.compile(rf"(?<![\w.,/'’])({NUMBER})(?:[\s-]?|-)({UNIT})")
_A = re.compile(
    r"\b(?:an?|one)\s+(day|week|month|year|fortnight)"
    r"(?=(?:['’]s)?\s+(?:notice|warning|before|beforehand|ahead|in advance))",
    re.IGNORECASE,
)
_SCALED = re.compile(rf"(?<![\w.,/'’-])({NUMBER})\s(thousand|million|billion)\b", re.IGNORECASE)
_NUMBER = re.compile(rf"(?<![\w.,/'’-])({NUMBER})(?![\w/]|[.,]\d|-\w)")


@dataclass(frozen=True, slots=True)
class Style:
    """The formats of amounts in a document."""

    numbers: NumberStyle = field(default_factory=NumberStyle)
    dates: DateStyle = field(default_factory=DateStyle)


def currency_of(text: str) -> str:
    """Return the code of a currency; empty for other texts."""
    return text if re.fullmatch(_CODES, text) else _SIGNS.get(text, "")


_UNIT_OF_HEAD = re.compile(
    r"(?:[(\[]([^()\[\]]{1,12})[)\]]|(?:,\s*|\bin\s+)([^,\s]{1,8})|(?:\s|^)([A-Z]{3}|[^\W\d_]{4,7}))\s*$"
)


def unit_of_label(label: str) -> str:
    """Return the unit in a label: `Weight (kg)`, `Power in kW`, `Total EUR`, `Working hours`; empty if it has none."""
    found = _UNIT_OF_HEAD.search(label)
    unit = (found[1] or found[2] or found[3]).strip() if found else ""
    return currency_of(unit) or (unit if unit_of(unit) else "")


def unit_said(label: str) -> str:
    """Return the unit that a label mentions: `Kelvin`, `Lux at 5 m`, `Wattage`; empty if it mentions none."""
    said = (_SAID_AS.get(word, word) for word in re.findall(r"[^\W\d_]{3,}", label.lower()))
    return next((unit for word in said if (unit := unit_of(word))), "")


_SAID_AS = {"wattage": "watt"}


_SAID = {
    "EUR": "euros?", "USD": "(?:US )?dollars?", "GBP": "(?:British )?pounds?(?: sterling)?",
    "CHF": "(?:Swiss )?francs?", "SEK": "Swedish (?:kronor|krona|crowns?)", "NOK": "Norwegian (?:kroner|krone|crowns?)",
    "DKK": "Danish (?:kroner|krone|crowns?)", "JPY": "yen", "PLN": "zlotys?", "CZK": "Czech (?:koruna|crowns?)",
    "INR": "rupees?", "CNY": "yuan", "KRW": "won",
}  # fmt: skip


def currency_said(text: str) -> tuple[str, str] | None:
    """Return the currency code in a text, by code or name, and the matched words."""
    if found := re.search(rf"\b(?:{_CODES})\b", text):
        return found[0], found[0]
    for code, form in _SAID.items():
        if found := re.search(rf"\b{form}\b", text, re.IGNORECASE):
            return code, found[0]
    return None


def style_of(texts: Iterable[str]) -> Style:
    """Find the style by unambiguous amounts."""
    held = list(texts)
    return Style(number_style(held), date_style(held))


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount and its place."""

    kind: Kind
    begin: int
    end: int
    number: Decimal = Decimal(0)
    unit: str = ""
    """A unit in canonical spelling, or a currency code."""
    date: date | None = None


def amounts(text: str, style: Style, begin: int = 0, end: int | None = None) -> list[Amount]:
    """Return the amounts in a part of a text, in order; of overlapping ones, the most specific."""
    if end is None and not begin and len(text) <= _MOST_KEPT:
        return [*_kept(text, style)]
    return _amounts(text, style, begin, len(text) if end is None else end)


_MOST_KEPT = 300
"""Most characters of a text whose amounts are cached: labels, values and cells are read several times."""


@lru_cache(maxsize=4_096)
def _kept(text: str, style: Style) -> list[Amount]:
    return _amounts(text, style, 0, len(text))


_TOO_LARGE = Decimal(10) ** 100
"""Numbers from here on are not amounts; an index cannot hold the largest of them."""


def _amounts(text: str, style: Style, begin: int, stop: int) -> list[Amount]:
    taken: list[Amount] = []  # by where they begin; no two overlap
    for found in _candidates(text, style, begin, stop):
        if found.kind != "date" and not style.numbers.is_sure and _is_doubtful(text, found, style):
            continue
        at = bisect_right(taken, found.begin, key=lambda one: one.begin)
        is_after = at == 0 or taken[at - 1].end <= found.begin
        if is_after and (at == len(taken) or found.end <= taken[at].begin):
            taken.insert(at, found)
    return [one for one in taken if abs(one.number) < _TOO_LARGE]


_OLD = re.compile(
    r"\b(?:between|in place of|instead of|replac(?:es|ing)|formerly|previously|no longer|hitherto)\s+$", re.IGNORECASE
)
_BECOMES = re.compile(
    r"\s*(?:becomes|rises to|changes to|increases to|goes up to"
    r"|(?:is |are )?(?:raised|increased|changed|lowered|reduced|extended) to|is replaced by|is now)\s+(?:a sum of )?$",
    re.IGNORECASE,
)
_FIRST = re.compile(r"(?:first|second|third|last)\b", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)


def standing(text: str, found: Iterable[Amount]) -> list[Amount]:
    """Remove amounts that no longer apply, `in place of 5 EUR`, `rises from 5 EUR to 6 EUR`, and numbers that measure
    nothing, `between two working days`."""
    held = list(found)
    return [
        one
        for at, one in enumerate(held)
        if not _OLD.search(text[max(one.begin - 30, 0) : one.begin])
        and not _FIRST.match(text, one.begin)
        and not (at + 1 < len(held) and _BECOMES.match(text[one.end : held[at + 1].begin]))
        and not (
            one.kind != "date"
            and at + 1 < len(held)
            and _FROM.search(text[max(one.begin - 8, 0) : one.begin])
            and re.fullmatch(r"\s+to\s+", text[one.end : held[at + 1].begin])
        )
    ]


def unit_as_said(value: object, unit: str, quote: str) -> str:
    """Return the unit of a value stored in days: `working days` if its quote says so."""
    said = {one.unit for one in amounts(quote, Style()) if one.number == value and one.unit in ("d", *WORKING_DAYS)}
    return said.pop() if unit_of(unit) == "d" and len(said) == 1 and not said <= {"d"} else unit


_DIGIT = re.compile(r"\d")


def _candidates(text: str, style: Style, begin: int, end: int) -> Iterator[Amount]:
    if not any(form.search(text, begin, end) for form in (_DIGIT, _IN_WORDS, _A)):
        return
    for day in dates(text, style.dates, begin, end):
        yield Amount("date", day.begin, day.end, date=day.value)
    for found in _MONEY_BEFORE.finditer(text, begin, end):
        money = _money(found.span(), found[3], found[4], found[2], style)
        yield replace(money, number=-money.number) if found[1] else money
    for found in _MONEY_AFTER.finditer(text, begin, end):
        yield _money(found.span(), found[1], found[2], found[3], style)
    for found in _SCALED.finditer(text, begin, end):
        yield Amount("number", *found.span(), parse_number(found[1], style.numbers).scaleb(_TIMES[found[2].lower()]))
    for found in _IN_WORDS.finditer(text, begin, end):
        number = parse_number(found[2], style.numbers) if found[2] else Decimal(parse_words(found[1]).value)
        yield Amount("measure", *found.span(), number, unit_of(found[3]) or "")
    for found in _A.finditer(text, begin, end):
        count, unit = (2, "week") if found[1].lower() == "fortnight" else (1, found[1])
        yield Amount("measure", *found.span(), Decimal(count), unit_of(unit) or "")
    for found in _MEASURE.finditer(text, begin, end):
        if not _is_preposition(text, found.end(2), found[2], end):
            yield Amount("measure", *found.span(), parse_number(found[1], style.numbers), unit_of(found[2]) or "")
    for found in _NUMBER.finditer(text, begin, end):
        yield Amount("number", *found.span(1), parse_number(found[1], style.numbers))


def _is_doubtful(text: str, one: Amount, style: Style) -> bool:
    return any(is_doubtful(found[0], style.numbers) for found in re.finditer(NUMBER, text[one.begin : one.end]))


def _is_preposition(text: str, at: int, unit: str, end: int) -> bool:
    """Whether a unit is an ordinary word here: `14 in total`."""
    return unit in ("in", "at", "a") and re.match(r"\s+[a-z]", text[at:end]) is not None


def _money(span: tuple[int, int], number: str, scale: str | None, currency: str, style: Style) -> Amount:
    power = _TIMES[scale.lower().rstrip(".")] if scale else 0
    value = parse_number(number, style.numbers).scaleb(power)
    return Amount("money", *span, value, _SIGNS.get(currency, currency))


CURRENCY = _CURRENCY
"""A currency, as a regular expression without groups."""
