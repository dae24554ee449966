"""Years that are whole numbers, and the dates that make things old: `built before 1700`, `the oldest sculpture`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Value
from qlc.language.field_words import BIRTHS, OF_RECORDS
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import number
from qlc.translator.rules.conditions import date_condition, date_fields, default_date
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import DIGITS, Found, Parse, needs, rule
from qlc.translator.rules.quantities.date_tests import BOUNDS, WITHIN, DateTest, Relation, date_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import spaced, stem, words
from qlc.translator.rules.words.tokens import name_key

_YEAR = re.compile(r"(?:1\d|2[01])\d\d")
_MAKING = frozenset(
    stem(one)
    for one in words(
        "made built created produced founded constructed construction established published manufactured composed "
        "painted written released model vintage"
    )
)


def is_a_year(ref: FieldRef) -> bool:
    """Whether a whole number is a year, as its name says, or the path that it is stored at."""
    return ref.kind is FieldKind.WHOLE_NUMBER and "year" in _parts(ref)


@lru_cache(maxsize=256)
def year_fields(entity: Entity) -> tuple[FieldRef, ...]:
    return tuple(ref for ref in FieldRef.own(entity) if is_a_year(ref) and not ref.field.sensitive)


@lru_cache(maxsize=256)
def dates_of_the_thing(entity: Entity) -> tuple[FieldRef, ...]:
    """Return the dates that tell of a thing, and not of its record: a movie of 1984 has an `update_date` of today."""
    return tuple(ref for ref in date_fields(entity) if not OF_RECORDS & {*_parts(ref), *map(_done, _parts(ref))})


MOST_DATES = 4
OF_NO_DATE = 0.67
"""More than the margin above what says which date by other words: `orders on 3 May` by their `order_date`."""


@lru_cache(maxsize=256)
def dates_to_ask_about(entity: Entity) -> tuple[FieldRef, ...]:
    """Return the dates that a period, or a group by months, can be of where the catalog prefers none: two or more."""
    own = dates_of_the_thing(entity)
    dates = own if len(own) > 1 else date_fields(entity)
    return dates if default_date(entity) is None and 1 < len(dates) <= MOST_DATES else ()


def _done(verb: str) -> str:
    return verb + ("d" if verb.endswith("e") else "ed")


@lru_cache(maxsize=256)
def own_years(entity: Entity) -> tuple[FieldRef, ...]:
    """Return the years that a year alone can mean: `year`, `build_year`, but not a `tax_year`."""
    return tuple(ref for ref in year_fields(entity) if ("year",) in ref.phrases or _MAKING & {*map(stem, _parts(ref))})


def born(entity: Entity) -> FieldRef | None:
    """When somebody was born: not the `manager birth date` of a project."""
    own = BIRTHS.union(*map(name_key, (entity.name, entity.plural, *entity.words, "date of year day person")))
    found = [ref for ref in (*date_fields(entity), *year_fields(entity))
             if BIRTHS & _parts(ref) and any(own.issuperset(one) for one in ref.phrases)]  # fmt: skip
    return found[0] if len(found) == 1 else None


@lru_cache(maxsize=256)
def made(entity: Entity) -> FieldRef | None:
    """The year in which something came to be: the one whose words say so, or the only year where nothing has a date."""
    years = year_fields(entity)
    found = [ref for ref in years if _MAKING & {stem(one) for one in _parts(ref)}]
    if len(found) == 1:
        return found[0]
    return years[0] if len(years) == 1 and not date_fields(entity) and not BIRTHS & _parts(years[0]) else None


def begun(entity: Entity, dimension: str) -> FieldRef | None:
    """Return the field that makes documents old or new: a birth, the year of manufacture, else the usual date."""
    usual = default_date(entity)
    own = (born(entity) if dimension == "birth" else None) or made(entity)
    if usual is None or (own is not None and dimension != "date"):
        return own
    return usual[0]


def _parts(ref: FieldRef) -> set[str]:
    return ref.parts | set(spaced(ref.field.mapped.path.rpartition(".")[2]).split())


@rule
def year_test(p: Parse, at: int) -> Iterator[Found[DateTest]]:
    """`before 1700`, `in the 18th century`, `between 1750 and 1850`, `since 1066`: with years as numbers."""
    for test in date_test(p, at):
        if is_of_years(test.value):
            yield test
    for table, relation in BOUNDS:
        for end in p.phrases(at, table):
            start = p.articles(end)
            if (one := any_year(p, start)) is not None:
                yield Found(start + 1, DateTest(relation, number(one)), 0.05)
    start = p.past(at, ("in", "from", "between", "of", "year", "the"))
    first = any_year(p, start)
    if first is None:
        return
    last = any_year(p, start + 2) if p.word(start + 1) in words("and to - – until till") else None
    if last is not None and first < last:
        yield Found(start + 3, DateTest("in", number(first), number(last)), 0.0)
    for end in p.phrases(at, WITHIN):
        if p.past(end, ("the", "year")) == start:
            yield Found(start + 1, DateTest("in", number(first)), 0.05)


def came_in(p: Parse, at: int) -> bool:
    """Whether a preposition says no more: `that came in after X`, `from before X`."""
    bounded = p.word(at + 1) in ("before", "after", "since", "between")
    came = p.word(at) == "in" and at > 0 and p.word(at - 1) in words("came come comes coming")
    return bounded and (came or p.word(at) == "from")


def is_of_years(test: DateTest) -> bool:
    """Return whether a date is compared with whole years alone: `before 2000`."""
    ends = (test.period, *test.others, *(() if test.until is None else (test.until,)))
    return all(isinstance(one, tree.Number) for one in ends)


def of_age(p: Parse, ref: FieldRef, relation: Relation, years: int) -> Condition:
    """Return the condition on a birth for an age in years: equal, older (`<`), or younger (`>`)."""
    if ref.kind is FieldKind.DATE:
        period: Value = tree.RelativePeriod("last", "year", years)
        return date_condition(ref, DateTest("<" if relation == "<" else "in", period))
    return date_condition(ref, DateTest(relation, number(p.now.year - years)))


def any_year(p: Parse, at: int) -> int | None:
    """The year of four digits that is here, of any century since the eleventh."""
    word = p.word(at)
    return int(word) if _YEAR.fullmatch(word) else None


OF_A_RECORD = 0.5  # cost of comparing a year with the date of a record that has a year of its own


@needs((DIGITS,))
def year_number(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`for 2023`, `before 2000`: a whole number whose field is a year by its name."""
    own = p.entity(entity)
    which = OF_A_RECORD if dates_of_the_thing(own) and default_date(own) is None else 0.0
    begin = at + came_in(p, at)
    for test in year_test(p, begin) if own_years(own) else ():
        bounded = test.value.relation != "in" and p.word(begin) != "from"  # "from 1984" is of that year
        if bounded or test.value.until is not None:
            meant = ((date_condition(ref, test.value), test.cost + 0.1 + which) for ref in own_years(own))
            yield from (Found(test.end, condition, cost) for condition, cost in meant)
    start = p.past(at, words("for in of from the year"))
    word = p.word(start)
    following = start == at and at and p.word(at - 1) in english.AND | english.OR  # "March 2025 and 2024" are dates
    if not (word.isdecimal() and len(word) == 4) or following:
        return
    for ref in year_fields(own):
        if which and p.word(at) not in ("for", "year"):
            continue  # what is of a year is rather of a date, which nobody named
        cost = 0.05 if p.word(at) == "for" else 0.2 + which if start == at else 0.4 + which
        if start == at or p.word(at) == "for":
            p.guess(ref.path[0])
        yield Found(start + 1, ref.equals(tree.Number(int(word), word)), cost)
