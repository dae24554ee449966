"""Days that no calendar has: `2024-13-40`, `30 February`. What is read in their place would be a guess."""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import replace

from qlc.translator.protocol import AskBack, CannotSay, Translated, Translation
from qlc.translator.rules.words import english

_MONTHS = "|".join(one for one in english.MONTHS if one != "may") + "|(?-i:May)"  # `which rooms may 45 people use`
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_WRITTEN = (
    re.compile(rf"\b{_DAY}\s+(?:of\s+)?(?P<month>{_MONTHS})\b\.?,?(?:\s+(?:of\s+)?(?P<year>\d{{4}}))?", re.I),
    re.compile(rf"\b(?P<month>{_MONTHS})\.?\s+(?:the\s+)?{_DAY}\b,?(?:\s+(?P<year>\d{{4}}))?", re.I),
    re.compile(r"\b(?P<year>\d{4})[-/](?P<month>\d{1,2})[-/](?P<day>\d{1,2})\b"),
)
_NUMBERS = re.compile(r"\b(\d{1,2})([-/.])(\d{1,2})\2(\d{4})\b")
_NAMES = {number: name.capitalize() for name, number in reversed(english.MONTHS.items())}
_LEAP_YEAR = 2000


def refuse_impossible_days(said: Translation, question: str) -> Translation:
    """Decline a question with such a day, unless each program has it word for word: `name = "31/02/2025"`."""
    if not isinstance(said, Translated | AskBack | CannotSay):
        return said
    programs = [said.program] if isinstance(said, Translated) else []
    programs += [program for program, _ in said.options] if isinstance(said, AskBack) else []
    for written, sentence in _impossible_days(question):
        if not programs or any(written.lower() not in program.lower() for program in programs):
            sentence = f"{sentence} Name another one."
            if isinstance(said, CannotSay):
                return said if said.cannot_be else replace(said, cannot_be=sentence)
            return CannotSay(cannot_be=sentence)
    return said


def _impossible_days(text: str) -> Iterator[tuple[str, str]]:
    """Yield each such date as it is written, and a sentence about it: `February 2025 has no day 30.`"""
    for written in _WRITTEN:
        for found in written.finditer(text):
            name = found["month"].lower()
            month = english.MONTHS[name] if name in english.MONTHS else int(name)
            year = int(found["year"]) if found["year"] else None
            if sentence := _unlike_the_calendar(year, month, int(found["day"])):
                yield found[0], sentence
    for found in _NUMBERS.finditer(text):
        day, month, year = int(found[1]), int(found[3]), int(found[4])
        sentence = _unlike_the_calendar(year, month, day)
        if sentence and (found[2] == "." or _unlike_the_calendar(year, day, month)):
            yield found[0], sentence


def _unlike_the_calendar(year: int | None, month: int, day: int) -> str | None:
    """Return the error of a day that the calendar lacks; without a year any leap year counts."""
    if month not in _NAMES:
        return f"There is no month {month}."
    if 1 <= day <= calendar.monthrange(year or _LEAP_YEAR, month)[1]:
        return None
    of_year = "" if year is None else f" {year}"
    return f"{_NAMES[month]}{of_year} has no day {day}."
