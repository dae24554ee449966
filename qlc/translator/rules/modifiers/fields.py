"""Fields by their words, with what they are compared with: `tagged audit`, `owned by Ann`, `size over 3 MB`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, negation, number, string
from qlc.translator.rules.conditions import (
    date_condition,
    date_fields,
    has_been,
    past_unit,
    quantity_condition,
    value,
    values,
    values_condition,
)
from qlc.translator.rules.lexicon.lexemes import INFLECTED, EntityWord, FieldRef, FieldWord, ListWord, ValueWord
from qlc.translator.rules.modifiers.amounts import lately
from qlc.translator.rules.modifiers.events import complete, gone_or_ahead, is_done_on, upcoming
from qlc.translator.rules.modifiers.relative import against_document, names_a_doer, of_the_same
from qlc.translator.rules.nouns.degrees import is_rank
from qlc.translator.rules.parse import PART, Found, Parse, needs
from qlc.translator.rules.quantities.date_tests import VAGUE, at_hours, date_test, on_weekday
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.quantities.years import is_a_year, year_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import phrases, words

_ANYONE_EXCEPT = phrases(
    "anyone except | anybody except | everyone except | everybody except | anyone but | everyone but | anybody but | "
    "anyone other than | anything except | anything but | anything other than | any except | (someone | somebody) "
    "(other than | else than) | people other than"
)

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
NOBODY_KNOWS = phrases(
    "[where | whose | for which] (we | i | you) (do not | do n't | did not | did n't | don't) (know | have) | "
    "[where | for which] (nobody | no one) knows"
)
"""What says of a field after it that it has no value."""
NOT_KNOWN = words("unknown unspecified unrecorded unset undefined blank empty missing")
_FARTHEST = 6
_HIGHER = words("higher lower above below better worse over under up down")
_EVERY = words("any every all")
_BUT = phrases("but")


def field_value(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A field by one of its words and what it is: `tagged audit`, `owned by Ann`, `whose size is over 3 MB`."""
    start = past_leading(p, at)
    last = start + 1 if p.word(start) == "last" else start  # `last edited by` is said of whoever edited it last
    for begin in {at, start, last}:
        for lexeme, ref in p.fields(begin, p.entity(entity)):
            if begin == last > start and not _is_of_the_last(ref):
                continue
            if ref.target is not None and p.plural(lexeme.end) and next(p.phrases(lexeme.end, english.NAMED), None):
                continue  # "in folders called X" are all of them
            if begin == start > at and names_a_doer(p, at, lexeme):
                continue
            # "contracts with X" are contracts, although `contract with` is a word of the field
            doer = lexeme.payload.tail == "by" and is_participle(p.word(begin))  # `cancelled by` is said of whom
            shorter = any(one.end < lexeme.end for one in p.starting(begin, ValueWord))
            swallowed = 0.4 if shorter and not doer else 0.0
            denied = p.past(lexeme.end, english.COPULAS | english.AUXILIARIES)
            if p.word(denied) in english.NEGATIONS:
                for one in _compared(p, denied + 1, ref, p.entity(entity)):
                    yield Found(one.end, negation(one.value), one.cost + lexeme.cost + swallowed)
            recorded = p.past(denied, english.NEGATIONS)
            if denied > lexeme.end and p.word(recorded) in _RECORDED and ref.kind is not FieldKind.BOOLEAN:
                yield Found(recorded + 1, tree.Presence(ref.left, recorded > denied), lexeme.cost + 0.1)
            unknown = p.past(lexeme.end, english.COPULAS)
            if unknown > lexeme.end and p.word(unknown) in NOT_KNOWN and ref.kind is not FieldKind.BOOLEAN:
                yield Found(unknown + 1, tree.Presence(ref.left, True), lexeme.cost + 0.1)
            for one in _neither_of(p, lexeme.end, ref):
                yield Found(one.end, one.value, one.cost + lexeme.cost)
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


@needs(words("in out"))
def there_or_gone(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`in stock`, `out of stock`: of what a field counts there is some, or none."""
    start = p.past(at, english.COPULAS | {"still", "currently"})
    gone = p.phrase(start, "out", "of")
    begin = gone or (start + 1 if p.word(start) == "in" else None)
    for lexeme, ref in p.fields(begin) if begin is not None else ():
        counted = ref.kind is FieldKind.WHOLE_NUMBER and ref.is_number and ref.within is None and not ref.field.unit
        plain = counted and not p.plural(lexeme.end) and not is_a_year(ref) and not is_rank(ref)
        if plain and ref.belongs_to(p.entity(entity)) and complete(p, lexeme.end):
            yield Found(lexeme.end, ref.compared("=" if gone else ">", number(0)), lexeme.cost + 0.1)


@needs(words("is was are were"))
def turned_round(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`where Marcus Webb is the reviewer`, `where Ann is treasurer`: what a field is, before its words."""
    of_which = p.phrase(at, "of", "which")
    start = of_which or at + (p.word(at) in ("where", "whose", "for"))
    if start == at and (at == 0 or p.word(at - 1) not in ("and", ",", "where")):
        return
    for verb in range(start + 1, min(start + _FARTHEST, p.end)):
        if p.word(verb) not in ("is", "was", "are", "were"):
            continue
        denied = p.word(verb + 1) in english.NEGATIONS
        noun = verb + 1 + denied
        said = noun + 1 if p.word(noun) == "the" else noun
        for lexeme, ref in p.fields(said):
            fits = ref.kind is FieldKind.KEYWORD and not lexeme.payload.tail and ref.belongs_to(p.entity(entity))
            for several in values(p, start, ref) if fits else ():
                if several.end == verb:
                    condition = values_condition(ref, *several.value)
                    yield Found(lexeme.end, negation(condition) if denied else condition, several.cost + lexeme.cost)
        return


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
    if ref.kind is FieldKind.DATE and p.word(at) == "for" and is_done_on(ref, p.word(at - 1)):
        return  # what is booked for a day was not booked on it
    if ref.kind is FieldKind.DATE:
        yield from on_weekday(p, at, ref)
        yield from at_hours(p, at, ref)
        for start in starts:
            if start > at and p.word(start - 1) in ("a", "an") and p.word(start) in english.WEEKDAYS:
                continue  # any such day
            known = VAGUE if p.word(start) == "by" else 0.0
            for test in (*date_test(p, start), *lately(p, start, ref, entity)):
                for one, cost in upcoming(p, ref, test.value, at - 1) if not has_been(ref, test.value) else ():
                    yield Found(test.end, date_condition(ref, one), max(0.0, test.cost - known) + cost)
            yield from against_document(p, start, ref)
        yield from gone_or_ahead(p, at, ref)
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
    elif ref.kind is FieldKind.BOOLEAN:
        if p.word(linked) in ("yes", "true", "on"):
            yield Found(linked + 1, ref.equals(tree.Boolean(True)), 0.0)
        elif p.word(linked) in ("no", "false", "off"):
            yield Found(linked + 1, ref.equals(tree.Boolean(False)), 0.0)
    else:
        for start in starts:
            for several in values(p, start, ref):
                if p.word(start - 1) == "by" and _rather_a_group(p, start, several.end):
                    continue
                yield Found(several.end, values_condition(ref, *several.value), several.cost)
                for noun in p.starting(several.end, FieldWord):  # `governed by New York law`
                    if noun.payload.ref.path == ref.path and not noun.payload.tail and not p.plural(noun.end):
                        yield Found(noun.end, values_condition(ref, *several.value), several.cost)
        yield from of_the_same(p, linked, ref)
        yield from _of_such_a_kind(p, p.articles(at), ref, entity)


def _of_such_a_kind(p: Parse, at: int, ref: FieldRef, entity: Entity) -> Iterator[Found[Condition]]:
    """`owned by organizations`, where a field beside `owner` says of which kind it is: `owner_type`."""
    for one in p.starting(at, ValueWord) if ref.target is not None else ():
        other = one.payload.ref
        if other.field.name.startswith(f"{ref.field.name}_") and other.within is None and other.belongs_to(entity):
            yield Found(one.end, other.equals(string(one.payload.text)), one.cost + 0.05)


def _rather_a_group(p: Parse, at: int, end: int) -> bool:
    """Whether `by` with these words tells groups: what a field is called is rather that than a part of a value."""
    fields = any(one.end == end for one in p.starting(at, FieldWord))
    said = [len(one.payload.text.split()) <= end - at for one in p.starting(at, ValueWord) if one.end == end]
    return fields and bool(said) and not any(said)


def _of_a_rank(p: Parse, start: int, end: int, ref: FieldRef) -> bool:
    """Whether a place in an order is to be above or below another one: which way it goes is not known."""
    return is_rank(ref) and any(p.word(i) in _HIGHER for i in range(start, end))


@needs(_EVERY)
def any_but(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`by any vendor except Staples`, `from every carrier but X`: all values of a field but some."""
    start = past_leading(p, at)
    every = start if p.word(start) in _EVERY else start - 1
    if every < at or p.word(every) not in _EVERY:
        return
    for lexeme, ref in p.fields(p.articles(every), p.entity(entity)):
        if ref.kind is not FieldKind.KEYWORD or ref.within is not None:
            continue
        for end in (*p.phrases(lexeme.end, english.EXCEPT), *p.phrases(lexeme.end, _BUT)):
            for several in values(p, end, ref):
                yield Found(several.end, negation(values_condition(ref, *several.value)), lexeme.cost)


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


def _neither_of(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Condition]]:
    """`owned by neither Ann nor Ben`, `owned by anyone except Ann`."""
    for end in p.phrases(at, _ANYONE_EXCEPT):
        for other in value(p, end, ref):
            yield Found(other.end, negation(values_condition(ref, (other.value[0],), "", other.value[1])), other.cost)
    if p.word(at) == "neither":
        for first in value(p, at + 1, ref):
            if p.word(first.end) in ("nor", "or"):
                for second in value(p, first.end + 1, ref):
                    both_values = values_condition(ref, (first.value[0], second.value[0]), "or", False)
                    yield Found(second.end, negation(both_values), first.cost + second.cost)


RULES = (field_value, any_but, there_or_gone, turned_round)
