"""Parts of a period: the first week of May, the second half of 2026, the last 10 days of this month.

A part without a beginning and an end, as mid March, is no period: a sentence asks for the days.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from qlc.grammar import tree
from qlc.grammar.tree import Value
from qlc.translator.protocol import AskBack, CannotSay, Translated, Translation
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.dates import period, unit_at
from qlc.translator.rules.quantities.numbers import cardinal, ordinal
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

Span = tuple[date, date]  # the first and the last day
_MONTHS_OF = {"month": 1, "quarter": 3, "year": 12}
_DAYS_OF = {"day": 1, "week": 7}
_HALVES = {"h1": 1, "h2": 2}
_LAST = words("last final")
VAGUE = words("early mid late")
_VAGUE_PARTS = phrases("[the | around the] (beginning | start | middle | end) of")
_YEAR, _MONTH = len("2026"), len("2026-03")


def part_of_period(p: Parse, at: int) -> Iterator[Found[tuple[Value, Value]]]:
    """The first and the last day, or month, of a part of a period."""
    start = p.articles(at)
    if (half := _HALVES.get(p.word(start))) is not None:
        yield from _halves(p, p.past(start + 1, ("of", ",")), half)
    from_the_end = p.word(start) in _LAST
    which = Found(start + 1, 1, 0.0) if from_the_end else ordinal(p, start)
    if which is None:
        return
    if p.word(which.end) == "half" and not from_the_end and which.value in (1, 2):
        yield from _halves(p, p.past(which.end + 1, ("of",)), which.value)
    counts = [(one.end, int(one.value.value)) for one in cardinal(p, which.end) if which.value == 1]
    for end, count in (*counts, (which.end, 1)):
        unit = unit_at(p, end)
        many = count if end > which.end else 1
        if unit in (*_DAYS_OF, *_MONTHS_OF) and many > 0 and p.word(end + 1) in ("of", "in"):
            for whole, (first, last) in _spans(p, end + 2):
                found = _nth(first, last, unit, many, -1 if from_the_end else which.value)
                if found is not None and (unit != "day" or many > 1):
                    yield Found(whole.end, _literals(*found), whole.cost)


def _halves(p: Parse, at: int, which: int) -> Iterator[Found[tuple[Value, Value]]]:
    for whole, (first, last) in _spans(p, at):
        months = (last.year - first.year) * 12 + last.month - first.month + 1
        if months == 1:
            middle = first + timedelta(days=15)
        elif months % 2 == 0:
            middle = _months_later(first, months // 2)
        else:
            continue
        half = (first, middle - timedelta(days=1)) if which == 1 else (middle, last)
        yield Found(whole.end, _literals(*half), whole.cost)


def _spans(p: Parse, at: int) -> Iterator[tuple[Found[Value], Span]]:
    """The periods that have parts: a year, a quarter, a month."""
    for one in (one for i in dict.fromkeys((at, p.articles(at))) for one in period(p, i)):
        if (span := _extent(one.value, p.now.date())) is not None:
            yield one, span


def _extent(value: Value, today: date) -> Span | None:
    match value:
        case tree.Number(value=year):
            return _months(date(int(year), 1, 1), 12)
        case tree.DateLiteral(text=text) if text[5:6] == "Q":
            return _months(date(int(text[:_YEAR]), 3 * int(text[6]) - 2, 1), 3)
        case tree.DateLiteral(text=text) if len(text) == _MONTH and text[5:].isdecimal():
            return _months(date.fromisoformat(f"{text}-01"), 1)
        case tree.RelativePeriod(which=which, unit=unit, count=None) if unit in _MONTHS_OF:
            many = _MONTHS_OF[unit]
            begun = date(today.year, today.month - (today.month - 1) % many, 1)
            return _months(_months_later(begun, {"last": -many, "this": 0, "next": many}[which]), many)
        case _:
            return None


def _months(first: date, many: int) -> Span:
    return first, _months_later(first, many) - timedelta(days=1)


def _months_later(first: date, many: int) -> date:
    months = first.year * 12 + first.month - 1 + many
    return date(months // 12, months % 12 + 1, 1)


def _nth(first: date, last: date, unit: str, many: int, which: int) -> Span | None:
    """So many days, weeks or months from the beginning, or from the end; None where there are not so many."""
    if unit in _DAYS_OF:
        length = timedelta(days=_DAYS_OF[unit] * many)
        begun = last + timedelta(days=1) - length if which < 0 else first + length * (which - 1)
        found = begun, begun + length - timedelta(days=1)
    else:
        months = _MONTHS_OF[unit] * many
        begun = _months_later(date(last.year, last.month, 1), 1 - months) if which < 0 else first
        found = _months(begun if which < 0 else _months_later(first, months * (which - 1)), months)
    return found if first <= found[0] and found[1] <= last and found != (first, last) else None


def _literals(first: date, last: date) -> tuple[Value, Value]:
    """Whole months as months."""
    whole = first.day == 1 and last.day == calendar.monthrange(last.year, last.month)[1]
    size = _MONTH if whole else None
    return tree.DateLiteral(first.isoformat()[:size]), tree.DateLiteral(last.isoformat()[:size])


def without_days(p: Parse) -> str | None:
    """A sentence about a part of a period that has no first and no last day: `mid March`."""
    for at in range(p.end):
        said_of_things = bool(p.lexemes[at]) and p.word(at + 1) == "in"  # `flights that were late in January`
        begins = [p.past(at + 1, ("-", "in"))] if p.word(at) in VAGUE else [*p.phrases(at, _VAGUE_PARTS)]
        for begin in begins if at not in p.inside and not said_of_things else ():
            for whole, (first, last) in _spans(p, begin):
                said = p.raw(at, whole.end)
                return f"'{said}' has no first and no last day. Say which days: between {first} and {last}, or fewer."
    return None


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
