"""How a date compares with periods in words: in, since, between, older than."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Value
from qlc.translator.rules.build import compare, string
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import Found, Parse, needs, rule
from qlc.translator.rules.quantities.dates import (
    SAYS_WHEN,
    day_number,
    day_of_month,
    period,
    unit_at,
    with_year_of,
    year,
    year_of,
)
from qlc.translator.rules.quantities.numbers import cardinal
from qlc.translator.rules.quantities.spans import part_of_period
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import Phrases, phrases

Relation = Literal["in", "<", "<=", ">", ">="]
Relations = tuple[tuple[Phrases, Relation], ...]  # phrases with the comparison that they mean
BEFORE = phrases(
    "[from | dated | dating from] before | prior to | earlier than | older than | ahead of | preceding | pre"
)
AFTER = phrases(
    "[from | dated | dating from] after | later than | newer than | more recent than | following | past | "
    "more recently than | subsequent to | post | younger than"
)
SINCE = phrases("since | from | starting from | as of | on or after | from the | ever since | starting on")
UNTIL = phrases(
    "until | till | up to | through | up until | no later than | by | to | on or before | by the end of | "
    "before the end of | til | up to and including | not later than"
)
BOUNDS: Relations = ((BEFORE, "<"), (AFTER, ">"), (SINCE, ">="), (UNTIL, "<="))
VAGUE = 0.4  # cost of `by`, `to` and the like as a bound of a date; none after the word for the date
WITHIN = phrases(
    "in | on | during | for | of | from | dated | within | over | at | throughout | dating from | as of | "
    "around | sometime in | back in"
)
_STARTS = phrases("the beginning of | the start of | beginning of | start of | the first of")
_AND_LATER = phrases("(or | and) (later | newer | after | onwards | onward) | onwards | onward")
_UP_TO = phrases("[right | all the way] (up to | until | till | through | to) [and including | including]")
_OLDER_OR_NEWER: Relations = (
    (phrases("older than | more than | over | at least"), "<"),
    (phrases("newer than | less than | under | within | younger than | at most | not older than"), "in"),
)


@dataclass(frozen=True, slots=True)
class DateTest:
    """`relation` to a period, or from the start of one to the end of another (`until`); `periods` several of them."""

    relation: Relation
    period: Value
    until: Value | None = None
    others: tuple[Value, ...] = ()


@rule
@needs(SAYS_WHEN)
def date_test(p: Parse, at: int) -> Iterator[Found[DateTest]]:
    """How a date compares: `in 2024`, `since March`, `between May and July`, `older than 30 days`."""
    yield from _between(p, at)
    yield from _age(p, at)
    for table, relation in BOUNDS:
        for end in p.phrases(at, table):
            vague = p.word(at) in ("from", "by", "to", "past") and p.word(end) != "now"
            yield from _bound(p, end, relation, vague=vague)
    starts = [at, *(end for end in p.phrases(at, WITHIN) if p.word(end) != "now")]  # "from now" is no day alone
    for start in starts:
        for one in period(p, start):
            if p.word(start - 1) in ("over", "at") and start > at and isinstance(one.value, tree.Number):
                continue  # "over 2000" is a number, "over the last week" is not
            test = DateTest("in", one.value)
            bare = 0.1 if start == at else 0.2 if p.word(at) == "for" else 0.0
            if p.word(at) != "from" or not _goes_on_to(p, one.end):
                yield Found(one.end, test, one.cost + bare)
            for end in (*p.phrases(one.end, _AND_LATER), *_on(p, at, one.end)):
                yield Found(end, DateTest(">=", one.value), one.cost)
            if p.phrase(one.end, "or", "earlier") or p.phrase(one.end, "or", "older"):
                yield Found(one.end + 2, DateTest("<=", one.value), one.cost)
            yield from _several(p, one)
        for part in part_of_period(p, start):
            yield Found(part.end, DateTest("in", *part.value), part.cost)


def _on(p: Parse, start: int, at: int) -> Iterator[int]:
    """`from 2025 on`, where nothing follows that it could be on."""
    if p.word(start) == "from" and p.word(at) == "on" and (at + 1 >= p.end or p.word(at + 1) in english.END_MARKS):
        yield at + 1


def _goes_on_to(p: Parse, at: int) -> bool:
    """Whether the end of a span is said here: what is `from 3 May and up to 6 May` is not of 3 May."""
    start = p.past(at, english.AND | {","})
    return any(period(p, p.articles(end)) for end in p.phrases(start, UNTIL))


def _bound(p: Parse, at: int, relation: Relation, *, vague: bool) -> Iterator[Found[DateTest]]:
    start_of = next(p.phrases(at, _STARTS), None)
    end_of = p.phrase(at, "the", "end", "of") or p.phrase(at, "end", "of")
    if end_of and relation == ">=":
        return
    begin = start_of or end_of or at
    unit = unit_at(p, begin + 1) if (start_of or end_of) and p.word(begin) == "the" else None
    if unit is not None and not p.word(begin + 1).endswith("s") and p.word(begin + 2) != "of":
        bound: Relation = "<=" if end_of and relation == "<" else ">=" if start_of and relation == ">" else relation
        yield Found(begin + 2, DateTest(bound, tree.RelativePeriod("this", unit)), 0.0)  # `by the end of the month`
    for one in (one for i in dict.fromkeys((begin, p.articles(begin))) for one in period(p, i)):  # `this` is one, too
        if start_of and relation == ">":
            relation = ">="
        if end_of and relation == "<":
            relation = "<="
        yield Found(one.end, DateTest(relation, one.value), one.cost + (VAGUE if vague else 0.0))


def _between(p: Parse, at: int) -> Iterator[Found[DateTest]]:
    opened = p.past(at, ("in", "on", "during", "dated", "the"))
    joined = ("and", "to", "until", "till", "through", "-", "–", "thru", "up")
    start = opened + 1 if p.word(opened) in ("between", "from") else opened
    for low in period(p, start):
        after = [*p.phrases(low.end, _UP_TO)]
        if p.word(low.end) in joined and (p.word(opened) == "between" or p.word(low.end) != "and"):
            after.append(p.past(low.end + 1, ("to", "the", "until", "including")))
        after += [*p.phrases(low.end + 1, _UP_TO)] if start > opened and p.word(low.end) in ("and", ",") else []
        places = [i for end in after for i in (end, p.articles(end))]
        for high in (high for end in dict.fromkeys(places) for high in period(p, end)):
            first = with_year_of(low.value, high.value) if low.cost else low.value  # a year that is said stays
            yield Found(high.end, DateTest("in", first, high.value), high.cost)
    yield from _days_of_a_month(p, start, joined, opened=start > opened)


def _days_of_a_month(p: Parse, at: int, joined: tuple[str, ...], *, opened: bool) -> Iterator[Found[DateTest]]:
    """`between 5 and 20 November 2021`, `3-9 May`, `May 3 to 9`: the month is said once."""
    first = day_number(p.word(at))
    low_end = p.past(at + 1, ("of",)) if first is not None else at
    if first is not None and p.word(low_end) in joined and (opened or p.word(low_end) != "and"):
        for high in day_of_month(p, p.past(low_end + 1, ("the",))):
            last = high.value
            if isinstance(last, tree.DateLiteral) and first < int(last.text[8:]):
                yield Found(high.end, DateTest("in", tree.DateLiteral(f"{last.text[:8]}{first:02}"), last), high.cost)
    for low in day_of_month(p, at):
        last_day = day_number(p.word(low.end + 1)) if p.word(low.end) in joined else None
        if last_day is None or not isinstance(low.value, tree.DateLiteral) or int(low.value.text[8:]) >= last_day:
            continue
        begins, end = low.value.text, low.end + 2
        years = list(year(p, p.past(end, (",", "of"))))
        text = f"{year_of(years[0].value):04}{begins[4:]}" if years else begins
        if years or p.word(end) not in english.MONTHS:
            ends = tree.DateLiteral(f"{text[:8]}{last_day:02}")
            yield Found(years[0].end if years else end, DateTest("in", tree.DateLiteral(text), ends), low.cost)


def _several(p: Parse, first: Found[Value]) -> Iterator[Found[DateTest]]:
    """`2023 or 2024`, `January and February 2025`."""
    periods, end, years_said = [first.value], first.end, [not first.cost]
    while True:
        after = p.past(end, (",",))
        after = p.past(after, ("and", "or", "/", "in", "vs", "versus"))
        if after == end:
            break
        following = next(iter(period(p, after)), None)
        if following is None:
            break
        if type(following.value) is not type(first.value):
            return  # "January 15, 2018" is one day
        periods.append(following.value)
        years_said.append(not following.cost)
        end = following.end
        of_years = zip(periods, years_said, strict=True)
        fixed = [one if said else with_year_of(one, periods[-1]) for one, said in of_years]
        yield Found(end, DateTest("in", fixed[0], None, tuple(fixed[1:])), 0.1)


def _age(p: Parse, at: int) -> Iterator[Found[DateTest]]:
    """Yield tests of an age: `older than 30 days` -> before the last 30 days; `less than 2 weeks ago`."""
    for table, relation in _OLDER_OR_NEWER:
        for start in p.phrases(at, table):
            counts = [(f.end, int(f.value.value)) for f in cardinal(p, start) if float(f.value.value).is_integer()]
            if p.word(start) in ("a", "an", "one"):
                counts.append((start + 1, 1))
            for end, count in counts:
                unit = unit_at(p, end)
                if unit is None or count < 1:
                    continue
                spoken = p.word(end + 1) in ("old", "ago") or p.phrase(end + 1, "of", "age")
                named = p.word(at) in ("older", "newer", "younger") or p.phrase(at, "not", "older")
                if not (spoken or named):
                    continue
                value = tree.RelativePeriod("last", unit, count)
                tail = (2 if p.word(end + 1) == "of" else 1) if spoken else 0
                yield Found(end + 1 + tail, DateTest(relation, value), 0.0)


def within_days(p: Parse, at: int, *, future: bool) -> Iterator[Found[DateTest]]:
    """`within 90 days`: from now on for a date that lies ahead, else up to now."""
    for end in p.phrases(at, phrases("within | within the next" if future else "within")):
        for count in cardinal(p, end):
            unit = unit_at(p, count.end)
            n = count.value.value
            if (unit is not None and float(n).is_integer() and n > 0
                and p.word(count.end + 1) not in ("of", "old", "ago")):
                yield Found(
                    count.end + 1, DateTest("in", tree.RelativePeriod("next" if future else "last", unit, int(n))), 0.1
                )


def on_weekday(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Condition]]:
    """`on Sundays`, `on a Monday`, `at weekends`: every such day."""
    if p.word(at) not in ("on", "at"):
        return
    start = p.past(at + 1, ("a", "the", "any"))
    word = p.word(start)
    several = word.endswith("days") or start > at + 1
    days = [english.WEEKDAY_NAMES[english.WEEKDAYS[word]]] if word in english.WEEKDAYS and several else []
    while days and several and word.endswith("days"):  # "on Saturdays and Sundays"
        after = p.past(p.past(start + 1, (",",)), english.AND | english.OR | {"on"})
        if after == start + 1 or not (p.word(after) in english.WEEKDAYS and p.word(after).endswith("days")):
            break
        start, word = after, p.word(after)
        days.append(english.WEEKDAY_NAMES[english.WEEKDAYS[word]])
    if word in ("weekend", "weekends"):
        days = ["Saturday", "Sunday"]
    elif word == "weekdays" or p.phrase(start, "working", "days"):
        days, start = list(english.WEEKDAY_NAMES[:5]), start + (word == "working")
    if days:
        left = tree.Cyclic("weekday", ref.left)
        right: Value = string(days[0]) if len(days) == 1 else tree.ListValue(tuple(string(day) for day in days))
        yield Found(start + 1, compare(left, "=" if len(days) == 1 else "in", right), 0.0)
