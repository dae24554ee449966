"""Read dates: `4 February 2024`, `20-FEB-2024`, `4. Februar 2024`, `2024-02-04`, `04.02.2024`.

`03/04/2024` has two readings. It is a date only where the other dates of its document, or its country, decide which
(`DateStyle`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import NamedTuple

from .alternatives import one_of

_MONTHS = {
    "en": "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sept sep|"
          "october oct|november nov|december dec",
    "de": "januar|februar|märz maerz mrz|april|mai|juni|juli|august|september|oktober okt|november|dezember dez",
    "fr": "janvier janv|février fevrier févr fév|mars|avril avr|mai|juin|juillet juil|août aout|septembre|octobre|"
          "novembre|décembre decembre déc",
    "es": "enero ene|febrero|marzo|abril abr|mayo|junio|julio|agosto ago|septiembre|octubre|noviembre|diciembre dic",
    "it": "gennaio gen|febbraio|marzo|aprile|maggio mag|giugno giu|luglio lug|agosto|settembre set|ottobre ott|"
          "novembre|dicembre",
    "nl": "januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december",
    "pt": "janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro",
}  # fmt: skip
MONTHS = {
    language: {name: number for number, names in enumerate(text.split("|"), 1) for name in names.split()}
    for language, text in _MONTHS.items()
}
"""The names of months in small letters by language, each with its number."""
MONTH = {name: number for names in MONTHS.values() for name, number in names.items()}
"""The names of months in all these languages."""
MONTH_NAMES = one_of(MONTH)
_DAYS = "monday|tuesday tues tue|wednesday wed|thursday thurs thur thu|friday fri|saturday sat|sunday sun"
WEEKDAYS = {name: number for number, names in enumerate(_DAYS.split("|")) for name in names.split()}

_ORDINAL = r"(?:st|nd|rd|th|er|\.|º)?"
_DAY_OF = rf"(?<![\w.])(?P<d>\d{{1,2}}){_ORDINAL}(?:\s+day)?(?:\s+(?:of|de))?[\s-]+"


class FoundDate(NamedTuple):
    """A date, with its place."""

    start: int
    end: int
    value: date


@dataclass(frozen=True, slots=True)
class DateStyle:
    """How a document writes dates in digits alone. None: unknown, so a date with two readings is not read."""

    month_first: bool | None = None


_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?![\d/])")
_MONTH_FIRST = re.compile(r"\b[A-Z]{2} \d{5}(?:-\d{4})?\b")
"""A state and a zip code of the United States, the one large country whose months come first."""
_DAY_FIRST = re.compile(r"[€£₹]|\b(?:EUR|GBP|CHF|INR|AUD|NZD|PLN|SEK|NOK|DKK|BRL|ZAR)\b")


def date_style(texts: Iterable[str]) -> DateStyle:
    """Return the style of a document: by dates with a day above 12, else by its country; None where they disagree."""
    day_first, month_first = set(), set()
    for text in texts:
        for found in _SLASHED.finditer(text):
            day_first |= {"date"} if int(found[1]) > 12 else set()
            month_first |= {"date"} if int(found[2]) > 12 else set()
        day_first |= {"country"} if "country" not in day_first and _DAY_FIRST.search(text) else set()
        month_first |= {"country"} if "country" not in month_first and _MONTH_FIRST.search(text) else set()
    for kind in ("date", "country"):
        if kind in day_first or kind in month_first:
            return DateStyle(None if kind in day_first and kind in month_first else kind in month_first)
    return DateStyle()


@cache
def _forms() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the forms of dates, compiled when the first text is read, each with a sign that all its dates have."""
    return tuple(
        (sign, re.compile(form, re.IGNORECASE))
        for sign, form in (
            ("-", r"(?<![\d.-])(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\d-])"),
            ("/", r"(?<![\d./])(?P<y>\d{4})/(?P<m>\d{1,2})/(?P<d>\d{1,2})(?![\d/])"),
            ("", rf"{_DAY_OF}(?P<name>{MONTH_NAMES})\.?,?(?:\s+de)?[\s-]+(?P<y>\d{{4}})(?!\d)"),
            ("", rf"(?<!\w)(?P<name>{MONTH_NAMES})\.?\s+(?P<d>\d{{1,2}}){_ORDINAL},?\s+(?P<y>\d{{4}})(?!\d)"),
            (".", r"(?<![\d.])(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4}|\d{2})(?![\d.]*\d)"),
            ("/", r"(?<![\d/])(?P<one>\d{1,2})/(?P<other>\d{1,2})/(?P<y>\d{4}|\d{2})(?![\d/])"),
            ("-", r"(?<![\d-])(?P<one>\d{1,2})-(?P<other>\d{1,2})-(?P<y>\d{4})(?![\d-])"),
        )
    )


def dates(text: str, style: DateStyle, start: int = 0, end: int | None = None) -> Iterator[FoundDate]:
    """Yield the dates of a part of a text. A year of two digits is one of 1970 to 2069."""
    stop = len(text) if end is None else end
    for sign, form in _forms():
        for found in form.finditer(text, start, stop) if text.find(sign, start, stop) >= 0 else ():
            value = _date(found.groupdict(), style)
            if value is not None:
                yield FoundDate(found.start(), found.end(), value)


def _date(parts: dict[str, str], style: DateStyle) -> date | None:
    year = int(parts["y"])
    if year < 100:
        year += 2000 if year < 70 else 1900
    if "name" in parts:
        month, day = MONTH[parts["name"].lower()], int(parts["d"])
    elif "m" in parts:
        month, day = int(parts["m"]), int(parts["d"])
    else:
        one, other = int(parts["one"]), int(parts["other"])
        if one > 12 or other > 12 or one == other:
            month_first = other > 12
        elif style.month_first is None:
            return None
        else:
            month_first = style.month_first
        month, day = (one, other) if month_first else (other, one)
    return day_of(year, month, day)


def day_of(year: int, month: int, day: int) -> date | None:
    """Return a day of the calendar; None for one that does not exist, such as 31 February."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
