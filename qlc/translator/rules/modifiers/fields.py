"""Fields by their words, values by theirs: `tagged audit`, `overdue`, `without a category`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Literal

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules import english
from qlc.translator.rules.build import both, compare, either, negation, path
from qlc.translator.rules.conditions import (
    date_condition,
    date_fields,
    default_date,
    has_been,
    is_a_year,
    is_number,
    list_words,
    past_unit,
    quantity_condition,
    value,
    values,
    values_condition,
    year_condition,
)
from qlc.translator.rules.date_tests import date_test, on_weekday, within_days
from qlc.translator.rules.dates import period
from qlc.translator.rules.degrees import is_rank
from qlc.translator.rules.hours import at_hours
from qlc.translator.rules.lexicon import (
    ConditionWord,
    FieldRef,
    FieldWord,
    Lexeme,
    ListWord,
    NameWord,
    ValueWord,
    has_field,
)
from qlc.translator.rules.modifiers.directions import cued, direction_cost, is_moving, then_dated, towards
from qlc.translator.rules.modifiers.events import complete, upcoming
from qlc.translator.rules.modifiers.relative import against_document, of_the_same, than_document
from qlc.translator.rules.morphology import is_participle, stem
from qlc.translator.rules.names import entity_words, hierarchical, kind_in_plural
from qlc.translator.rules.numbers import QuantityTest, quantity_test, than_an_amount
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.phrases import Phrases, phrases, words

_LINKS = words(
    "is are was were of = : be been being equal as set marked to the a an at with equals has have had "
    "value values it 's named called by from for falls fall fell falling lies"
)
_GIVING = words(
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
_LEADING = _GIVING | _PLAIN | frozenset(english.MOTION)
_RECORDED = words("set assigned attached recorded given known specified entered noted stated value values listed")
_NOT_KNOWN = words("unknown unspecified unrecorded unset undefined blank empty missing")
_AT_ALL = words("at all yet whatsoever on them")


def field_value(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A field by one of its words and what it is: `tagged audit`, `owned by Ann`, `whose size is over 3 MB`."""
    start = _past_leading(p, at)
    for begin in {at, start}:
        for lexeme in p.starting(begin, FieldWord):
            ref = lexeme.payload.ref
            if not has_field(p.entity(entity), ref):
                continue
            # "contracts with X" are contracts, although `contract with` is a word of the field
            swallowed = 0.4 if any(one.end < lexeme.end for one in p.starting(begin, ValueWord)) else 0.0
            denied = p.past(lexeme.end, english.COPULAS | english.AUXILIARIES)
            if p.word(denied) in english.NEGATIONS:
                for one in _compared(p, denied + 1, ref, p.entity(entity)):
                    yield Found(one.end, negation(one.value), one.cost + lexeme.cost + swallowed)
            unknown = p.past(lexeme.end, english.COPULAS)
            if unknown > lexeme.end and p.word(unknown) in _NOT_KNOWN and ref.kind is not FieldKind.BOOLEAN:
                yield Found(unknown + 1, tree.Presence(path(*ref.path), True), lexeme.cost + 0.1)
            for one in _neither_of(p, lexeme.end, ref):
                yield Found(one.end, one.value, one.cost + lexeme.cost)
            for one in _compared(p, _list_noun(p, lexeme.end, ref), ref, p.entity(entity)):
                yield Found(one.end, one.value, one.cost + lexeme.cost + swallowed)
                if ref.target is not None and lexeme.payload.tail:
                    verb = p.word(p.past(lexeme.start, ("last", "first")))
                    yield from when_done(p, one, verb, entity)


def _past_leading(p: Parse, at: int) -> int:
    """Behind the words that lead to a value; not those that leave it out: `leaving out the paid ones`."""
    start = p.past(at, _LEADING)
    for i in range(at, start):
        if p.word(i) in english.MOTION and any(one.end > start for one in p.starting(i, FieldWord)):
            return i  # the `end date` does not end anywhere
    return at if any(True for i in range(at, start) for _ in p.phrases(i, english.EXCEPT)) else start


def when_done(p: Parse, done: Found[Condition], verb: str, entity: str) -> Iterator[Found[Condition]]:
    """`edited by Ann last week`: the date is the one of the same verb."""
    for ref in date_fields(p.entity(entity)):
        stems_of = {stem(word) for phrase in (ref.field.name, *ref.field.words) for word in phrase.casefold().split()}
        if stem(verb) in stems_of and verb not in ("last", "first"):
            for start in {done.end, p.past(done.end, (",", "and"))}:
                for test in date_test(p, start):
                    condition = both(done.value, date_condition(ref, test.value))
                    assert condition is not None
                    yield Found(test.end, condition, done.cost + test.cost)


def _compared(p: Parse, at: int, ref: FieldRef, entity: Entity) -> Iterator[Found[Condition]]:
    """What stands behind the words of a field."""
    # The owner of X is somebody; of other fields, "a category of Legal" says which.
    links = _LINKS - {"of"} if ref.target is not None and p.word(at) == "of" else _LINKS
    linked = p.past(at, links - {"by", "from"} if ref.kind is FieldKind.DATE else links)
    starts = {at, linked} if ref.kind is FieldKind.KEYWORD else set(p.stops(at, links))
    if ref.kind is FieldKind.DATE:
        yield from on_weekday(p, at, ref)
        yield from at_hours(p, at, ref)
        for start in starts:
            if start > at and p.word(start - 1) in ("a", "an") and p.word(start) in english.WEEKDAYS:
                continue  # any such day
            for test in (*date_test(p, start), *within_days(p, start, future=ref.field.whole_days)):
                for one in upcoming(p, ref, test.value, at - 1) if not has_been(ref, test.value) else ():
                    yield Found(test.end, date_condition(ref, one), test.cost)
            yield from against_document(p, start, ref)
    elif is_number(ref):
        for start in starts:
            for found in quantity_test(p, start):
                condition = quantity_condition(ref, found.value, entity)
                if condition is not None and not _of_a_rank(p, start, found.end, ref):
                    end = _unit_noun(p, found.end, ref)
                    yield Found(end, condition, found.cost)
                    yield from _or_more(p, end, ref, found)
            for found in than_an_amount(p, start):
                condition = quantity_condition(ref, found.value, entity)
                if condition is not None:
                    yield Found(_unit_noun(p, found.end, ref), condition, found.cost)
            yield from than_document(p, start, ref)
        for start in starts if is_a_year(ref) else ():
            for test in date_test(p, start):
                if (in_years := year_condition(ref, test.value)) is not None:
                    yield Found(test.end, in_years, test.cost)
    elif ref.kind is FieldKind.BOOLEAN:
        if p.word(linked) in ("yes", "true", "on"):
            yield Found(linked + 1, compare(path(*ref.path), "=", tree.Boolean(True)), 0.0)
        elif p.word(linked) in ("no", "false", "off"):
            yield Found(linked + 1, compare(path(*ref.path), "=", tree.Boolean(False)), 0.0)
    else:
        for start in starts:
            for several in values(p, start, ref):
                yield Found(several.end, values_condition(ref, *several.value), several.cost)
                for noun in p.starting(several.end, FieldWord):  # `governed by New York law`
                    if noun.payload.ref.path == ref.path and not noun.payload.tail:
                        yield Found(noun.end, values_condition(ref, *several.value), several.cost)
        yield from of_the_same(p, linked, ref)


def _of_a_rank(p: Parse, start: int, end: int, ref: FieldRef) -> bool:
    """Whether a place in an order is to be above or below another one: which way it goes is not known."""
    return is_rank(ref) and any(p.word(i) in _HIGHER for i in range(start, end))


_HIGHER = words("higher lower above below better worse over under up down")


def _or_more(p: Parse, at: int, ref: FieldRef, test: Found[QuantityTest]) -> Iterator[Found[Condition]]:
    """`downloaded 40 times or more`: behind the noun."""
    bounds: tuple[tuple[Phrases, Literal[">=", "<="]], ...] = ((english.OR_MORE, ">="), (english.OR_LESS, "<="))
    for table, relation in bounds if at > test.end and not test.value.compared else ():
        for end in p.phrases(at, table):
            if (condition := quantity_condition(ref, QuantityTest(relation, test.value.amount))) is not None:
                yield Found(end, condition, test.cost)


_ANYONE_EXCEPT = phrases(
    "anyone except | anybody except | everyone except | everybody except | anyone but | everyone but | anybody but | "
    "anyone other than | anything except | anything but | anything other than | any except"
)


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


def _list_noun(p: Parse, at: int, ref: FieldRef) -> int:
    """`the priority attribute`: behind a key of a list the word for the list."""
    if ref.within is not None and ref.within.key is not None:
        for noun in p.starting(at, ListWord):
            if noun.payload.name == ref.within.name:
                return noun.end
    return at


def _unit_noun(p: Parse, at: int, ref: FieldRef) -> int:
    """`viewed more than 350 times`: the noun that counts what the field counts."""
    return at + 1 if p.word(at) in ("times", "items", "points", "pieces") else past_unit(p, at, ref)


def value_alone(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A value with or without its field behind it: `overdue`, `from Costco`, `with high priority`, `in review`."""
    together = p.word(at) == "paid" and p.word(at + 1) in english.PREPOSITIONS
    together = together and (at == 0 or p.word(at - 1) not in english.NEGATIONS)
    at += together  # `paid by card`; alone it says that something is
    start = _past_leading(p, at)
    leading = [p.word(i) for i in range(at, start)]
    neither = p.word(start) == "neither" and any(word in english.PREPOSITIONS for word in leading)
    for begin in {start + 1} if neither else {at, start}:
        if p.word(begin) in ("early", "mid", "late") and (p.word(begin + 1) == "in" or period(p, begin + 1)):
            continue  # a part of a period
        for lexeme in p.starting(begin, ValueWord):
            ref = lexeme.payload.ref
            if not has_field(p.entity(entity), ref):
                continue
            cost = 0.15 if ref.field.values is not None or neither else 0.3
            if together and not _of_payment(ref):
                continue
            cost -= 0.15 if together else 0.0
            cost += 0.5 if _denies_a_number(p, at, lexeme.end, entity) else 0.0
            if ref.within is not None:
                cost += 0.3  # rather the thing's own value than that of an element
            plural = kind_in_plural(p, lexeme.end, ref)
            if plural and at and "but" in (p.word(at - 1), p.word(_before_articles(p, at))):
                continue  # "all but the contracts"
            if begin == at and at and plural:
                cost += 0.3  # rather a noun of its own: "large pdfs or images"
            person = _names_a_person(p, begin, lexeme.end, leading)
            if (person and "by" in leading) or _of_an_element(p, lexeme, leading):
                continue
            cost += 0.6 if person else 0.0
            if begin > at:
                if _says_more(leading):
                    continue
                if is_moving(leading) and not cued(ref, towards(leading)):
                    continue  # what leaves a place has a field for it, or nothing is known of its way
                cost += direction_cost(ref, leading)
                cost += 0.4 if _names_a_place(p, begin, lexeme.end, entity, leading) else 0.0
                grouping = "by" in leading and any(True for _ in p.starting(begin, FieldWord))
                cost += 0.2 if grouping else 0.0
            for several in values(p, begin, ref):
                condition = values_condition(ref, *several.value)
                condition = negation(condition) if neither else condition
                end = several.end
                total = several.cost + cost
                yield from (done := _when_it_became_so(p, begin, end, entity))
                total += 0.5 if done else 0.0
                yield from (dated := [*then_dated(p, Found(end, condition, total), at, begin, entity)])
                total += 0.3 if dated else 0.0
                yield Found(end, condition, total)
                for noun in (*_nouns_of(p, end, ref), *_value_nouns(p, end)):
                    yield Found(noun, condition, total - 0.1)


def _before_articles(p: Parse, at: int) -> int:
    """The word before the articles that end here."""
    while at > 1 and p.word(at - 1) in english.ARTICLES:
        at -= 1
    return at - 1


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
        one.end == end and is_number(one.payload.ref) and has_field(p.entity(entity), one.payload.ref)
        for one in p.starting(at, FieldWord)
    )


def _says_more(leading: list[str]) -> bool:
    """Whether a verb has an object of its own: what was returned from Cairo is not only in Cairo."""
    pairs = pairwise(leading)
    return any(one in _GIVING and then in english.PREPOSITIONS - {"by", "with"} for one, then in pairs)


def _of_payment(ref: FieldRef) -> bool:
    """Whether a field says how something was paid: `payment method`, `paid by`."""
    spoken = (ref.field.name, *ref.field.words)
    return any(word.startswith(("pay", "paid")) for one in spoken for word in one.casefold().replace("_", " ").split())


def _when_it_became_so(p: Parse, at: int, end: int, entity: str) -> list[Found[Condition]]:
    """`closed this week`: a state that a date of the same verb stands for, with a date behind it."""
    said = {stem(one) for one in _other_words(p, at, end)}
    return [
        Found(condition_end, condition, cost + 0.05)
        for ref in date_fields(p.entity(entity))
        if said & {stem(one) for one in first_words(ref)}
        for condition_end, condition, cost in _at_a_date(p, end, ref)
    ]


def _at_a_date(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Condition]]:
    for test in (*date_test(p, at), *within_days(p, at, future=ref.field.whole_days)):
        if not has_been(ref, test.value):
            yield Found(test.end, date_condition(ref, test.value), test.cost)


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
    return [phrase.casefold().replace("_", " ").split()[0] for phrase in (ref.field.name, *ref.field.words)]


def _names_a_place(p: Parse, at: int, end: int, entity: str, leading: list[str]) -> bool:
    """`in Legal`: rather the folder of that name than the category."""
    places = words("in inside within into under")
    targets = {ref.target for ref in hierarchical(p.entity(entity))}
    if entity in targets or p.entity(entity).kinds:
        places |= {"of"}  # "subfolders of Legal", "contents of Legal"
    if not places & set(leading):
        return False
    return any(one.end >= end and targets & set(one.payload.entities) for one in p.starting(at, NameWord))


def _names_a_person(p: Parse, at: int, end: int, leading: list[str]) -> bool:
    """`of Grace Kim`, `by Grace Kim`: rather the person than a value that is spelled the same."""
    virtual = {e.name for e in p.schema.entities.values() if e.virtual}
    people = (one for one in p.starting(at, NameWord) if one.payload.whole and one.end >= end)
    asked = not leading or bool({"of", "by", "for"} & set(leading))
    return asked and any(virtual & set(one.payload.entities) for one in people)


def _nouns_of(p: Parse, at: int, ref: FieldRef) -> Iterator[int]:
    behind = p.past(at, words("according to their its the by in as a for"))
    for start in {at, behind}:
        for lexeme in p.starting(start, FieldWord):
            if lexeme.payload.ref.path == ref.path and p.word(start) not in english.PREPOSITIONS:
                yield lexeme.end
    for noun in p.starting(at, ListWord):
        if ref.within is not None and noun.payload.name == ref.within.name:
            yield noun.end


def _value_nouns(p: Parse, at: int) -> Iterator[int]:
    if p.word(at) in ("can", "could", "may") and p.word(at + 1) in words("open see view access read use find"):
        yield at + 2
    if p.word(at) in ("ones", "status", "state"):
        yield at + 1


def named_condition(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """A condition that the catalog names, or a boolean field: `overdue`, `signed`, `with a pci flag`."""
    start = p.past(
        at, english.ARTICLES | words("with has have had having marked as flagged are is on went go goes to into")
    )
    for begin in {at, start}:
        for named in p.starting(begin, ConditionWord):
            if named.payload.name in p.entity(entity).conditions:
                yield Found(named.end, tree.Bare(path(named.payload.name)), named.cost + 0.05)
        for lexeme in p.starting(begin, FieldWord):
            ref = lexeme.payload.ref
            if ref.kind is FieldKind.BOOLEAN and ref.within is None and has_field(p.entity(entity), ref):
                yield Found(lexeme.end, compare(path(*ref.path), "=", tree.Boolean(True)), lexeme.cost + 0.1)
    yield from denied_adjective(p, at, entity)


def denied_adjective(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`unsigned`, `non-confidential`, `unlocked`."""
    word = p.word(at)
    rest = word[2:] if word.startswith("un") and len(word) > 4 else ""
    for ref in p.lexicon.fields() if rest else ():
        if ref.kind is FieldKind.BOOLEAN and ref.within is None and has_field(p.entity(entity), ref):
            spoken = (ref.field.name, *ref.field.words)
            if any(stem(rest) == stem(one.casefold()) for one in spoken):
                yield Found(at + 1, compare(path(*ref.path), "=", tree.Boolean(False)), 0.1)
    if rest and is_participle(rest):  # `untagged`: without any
        for one in p.lexicon.called((rest,)):
            if one.field.many is True and one.within is None and has_field(p.entity(entity), one):
                yield Found(at + 1, tree.Presence(path(*one.path), True), 0.1)


def presence(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`with a description`, `without a category`, `that have comments`, `with no tags`, `not shared with anyone`."""
    at = p.past(at, ("do", "does", "did"))
    word = p.word(at)
    missing, unknown = word in english.LACKING, False
    if not (missing or word in english.HAVING):
        start = at
    else:
        start = p.past(at + 1, english.ARTICLES - {"no"})
        if p.word(start) == "no" and not missing:
            missing, start = True, start + 1
        if p.phrase(start, "not", "any"):
            missing, start = True, start + 2
        if p.word(start) in _NOT_KNOWN and not missing:
            missing, start, unknown = True, start + 1, True
    start = p.past(start, frozenset(english.ARTICLES | {"set", "assigned"}))
    asked = word in english.HAVING or missing
    for lexeme in p.starting(start, FieldWord):
        ref = lexeme.payload.ref
        if not has_field(p.entity(entity), ref):
            continue
        noun_end = _list_noun(p, lexeme.end, ref)
        end = p.past(noun_end, _RECORDED | _AT_ALL)
        recorded = unknown or any(p.word(i) in _RECORDED for i in range(noun_end, end))
        another = 0  # behind `another document`, of what the field refers to
        if p.word(lexeme.end) in ("another", "some") and ref.target is not None:
            kinds = (ref.target, *p.entity(ref.target).kinds)
            another = next((e for one in kinds for e in entity_words(p, lexeme.end + 1, one)), 0)
        if missing and ref.kind is FieldKind.BOOLEAN and ref.within is None:
            yield Found(end, compare(path(*ref.path), "=", tree.Boolean(False)), lexeme.cost + 0.1)
        if asked and ref.kind is not FieldKind.BOOLEAN and complete(p, end):
            for condition, cost in _having(ref, missing, recorded=recorded):
                yield Found(end, condition, lexeme.cost + cost)
        behind = p.past(p.past(lexeme.end, english.ARTICLES), english.COPULAS)
        if behind > lexeme.end and p.word(behind) in _NOT_KNOWN and complete(p, behind + 1):
            yield Found(behind + 1, tree.Presence(path(*ref.path), True), lexeme.cost + 0.1)
        elif (
            not asked
            and lexeme.payload.tail
            and (another or p.word(lexeme.end) in words("anyone anybody anything someone somebody nobody something"))
            and p.word(another or lexeme.end + 1) not in english.PREPOSITIONS | english.RELATIVE_PRONOUNS
            and not is_participle(p.word(another or lexeme.end + 1))
        ):
            nobody = p.word(lexeme.end) == "nobody"
            yield Found(another or lexeme.end + 1, tree.Presence(path(*ref.path), nobody), lexeme.cost)
    yield from _none_of(p, start, entity, asked=asked, missing=missing)
    for end, name, tail in list_words(p, start, p.entity(entity)):
        if p.word(end + 1) == "only" or p.word(end + 2) == "only":
            continue  # who else it is not shared with
        if p.word(end) in words("anyone anybody someone somebody nobody others people") or (
            p.word(end) == "with" and p.word(end + 1) in words("anyone anybody someone nobody others")
        ):
            nobody = "nobody" in (p.word(end), p.word(end + 1))
            yield Found(end + (2 if p.word(end) == "with" else 1), tree.Presence(path(name), missing != nobody), 0.0)
        done = p.past(end, words("at all on them yet attached whatsoever"))
        if (asked or not tail) and complete(p, done):
            yield Found(done, tree.Presence(path(name), missing), 0.2 if asked else 0.5)


def _having(ref: FieldRef, missing: bool, *, recorded: bool) -> Iterator[tuple[Condition, float]]:
    """Whether there is a value. None of what is counted or paid is also zero: `without a discount`, `no reminders`.

    What is `recorded` or `known` is a value, whichever it is.
    """
    left = path(*ref.path)
    presence = tree.Presence(left, missing)
    if not is_number(ref) or recorded:
        yield presence, 0.3
        return
    zero = compare(left, "=" if missing else ">", tree.Number(0, "0"))
    if _is_an_amount(ref):
        yield either((presence, zero)) if missing else zero, 0.3
    else:
        yield presence, 0.3
        yield zero, 0.5


def _is_an_amount(ref: FieldRef) -> bool:
    """Whether zero of it is nothing: money, a part, a time, a size, or a count, which is called in the plural."""
    plural = any(word.endswith("s") and not word.endswith("ss") for word in (ref.field.name, *ref.field.words))
    counted = ref.kind is FieldKind.WHOLE_NUMBER and plural
    return ref.field.unit is not None or ref.field.unit_field is not None or counted


def _none_of(p: Parse, at: int, entity: str, *, asked: bool, missing: bool) -> Iterator[Found[Condition]]:
    """`folders without subfolders`, `that have no documents`: what a field counts is none."""
    if not asked or not p.word(at).isalpha() or p.word(at - 1) in words("including include includes"):
        return
    for ref in p.lexicon.counting(p.word(at)):
        if has_field(p.entity(entity), ref) and is_number(ref):
            end = p.past(at + 1, words("at all in them it inside"))
            if complete(p, end):
                none = compare(path(*ref.path), "=" if missing else ">", tree.Number(0, "0"))
                yield Found(end, none, 0.15)


def year_number(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`for 2023`: a whole number whose field is a year by its name."""
    start = p.past(at, words("for in of from the year"))
    word = p.word(start)
    following = start == at and at and p.word(at - 1) in english.AND | english.OR  # "March 2025 and 2024" are dates
    if not (word.isdigit() and len(word) == 4) or following:
        return
    for one in p.entity(entity).fields.values():
        if one.kind is FieldKind.WHOLE_NUMBER and "year" in one.name.split("_"):
            own = p.entity(entity)
            another = 0.5 if date_fields(own) and default_date(own) is None else 0.0  # of which date?
            cost = 0.05 if p.word(at) == "for" else 0.2 + another if start == at else 0.4 + another
            if start == at:
                p.guess(one.name)
            yield Found(start + 1, compare(path(one.name), "=", tree.Number(int(word), word)), cost)
