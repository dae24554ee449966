"""Meanings of the constructions of conditions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import both, compare, either, negation, number, path, string
from qlc.translator.rules.conditions import (
    date_condition,
    date_fields,
    default_date,
    default_number,
    fields_for,
    has_been,
    numbers_of,
    past,
    past_unit,
    quantity_condition,
    values_condition,
)
from qlc.translator.rules.constructions.construction import Match
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, ValueWord
from qlc.translator.rules.modifiers.events import by_now, complete, more_is_said, says_what_is_over, upcoming
from qlc.translator.rules.nouns.degrees import degrees, fields_of_dimension, is_duration, is_rank, measures
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.date_tests import DateTest, date_test
from qlc.translator.rules.quantities.dates import is_year
from qlc.translator.rules.quantities.numbers import QuantityTest
from qlc.translator.rules.quantities.years import (
    OF_A_RECORD,
    OF_NO_DATE,
    born,
    dates_of_the_thing,
    dates_to_ask_about,
    is_of_years,
    of_age,
    own_years,
)
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, stem, words

Said = Iterator[Found[Condition]]
_SAID_LATER = 0.5
_NEAR = 6  # words between the verb of a date and a period that belongs to it
OLDEST = 120  # years that somebody can be old
BOUND_WITHOUT_A_FIELD, NO_DEFAULT, OTHER_UNIT = 0.3, 0.5, 0.35


def _ref(m: Match) -> FieldRef:
    found: FieldRef = next(one for one in map(m.get, _FIELD_SLOTS) if one is not None)
    return found


_FIELD_SLOTS = ("described", "doing", "number", "counted", "date", "flag", "done")


def _said(m: Match, condition: Condition | None, cost: float = 0.0, end: int | None = None) -> Said:
    if condition is not None:
        yield Found(m.end if end is None else end, condition, cost)


def as_said(m: Match) -> Said:
    """The condition that the last slot is."""
    slots = ("stated", "condition", "opposite", "part_flag", "year", "recurring", "maker")
    return _said(m, next(m[one] for one in slots if m.get(one) is not None))


def values(m: Match) -> Said:
    """`owned by Ann or Bob` -> `owner in ["Ann", "Bob"]`."""
    if _ref(m).target is not None and m.parse.word(m.ends["described"]) == "of":
        return iter(())  # the owner of X is somebody
    return _said(m, m["values"])


def not_values(m: Match) -> Said:
    """`whose type is not Invoice`; `without milk and eggs`: neither, as nobody means those that lack one of the two."""
    said = m.get("values") or m["stated"]
    if isinstance(said, tree.Comparison) and said.operator == "has all":
        said = tree.Comparison(said.left, "has any", said.right)
    return _said(m, negation(said))


def number_bound(m: Match) -> Said:
    """`with more than 50 pages` -> `pages > 50`. Which way a rank goes is not known."""
    ref, test, entity = _ref(m), m["amount"], m.parse.entity(m.entity)
    if not ref.belongs_to(entity) or (is_rank(ref) and test.compared):
        return iter(())
    if (relation := m.get("or_more")) is not None:
        test = QuantityTest(relation, test.amount)
    return _said(m, quantity_condition(ref, test, entity), 0.0, past_unit(m.parse, m.end, ref))


def bound_by_unit(m: Match) -> Said:
    """`over 3 MB`: the number in such units, rather the one that the catalog prefers."""
    test, entity = m["amount"], m.parse.entity(m.entity)
    if test.amount.unit is None and test.amount.money is None:
        return
    fields = fields_for(entity, test.amount)
    preferred = any(ref.path == (entity.default_number,) for ref in fields)
    if any(ref.kind is FieldKind.BOOLEAN for _, ref in m.parse.fields(m.end, entity)):
        return  # `5 hours late`: an adjective says what it is of
    exact = 0.2 if test.relation == "=" else 0.0
    for ref in fields:
        unit = find_unit(ref.field.unit or "")
        if test.amount.unit is not None and unit is not None and unit.dimension == "time" and not is_duration(ref):
            continue  # `stays over 3 days` are that long, and their term of notice is not
        chosen = ref.path == (entity.default_number,) or len(fields) == 1
        unsure = 0.1 if chosen else OTHER_UNIT if preferred else 0.4
        yield from _said(m, quantity_condition(ref, test, entity), unsure + exact)


def usual_bound(m: Match) -> Said:
    """`above 500`: the number that the catalog prefers, where no noun follows."""
    p, test, entity = m.parse, m["amount"], m.parse.entity(m.entity)
    usual = next((ref for ref in numbers_of(entity) if ref.path == p.measured), None) or default_number(entity)
    is_of_a_year = test.relation == "=" and is_year(f"{test.amount.value:g}") and bool(date_fields(entity))
    bare = not is_of_a_year and test.compared and test.amount.unit is None and test.amount.money is None
    goes_on = english.AND | english.OR | english.PREPOSITIONS | english.COMMON_WORDS | english.RELATIVE_PRONOUNS
    follows = p.word(m.end).isalpha() and p.word(m.end) not in goes_on
    birth = born(entity)
    if bare and birth is not None and not follows and test.until is None and 0 < test.amount.value <= OLDEST:
        years, older = int(test.amount.value), test.relation in (">", ">=")
        yield from _said(m, of_age(p, birth, "<" if older else ">", years), 0.1)
        return
    named = any(True for one in p.ending(m.start) if isinstance(getattr(one.payload, "ref", None), FieldRef)
                and one.payload.ref.is_number)  # type: ignore[union-attr]  # fmt: skip
    copula = m.start - (p.word(m.start) not in english.COPULAS)
    named |= p.word(copula) in english.COPULAS and _is_of_a_value(p, copula)
    if usual is not None and bare and not follows and not named:
        sized = p.word(m.start) in english.MORE_ADJECTIVES or p.word(m.start) in english.LESS_ADJECTIVES
        unsure = BOUND_WITHOUT_A_FIELD if entity.default_number and not sized else NO_DEFAULT
        yield from _said(m, quantity_condition(usual, test), unsure)


def _is_of_a_value(p: Parse, copula: int) -> bool:
    """Return whether the subject of a copula is a value: `nitrate` in `whose nitrate | is over 50`."""
    starts = (one.start - 1 for one in p.ending(copula) if isinstance(one.payload, ValueWord))
    return any(p.word(one - (p.word(one) in english.ARTICLES)) in ("whose", "where") for one in starts)


def comparative(m: Match) -> Said:
    """`bigger than 2 MB`, `longer than 20 pages`: the number that the adjective speaks of."""
    (dimension, more), test = m["comparative"], m["amount"]
    p, entity = m.parse, m.parse.entity(m.entity)
    if test.compared:
        return
    bound = QuantityTest(">" if more else "<", test.amount)
    fields = [ref for ref in fields_for(entity, test.amount) if measures(ref, dimension)] if test.amount.unit else []
    for ref in fields:
        yield from _said(m, quantity_condition(ref, bound, entity), 0.15)
    for noun, ref in p.numbers(m.end, entity) if test.amount.unit is None else ():
        if not is_rank(ref):
            yield from _said(m, quantity_condition(ref, bound, entity), noun.cost + 0.1, noun.end)
    meant = degrees(entity, dimension, more)
    meant += [(ref, not more) for ref in fields_of_dimension(entity, "age")] if dimension == "birth" else []
    for ref, above in meant:
        if ref.is_number:
            said = QuantityTest(">" if above else "<", test.amount)
            bare = dimension == "size" and test.amount.unit is None and ref.field.unit is not None
            unsure = 0.5 if dimension == "number" or bare else 0.1  # nobody counts bytes
            yield from _said(m, quantity_condition(ref, said, entity), unsure, past_unit(p, m.end, ref))


def _in_period(m: Match, ref: FieldRef, test: DateTest, verb: int, cost: float) -> Said:
    """A date in a period; not one that tells what was done, in days to come."""
    if not has_been(ref, test):
        for meant, further in upcoming(m.parse, ref, test, verb):
            yield from _said(m, date_condition(ref, meant), cost + further)


def dated(m: Match) -> Said:
    """`created in May`; what is `booked for Friday` was not booked on it."""
    p, end = m.parse, m.ends["date"]
    if p.word(end) == "for" and is_participle(p.word(end - 1)):
        return iter(())
    return _in_period(m, _ref(m), m["period"], m.ends["date"] - 1, 0.0)


def both_dated(m: Match) -> Said:
    """`issued and paid in May`: one period of both deeds, or of one of them."""
    refs = (m["date"], m["date.other"])
    ways = [[one.value for one in _in_period(m, ref, m["period"], m.ends["date.other"] - 1, 0.0)][:1] for ref in refs]
    denied = m.start > 0 and m.parse.word(m.start - 1) in english.NEGATIONS and not m.has("or")
    if refs[0] != refs[1] and all(ways) and not denied:  # `not issued and paid in May` may be issued then
        parts = [condition for way in ways for condition in way]
        yield from _said(m, either(parts) if m.parse.word(m.ends["date"]) == "or" else both(*parts))


def usual_date(m: Match) -> Said:
    """`in May`: of the catalog's preferred date, rather of one said before; without a preferred one, of each date."""
    p, entity = m.parse, m.parse.entity(m.entity)
    usual = default_date(entity)
    if usual is None:
        of_years = bool(own_years(entity)) and is_of_years(m["period"])
        for one in () if of_years else dates_to_ask_about(entity):
            yield from _in_period(m, one, m["period"], m.start, OF_NO_DATE)
        return
    ref, cost = usual
    cost += 0.9 if _follows_a_state(m) and len(date_fields(entity)) > 1 else 0.0
    of_years = bool(own_years(entity)) and is_of_years(m["period"])
    cost += OF_A_RECORD if of_years and ref not in dates_of_the_thing(entity) else 0.0
    near = [one.payload for one in p.ending(m.start, _NEAR)] + [
        one.payload for at in range(max(0, m.start - _NEAR), m.start) for one in p.starting(at, FieldWord)
    ]
    named = [one.ref for one in near if isinstance(one, FieldWord) and one.ref.kind is FieldKind.DATE]
    cost += 0.9 if named and ref not in named else 0.0
    yield from _in_period(m, ref, m["period"], m.start, cost)


def _follows_a_state(m: Match) -> bool:
    """Whether a participle that is a state is said before: what was signed in May may be of April."""
    before = [one.payload for one in m.parse.ending(m.start)]
    refs = [getattr(one, "ref", None) for one in before]
    states = any(ref is None or ref.kind in (FieldKind.BOOLEAN, FieldKind.KEYWORD) for ref in refs)
    done = m.start > 0 and (is_participle(last := m.parse.word(m.start - 1)) or last in english.PARTICLES)
    return done and states


def gone(m: Match) -> Said:
    """`whose due date has passed`."""
    return _said(m, past(_ref(m)))


def happened(m: Match) -> Said:
    """`that have departed`: there is a date of it, which is not to come; what has `expired` is past."""
    ref = _ref(m)
    if says_what_is_over(m.parse, m.start, m.end, ref):
        return _said(m, ref.compared("<", tree.Day("today")))
    dated = any(date_test(m.parse, at) for at in range(m.end, m.parse.end))  # then the date says when
    return _said(m, by_now(m.parse, ref, m.entity), _SAID_LATER if dated else 0.0)


def flag(m: Match, *, so: bool = True) -> Said:
    return _said(m, _ref(m).equals(tree.Boolean(so)))


def presence(m: Match, *, absent: bool = False) -> Said:
    """`with a description`, of numbers more than zero; if absent, `without a category`, of numbers also zero."""
    ref = _ref(m)
    sure = m.get("doing") is not None or m.has(*words("unknown known missing blank recorded given set noted"))
    if ref.path[0] == m.parse.entity(m.entity).parent and not absent:
        return  # everything lies somewhere
    if not sure and (not complete(m.parse, m.end) or (m.has("the") and not absent)):
        return  # "with the family" asks to see it
    none: Condition = tree.Presence(ref.left, absent)
    if not sure and (yes := _values_of_some(m, ref)):  # who has answered `no` has none
        some = values_condition(ref, [string(one) for one in yes], "or", False)
        yield from _said(m, negation(some) if absent else some, 0.2)
        return
    if ref.is_number and not sure:
        zero = compare(ref.left, "=" if absent else ">", number(0))
        if ref.field.adds_up or ref.field.unit == "%":
            none = either((none, zero)) if absent else zero
    yield from _said(m, none, 0.0 if sure else 0.3)


def count_present(m: Match, *, absent: bool = False) -> Said:
    """`that have subfolders`, where a field is their number; not `documents tagged audit`, which says which ones."""
    if complete(m.parse, m.end) and not more_is_said(m.parse, m.end):
        yield from _said(m, _ref(m).compared("=" if absent else ">", number(0)))


def list_present(m: Match, *, absent: bool = False) -> Said:
    if complete(m.parse, m.end) or m.get("list") is None:
        yield from _said(m, tree.Presence(path(m["list"]), absent))


def acted(m: Match) -> Said:
    """`that Omar owns` -> `owner = "Omar"`."""
    return _said(m, m["agent"].meant_by(m["act"]))


def not_acted(m: Match) -> Said:
    return _said(m, m["act"].compared("!=", m["agent"].value)) if not m["agent"].many else iter(())


def acted_when(m: Match) -> Said:
    """`Wei created since March`: the date is the one of the same verb."""
    return _with_its_date(m, m["agent"].meant_by(m["act"]), m.parse.word(m.ends["act"] - 1))


def done_when(m: Match) -> Said:
    """`edited by Ann last week`."""
    at = next((i for i in range(m.start, m.end) if is_participle(m.parse.word(i))), m.start)
    return _with_its_date(m, m["values"], m.parse.word(at))


def _with_its_date(m: Match, condition: Condition, verb: str) -> Said:
    for ref in date_fields(m.parse.entity(m.entity)):
        if stem(verb) in ref.stems:
            yield from _said(m, both(condition, date_condition(ref, m["period"])))


def _values_of_some(m: Match, ref: FieldRef) -> list[str]:
    """Return the values that say there is some, if others deny it: `with pets` -> `allowed`, not `not allowed`."""
    many, known = ref.within, m.parse.lexicon.values
    found = tuple(ref.field.values.display) if ref.field.values else known.values.get(ref.path, ())
    if many is not None and many.key is not None:
        found = known.keys.get(many.name, {}).get(ref.path[-1], ())
    said = {one.casefold() for one in found}
    positive = said | {" ".join(phrase) for phrase in ref.phrases}
    denying = {one for one in said if one in english.DENYING or _opposite(one) in positive}
    return [one for one in found if one.casefold() not in denying] if denying and ref.target is None else []


def _opposite(value: str) -> str:
    """`not allowed`, `non-smoking`, `unfurnished` -> what each denies; empty if it denies nothing."""
    denied = re.match(r"(?:(?:not|no|non|without)[ -]+|(?:un|in|im|ir|dis)(?=\w{4}))(.+)", value)
    return denied[1] if denied is not None else ""
