"""Questions for how much: `average size of PDFs per owner`, `revenue by week`, `how much did we spend at Costco`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from qlc.base.units import find_unit
from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.translator.rules.build import name_of, number
from qlc.translator.rules.conditions import default_number, list_fields, of_money, plain, principal
from qlc.translator.rules.lexicon.lexemes import INFLECTED, EntityWord, FieldRef, FieldWord, Lexeme, ValueWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.degrees import (
    degrees,
    fields_of_dimension,
    is_duration,
    numbers_of_dimension,
    to_be_done,
)
from qlc.translator.rules.nouns.names import kind_in_plural
from qlc.translator.rules.nouns.noun_phrases import bare_noun, noun_phrase
from qlc.translator.rules.parse import DIGITS, Found, Parse, begins, needs, rule
from qlc.translator.rules.questions.aggregates import (
    COUNT,
    SAYS_GROUPS,
    Measures,
    aggregate,
    first_with,
    grouped,
    narrowed,
    such_things,
)
from qlc.translator.rules.questions.asked_fields import past_the_unit
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import phrases, words

_SPENDING = phrases(
    "(how much [money] | what) (did | do | have | had | has) (we | i) [already] (spend | spent | pay | paid) | "
    "how much (was | is | were | has been) (spent | paid) | "
    "how much [money] (did | do | have | had | has) (we | i) [already] "
    "(make | made | earn | earned | take in | taken in)"
)
SAYS_A_MEASURE = frozenset(
    {said[0] for said in english.MEASURES} | {DIGITS, "count", "number"} | {f"p{one}" for one in range(1, 100)}
)
"""Words without one of which no measure is asked for: `p95` is a percentile."""
_PERCENTILE = re.compile(r"p?(\d{1,2})(?:th|st|nd|rd)?")


@rule
@needs(SAYS_GROUPS)
def amounts_by(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`revenue by week`: amounts of money are added up."""
    start = p.past(at, words("the our my show me give what is 's was total"))
    yield from _costs_of(p, start)
    for lexeme, ref in p.fields(start):
        entity = first_with(p, ref)
        summed = ref.field.unit_field is not None or p.word(lexeme.end - 1) in english.SUMMED
        summed = summed or (ref.is_number and lexeme.end > start + 1 and p.word(lexeme.end - 1) == "value")
        if summed and entity is not None:
            if ref.within is not None:
                continue
            measure = tree.Measure("sum", ref.left)
            if p.word(lexeme.end) == "of":
                for things in noun_phrase(p, lexeme.end + 1):
                    phrase = things.value
                    if phrase.plain:
                        yield from grouped(p, things, (measure,), lexeme.cost)
            yield from grouped(p, Found(lexeme.end, NounPhrase(entity.name), lexeme.cost + 0.1), (measure,))


def _costs_of(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`repair costs per trade`: amounts that are added up, after the noun for what they are of."""
    for noun in p.starting(at, EntityWord):
        entity = p.entity(noun.payload.entity)
        for lexeme, ref in p.numbers(noun.end, entity) if not p.plural(noun.end) else ():
            if p.word(lexeme.end - 1) in english.SUMMED:
                things = Found(lexeme.end, NounPhrase(entity.name), noun.cost + lexeme.cost + 0.1)
                yield from grouped(p, things, _sum_of(ref))


@rule
@begins(_SPENDING)
def spent(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how much did we spend at Costco in 2024`: the amounts of money of what is said, added up."""
    for end in p.phrases(at, _SPENDING):
        for entity in p.things:
            ref = default_number(entity)
            in_money = ref is not None and (ref.field.unit_field or ref.field.currency or "money" in _dimensions(ref))
            if ref is None or not in_money:
                continue
            measures = _sum_of(ref)
            for start in {end, p.past(end, ("to", "for", "on", "in", "total"))}:
                for one in modifiers(p, start, entity.name):
                    yield from _measured(p, Found(one.end, NounPhrase(entity.name, one.value), one.cost), measures, 0.1)
                for things in such_things(p, start, entity) if start > end else ():
                    if things.value.where is not None:
                        yield from _measured(p, things, measures, 0.1)
            break


@rule
@needs(words("how"))
def how_much_on_average(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how long does it take to handle a travel claim`, `how old are our trucks on average`."""
    how = p.past(at, words("on average usually typically normally ,"))
    dimension = english.DEGREES.get(p.word(how + 1)) if p.word(how) == "how" else None
    if dimension is None:
        return
    start = p.past(how + 2, english.COPULAS | english.AUXILIARIES)
    taking = p.word(start) == "it" and p.word(start + 1) in english.TAKING and p.phrase(start + 2, "to")
    start = p.articles(taking + 1 if taking else start)
    for things in noun_phrase(p, start):
        phrase, end = things.value, p.past(things.end, _ON_AVERAGE)
        taken = end if taking else p.past(to_be_done(p, end + 1), _ON_AVERAGE) if p.word(end) in english.TAKING else 0
        usual = how > at or any(p.word(i) in _AVERAGE for i in range(things.end, max(end, taken)))
        if not phrase.plain or not phrase.headed or not (taken or usual):
            continue
        fields = [ref for ref, _ in degrees(p.entity(phrase.entity), dimension, True) if ref.is_number]
        if len(fields) == 1 and (dimension != "time" or taken or usual):
            yield Found(taken or end, aggregate(p, phrase, (tree.Measure("avg", fields[0].left),)), things.cost + 0.1)


_AVERAGE = words("average usually typically normally")
_ON_AVERAGE = _AVERAGE | {"on"}


def _measured(p: Parse, things: Found[NounPhrase], measures: Measures, cost: float = 0.0) -> Iterator[Found[Statement]]:
    """The measures of some things: in one number, and in groups."""
    yield Found(things.end, aggregate(p, things.value, measures), things.cost + cost)
    yield from grouped(p, things, measures, cost)


def _dimensions(ref: FieldRef) -> set[str]:
    """Of what the words of a field speak."""
    return {one for one, nouns in english.NOUNS_OF_DEGREE.items() if nouns & ref.parts}


@rule
@needs(SAYS_A_MEASURE)
def measured(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`average size of PDFs per owner`, `total amount of invoices from Costco`, `what's the largest amount`."""
    start = p.past(at, words("the what is 's a was are show me give tell calculate compute get our my all"))
    yield from _total_after(p, start)
    for end, functions in _functions(p, start):
        counted = p.phrase(p.articles(end), "number", "of") or p.phrase(p.articles(end), "count", "of")
        begins_here = {counted} if counted else {end, p.articles(end)}  # the `actual minutes` are a field
        for lexeme, ref in (one for begin in begins_here for one in p.fields(begin)):
            made = ref.kind is FieldKind.DATE and lexeme.cost >= INFLECTED  # the latest upload is no date
            if not made and all(_measurable(ref, one) for one in functions):
                kinds = _kinds_of_its_name(p, lexeme)
                # `total fees in euros for permits`
                for after in kinds or {lexeme.end, past_the_unit(p, lexeme.end, (ref,))}:
                    for one in _of_things(p, after, _measures(functions, ref), ref, lexeme.cost):
                        yield one._replace(end=past_the_unit(p, one.end, (ref,)))
        yield from _of_such(p, p.articles(end), functions)
        yield from _in_a_unit(p, p.articles(end), functions)
        yield from _of_the_usual_number(p, p.past(end, english.ARTICLES | {"of"}), functions)


def _kinds_of_its_name(p: Parse, lexeme: Lexeme[FieldWord]) -> set[int]:
    """Where `of contracts` begins in `the total amount of contracts`: a field is called so, which others have as well,
    and contracts are one kind of those that have it."""
    return {
        at
        for at in range(lexeme.start + 1, lexeme.end - 1) if p.word(at) == "of"
        for one in p.starting(p.articles(at + 1), ValueWord)
        if one.end == lexeme.end and kind_in_plural(p, one.end, one.payload.ref)
    }  # fmt: skip


def _in_a_unit(p: Parse, at: int, functions: Measures) -> Iterator[Found[Statement]]:
    """`total GB of photos`: of the number that is of that dimension."""
    unit = find_unit(p.word(at)) if len(p.word(at)) > 1 else None
    for entity in p.things if unit is not None else ():
        assert unit is not None
        own = numbers_of_dimension(entity, unit.dimension)
        found = [ref for ref in fields_of_dimension(entity, unit.dimension) if ref in own]
        found = found or [ref for ref in own if is_duration(ref)]  # where a distance is called long
        if len(found) == 1:
            yield from _of_things(p, at + 1, _measures(functions, found[0]), found[0], 0.1)
        return


def _functions(p: Parse, at: int) -> Iterator[tuple[int, Measures]]:
    """`average`; `min, max and average`; `count and total`: measures, whose field is still to come."""
    for rest, percent in percentile(p, at):
        yield rest, (tree.Measure("percentile", argument=number(percent)),)
    counts = ((("count",), COUNT), (("number",), COUNT))
    for sequence, function in (*((said, tree.Measure(name)) for said, name in english.MEASURES.items()), *counts):
        end = p.phrase(at, *sequence)
        if end is None:
            continue
        if p.word(at) == "least" and is_participle(p.word(end)):
            continue  # `the least viewed report` is no minimum
        if function != COUNT:
            yield end, (function,)
        for after in {p.past(end, (",", "and", "&"))} - {end}:
            for last, others in _functions(p, p.articles(after)):
                if function not in others:
                    yield last, (function, *others)


def _measures(functions: Measures, ref: FieldRef) -> Measures:
    return tuple(one if one == COUNT else replace(one, path=ref.left) for one in functions)


def _sum_of(ref: FieldRef) -> Measures:
    return (tree.Measure("sum", ref.left),)


def percentile(p: Parse, at: int) -> Iterator[tuple[int, int]]:
    """`95th percentile of`, `the 90 % percentile`, `p95`: after it, and which one."""
    found = _PERCENTILE.fullmatch(p.word(at))
    if found is None or not 0 < int(found[1]) < 100:
        return
    if p.word(at).startswith("p"):
        yield p.past(at + 1, ("of", "for")), int(found[1])
    elif p.word(noun := p.past(at + 1, ("%", "percent", "-", "per", "cent"))) in ("percentile", "centile"):
        yield p.past(noun + 1, ("of", "for")), int(found[1])


def _of_the_usual_number(p: Parse, at: int, functions: Measures) -> Iterator[Found[Statement]]:
    """`sum of unpaid invoices`, `average receipt`: of the number that the catalog prefers."""
    for things in noun_phrase(p, at):
        ref = default_number(p.entity(things.value.entity))
        plain = things.value.plain
        usual = {one.function for one in functions} <= {"sum", "avg", "median"}
        if ref is not None and plain and things.value.where is not None and usual:
            yield from _measured(p, things, _measures(functions, ref), 0.2)


def _measurable(ref: FieldRef, measure: tree.Measure) -> bool:
    ordered = ref.kind is FieldKind.DATE and measure.function in ("min", "max", "count")
    return ref.within is None and (ref.is_number or ordered)


def _of_such(p: Parse, at: int, functions: Measures) -> Iterator[Found[Statement]]:
    """`average invoice amount`: of the things that are invoices."""
    for things in bare_noun(p, at):
        phrase = things.value
        if phrase.fixed is not None or phrase.limit is not None or phrase.sort:
            continue
        for lexeme, ref in p.fields(things.end):
            if ref.kind is FieldKind.DATE and lexeme.cost >= INFLECTED:
                continue  # a case `file` is not when the case was filed
            if all(_measurable(ref, one) for one in functions) and ref.belongs_to(p.entity(phrase.entity)):
                for such in narrowed(p, lexeme.end, phrase, things.cost + lexeme.cost):
                    yield from _measured(p, such, _measures(functions, ref))


def _of_things(p: Parse, at: int, measures: Measures, ref: FieldRef, cost: float) -> Iterator[Found[Statement]]:
    after = p.past(at, words("of for in across among over on the all by from per"))
    for begin in {p.past(at, words("of for across among over in from")), after}:
        for things in noun_phrase(p, begin):
            phrase = things.value
            # `mean temperature compressors`; the lowest fee of permits may be asked for as one of them
            noted = begin == at and phrase.where is not None and not {"min", "max"} & {one.function for one in measures}
            if (begin > at or noted) and phrase.all_such and ref.belongs_to(p.entity(phrase.entity)):
                yield from _measured(p, things, measures, cost + (0.15 if noted else 0.0))
    entity = first_with(p, ref)
    if entity is not None:
        bare = Found(at, NounPhrase(entity.name), cost + 0.1)
        yield from grouped(p, bare, measures)
        for those in narrowed(p, at, bare.value, cost + 0.2):
            yield Found(those.end, aggregate(p, those.value, measures), those.cost)
            yield from grouped(p, those, measures) if those.end > at else ()


def counts_for_each_element(schema: Schema, statement: tree.Aggregate) -> bool:
    """Whether money of the things is added up in groups of their elements, which have amounts of their own: `total cost
    by workshop` is of what was done there, and not of what the vehicles cost that were there."""
    if not isinstance(statement.entity, tree.Name):
        return False
    entity = find_entity(schema, statement.entity.text)
    many = [name_of(one.path) for one in statement.groups if one.path is not None]
    lists = [name for name in many if entity is not None and name in entity.lists]
    if entity is None or not lists or not any(of_money(ref) for name in lists for ref in list_fields(entity, name)):
        return False
    money = [ref.left for ref in FieldRef.own(entity) if of_money(ref)]
    return any(one.path in money for one in statement.measures)


def money_beside(entity: Entity, by: tree.Group) -> FieldRef | None:
    """The amount of money that is added up for groups where none is named: of elements, where a field of them makes
    the groups, as what the things themselves cost would be counted for each element."""
    many = name_of(by.path)
    if many not in entity.lists:
        return usual_money(entity)
    own = [ref for ref in list_fields(entity, many) if ref.is_number and of_money(ref)]
    return own[0] if len(own) == 1 else None


def usual_money(entity: Entity) -> FieldRef | None:
    """The amount of money that is meant where none is named."""
    usual = default_number(entity)
    if usual is not None and of_money(usual):
        return usual
    money = principal([ref for ref in FieldRef.own(entity) if ref.is_number and of_money(ref)])
    return money[0] if len(money) == 1 and plain(money[0]) else None


def _total_after(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`invoices total paid in February`: what is added up, after the things, where they have a number called so."""
    for things in bare_noun(p, at):
        phrase, word = things.value, p.word(things.end)
        plain = phrase.plain and phrase.headed
        for lexeme, ref in (
            p.numbers(things.end, p.entity(phrase.entity)) if plain and english.MEASURES.get((word,)) == "sum" else ()
        ):
            if ref.within is None:
                for such in narrowed(p, lexeme.end, phrase, things.cost + lexeme.cost):
                    yield Found(such.end, aggregate(p, such.value, _sum_of(ref)), such.cost)


FORMS = (measured, spent, amounts_by, how_much_on_average)
