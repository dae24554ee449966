"""Dates and periods in words, as values of the query language."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Literal, cast

from qlc.grammar import tree
from qlc.grammar.tree import Value
from qlc.translator.rules.build import number
from qlc.translator.rules.lexicon.lexemes import NameWord
from qlc.translator.rules.parse import DIGITS, Found, Parse, needs, rule
from qlc.translator.rules.quantities.numbers import cardinal, ordinal
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind

_ISO = re.compile(
    r"\d{4}-(?:Q[1-4]|W\d{2}|\d{2}(?:-\d{2}(?:[T ]\d{2}(?::\d{2}(?::\d{2})?)?(?:Z|[+-]\d{2}:\d{2})?)?)?)(?![\w-])", re.I
)
_SLASHED = re.compile(r"(\d{4})(?:/(\d{1,2})/|-(\d{1,2})-)(\d{1,2})(?!\d)|(\d{1,2})([-/.])(\d{1,2})\6(\d{4})(?!\d)")
YEARS = range(1900, 2101)  # numbers that are rather a year than how many are wanted
_DAY_ENDINGS = ("st", "nd", "rd", "th")
NAMED_SO = 0.5  # cost of a period if something has that name: `in Last Week`, a folder
_SOON = timedelta(days=14)
_SHORT_UNITS = {
    "mo": "month", "yr": "year", "yrs": "year", "hr": "hour", "hrs": "hour", "min": "minute", "mins": "minute",
    "wk": "week", "wks": "week",
}  # fmt: skip
SAYS_WHEN = frozenset(
    {DIGITS, *english.MONTHS, *english.WEEKDAYS, *english.THIS, *english.LAST, *english.NEXT}
    | {one for unit in (*english.CALENDAR_UNITS, *_SHORT_UNITS) for one in (unit, f"{unit}s")}
    | words("yesterday today tomorrow now tonight ago q1 q2 q3 q4 weekend")
)
"""Words that periods and dates need; without one of them a question has none."""


@rule
@needs(SAYS_WHEN)
def period(p: Parse, at: int) -> Iterator[Found[Value]]:
    """A period or a day by any name."""
    named = p.past(at, words("the year of month calendar day")) if p.word(at) in ("the", "year", "month") else at
    if p.word(named - 1) != "the" or not p.word(named)[:1].isdecimal() or p.word(named).endswith(_DAY_ENDINGS):
        at = named  # "the 2024" is the name of something
    if at in p.inside:
        return  # a part of the name of a file
    for read in PERIODS:
        for one in read(p, at):
            yield one._replace(cost=one.cost + NAMED_SO) if _is_called_so(p, at, one.end) else one


def _is_called_so(p: Parse, at: int, end: int) -> bool:
    """Whether words with capitals are the whole name of something, after a word for where it is."""
    if at == 0 or end < at + 2 or p.word(at - 1) not in ("in", "inside", "under", "within", "below", "folder"):
        return False
    capital = all(p.tokens[i].raw[:1].isupper() for i in range(at, end)) and p.tokens[at].raw.isalpha()
    return capital and any(one.end == end and one.payload.whole for one in p.starting(at, NameWord))


def iso_date(p: Parse, at: int) -> Iterator[Found[Value]]:
    if at < p.end and (found := _ISO.match(p.text, p.tokens[at].start)):
        text = found[0].upper().replace(" ", "T")
        if _valid(text):
            yield Found(p.token_at(found.end()), tree.DateLiteral(text), 0.0)


def _valid(text: str) -> bool:
    parts = text[:10].split("-")
    if len(parts) == 3:
        return _day(int(parts[0]), int(parts[1]), int(parts[2])) is not None
    return not parts[1].isdecimal() or 1 <= int(parts[1]) <= 12


def slashed_date(p: Parse, at: int) -> Iterator[Found[Value]]:
    """Yield the days of `2024/03/05`, `05.03.2024` (day first) and `03/04/2024` (both readings that exist)."""
    if at >= p.end or not (found := _SLASHED.match(p.text, p.tokens[at].start)):
        return
    end = p.token_at(found.end())
    if found[1]:
        read = [_day(int(found[1]), int(found[2] or found[3]), int(found[4]))]
    else:
        first, second, of_year = int(found[5]), int(found[7]), int(found[8])
        day_first, month_first = _day(of_year, second, first), _day(of_year, first, second)
        read = [day_first] if found[6] == "." else [day_first, month_first]
    for one in dict.fromkeys(day for day in read if day is not None):
        yield Found(end, _literal(one), 0.0)


_BOUNDS_OF_NOW = words("by until till before after since from to and")


def named_day(p: Parse, at: int) -> Iterator[Found[Value]]:
    word = p.word(at)
    if word in ("yesterday", "today", "tomorrow"):
        yield Found(at + 1, tree.Day(cast(Literal["yesterday", "today", "tomorrow"], word)), 0.0)
    if word == "tonight" or (word == "now" and p.word(at - 1) in _BOUNDS_OF_NOW):  # "that are now owned by Ann"
        yield Found(at + 1, tree.Day("today"), 0.2)
    if end := p.phrase(at, "day", "before", "yesterday"):
        yield Found(end, _literal(p.now.date() - timedelta(days=2)), 0.0)
    if end := p.phrase(at, "day", "after", "tomorrow"):
        yield Found(end, _literal(p.now.date() + timedelta(days=2)), 0.0)


def relative_period(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`last month`, `the past two weeks`, `this year`, `next 30 days`, `year to date`."""
    if end := p.phrase(at, "year", "to", "date"):
        yield Found(end, tree.RelativePeriod("this", "year"), 0.0)
    which = _which(p.word(at))
    if which is None:
        return
    count = cardinal(p, at + 1)
    for found in count:
        unit = unit_at(p, found.end)
        if p.word(found.end + 1) == "of" and any(year(p, p.past(found.end + 2, ("the", "year")))):
            continue  # "the last two months of 2025" end with that year
        if unit is not None and found.value.value > 0 and which != "this" and float(found.value.value).is_integer():
            yield Found(found.end + 1, tree.RelativePeriod(which, unit, int(found.value.value)), 0.0)
    unit = unit_at(p, at + 1)
    if p.word(at + 2) == "of" and p.word(p.past(at + 3, ("the", "month"))) in english.MONTHS:
        return  # the last week of May
    if unit is not None and p.word(at + 1) != unit + "s":
        # "the past week" and "in the last week" are the seven days up to now; "last week" the calendar week before.
        within = p.word(at - 1) == "the" and p.word(at - 2) in ("in", "within", "over", "during")
        rolling = p.word(at) == "past" or (which == "last" and within and unit in ("week", "month", "year"))
        yield Found(at + 2, tree.RelativePeriod(which, unit, 1 if rolling else None), 0.0)


def ago(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`3 days ago`, `a week ago`: the day; of months and years the month and the year."""
    counts = [(f.end, f.value.value) for f in cardinal(p, at)]
    if p.word(at) in ("a", "an"):
        counts.append((at + 1, 1))
    for end, count in counts:
        unit = unit_at(p, end)
        if unit is None or p.word(end + 1) != "ago" or not float(count).is_integer() or count > 10_000:
            continue
        today, n = p.now.date(), int(count)
        if unit in ("day", "week"):
            yield Found(end + 2, _literal(today - timedelta(days=n * (7 if unit == "week" else 1))), 0.0)
        elif unit in ("month", "year"):
            months = today.year * 12 + today.month - 1 - n * (12 if unit == "year" else 1)
            text = f"{months // 12:04}-{months % 12 + 1:02}"
            yield Found(end + 2, tree.DateLiteral(text) if unit == "month" else number(months // 12), 0.2)


def year(p: Parse, at: int) -> Iterator[Found[Value]]:
    word = p.word(at)
    if is_year(word) and p.word(at + 1) not in ("%", "mb", "kb", "gb"):
        yield Found(at + 1, number(int(word)), 0.0)


def quarter(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`Q2 2024`, `the second quarter of 2024`, `2024 Q2`, `Q2`."""
    which = None
    word = p.word(at)
    if len(word) == 2 and word[0] == "q" and word[1] in "1234":
        which, end = int(word[1]), at + 1
    elif (nth := ordinal(p, at)) and p.word(nth.end) == "quarter" and 1 <= nth.value <= 4:
        which, end = nth.value, nth.end + 1
    if which is not None:
        after = p.past(end, words("of in , ' - /"))
        for one in year(p, after):
            yield Found(one.end, tree.DateLiteral(f"{year_of(one.value):04}-Q{which}"), 0.0)
        this = (p.now.month - 1) // 3 + 1
        if not any(year(p, after)):
            latest = _other_year(p) or p.now.year - (which > this)
            yield Found(end, tree.DateLiteral(f"{latest:04}-Q{which}"), 0.3)
    for one in year(p, at):
        word = p.word(one.end)
        if len(word) == 2 and word[0] == "q" and word[1] in "1234":
            yield Found(one.end + 1, tree.DateLiteral(f"{year_of(one.value):04}-Q{word[1]}"), 0.0)


def month(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`March 2024`, `March of last year`; without a year the last one that has begun."""
    prefix = _which(p.word(at))
    start = at + 1 if prefix else at
    which = english.MONTHS.get(p.word(start))
    if which is None or (p.word(start) in words("may mar dec sep jan") and not _month_like(p, start)):
        return
    end = p.past(start + 1, (".",))
    after = p.past(end, words("of in , ' - /"))
    for one in year(p, after):
        yield Found(one.end, tree.DateLiteral(f"{year_of(one.value):04}-{which:02}"), 0.0)
    for sequence, back in ((("last", "year"), 1), (("this", "year"), 0), (("next", "year"), -1)):
        if then := p.phrase(after, *sequence):
            yield Found(then, tree.DateLiteral(f"{p.now.year - back:04}-{which:02}"), 0.0)
    latest = p.now.year - (which > p.now.month)
    if prefix == "last":
        latest = p.now.year - (which >= p.now.month)
    elif prefix == "next":
        latest = p.now.year + (which <= p.now.month)
    elif prefix == "this":
        latest = p.now.year
    else:
        latest = _other_year(p) or latest
    if not any(year(p, after)):
        yield Found(end, tree.DateLiteral(f"{latest:04}-{which:02}"), 0.3)


def _other_year(p: Parse) -> int | None:
    """The one year that a question names: `invoices from 2024 but not from January`."""
    named = {int(t.text) for t in p.tokens if t.kind is TokenKind.WORD and t.text.isdecimal() and is_year(t.text)}
    return named.pop() if len(named) == 1 else None


def is_year(word: str) -> bool:
    """Whether a word is a year as it is written."""
    return len(word) == 4 and word.isdecimal() and int(word) in YEARS


def _month_like(p: Parse, at: int) -> bool:
    """Whether a word that is also something else is the month: capitalised, after a preposition, or with a number."""
    around = (p.word(at - 1) if at else "", p.word(at + 1))
    return p.tokens[at].raw[:1].isupper() or around[0] in english.PREPOSITIONS or any(w[:1].isdecimal() for w in around)


def day_of_month(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`March 5, 2024`, `5 March 2024`, `the 5th of March`; without a year the last one that has come."""
    for month_at, day_at, end in _day_and_month(p, at):
        which, day = english.MONTHS[p.word(month_at)], day_number(p.word(day_at))
        after = p.past(end, (",", "of", "in"))
        years = list(year(p, after))
        for one in years:
            if found := _day(year_of(one.value), which, day or 0):
                yield Found(one.end, _literal(found), 0.0)
        for of_year in () if years else (p.now.year, p.now.year - 1):
            found = _day(of_year, which, day or 0)
            if found is not None and found <= p.now.date():
                yield Found(end, _literal(found), 0.3)
                break
            if found is not None and found - p.now.date() <= _SOON:  # which of them, what is held of it may tell
                yield Found(end, _literal(found), 0.4)


def _day_and_month(p: Parse, at: int) -> Iterator[tuple[int, int, int]]:
    if p.word(at) in english.MONTHS:
        day_at = p.past(at + 1, ("the", "."))
        if day_number(p.word(day_at)) is not None:
            yield at, day_at, day_at + 1
    elif day_number(p.word(at)) is not None:
        month_at = p.past(at + 1, ("of",))
        if p.word(month_at) in english.MONTHS:
            yield month_at, at, month_at + 1


def week_of_year(p: Parse, at: int) -> Iterator[Found[Value]]:
    if p.word(at) == "week" and p.word(at + 1).isdecimal() and 1 <= int(p.word(at + 1)) <= 53:
        after = p.past(at + 2, ("of", "in", ","))
        years = list(year(p, after))
        for one in years:
            yield Found(one.end, tree.DateLiteral(f"{year_of(one.value):04}-W{int(p.word(at + 1)):02}"), 0.0)
        this = p.now.isocalendar()
        latest = _other_year(p) or this.year - (int(p.word(at + 1)) > this.week)
        if not years:  # `week 10`: the last one that has begun
            yield Found(at + 2, tree.DateLiteral(f"{latest:04}-W{int(p.word(at + 1)):02}"), 0.3)


def weekday(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`Monday`, `last Friday`: the last one before today; `this Friday` and `next Friday` are those of these weeks."""
    start = at + 1 if p.word(at) in ("last", "this", "next", "past", "previous") else at
    which = english.WEEKDAYS.get(p.word(start))
    if (
        which is None
        or p.word(start).endswith("days")
        or p.word(at - 1) in ("a", "any")  # that is every one
        or (p.word(start) in ("sat", "sun", "wed", "mon") and start == at)
    ):
        return
    back = (p.now.weekday() - which) % 7 or 7
    if start > at and p.word(at) in ("this", "next"):
        back = p.now.weekday() - which - (7 if p.word(at) == "next" else 0)
    yield Found(start + 1, _literal(p.now.date() - timedelta(days=back)), 0.1)


PERIODS: tuple[Callable[[Parse, int], Iterator[Found[Value]]], ...] = (
    iso_date, slashed_date, named_day, relative_period, quarter, month, day_of_month, ago, year, weekday, week_of_year
)


def _which(word: str) -> Literal["this", "last", "next"] | None:
    if word in english.LAST:
        return "last"
    if word in english.NEXT:
        return "next"
    return "this" if word in english.THIS else None


def unit_at(p: Parse, at: int) -> tree.CalendarUnit | None:
    word = p.word(at)
    unit = english.CALENDAR_UNITS.get(word) or english.CALENDAR_UNITS.get(word.removesuffix("s"))
    unit = unit or _SHORT_UNITS.get(word)
    return cast("tree.CalendarUnit | None", unit)


def day_number(word: str) -> int | None:
    if word.endswith(_DAY_ENDINGS):
        word = word[:-2]
    return int(word) if word.isdecimal() and len(word) <= 2 and 1 <= int(word) <= 31 else None


def _day(of_year: int, month_number: int, day: int) -> date | None:
    if not (1 <= month_number <= 12 and 1 <= of_year <= 9999):
        return None
    return date(of_year, month_number, day) if 1 <= day <= calendar.monthrange(of_year, month_number)[1] else None


def _literal(day: date) -> tree.DateLiteral:
    return tree.DateLiteral(day.isoformat())


def year_of(value: Value) -> int:
    return int(cast(tree.Number, value).value)


def with_year_of(value: Value, other: Value) -> Value:
    """`March to May 2024`: the first month is of the same year."""
    if not (isinstance(value, tree.DateLiteral) and isinstance(other, tree.DateLiteral)):
        return value
    same_kind = len(value.text) == len(other.text) and value.text[4:] <= other.text[4:]
    return tree.DateLiteral(other.text[:4] + value.text[4:]) if same_kind and value.text[:4] > other.text[:4] else value
