"""Days that no calendar has: told by name, as nothing else can be made of them."""

from __future__ import annotations

import calendar
import re

from qlc.translator.rules.words import english

_MONTHS = "|".join(english.MONTHS)
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WRITTEN = (
    re.compile(rf"\b{_DAY}\s+(?:of\s+)?(?P<month>{_MONTHS})\b\.?,?(?:\s+(?:of\s+)?(?P<year>\d{{4}}))?", re.I),
    re.compile(rf"\b(?P<month>{_MONTHS})\.?\s+(?:the\s+)?{_DAY}\b,?(?:\s+(?P<year>\d{{4}}))?", re.I),
    re.compile(r"\b(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})\b"),
)
_NUMBERS = re.compile(r"\b(\d{1,2})([/.])(\d{1,2})\2(\d{4})\b")
_NAMES = {number: name.capitalize() for name, number in reversed(english.MONTHS.items())}
_LEAP_YEAR = 2000


def impossible_day(text: str) -> str | None:
    """A sentence about the first date of a text that cannot be: `February 2025 has no day 30`."""
    for written in _WRITTEN:
        for found in written.finditer(text):
            name = found["month"].lower()
            month = english.MONTHS[name] if name in english.MONTHS else int(name)
            year = int(found["year"]) if found["year"] else None
            if sentence := _unlike_the_calendar(year, month, int(found["day"])):
                return sentence
    for found in _NUMBERS.finditer(text):
        day, month, year = int(found[1]), int(found[3]), int(found[4])
        if _unlike_the_calendar(year, month, day) and (found[2] == "." or _unlike_the_calendar(year, day, month)):
            return _unlike_the_calendar(year, month, day)
    return None


def _unlike_the_calendar(year: int | None, month: int, day: int) -> str | None:
    """What is wrong with a day. Without a year it may be one of any year."""
    if month not in _NAMES:
        return f"There is no month {month}."
    if 1 <= day <= calendar.monthrange(year or _LEAP_YEAR, month)[1]:
        return None
    of_year = "" if year is None else f" {year}"
    return f"{_NAMES[month]}{of_year} has no day {day}."
