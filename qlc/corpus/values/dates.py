"""Dates as documents write them, in the languages of the table below."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

_MONTHS = (
    "january jan januar janvier janv enero ene gennaio gen januari janeiro",
    "february feb februar february février fevrier févr fév febrero febbraio februari fevereiro",
    "march mar märz maerz mrz mars marzo maart março",
    "april apr avril avr abril abr aprile",
    "may mai mayo maggio mag mei maio",
    "june jun juni juin junio giugno giu junho",
    "july jul juli juillet juil julio luglio lug julho",
    "august aug août aout agosto ago augustus",
    "september sept sep septembre septiembre settembre set setembro",
    "october oct oktober okt octobre octubre ottobre ott outubro",
    "november nov novembre noviembre novembro",
    "december dec dezember dez décembre decembre déc diciembre dic dicembre dezembro",
)
"""Months in English, German, French, Spanish, Italian, Dutch, Portuguese."""
MONTH = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
MONTH_NAMES = "|".join(sorted(MONTH, key=len, reverse=True))
_ORDINAL = r"(?:st|nd|rd|th|er|\.|º)?"

_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<![\d.-])(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})(?![\d-])",
        r"(?<![\d./])(?P<y>\d{4})/(?P<m>\d{1,2})/(?P<d>\d{1,2})(?![\d/])",
        rf"(?<![\w.])(?P<d>\d{{1,2}}){_ORDINAL}(?:\s+day)?(?:\s+(?:of|de))?[\s-]+(?P<name>{MONTH_NAMES})\.?,?(?:\s+de)?[\s-]+(?P<y>\d{{4}})(?!\d)",
        rf"(?<!\w)(?P<name>{MONTH_NAMES})\.?\s+(?P<d>\d{{1,2}}){_ORDINAL},?\s+(?P<y>\d{{4}})(?!\d)",
        r"(?<![\d.])(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4}|\d{2})(?![\d.]*\d)",
        r"(?<![\d/])(?P<a>\d{1,2})/(?P<b>\d{1,2})/(?P<y>\d{4}|\d{2})(?![\d/])",
        r"(?<![\d-])(?P<a>\d{1,2})-(?P<b>\d{1,2})-(?P<y>\d{4})(?![\d-])",
    )
)


class FoundDate(NamedTuple):
    begin: int
    end: int
    value: date


@dataclass(frozen=True, slots=True)
class DateStyle:
    """The order in a document's numeric dates. None: unknown, and ambiguous dates are not read."""

    month_first: bool | None = None


_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})[/-](\d{1,2})[/-](?:\d{4}|\d{2})(?![\d/])")


_MONTH_FIRST = re.compile(r"\b[A-Z]{2} \d{5}(?:-\d{4})?\b")
"""A state and a postal code of the United States, the one large country that writes months first."""
_DAY_FIRST = re.compile(r"[€£₹]|\b(?:EUR|GBP|CHF|INR|AUD|NZD|PLN|SEK|NOK|DKK|BRL|ZAR)\b")


def date_style(texts: Iterable[str]) -> DateStyle:
    """Find the style by dates with a day above 12, else by other signs of the country; none if they disagree."""
    day_first, month_first = set(), set()
    for text in texts:
        for found in _SLASHED.finditer(text):
            day_first |= {"date"} if int(found[1]) > 12 else set()
            month_first |= {"date"} if int(found[2]) > 12 else set()
        day_first |= {"country"} if _DAY_FIRST.search(text) else set()
        month_first |= {"country"} if _MONTH_FIRST.search(text) else set()
    for kind in ("date", "country"):
        if kind in day_first or kind in month_first:
            return DateStyle(None if kind in day_first and kind in month_first else kind in month_first)
    return DateStyle()


def dates(text: str, style: DateStyle, begin: int = 0, end: int | None = None) -> Iterator[FoundDate]:
    """Yield the dates in a part of a text. Years of two digits are 1970 to 2069."""
    stop = len(text) if end is None else end
    for form in _FORMS:
        for found in form.finditer(text, begin, stop):
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
        one, other = int(parts["a"]), int(parts["b"])
        if one > 12 or other > 12 or one == other:
            month_first = other > 12
        elif style.month_first is None:
            return None
        else:
            month_first = style.month_first
        month, day = (one, other) if month_first else (other, one)
    try:
        return date(year, month, day)
    except ValueError:
        return None
