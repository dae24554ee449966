"""Read quantities: dates, money, numbers with a unit and plain numbers, each with its place in the text.

`pays EUR 1.2 million within thirty (30) days` -> money 1200000 EUR, measure 30 d.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from itertools import zip_longest
from typing import Literal, TypeAlias

from .dates import DateStyle, date_style, dates
from .numbers import (
    NUMBER,
    NUMBER_IN_WORDS,
    SCALES,
    NumberStyle,
    is_doubtful,
    number_style,
    parse_number,
    parse_words,
)
from .units import UNIT, WORKING_DAYS, unit_of

Kind: TypeAlias = Literal["date", "money", "measure", "number"]


@dataclass(frozen=True, slots=True)
class Style:
    """How a document writes numbers and dates."""

    numbers: NumberStyle = field(default_factory=NumberStyle)
    dates: DateStyle = field(default_factory=DateStyle)


def style_of(texts: Iterable[str]) -> Style:
    """Return the style of a document, decided by what has one reading only."""
    held = list(texts)
    return Style(number_style(held), date_style(held))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity, with its place."""

    kind: Kind
    start: int
    end: int
    number: Decimal = Decimal(0)
    unit: str = ""
    """A unit in its canonical spelling, or the code of a currency."""
    date: date | None = None


# --- currencies ------------------------------------------------------------------------------------------------------

_CODES = "EUR|USD|GBP|CHF|CAD|AUD|NZD|JPY|CNY|SEK|NOK|DKK|PLN|CZK|HUF|RON|INR|BRL|MXN|ZAR|SGD|HKD|KRW|TRY|ILS|AED"
_SIGNS = {
    "€": "EUR", "£": "GBP", "US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD", "$": "USD", "¥": "JPY", "₹": "INR",
    "zł": "PLN", "Euro": "EUR", "euro": "EUR", "euros": "EUR", "dollars": "USD", "Fr.": "CHF", "Rs.": "INR",
    "Rs": "INR",
}  # fmt: skip
_NAMES = {
    "EUR": "euros?", "USD": "(?:US )?dollars?", "GBP": "(?:British )?pounds?(?: sterling)?",
    "CHF": "(?:Swiss )?francs?", "SEK": "Swedish (?:kronor|krona|crowns?)", "NOK": "Norwegian (?:kroner|krone|crowns?)",
    "DKK": "Danish (?:kroner|krone|crowns?)", "JPY": "yen", "PLN": "zlotys?", "CZK": "Czech (?:koruna|crowns?)",
    "INR": "rupees?", "CNY": "yuan", "KRW": "won",
}  # fmt: skip
CURRENCY = (
    rf"(?:(?<![A-Za-z])(?:{_CODES})(?![A-Za-z])|{'|'.join(map(re.escape, sorted(_SIGNS, key=len, reverse=True)))})"
)
"""The code or the sign of a currency, as a regular expression without groups."""


def currency_of(text: str) -> str:
    """Return the code of a currency: `€` -> `EUR`; an empty text for anything else."""
    return text if re.fullmatch(_CODES, text) else _SIGNS.get(text, "")


def named_currency(text: str) -> tuple[str, str] | None:
    """Return the first currency that a text names by code or name, and the words: `in Swiss francs` -> CHF."""
    if found := re.search(rf"\b(?:{_CODES})\b", text):
        return found[0], found[0]
    for code, form in _NAMES.items():
        if found := re.search(rf"\b{form}\b", text, re.IGNORECASE):
            return code, found[0]
    return None


# --- units of labels -------------------------------------------------------------------------------------------------

_UNIT_OF_HEAD = re.compile(
    r"(?:[(\[]([^()\[\]]{1,12})[)\]]|(?:,\s*|\bin\s+)([^,\s]{1,8})|(?:\s|^)([A-Z]{3}|[^\W\d_]{4,7}))\s*$"
)


def unit_of_label(label: str) -> str:
    """Return the unit at the end of a label: `Weight (kg)`, `Power in kW`, `Total EUR`; an empty text for none."""
    found = _UNIT_OF_HEAD.search(label)
    unit = (found[1] or found[2] or found[3]).strip() if found else ""
    return currency_of(unit) or (unit if unit_of(unit) else "")


def named_unit(label: str) -> str:
    """Return the first unit among the words of a label: `Lux at 5 m`, `Wattage`; an empty text for none."""
    words = re.findall(r"[^\W\d_]{3,}", label.lower().replace("wattage", "watt"))
    return next((unit for word in words if (unit := unit_of(word))), "")


def unit_as_written(value: object, unit: str, quote: str) -> str:
    """Return the unit of a value that is kept in days: `working days` if its quote counts these."""
    units = {one.unit for one in quantities(quote, Style()) if one.number == value and one.unit in ("d", *WORKING_DAYS)}
    return units.pop() if unit_of(unit) == "d" and len(units) == 1 and not units <= {"d"} else unit


# --- quantities ------------------------------------------------------------------------------------------------------

_SCALE = r"(?:thousand|million|billion|[Mm]io\.?|mn|bn|[kKmM](?![A-Za-z]))"
_MONEY_BEFORE = re.compile(rf"((?<![\w-])[-\u2212])?({CURRENCY})\s?({NUMBER}(?!\d))(?:\s?({_SCALE}))?(?![\w])")
_MONEY_AFTER = re.compile(rf"(?<![\w.,'’])({NUMBER})(?:\s?({_SCALE}))?\s?({CURRENCY})(?![A-Za-z])")
_IN_WORDS = re.compile(rf"(?<!\w)(?i:({NUMBER_IN_WORDS}))(?:\s*\(({NUMBER})\))?(?:[\s-]+|\s*\(?)({UNIT})")
_TO = re.compile(rf"(?<!\w)({NUMBER_IN_WORDS})\s+to\s+$", re.IGNORECASE)
_MEASURE = re.compile(rf"(?<![\w.,/'’])({NUMBER})(?:[\s-]?|-)({UNIT})")
_A = re.compile(
    r"\b(?:an?|one)\s+(day|week|month|year|fortnight)"
    r"(?=(?:['’]s)?\s+(?:notice|warning|before|beforehand|ahead|in advance))",
    re.IGNORECASE,
)
_SCALED = re.compile(rf"(?<![\w.,/'’-])({NUMBER})\s(thousand|million|billion)\b", re.IGNORECASE)
_NUMBER = re.compile(rf"(?<![\w.,/'’-])({NUMBER})(?![\w/]|[.,]\d|-\w)")
_DIGIT = re.compile(r"\d")
_TOO_LARGE = Decimal(10) ** 100
"""A larger number is noise; an index cannot hold it."""
_MOST_KEPT = 300
"""Characters of the longest text whose quantities are cached: labels, values and cells are read several times."""


def quantities(text: str, style: Style, start: int = 0, end: int | None = None) -> list[Quantity]:
    """Return the quantities of a part of a text, in order. Of two that overlap, the more specific kind is kept."""
    if end is None and not start and len(text) <= _MOST_KEPT:
        return [*_cached(text, style)]
    return _quantities(text, style, start, len(text) if end is None else end)


@lru_cache(maxsize=4_096)
def _cached(text: str, style: Style) -> list[Quantity]:
    return _quantities(text, style, 0, len(text))


def _quantities(text: str, style: Style, start: int, stop: int) -> list[Quantity]:
    taken: list[Quantity] = []  # ordered, without overlaps
    for found in _candidates(text, style, start, stop):
        if found.kind != "date" and not style.numbers.is_sure and _is_doubtful(text, found, style):
            continue
        at = bisect_right(taken, found.start, key=lambda one: one.start)
        is_after = at == 0 or taken[at - 1].end <= found.start
        if is_after and (at == len(taken) or found.end <= taken[at].start):
            taken.insert(at, found)
    return [one for one in taken if abs(one.number) < _TOO_LARGE]


def _candidates(text: str, style: Style, start: int, end: int) -> Iterator[Quantity]:
    """Yield everything that looks like a quantity, the most specific kind first."""
    if not any(form.search(text, start, end) for form in (_DIGIT, _IN_WORDS, _A)):
        return
    for day in dates(text, style.dates, start, end):
        yield Quantity("date", day.start, day.end, date=day.value)
    for found in _MONEY_BEFORE.finditer(text, start, end):
        money = _money(found.span(), found[3], found[4], found[2], style)
        yield replace(money, number=-money.number) if found[1] else money
    for found in _MONEY_AFTER.finditer(text, start, end):
        yield _money(found.span(), found[1], found[2], found[3], style)
    for found in _SCALED.finditer(text, start, end):
        number = parse_number(found[1], style.numbers) * SCALES[found[2].lower()]
        yield Quantity("number", *found.span(), number)
    for found in _IN_WORDS.finditer(text, start, end):
        *others, last = parse_words(found[1])
        for one in (one for one in others if not one.is_ordinal):  # `between two and five days`
            yield Quantity("number", found.start() + one.start, found.start() + one.end, Decimal(one.value))
        number = parse_number(found[2], style.numbers) if found[2] else Decimal(last.value)
        yield Quantity("measure", found.start() + last.start, found.end(), number, unit_of(found[3]) or "")
        if other := _TO.search(text, max(start, found.start() - 40), found.start()):  # `from two to five days`
            yield Quantity("number", *other.span(1), Decimal(parse_words(other[1])[-1].value))
    for found in _A.finditer(text, start, end):
        count, unit = (2, "week") if found[1].lower() == "fortnight" else (1, found[1])
        yield Quantity("measure", *found.span(), Decimal(count), unit_of(unit) or "")
    for found in _MEASURE.finditer(text, start, end):
        if not _is_preposition(text, found.end(2), found[2], end):
            yield Quantity("measure", *found.span(), parse_number(found[1], style.numbers), unit_of(found[2]) or "")
    for found in _NUMBER.finditer(text, start, end):
        yield Quantity("number", *found.span(1), parse_number(found[1], style.numbers))


def _is_doubtful(text: str, one: Quantity, style: Style) -> bool:
    return any(is_doubtful(found[0], style.numbers) for found in re.finditer(NUMBER, text[one.start : one.end]))


def _is_preposition(text: str, at: int, unit: str, end: int) -> bool:
    """Return whether `in` or another unit is an English word here: `14 in total`."""
    return unit in ("in", "at", "a") and re.match(r"\s+[a-z]", text[at:end]) is not None


def _money(span: tuple[int, int], number: str, scale: str | None, currency: str, style: Style) -> Quantity:
    factor = SCALES[scale.lower().rstrip(".")] if scale else 1
    return Quantity("money", *span, parse_number(number, style.numbers) * factor, _SIGNS.get(currency, currency))


# --- quantities that hold --------------------------------------------------------------------------------------------

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


def current(text: str, found: Iterable[Quantity]) -> list[Quantity]:
    """Return the quantities without outdated ones and without those that measure nothing.

    `in place of 5 EUR`, `rises from 5 EUR to 6 EUR` -> 6 EUR; `between two working days` -> nothing.
    """
    held = list(found)
    return [
        one
        for one, other in zip_longest(held, held[1:])
        if not _OLD.search(text[max(one.start - 30, 0) : one.start])
        and not _FIRST.match(text, one.start)
        and not (other and _BECOMES.match(text[one.end : other.start]))
        and not (
            one.kind != "date"
            and other
            and _FROM.search(text[max(one.start - 8, 0) : one.start])
            and re.fullmatch(r"\s+to\s+", text[one.end : other.start])
        )
    ]
