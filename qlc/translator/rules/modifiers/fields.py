"""Fields by their words, with what they are compared with: `tagged audit`, `owned by Ann`, `size over 3 MB`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, negation, string
from qlc.translator.rules.conditions import (
    date_condition,
    date_fields,
    has_been,
    past_unit,
    quantity_condition,
    values,
    values_condition,
)
from qlc.translator.rules.lexicon.lexemes import INFLECTED, EntityWord, FieldRef, FieldWord, ListWord, ValueWord
from qlc.translator.rules.modifiers.amounts import lately
from qlc.translator.rules.modifiers.events import upcoming
from qlc.translator.rules.modifiers.relative import against_document
from qlc.translator.rules.nouns.degrees import is_rank
from qlc.translator.rules.parse import PART, Found, Parse
from qlc.translator.rules.quantities.date_tests import VAGUE, at_hours, date_test, on_weekday
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.quantities.years import is_a_year, year_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import words

_LINKS = words(
    "is are was were of = : be been being equal as set marked to the a an at with equals has have had "
    "value values it 's named called by from for also falls fall fell falling lies"
)

GIVING = words(
    "returned returning returns return gave give gives giving answered responded produced yielded operated run handled "
    "managed served fetched provided got get"
)
"""Verbs that say no more of a value than that it is there: `that returned 200`, `operated by X`."""

_PLAIN = words(
    "any in with of by from for on at under as via through to using marked the a an is are be w having has "
    "have tagged labeled labelled flagged classified categorized categorised whose where their its kind "
    "type into against carrying carry carries classed filed bearing out containing contain contains "
    "including include both either located based living during"
)

_LEADING = GIVING | _PLAIN | frozenset(english.MOTION)

_RECORDED = words("set given known specified recorded entered stated noted assigned")
_FARTHEST = 6
_HIGHER = words("higher lower above below better worse over under up down")
_EVERY = words("any every all")


def field_value(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A field by one of its words and what it is: `tagged audit`, `owned by Ann`, `whose size is over 3 MB`."""
    start = past_leading(p, at)
    last = start + 1 if p.word(start) == "last" else start  # `last edited by` is said of whoever edited it last
    for begin in {at, start, last}:
        for lexeme, ref in p.fields(begin, p.entity(entity)):
            if begin == last > start and not _is_of_the_last(ref):
                continue
            # "contracts with X" are contracts, although `contract with` is a word of the field
            doer = lexeme.payload.tail == "by" and is_participle(p.word(begin))  # `cancelled by` is said of whom
            shorter = any(one.end < lexeme.end for one in p.starting(begin, ValueWord))
            swallowed = 0.4 if shorter and not doer else 0.0
            denied = p.past(lexeme.end, english.COPULAS | english.AUXILIARIES)
            if p.word(denied) in english.NEGATIONS:
                for one in _compared(p, denied + 1, ref, p.entity(entity)):
                    yield Found(one.end, negation(one.value), one.cost + lexeme.cost + swallowed)
            p.past(denied, english.NEGATIONS)
            p.past(lexeme.end, english.COPULAS)
            for one in _compared(p, list_noun(p, lexeme.end, ref), ref, p.entity(entity)):
                sure = _a_thing_elsewhere(p, lexeme.end, one.end, ref)
                yield Found(one.end, one.value, max(0.0, one.cost - sure) + lexeme.cost + swallowed)
                if ref.target is not None and lexeme.payload.tail:
                    verb = p.word(p.past(lexeme.start, ("last", "first")))
                    yield from when_done(p, one, verb, entity)


def _is_of_the_last(ref: FieldRef) -> bool:
    """Whether a field tells who did something last: `last editor`, `last modified by`."""
    return ref.target is not None and any(word.casefold().startswith("last ") for word in ref.field.words)


def _a_thing_elsewhere(p: Parse, at: int, end: int, ref: FieldRef) -> float:
    """What a value that is a word for things costs less after its own field: `cancelled by a patient`."""
    rows = (p.lexemes[i] for i in range(at, end))
    last = [one.payload for row in rows for one in row if one.end == end]
    own = any(isinstance(one, ValueWord) and one.ref.path == ref.path for one in last)
    return PART if own and any(isinstance(one, EntityWord) for one in last) else 0.0


def past_leading(p: Parse, at: int) -> int:
    """After the words that lead to a value; not those that leave it out: `leaving out the paid ones`."""
    start = p.past(at, _LEADING)
    for i in range(at, start):
        said = [one for one in p.starting(i, FieldWord) if one.cost <= INFLECTED]
        if p.word(i) in _PLAIN and is_participle(p.word(i)) and said:
            return i  # what is tagged has a tag, where there are any
        if p.word(i) in english.MOTION and any(one.end > start for one in p.starting(i, FieldWord)):
            return i  # the `end date` does not end anywhere
    return at if any(True for i in range(at, start) for _ in p.phrases(i, english.EXCEPT)) else start


def when_done(p: Parse, done: Found[Condition], verb: str, entity: str) -> Iterator[Found[Condition]]:
    """`edited by Ann last week`: the date is the one of the same verb."""
    for ref in date_fields(p.entity(entity)):
        if stem(verb) in ref.stems and verb not in ("last", "first"):
            for start in {done.end, p.past(done.end, (",", "and"))}:
                for test in date_test(p, start):
                    condition = both(done.value, date_condition(ref, test.value))
                    yield Found(test.end, condition, done.cost + test.cost)


def _compared(p: Parse, at: int, ref: FieldRef, entity: Entity) -> Iterator[Found[Condition]]:
    """What comes after the words of a field."""
    # The owner of X is somebody; of other fields, "a category of Legal" says which.
    links = _LINKS - {"of"} if ref.target is not None and p.word(at) == "of" else _LINKS
    if ref.kind is FieldKind.DATE:
        links -= {"by", "from"}  # they say how dates compare
    linked = p.past(at, links)
    starts = {at, linked} if ref.kind is FieldKind.KEYWORD else set(p.stops(at, links))
    if ref.target is not None and p.word(at) == "of":
        starts = set()
    if ref.kind is FieldKind.DATE:
        yield from on_weekday(p, at, ref)
        yield from at_hours(p, at, ref)
        for start in starts:
            known = VAGUE if p.word(start) == "by" else 0.0
            for test in (*date_test(p, start), *lately(p, start, ref, entity)):
                for one, cost in upcoming(p, ref, test.value, at - 1) if not has_been(ref, test.value) else ():
                    yield Found(test.end, date_condition(ref, one), max(0.0, test.cost - known) + cost)
            yield from against_document(p, start, ref)
    elif ref.is_number:
        for start in starts:
            for found in quantity_test(p, start):
                condition = quantity_condition(ref, found.value, entity)
                if condition is not None and not _of_a_rank(p, start, found.end, ref):
                    end = _unit_noun(p, found.end, ref)
                    yield Found(end, condition, found.cost)
        for start in starts if is_a_year(ref) else ():
            for test in year_test(p, start):
                yield Found(test.end, date_condition(ref, test.value), test.cost)
    elif ref.kind is not FieldKind.BOOLEAN:
        for start in starts:
            for several in values(p, start, ref):
                yield Found(several.end, values_condition(ref, *several.value), several.cost)
                for noun in p.starting(several.end, FieldWord):  # `governed by New York law`
                    if noun.payload.ref.path == ref.path and not noun.payload.tail and not p.plural(noun.end):
                        yield Found(noun.end, values_condition(ref, *several.value), several.cost)
        yield from _of_such_a_kind(p, p.articles(at), ref, entity)


def _of_such_a_kind(p: Parse, at: int, ref: FieldRef, entity: Entity) -> Iterator[Found[Condition]]:
    """`owned by organizations`, where a field beside `owner` says of which kind it is: `owner_type`."""
    for one in p.starting(at, ValueWord) if ref.target is not None else ():
        other = one.payload.ref
        if other.field.name.startswith(f"{ref.field.name}_") and other.within is None and other.belongs_to(entity):
            yield Found(one.end, other.equals(string(one.payload.text)), one.cost + 0.05)


def _of_a_rank(p: Parse, start: int, end: int, ref: FieldRef) -> bool:
    """Whether a place in an order is to be above or below another one: which way it goes is not known."""
    return is_rank(ref) and any(p.word(i) in _HIGHER for i in range(start, end))


def list_noun(p: Parse, at: int, ref: FieldRef) -> int:
    """`the priority attribute`: after a key of a list the word for the list."""
    if ref.within is not None and ref.within.key is not None:
        for noun in p.starting(at, ListWord):
            if noun.payload.name == ref.within.name:
                return noun.end
    return at


def _unit_noun(p: Parse, at: int, ref: FieldRef) -> int:
    """`viewed more than 350 times`: the noun that counts what the field counts."""
    return at + 1 if p.word(at) in ("times", "items", "points", "pieces") else past_unit(p, at, ref)


RULES = (field_value,)
