"""Values by their words, with or without their field: `overdue`, `from Costco`, `with high priority`, `in review`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from qlc.grammar.tree import Condition
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, negation
from qlc.translator.rules.conditions import date_condition, date_fields, has_been, values, values_condition
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, Lexeme, ListWord, NameWord, ValueWord
from qlc.translator.rules.modifiers.amounts import lately
from qlc.translator.rules.modifiers.directions import cued, direction_cost, is_moving, towards
from qlc.translator.rules.modifiers.events import upcoming
from qlc.translator.rules.modifiers.fields import past_leading
from qlc.translator.rules.nouns.compounds import COMPOUND, is_a_means, of_what_is_listed
from qlc.translator.rules.nouns.names import hierarchical, kind_in_plural
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, is_same_deed, stem
from qlc.translator.rules.words.phrases import words

CLOSED, OPEN = 0.15, 0.3
"""What it costs to take words for a value: of a field whose values the catalog lists, and of another."""

RATHER_NOT = 0.5
"""What it costs to take words for a value that are rather said of something else."""

LESS_LIKELY = 0.3
"""What it costs to take words for a value where something else is as near."""


@dataclass(frozen=True, slots=True)
class _Position:
    """Where a value may be: it begins at `begin`, after the words from `at` on that lead to it.

    `paid`: they are `paid` and what follows it; `neither`: the value is denied with another one.
    """

    at: int
    begin: int
    leading: list[str]
    paid: bool
    neither: bool


def value_alone(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A value with or without its field after it: `overdue`, `from Costco`, `with high priority`, `in review`."""
    paid = p.word(at) == "paid" and p.word(at + 1) in english.PREPOSITIONS
    at += paid  # `paid by card`; alone it says that something is
    start = past_leading(p, at)
    infinitive = p.word(at) == "to" and p.word(at + 1) in english.MOTION  # `to leave Rome` is not to Rome
    leading = [p.word(i) for i in range(at + infinitive, start)]
    neither = p.word(start) == "neither" and any(word in english.PREPOSITIONS for word in leading)
    for begin in {start + 1} if neither else {at, start}:
        position = _Position(at, begin, leading, paid, neither)
        for lexeme in p.starting(begin, ValueWord):
            cost = _cost(p, lexeme, position, entity) if lexeme.payload.ref.belongs_to(p.entity(entity)) else None
            if cost is not None:
                yield from _values_at(p, lexeme.payload.ref, position, entity, cost)


def _cost(p: Parse, lexeme: Lexeme[ValueWord], position: _Position, entity: str) -> float | None:
    """How unsure it is that words stand for a value here; None where they stand for something else."""
    ref, at, begin, leading = lexeme.payload.ref, position.at, position.begin, position.leading
    plural = kind_in_plural(p, lexeme.end, ref)
    if (position.paid and not _of_payment(ref)) or of_what_is_listed(p, lexeme.end, ref):
        return None
    person = _names_a_person(p, begin, lexeme.end, leading)
    if (person and "by" in leading) or _of_an_element(p, lexeme, leading):
        return None
    if leading and _is_the_deed_of(p, at, ref, entity):
        return None
    cost = CLOSED if ref.field.values is not None or position.neither else OPEN
    if any(one.end > lexeme.end and not one.cost for one in p.starting(begin, FieldWord)):
        cost += LESS_LIKELY  # the tax year is no tax
    cost -= 0.15 if position.paid else 0.0
    cost += RATHER_NOT if _denies_a_number(p, at, lexeme.end, entity) else 0.0
    cost += RATHER_NOT if _rather_of_the_list(p, at, begin, lexeme) else 0.0
    if ref.within is not None and not _of_no_other(p, lexeme):
        cost += LESS_LIKELY  # rather the thing's own value than that of an element
    if begin == at and at and plural and p.word(at - 1) not in english.COPULAS:
        cost += LESS_LIKELY  # rather a noun of its own: "large pdfs or images"; not so in "who are lawyers"
    if begin == at and plural and is_a_means(ref):
        cost += COMPOUND  # `checks` are not what was paid by check
    cost += 0.6 if person else 0.0
    cost += RATHER_NOT if "by" in leading and _done_by_another(p, at, ref) else 0.0
    return cost if begin == at else _after_leading(p, lexeme, position, entity, cost)


def _after_leading(p: Parse, lexeme: Lexeme[ValueWord], position: _Position, entity: str, cost: float) -> float | None:
    """The cost of a value with what the words before it add; None where they lead to something else."""
    ref, leading = lexeme.payload.ref, position.leading
    if is_moving(leading) and not cued(ref, towards(leading)):
        return None  # what leaves a place has a field for it, or nothing is known of its way
    cost += direction_cost(ref, leading)
    cost += RATHER_NOT if _is_referred_to(p, lexeme, entity, leading) else 0.0
    cost += 0.4 if _names_a_place(p, position.begin, lexeme.end, entity, leading) else 0.0
    grouping = "by" in leading and bool(p.starting(position.begin, FieldWord))
    return cost + (0.2 if grouping else 0.0)


def _values_at(p: Parse, ref: FieldRef, position: _Position, entity: str, cost: float) -> Iterator[Found[Condition]]:
    """The conditions on the values that begin here, with what may be said after them."""
    for several in values(p, position.begin, ref):
        condition = values_condition(ref, *several.value)
        condition = negation(condition) if position.neither else condition
        end = several.end
        total = several.cost + cost
        yield from (done := _when_it_became_so(p, position.begin, Found(end, condition, 0.0), entity))
        total += RATHER_NOT if done else 0.0
        yield from (dated := [])
        total += LESS_LIKELY if dated else 0.0
        yield Found(end, condition, total)
        for noun in _value_nouns(p, end):
            yield Found(noun, condition, total - 0.1)
        for noun in _nouns_of(p, end, ref):  # with the word for its field, it is no other's
            yield Found(noun, condition, min(total - 0.1, several.cost + (0.25 if ref.within else 0.15)))


def _of_no_other(p: Parse, value_word: Lexeme[ValueWord]) -> bool:
    """Whether a code such as `CC-100` can be nothing but the value of one key."""
    said = p.raw(value_word.start, value_word.end)
    code = any(c.isdecimal() for c in said) and any(c.isalpha() for c in said)
    meanings = [one for one in p.lexemes[value_word.start] if one.end == value_word.end]
    keyed = value_word.payload.ref.within is not None and value_word.payload.ref.within.key is not None
    return keyed and code and len(meanings) == 1


def _rather_of_the_list(p: Parse, at: int, begin: int, value_word: Lexeme[ValueWord]) -> bool:
    """`tagged reimbursable but not travel`: rather another tag than a value of another field."""
    if not at or p.word(at - 1) not in english.NEGATIONS or begin > at:
        return False
    lists = {one.payload.ref.path for one in p.starting(begin, ValueWord) if one.payload.ref.field.many is True}
    said = {one.payload.ref.path for i in range(at) for one in p.starting(i, FieldWord)}
    return bool(lists & said) and value_word.payload.ref.path not in lists


def _of_an_element(p: Parse, value_word: Lexeme[ValueWord], leading: list[str]) -> bool:
    """`with open comments`: what is said of the elements of a list is not said of the thing."""
    lists = (noun for noun in p.starting(value_word.end, ListWord) if not noun.payload.tail)
    within = value_word.payload.ref.within
    others = any(within is None or one.payload.name != within.name for one in lists)
    return others and bool(english.HAVING & set(leading))


def _denies_a_number(p: Parse, at: int, end: int, entity: str) -> bool:
    """`no passengers`: rather that there are none than that they are not what is carried."""
    denied = at > 0 and p.word(at - 1) in ("no", "without")
    return denied and any(
        one.end == end and one.payload.ref.is_number and one.payload.ref.belongs_to(p.entity(entity))
        for one in p.starting(at, FieldWord)
    )


def _is_referred_to(p: Parse, value: Lexeme[ValueWord], entity: str, leading: list[str]) -> bool:
    """`to Mia Torres`: rather her to whom something goes than a value that is spelled as her name."""
    way = towards(leading)
    names = {e for one in p.starting(value.start, NameWord) if one.end == value.end for e in one.payload.entities}
    refs = (ref for ref in FieldRef.own(p.entity(entity)) if ref.target in names)
    return bool(way) and not cued(value.payload.ref, way) and any(cued(ref, way) for ref in refs)


def _done_by_another(p: Parse, at: int, ref: FieldRef) -> bool:
    """`signed by Acme Corp`: who did it, where no word of the field says that it is who does anything."""
    agent = any(word.casefold().split()[-1] == "by" for word in ref.field.words)
    return ref.field.values is None and not agent and at > 0 and is_participle(p.word(at - 1))


def _is_the_deed_of(p: Parse, at: int, ref: FieldRef, entity: str) -> bool:
    """`created by Ann`: who created it has a field of its own, so that it is not who bills for it."""
    if not at or not is_participle(p.word(at - 1)):
        return False
    verbs = (one for one in p.starting(at - 1, FieldWord) if one.end == at + 1 and one.payload.tail == "by")
    deeds = [one.payload.ref for one in verbs if one.payload.ref.belongs_to(p.entity(entity))]
    return bool(deeds) and all(one.path != ref.path for one in deeds)


def _of_payment(ref: FieldRef) -> bool:
    """Whether a field says how something was paid: `payment method`, `paid by`."""
    return any(word.startswith(("pay", "paid")) for word in ref.parts)


def _when_it_became_so(p: Parse, at: int, state: Found[Condition], entity: str) -> list[Found[Condition]]:
    """`closed this week`: a state that a date of the same verb stands for, with a date after it.

    What is open was not opened: a state is what was done where it is called by the participle. Of what was `adopted`
    the `adoption date` may be that of other things too, which were not: there the state is said with it.
    """
    said = [one for one in _other_words(p, at, state.end) if is_participle(one)]
    dates = date_fields(p.entity(entity)) if said else []
    to_come = p.word(state.end) == "for"  # `booked for tomorrow` tells of no day on which it was booked
    dates = list(dates)
    own = [ref for ref in dates if said[0] == p.word(at) and stem(said[0]) in map(stem, first_words(ref))]
    plain = own or [ref for ref in dates if {stem(one) for one in said} & {stem(one) for one in first_words(ref)}]
    named = [ref for ref in dates if any(is_same_deed(one, two) for one in said for two in first_words(ref))]
    of_it = plain or (named if len(named) == 1 else [])
    tests = [one for ref in of_it for one in _at_a_date(p, state.end, ref, p.entity(entity))]
    so = None if plain and not to_come else state.value
    return [Found(one.end, both(so, one.value) or one.value, one.cost + 0.05) for one in tests]


def _at_a_date(p: Parse, at: int, ref: FieldRef, entity: Entity) -> Iterator[Found[Condition]]:
    verb = at if p.word(at) == "for" else at - 1
    for test in (*date_test(p, at), *lately(p, at, ref, entity)):
        for meant, further in upcoming(p, ref, test.value, verb) if not has_been(ref, test.value) else ():
            yield Found(test.end, date_condition(ref, meant), test.cost + further)


def _other_words(p: Parse, at: int, end: int) -> Iterator[str]:
    """A word, and those that are single words for the same value: `expired` where a value is also called `run out`."""
    if end == at + 1:
        yield p.word(at)
    for one in p.starting(at, ValueWord):
        closed = one.payload.ref.field.values
        if one.end == end and closed is not None and one.payload.text in closed.display:
            spellings = (word for word, stored in closed.spellings.items() if stored == one.payload.text)
            yield from (word for word in spellings if word.isalpha())


def first_words(ref: FieldRef) -> list[str]:
    """`paid` of a field with the words `paid on`."""
    return [phrase[0] for phrase in ref.phrases]


def _names_a_place(p: Parse, at: int, end: int, entity: str, leading: list[str]) -> bool:
    """`in Legal`: rather the folder of that name than the category."""
    places = words("in inside within into under")
    targets = {ref.target for ref in hierarchical(p.entity(entity))}
    if entity in targets or p.entity(entity).kinds:
        places |= words("of has have")  # "subfolders of Legal", "contents of Legal", "how many folders has Legal"
    if not places & set(leading):
        return False
    return any(one.end >= end and targets & set(one.payload.entities) for one in p.starting(at, NameWord))


def _names_a_person(p: Parse, at: int, end: int, leading: list[str]) -> bool:
    """`of Grace Kim`, `by Grace Kim`: rather the person than a value that is spelled the same."""
    virtual = {e.name for e in p.people}
    people = (one for one in p.starting(at, NameWord) if one.payload.whole and one.end >= end)
    asked = not (english.PREPOSITIONS - {"of", "by", "for"}) & set(leading)
    return asked and any(virtual & set(one.payload.entities) for one in people)


def _nouns_of(p: Parse, at: int, ref: FieldRef) -> Iterator[int]:
    after = p.past(at, words("according to their its the by in as a for"))
    for start in {at, after}:
        for lexeme in p.starting(start, FieldWord):
            if lexeme.payload.ref.path == ref.path and p.word(start) not in english.PREPOSITIONS:
                yield lexeme.end


def _value_nouns(p: Parse, at: int) -> Iterator[int]:
    if p.word(at) in ("ones", "status", "state"):
        yield at + 1


RULES = (value_alone,)
