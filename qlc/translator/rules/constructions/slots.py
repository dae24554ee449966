"""The slots of constructions: `{things}`, `{number}`, `{by}`, `{where}`. Each reads where a match ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.conditions import list_fields, of_money
from qlc.translator.rules.constructions.construction import Match, Slot, slot_of
from qlc.translator.rules.constructions.value_meanings import asked_fields, entity_of, past_the_unit, single_things
from qlc.translator.rules.lexicon.lexemes import INFLECTED, EntityWord, FieldRef, FieldWord, ListWord, ValueWord
from qlc.translator.rules.modifiers.sequences import modifiers
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.compounds import nominal
from qlc.translator.rules.nouns.degrees import degrees
from qlc.translator.rules.nouns.groups import group, groups
from qlc.translator.rules.nouns.names import entity_words, hierarchical, kind_in_plural
from qlc.translator.rules.nouns.noun_phrases import bare_noun, noun_phrase, several_kinds
from qlc.translator.rules.nouns.references import deeds, verbs
from qlc.translator.rules.parse import Found
from qlc.translator.rules.quantities.numbers import cardinal, ordinal, quantity_test
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, words

MOST_ROWS = 1_000
SLOTS: dict[str, Slot] = {}
slot = slot_of(SLOTS)


def _own(match: Match, found: Iterable[Found[Any]]) -> Iterator[tuple[Found[Any], str]]:
    return ((one, match.entity) for one in found)


def entities(match: Match) -> list[Entity]:
    """The entity that is spoken of; all that have documents where none is yet."""
    return [match.parse.entity(match.entity)] if match.entity else list(match.parse.things)


def _has_all(match: Match, phrase: NounPhrase) -> bool:
    """Whether the things of a phrase have the fields that were read before it."""
    entity = match.parse.entity(phrase.entity)
    refs = (one for one in match.values.values() if isinstance(one, FieldRef))
    groups_before = (one for one in match.values.values() if isinstance(one, tree.Group))
    return all(ref.belongs_to(entity) for ref in refs) and all(phrase.entity == match.entity for _ in groups_before)


@slot
def things(match: Match) -> Iterator[tuple[Found[NounPhrase], str]]:
    """`paid invoices of 2024`: all that are described so, in no order."""
    p = match.parse
    for one in (*noun_phrase(p, match.end), *several_kinds(p, match.end)):
        if one.value.plain and _has_all(match, one.value):
            yield one, one.value.entity


@slot
def kind(match: Match) -> Iterator[tuple[Found[NounPhrase], str]]:
    """`unpaid invoices`: a noun and what comes before it."""
    for one in bare_noun(match.parse, match.end):
        if one.value.plain and (one.value.headed or one.value.where is not None) and _has_all(match, one.value):
            yield one, one.value.entity


@slot
def part(match: Match) -> Iterator[tuple[Found[NounPhrase], str]]:
    """`overdue invoices`, `no-shows`: a kind of things with what tells them apart from the others of the kind."""
    p = match.parse
    for one in bare_noun(p, match.end):
        if one.value.plain and one.value.where is not None:
            yield Found(one.end, one.value, one.cost), one.value.entity
    for noun in nominal(p, match.end):
        yield Found(noun.end, NounPhrase(noun.value[0], noun.value[1]), noun.cost), noun.value[0]


@slot
def where(match: Match) -> Iterator[tuple[Found[tree.Condition], str]]:
    """`in Legal after 2020`: conditions on the things spoken of."""
    for entity in entities(match):
        for one in modifiers(match.parse, match.end, entity.name):
            yield one, entity.name


@slot
def one(match: Match) -> Iterator[tuple[Found[tree.Value], str]]:
    """`Q3 Report.pdf`, `the owner of X`, `the latest invoice`: a single thing."""
    p, at = match.parse, match.end
    for found in single_things(p, at):
        yield found, entity_of(p, found.value) or match.entity


def _fields(match: Match, accepts: Callable[[FieldRef], bool]) -> Iterator[tuple[Found[FieldRef], str]]:
    p = match.parse
    for at in dict.fromkeys((match.end, p.articles(match.end))):
        for lexeme, ref in p.fields(at):
            if ref.within is None and accepts(ref) and not lexeme.payload.tail:
                holders = [entity for entity in entities(match) if ref.belongs_to(entity)]
                if holders:
                    yield Found(lexeme.end, ref, lexeme.cost), holders[0].name


@slot
def number(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`size`, `total amount`: a number of things."""
    return _fields(match, lambda ref: ref.is_number)


@slot
def measured(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """Read a number or date: `price`. In `the amount of contracts`, a field and a kind, it is `the amount` alone."""
    p = match.parse
    for found, entity in _fields(match, lambda ref: ref.is_number or ref.kind is FieldKind.DATE):
        dated = found.value.kind is FieldKind.DATE
        kinds = [
            at
            for at in range(match.end + 1, found.end - 1) if p.word(at) == "of"
            for one in p.starting(p.articles(at + 1), ValueWord)
            if one.end == found.end and kind_in_plural(p, one.end, one.payload.ref)
        ]  # fmt: skip
        degree = p.word(match.end - 1) if match.end else ""
        other = not dated and (degree in ("latest", "earliest") or (degree == "cheapest" and not of_money(found.value)))
        # "the latest price" is not the greatest one, and "the latest upload" asks for an upload
        if not other and not (dated and found.cost >= INFLECTED):
            yield found._replace(end=kinds[0] if kinds else found.end), entity


@slot
def date(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`created`, `due date`; a year where it is kept as a number."""
    return _fields(match, lambda ref: ref.kind is FieldKind.DATE or is_a_year(ref))


@slot
def category(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`vendors`, `types`: a field whose values things share."""
    p = match.parse
    for found, entity in _fields(match, lambda ref: ref.kind is FieldKind.KEYWORD):
        things_of_their_own = any(noun.end == found.end for noun in p.starting(match.end, EntityWord))
        if not things_of_their_own:
            yield found, entity


@slot
def flag(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`signed`, `paid`: a field that is true or false, or a value of one."""
    p = match.parse
    yield from _fields(match, lambda ref: ref.kind is FieldKind.BOOLEAN)
    for said in p.starting(match.end, ValueWord):
        if said.payload.closed and said.payload.ref.within is None:
            yield Found(said.end, said.payload.ref, said.cost + 0.1), match.entity


@slot
def fields(match: Match) -> Iterator[tuple[Found[tuple[FieldRef, ...]], str]]:
    """`size`, `type, size and owner`: what is asked of one thing."""
    return _own(match, asked_fields(match.parse, match.end))


@slot
def deed(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`owns`, `uploaded`, `is assigned to`: a verb, by the field that says who does it."""
    p = match.parse
    for end, ref in deeds(p, match.end):
        yield Found(end, ref, 0.0), match.entity
    for lexeme, ref in p.fields(match.end):
        if lexeme.payload.tail and ref.target and ref.within is None:
            yield Found(lexeme.end, ref, lexeme.cost + 0.05), match.entity


@slot
def done(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`uploads`, `owned by`: what people do to things, by the field that says who did it."""
    p = match.parse
    for doer in (one for one in p.schema.entities.values() if one.virtual or not one.kinds):
        for end, ref in verbs(p, match.end, doer.name):
            holder = next((entity for entity in entities(match) if ref.belongs_to(entity)), None)
            if holder is not None:
                yield Found(end, ref, 0.0), holder.name


@slot
def above(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`folder`: the word for what holds things, by the field that says which one holds a thing."""
    p = match.parse
    for entity in p.things:
        for ref in hierarchical(entity):
            for end in entity_words(p, match.end, ref.target or ""):
                yield Found(end, ref, 0.0), match.entity


@slot
def leading(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`copy of`: the words of a reference that end with what leads to it."""
    for lexeme, ref in match.parse.fields(match.end):
        if lexeme.payload.tail and ref.target is not None and ref.within is None:
            yield Found(lexeme.end, ref, lexeme.cost), match.entity


@slot
def people(match: Match) -> Iterator[tuple[Found[FieldRef], str]]:
    """`shared with`, `commented`: a list of the things, by its one field for people."""
    p = match.parse
    for lexeme in p.starting(match.end, ListWord):
        for entity in p.things:
            own = list_fields(entity, lexeme.payload.name)
            refs = [ref for ref in own if ref.target and p.entity(ref.target).virtual]
            if len(refs) == 1:
                yield Found(lexeme.end, refs[0], lexeme.cost), match.entity
                break


@slot
def person(match: Match) -> Iterator[tuple[Found[str], str]]:
    """`people`, `users`: the word for those who occur only in fields."""
    p = match.parse
    for entity in p.people:
        for end in entity_words(p, match.end, entity.name):
            yield Found(end, entity.name, 0.0), match.entity


@slot
def unit(match: Match) -> Iterator[tuple[Found[None], str]]:
    """`in minutes`, after a number that can be given so: answers choose a readable unit themselves."""
    asked = match.get("fields") or tuple(filter(None, (match.get("number") or match.get("measured"),)))
    name = entity_of(match.parse, match["one"]) if match.get("one") is not None else None
    if match.get("degree") is not None and name is not None:
        asked = tuple(ref for ref, _ in degrees(match.parse.entity(name), match["degree"], True))
    end = past_the_unit(match.parse, match.end, asked)
    if end > match.end:
        yield Found(end, None, 0.0), match.entity


@slot
def by(match: Match) -> Iterator[tuple[Found[tuple[tree.Group, ...]], str]]:
    """`type`, `month and owner`: what things are grouped by, after the preposition."""
    if _is_a_rate(match) or _is_an_agent(match):
        return
    for entity in entities(match):
        for found in groups(match.parse, match.end, entity):
            yield found, entity.name


def _is_a_rate(match: Match) -> bool:
    """Whether so many in a time are meant, which nothing is kept of: `more than 3 downloads per day`."""
    p, at = match.parse, match.end
    per = p.word(at - 1) == "per" and p.word(at) in english.CALENDAR
    numbers = (one for one in p.ending(at - 1) if isinstance(one.payload, FieldWord) and one.payload.ref.is_number)
    return per and any(any(True for _ in cardinal(p, one.start - 1)) for one in numbers)


def _is_an_agent(match: Match) -> bool:
    """Whether `by` says who or what did it, and not groups: `read by OCR`, which is a flag; `sold by the owner`."""
    p, at = match.parse, match.end
    done = at > 1 and p.word(at - 1) == "by" and is_participle(p.word(at - 2))
    flags = any(ref.kind is FieldKind.BOOLEAN for _, ref in p.fields(at))
    return done and (flags or p.word(at) in english.ARTICLES)


@slot
def group_(match: Match) -> Iterator[tuple[Found[tree.Group], str]]:
    """`vendor`, `month`: one thing to group by. The first entity that has it is meant before others."""
    dearer = 0.0
    for entity in entities(match):
        found = list(group(match.parse, match.end, entity))
        for one in found:
            yield one._replace(cost=one.cost + dearer), entity.name
        dearer = 0.3 if found else dearer


@slot
def calendar(match: Match) -> Iterator[tuple[Found[tuple[tree.Group, ...]], str]]:
    """`monthly`: group and preposition in one word."""
    p = match.parse
    if p.word(match.end).endswith("ly") and p.word(match.end) in english.CALENDAR:
        yield from by(match)


@slot
def n(match: Match) -> Iterator[tuple[Found[int], str]]:
    """`5`, `ten`: how many rows or things."""
    for found in cardinal(match.parse, match.end):
        value = found.value.value
        if float(value).is_integer() and 0 < value <= MOST_ROWS:
            yield Found(found.end, int(value), found.cost), match.entity


@slot
def how_many(match: Match) -> Iterator[tuple[Found[None], str]]:
    """Read `how many`, `the number of`; not `the amount of`, where a summable number is called amount."""
    p = match.parse
    for end in p.phrases(match.end, english.COUNTING):
        noun = end - 2 if p.word(end - 1) == "of" else end
        numbers = [one.payload.ref for one in p.starting(noun, FieldWord) if one.end == noun + 1]
        things = any(p.starting(noun, EntityWord))
        money = any(one.is_number and (one.field.adds_up or not things) for one in numbers)
        if not money or p.word(noun) in ("number", "count"):
            yield Found(p.past(end, english.ARTICLES), None, 0.0), match.entity


@slot
def predicate(match: Match) -> Iterator[tuple[Found[tree.Condition], str]]:
    """`are overdue`, `include accessories`: what is said of the things, after a verb; the period after it is of all."""
    p = match.parse
    if p.word(match.end) in _PREDICATING:
        yield from where(match)


@slot
def nth(match: Match) -> Iterator[tuple[Found[int], str]]:
    """`second`, `3rd`."""
    found = ordinal(match.parse, match.end)
    return iter([(found, match.entity)] if found is not None else [])


@slot
def test(match: Match) -> Iterator[tuple[Found[Any], str]]:
    """`more than 5`: a bound of a number of things."""
    return _own(match, (one for one in quantity_test(match.parse, match.end) if one.value.of_a_count))


@slot
def measure(match: Match) -> Iterator[tuple[Found[tree.MeasureFunction], str]]:
    """`average`, `total`, `highest`: what is made of a number."""
    p = match.parse
    for said, function in english.MEASURES.items():
        end = p.phrase(match.end, *said)
        if end is not None:
            yield Found(end, function, 0.0), match.entity


@slot
def measures(match: Match) -> Iterator[tuple[Found[tuple[tree.MeasureFunction, ...]], str]]:
    """`average`; `smallest and largest`; `min, max and average`."""
    p = match.parse
    for first, entity in measure(match):
        yield Found(first.end, (first.value,), first.cost), entity
        after = p.articles(p.past(first.end, (",", "and", "&")))
        for rest, _ in measures(replace(match, end=after)) if after > first.end else ():
            if first.value not in rest.value:
                yield Found(rest.end, (first.value, *rest.value), first.cost + rest.cost), entity


_PREDICATING = english.PREDICATING | words(
    "contain contains include includes carry carries hold holds use uses that which who with without"
)


@slot
def extreme(match: Match) -> Iterator[tuple[Found[bool], str]]:
    """`most`, `fewest`: whether the largest comes first."""
    falling = _EXTREMES.get(match.parse.word(match.end))
    if falling is not None:
        yield Found(match.end + 1, falling, 0.0), match.entity


_EXTREMES = {
    "most": True, "highest": True, "largest": True, "longest": True, "biggest": True, "greatest": True,
    "fewest": False, "least": False, "lowest": False, "smallest": False, "shortest": False, "cheapest": False,
}  # fmt: skip


@slot
def degree(match: Match) -> Iterator[tuple[Found[str], str]]:
    """`big`, `long` of `how big`: the dimension that an adjective speaks of."""
    dimension = english.DEGREES.get(match.parse.word(match.end))
    if dimension is not None:
        yield Found(match.end + 1, dimension, 0.0), match.entity


