"""Dates and periods in words, as values of the query language."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal, cast

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Value
from qlc.translator.rules import english
from qlc.translator.rules.build import compare, number, path, string
from qlc.translator.rules.lexicon import FieldRef
from qlc.translator.rules.morphology import stem
from qlc.translator.rules.numbers import cardinal, ordinal
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.phrases import phrases, words

Relation = Literal["in", "<", "<=", ">", ">="]


@dataclass(frozen=True, slots=True)
class DateTest:
    """`relation` to a period, or from the start of one to the end of another (`until`); `periods` several of them."""

    relation: Relation
    period: Value
    until: Value | None = None
    others: tuple[Value, ...] = ()


_ISO = re.compile(
    r"\d{4}-(?:Q[1-4]|W\d{2}|\d{2}(?:-\d{2}(?:[T ]\d{2}(?::\d{2}(?::\d{2})?)?(?:Z|[+-]\d{2}:\d{2})?)?)?)(?![\w-])", re.I
)
_SLASHED = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?!\d)|(\d{1,2})([/.])(\d{1,2})\5(\d{4})(?!\d)")
_YEARS = range(1900, 2101)
_BEFORE = phrases("before | prior to | earlier than | older than | ahead of | preceding | pre")
_AFTER = phrases(
    "after | later than | newer than | more recent than | following | past | more recently than | "
    "subsequent to | post | younger than"
)
_SINCE = phrases("since | from | starting from | as of | on or after | from the | ever since | starting on")
_UNTIL = phrases(
    "until | till | up to | through | up until | no later than | by | to | on or before | by the end of | "
    "before the end of | til | up to and including | not later than"
)
_WITHIN = phrases(
    "in | on | during | for | of | from | dated | within | over | at | throughout | dating from | as of | "
    "around | sometime in | back in"
)
_STARTS = phrases("the beginning of | the start of | beginning of | start of | the first of")
_HALVES = {"h1": 1, "h2": 2}
_DAY_ENDINGS = ("st", "nd", "rd", "th")


# --- periods ---------------------------------------------------------------------------------------------------------


@rule
def period(p: Parse, at: int) -> Iterator[Found[Value]]:
    """A period or a day by any name."""
    named = p.past(at, words("the year of month calendar day")) if p.word(at) in ("the", "year", "month") else at
    if p.word(named - 1) != "the" or not p.word(named)[:1].isdigit() or p.word(named).endswith(_DAY_ENDINGS):
        at = named  # "the 2024" is the name of something
    for read in PERIODS:
        yield from read(p, at)


def iso_date(p: Parse, at: int) -> Iterator[Found[Value]]:
    if at < p.end and (found := _ISO.match(p.text, p.tokens[at].start)):
        text = found[0].upper().replace(" ", "T")
        if _valid(text):
            yield Found(p.token_at(found.end()), tree.DateLiteral(text), 0.0)


def _valid(text: str) -> bool:
    parts = text[:10].split("-")
    if len(parts) == 3:
        return _day(int(parts[0]), int(parts[1]), int(parts[2])) is not None
    return not parts[1].isdigit() or 1 <= int(parts[1]) <= 12


def slashed_date(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`2024/03/05`; `05.03.2024` is day first; `3/25/2024` only where one of the numbers cannot be a month."""
    if at >= p.end or not (found := _SLASHED.match(p.text, p.tokens[at].start)):
        return
    end = p.token_at(found.end())
    if found[1]:
        read = {_day(int(found[1]), int(found[2]), int(found[3]))}
    else:
        first, second, of_year = int(found[4]), int(found[6]), int(found[7])
        day_first, month_first = _day(of_year, second, first), _day(of_year, first, second)
        read = {day_first} if found[5] == "." else {day_first, month_first}
    for one in read - {None}:
        yield Found(end, _literal(cast(date, one)), 0.0)


def named_day(p: Parse, at: int) -> Iterator[Found[Value]]:
    word = p.word(at)
    if word in ("yesterday", "today", "tomorrow"):
        yield Found(at + 1, tree.Day(cast(Literal["yesterday", "today", "tomorrow"], word)), 0.0)
    if word in ("now", "tonight"):
        yield Found(at + 1, tree.Day("today"), 0.2)
    if end := p.phrase(at, "day", "before", "yesterday"):
        yield Found(end, _literal(p.now.date() - timedelta(days=2)), 0.0)
    if end := p.phrase(at, "day", "after", "tomorrow"):
        yield Found(end, _literal(p.now.date() + timedelta(days=2)), 0.0)
    if end := p.phrase(at, "so", "far", "this", "year"):
        yield Found(end, tree.RelativePeriod("this", "year"), 0.0)


def relative_period(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`last month`, `the past two weeks`, `this year`, `next 30 days`, `year to date`."""
    if end := p.phrase(at, "year", "to", "date"):
        yield Found(end, tree.RelativePeriod("this", "year"), 0.0)
    which = _which(p.word(at))
    if which is None:
        return
    count = cardinal(p, at + 1)
    for found in count:
        unit = _unit(p, found.end)
        if unit is not None and found.value.value > 0 and which != "this" and float(found.value.value).is_integer():
            yield Found(found.end + 1, tree.RelativePeriod(which, unit, int(found.value.value)), 0.0)
    half = p.phrase(at + 1, "couple", "of")
    if half and (unit := _unit(p, half)) and which != "this":
        yield Found(half + 1, tree.RelativePeriod(which, unit, 2), 0.2)
    unit = _unit(p, at + 1)
    if unit is not None and p.word(at + 1) != unit + "s":
        # "the past week" is the seven days up to now; "last week" the calendar week before.
        rolling = p.word(at) == "past"
        yield Found(at + 2, tree.RelativePeriod(which, unit, 1 if rolling else None), 0.0)


def ago(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`3 days ago`, `a week ago`: the day; of months and years the month and the year."""
    counts = [(f.end, f.value.value) for f in cardinal(p, at)]
    if p.word(at) in ("a", "an"):
        counts.append((at + 1, 1))
    for end, count in counts:
        unit = _unit(p, end)
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
    if word.isdigit() and len(word) == 4 and int(word) in _YEARS and p.word(at + 1) not in ("%", "mb", "kb", "gb"):
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
            yield Found(one.end, tree.DateLiteral(f"{_year(one.value):04}-Q{which}"), 0.0)
        this = (p.now.month - 1) // 3 + 1
        yield Found(end, tree.DateLiteral(f"{p.now.year - (which > this):04}-Q{which}"), 0.3)
    for one in year(p, at):
        word = p.word(one.end)
        if len(word) == 2 and word[0] == "q" and word[1] in "1234":
            yield Found(one.end + 1, tree.DateLiteral(f"{_year(one.value):04}-Q{word[1]}"), 0.0)


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
        yield Found(one.end, tree.DateLiteral(f"{_year(one.value):04}-{which:02}"), 0.0)
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
    yield Found(end, tree.DateLiteral(f"{latest:04}-{which:02}"), 0.3)


def _month_like(p: Parse, at: int) -> bool:
    """Whether a word that is also something else is the month: capitalised, behind a preposition, or with a number."""
    around = (p.word(at - 1) if at else "", p.word(at + 1))
    return p.tokens[at].raw[:1].isupper() or around[0] in english.PREPOSITIONS or any(w[:1].isdigit() for w in around)


def day_of_month(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`March 5, 2024`, `5 March 2024`, `the 5th of March`; without a year the last one that has come."""
    for month_at, day_at, end in _day_and_month(p, at):
        which, day = english.MONTHS[p.word(month_at)], _day_number(p.word(day_at))
        after = p.past(end, (",", "of", "in"))
        for one in year(p, after):
            if found := _day(_year(one.value), which, day or 0):
                yield Found(one.end, _literal(found), 0.0)
        for of_year in (p.now.year, p.now.year - 1):
            found = _day(of_year, which, day or 0)
            if found is not None and found <= p.now.date():
                yield Found(end, _literal(found), 0.3)
                break


def _day_and_month(p: Parse, at: int) -> Iterator[tuple[int, int, int]]:
    if p.word(at) in english.MONTHS:
        day_at = p.past(at + 1, ("the", "."))
        if _day_number(p.word(day_at)) is not None:
            yield at, day_at, day_at + 1
    elif _day_number(p.word(at)) is not None:
        month_at = p.past(at + 1, ("of",))
        if p.word(month_at) in english.MONTHS:
            yield month_at, at, month_at + 1


def week_of_year(p: Parse, at: int) -> Iterator[Found[Value]]:
    if p.word(at) == "week" and p.word(at + 1).isdigit() and 1 <= int(p.word(at + 1)) <= 53:
        after = p.past(at + 2, ("of", "in", ","))
        for one in year(p, after):
            yield Found(one.end, tree.DateLiteral(f"{_year(one.value):04}-W{int(p.word(at + 1)):02}"), 0.0)


def weekday(p: Parse, at: int) -> Iterator[Found[Value]]:
    """`Monday`, `last Friday`: the last one before today."""
    start = at + 1 if p.word(at) in ("last", "this", "past", "previous") else at
    which = english.WEEKDAYS.get(p.word(start))
    if (
        which is None
        or p.word(start).endswith("days")
        or (p.word(start) in ("sat", "sun", "wed", "mon") and start == at)
    ):
        return
    back = (p.now.weekday() - which) % 7 or 7
    yield Found(start + 1, _literal(p.now.date() - timedelta(days=back)), 0.1)


PERIODS: tuple[Callable[[Parse, int], Iterator[Found[Value]]], ...] = (
    iso_date,
    slashed_date,
    named_day,
    relative_period,
    quarter,
    month,
    day_of_month,
    ago,
    year,
    weekday,
    week_of_year,
)


# --- tests -----------------------------------------------------------------------------------------------------------


@rule
def date_test(p: Parse, at: int) -> Iterator[Found[DateTest]]:
    """How a date compares: `in 2024`, `since March`, `between May and July`, `older than 30 days`."""
    yield from _between(p, at)
    yield from _age(p, at)
    for table, relation in ((_BEFORE, "<"), (_AFTER, ">"), (_SINCE, ">="), (_UNTIL, "<=")):
        for end in p.phrases(at, table):
            yield from _bound(p, end, cast(Relation, relation), vague=p.word(at) in ("from", "by", "to", "past"))
    starts = [at, *p.phrases(at, _WITHIN)]
    for start in starts:
        for one in period(p, start):
            test = DateTest("in", one.value)
            bare = 0.1 if start == at else 0.3 if p.word(at) == "for" else 0.0
            yield Found(one.end, test, one.cost + bare)
            if (
                p.phrase(one.end, "or", "later")
                or p.phrase(one.end, "or", "newer")
                or p.phrase(
                    one.end,
                    "onwards",
                )
            ):
                end = one.end + (1 if p.word(one.end) == "onwards" else 2)
                yield Found(end, DateTest(">=", one.value), one.cost)
            if p.phrase(one.end, "or", "earlier") or p.phrase(one.end, "or", "older"):
                yield Found(one.end + 2, DateTest("<=", one.value), one.cost)
            if p.word(one.end) in ("onward", "onwards") or p.phrase(one.end, "and", "later"):
                yield Found(one.end + (1 if p.word(one.end) != "and" else 2), DateTest(">=", one.value), one.cost)
            yield from _several(p, one)
        yield from _half(p, start)


def _bound(p: Parse, at: int, relation: Relation, *, vague: bool) -> Iterator[Found[DateTest]]:
    start_of = next(p.phrases(at, _STARTS), None)
    end_of = p.phrase(at, "the", "end", "of") or p.phrase(at, "end", "of")
    if end_of and relation == ">=":
        return
    for one in period(p, p.articles(start_of or end_of or at)):
        if start_of and relation == ">":
            relation = ">="
        if end_of and relation == "<":
            relation = "<="
        yield Found(one.end, DateTest(relation, one.value), one.cost + (0.4 if vague else 0.0))


def _between(p: Parse, at: int) -> Iterator[Found[DateTest]]:
    opened = p.past(at, ("in", "during", "dated", "the"))
    joined = ("and", "to", "until", "till", "through", "-", "–", "thru", "up")
    start = opened + 1 if p.word(opened) in ("between", "from") else opened
    for low in period(p, start):
        if p.word(low.end) not in joined or (start == opened and p.word(low.end) == "and"):
            continue
        for high in period(p, p.past(low.end + 1, ("to", "the", "until", "including"))):
            first = _with_year_of(low.value, high.value)
            yield Found(high.end, DateTest("in", first, high.value), high.cost)
    for sequence, begins, ends_in in ((("first", "half", "of"), 1, 6), (("second", "half", "of"), 7, 12)):
        if end := p.phrase(p.past(opened, ("the", "from", "for")), *sequence):
            for one in year(p, end):
                ends = [tree.DateLiteral(f"{_year(one.value):04}-{m:02}") for m in (begins, ends_in)]
                yield Found(one.end, DateTest("in", ends[0], ends[1]), 0.0)


def _half(p: Parse, at: int) -> Iterator[Found[DateTest]]:
    which = _HALVES.get(p.word(at))
    if which is not None:
        for one in year(p, p.past(at + 1, ("of", ","))):
            ends = [tree.DateLiteral(f"{_year(one.value):04}-{m:02}") for m in ((1, 6) if which == 1 else (7, 12))]
            yield Found(one.end, DateTest("in", ends[0], ends[1]), 0.0)


def _several(p: Parse, first: Found[Value]) -> Iterator[Found[DateTest]]:
    """`2023 or 2024`, `January and February 2025`."""
    periods, end = [first.value], first.end
    while True:
        after = p.past(end, (",",))
        after = p.past(after, ("and", "or", "/", "in"))
        if after == end:
            break
        following = next(iter(period(p, after)), None)
        if following is None:
            break
        if type(following.value) is not type(first.value):
            return  # "January 15, 2018" is one day
        periods.append(following.value)
        end = following.end
        fixed = [_with_year_of(one, periods[-1]) for one in periods]
        yield Found(end, DateTest("in", fixed[0], None, tuple(fixed[1:])), 0.1)


def _age(p: Parse, at: int) -> Iterator[Found[DateTest]]:
    """`older than 30 days`, `more than a year old`, `less than 2 weeks ago`, `within the last year`, `in 30 days`."""
    older = phrases("older than | more than | over | at least")
    newer = phrases("newer than | less than | under | within | younger than | at most | not older than")
    for table, relation in ((older, "<"), (newer, "in")):
        for start in p.phrases(at, table):
            counts = [(f.end, int(f.value.value)) for f in cardinal(p, start) if float(f.value.value).is_integer()]
            if p.word(start) in ("a", "an", "one"):
                counts.append((start + 1, 1))
            for end, count in counts:
                unit = _unit(p, end)
                if unit is None or count < 1:
                    continue
                spoken = p.word(end + 1) in ("old", "ago") or p.phrase(end + 1, "of", "age")
                named = p.word(at) in ("older", "newer", "younger") or p.phrase(at, "not", "older")
                if not (spoken or named):
                    continue
                value = tree.RelativePeriod("last", unit, count)
                tail = (2 if p.word(end + 1) == "of" else 1) if spoken else 0
                yield Found(end + 1 + tail, DateTest(cast(Relation, relation), value), 0.0)


def on_weekday(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Condition]]:
    """`on Sundays`, `on a Monday`, `at weekends`: every such day."""
    if p.word(at) not in ("on", "at"):
        return
    start = p.past(at + 1, ("a", "the", "any"))
    word = p.word(start)
    several = word.endswith("days") or start > at + 1
    days = [english.WEEKDAY_NAMES[english.WEEKDAYS[word]]] if word in english.WEEKDAYS and several else []
    if word in ("weekend", "weekends"):
        days = ["Saturday", "Sunday"]
    if days:
        left = tree.Cyclic("weekday", path(*ref.path))
        right: Value = string(days[0]) if len(days) == 1 else tree.ListValue(tuple(string(day) for day in days))
        yield Found(start + 1, compare(left, "=" if len(days) == 1 else "in", right), 0.0)


# --- parts -----------------------------------------------------------------------------------------------------------


def _which(word: str) -> Literal["this", "last", "next"] | None:
    if word in english.LAST:
        return "last"
    if word in english.NEXT:
        return "next"
    return "this" if word in english.THIS else None


_SHORT_UNITS = {
    "mo": "month", "yr": "year", "yrs": "year", "hr": "hour", "hrs": "hour", "min": "minute", "mins": "minute",
    "wk": "week", "wks": "week",
}  # fmt: skip


def _unit(p: Parse, at: int) -> tree.CalendarUnit | None:
    word = p.word(at)
    unit = english.CALENDAR_UNITS.get(word) or english.CALENDAR_UNITS.get(word.removesuffix("s"))
    unit = unit or _SHORT_UNITS.get(word)
    return cast("tree.CalendarUnit | None", unit)


def _day_number(word: str) -> int | None:
    if word.endswith(_DAY_ENDINGS):
        word = word[:-2]
    return int(word) if word.isdigit() and len(word) <= 2 and 1 <= int(word) <= 31 else None


def _day(of_year: int, month_number: int, day: int) -> date | None:
    if not (1 <= month_number <= 12 and 1 <= of_year <= 9999):
        return None
    return date(of_year, month_number, day) if 1 <= day <= calendar.monthrange(of_year, month_number)[1] else None


def _literal(day: date) -> tree.DateLiteral:
    return tree.DateLiteral(day.isoformat())


def _year(value: Value) -> int:
    return int(cast(tree.Number, value).value)


def _with_year_of(value: Value, other: Value) -> Value:
    """`March to May 2024`: the first month is of the same year."""
    if not (isinstance(value, tree.DateLiteral) and isinstance(other, tree.DateLiteral)):
        return value
    same_kind = len(value.text) == len(other.text) and value.text[4:] <= other.text[4:]
    return tree.DateLiteral(other.text[:4] + value.text[4:]) if same_kind and value.text[:4] > other.text[:4] else value


def is_period_word(word: str) -> bool:
    return word in english.MONTHS or stem(word) in english.CALENDAR_UNITS
