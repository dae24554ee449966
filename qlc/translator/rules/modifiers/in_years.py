"""Years that are whole numbers, where no field is named, and the ages of people: `for 2023`, `older than 60`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.conditions import date_condition, date_fields, default_date
from qlc.translator.rules.lexicon.lexemes import EntityWord
from qlc.translator.rules.nouns.degrees import fields_of_dimension
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.date_tests import DateTest, Relation
from qlc.translator.rules.quantities.numbers import Amount, amount, quantity_test
from qlc.translator.rules.quantities.years import begun, born, is_a_year, made, of_age, year_fields, year_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words


def year_number(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`for 2023`: a whole number whose field is a year by its name."""
    start = p.past(at, words("for in of from the year"))
    word = p.word(start)
    following = start == at and at and p.word(at - 1) in english.AND | english.OR  # "March 2025 and 2024" are dates
    if not (word.isdecimal() and len(word) == 4) or following:
        return
    own = p.entity(entity)
    for ref in year_fields(own):
        another = 0.5 if date_fields(own) and default_date(own) is None else 0.0  # of which date?
        if another and p.word(at) not in ("for", "year"):
            continue  # what is of a year is rather of a date, which nobody named
        cost = 0.05 if p.word(at) == "for" else 0.2 + another if start == at else 0.4 + another
        if start == at or p.word(at) == "for":
            p.guess(ref.path[0])
        yield Found(start + 1, compare(path(*ref.path), "=", tree.Number(int(word), word)), cost)


FIRST_DATED = 1900
"""Nothing that is kept with a day was done before: an earlier year is one that is kept as a number."""


def of_early_years(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`from the 18th century`, `between 1750 and 1850`, `before 1700`: of the year in which things were made."""
    own = p.entity(entity)
    ref = made(own) or (years[0] if len(years := year_fields(own)) == 1 else None)
    if ref is None:
        return
    for test in year_test(p, at):
        early = _earliest(test.value) < FIRST_DATED or not date_fields(own)
        if not early and made(own) is None and p.word(at) != "over":
            continue  # a date that nobody named is not the year of something else
        yield Found(test.end, date_condition(ref, test.value), test.cost + (0.1 if early else 0.45))


def _earliest(test: DateTest) -> float:
    return min(one.value for one in (test.period, *test.others) if isinstance(one, tree.Number))


def old_or_young(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`older than 1800`, of what was made then; `older than 60`, of people with a date of birth."""
    dimension = english.MORE_ADJECTIVES.get(p.word(at)) or english.LESS_ADJECTIVES.get(p.word(at)) or ""
    if dimension not in ("birth", "making") or p.word(at + 1) != "than":
        return
    own = p.entity(entity)
    ref = begun(own, dimension)
    if ref is None:
        return
    for test in year_test(p, at) if is_a_year(ref) else ():
        yield Found(test.end, date_condition(ref, test.value), test.cost)
    relation: Relation = ">" if p.word(at) in english.MORE_ADJECTIVES else "<"
    for one in amount(p, at + 2) if ref == born(own) or is_a_year(ref) else ():
        end = _years_of_age(p, one.end, one.value)
        if end is not None:
            yield Found(end, of_age(p, ref, relation, int(one.value.value)), 0.05)


def of_people_aged(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`patients over 60`, `women under 18`, `aged 65 or over`: of people, who have a date of birth and no age."""
    own = p.entity(entity)
    ref = born(own)
    start = next(p.phrases(at, _AGED), at)
    if ref is None or fields_of_dimension(own, "age") or (start == at and not _of_people(p, at)):
        return
    for test in quantity_test(p, start):
        end = _years_of_age(p, test.end, test.value.amount)
        if end is not None and test.value.compared and test.value.until is None:
            relation: Relation = "<" if test.value.relation in (">", ">=") else ">"
            yield Found(end, of_age(p, ref, relation, int(test.value.amount.value)), test.cost + 0.1)


_AGED = phrases("[who | that] (is | are) aged | aged | of age | (whose | with an) age (is | of)")
_OLDEST = 120


def _years_of_age(p: Parse, at: int, age: Amount) -> int | None:
    """Behind a number of years that somebody can be old."""
    said = age.unit in (None, "years") and age.money is None
    if not said or not float(age.value).is_integer() or not 0 < age.value <= _OLDEST:
        return None
    end = p.past(at, ("years", "year"))
    return p.past(end, ("old", "of", "age") if p.word(end) in ("old", "of") else ())


def _of_people(p: Parse, at: int) -> bool:
    """Whether the noun right before says who they are: `over 60` is then how old they are."""
    before = (one for row in p.lexemes[max(0, at - 3) : at] for one in row if one.end == at)
    return any(isinstance(one.payload, EntityWord) for one in before) or (
        at > 0 and p.word(at - 1) in english.PEOPLE
    )

