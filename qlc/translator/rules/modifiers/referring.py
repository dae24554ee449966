"""What a thing refers to, by its name or by what is said of it: `of Pine Hotels`, `from German customers`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, member, path, string
from qlc.translator.rules.conditions import default_date
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, Lexeme, NameWord, ValueWord, steps
from qlc.translator.rules.modifiers.directions import cued
from qlc.translator.rules.modifiers.elements import inside_an_element
from qlc.translator.rules.nested import nested
from qlc.translator.rules.nouns.names import entity_words, hierarchical, possession
from qlc.translator.rules.parse import Found, Parse, begins, knows
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words

_OF = words("of for from to by with at on")
_NAMING = _OF | words("in inside under through via")
_ABOUT = words("about regarding concerning")
_DIRECTED = words("from to into out")
_WITH = words("with has have had having")
RATHER_ANOTHER = 0.3
"""What a field costs where the preposition is a word of another one that has the value as well."""


@knows(NameWord)
def of_a_named_one(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`of Pine Hotels`, `to Ridge Outdoor`: where one field alone refers to what has the name."""
    own = p.entity(entity)
    bare, about = p.word(at) not in _NAMING | _ABOUT, p.word(at) in _ABOUT
    for name in p.starting(at if bare else p.articles(at + 1), NameWord):
        for target in name.payload.entities:
            ref = only_reference(own, target) or _reference_towards(own, target, p.word(at))
            way = p.lexicon.chains(own).get(target, ()) if ref is None and not bare else ()
            left = ref.left if ref is not None else path(*steps(way))
            if (ref is None and not way) or target == entity or inside_an_element(p, at, own, target):
                continue
            said = string(p.raw(name.start, name.end))
            certain = name.payload.whole and p.tokens[name.start].raw[:1].isupper()
            if about and not certain:
                continue  # a text may speak of it
            cost = name.cost + (0.0 if about else 0.25 if certain or not bare else 0.4)
            yield Found(name.end, compare(left, "=", said), cost)
            for end in entity_words(p, name.end, target):  # `on the Respiratory ward`
                if not p.plural(end):
                    yield Found(end, compare(left, "=", said), name.cost + 0.1)


@begins(english.LACKING, _WITH)
def with_such_things(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`suppliers with overdue invoices`, `without invoices`: those that such things refer to."""
    own = p.entity(entity)
    lacking = p.word(at) in english.LACKING
    if own.id is None or own.virtual or not (lacking or p.word(at) in _WITH):
        return
    start = p.past(at + 1, ("a", "an", "any", "some"))
    if p.word(start) == "no" and not lacking:
        lacking, start = True, start + 1
    for things in nested.noun_phrase(p, start):
        other, phrase = p.entity(things.value.entity), things.value
        way = way_to(p, other, entity)
        plain = phrase.plain and phrase.headed
        if not way or not plain or other.name == entity or other.virtual or other.kinds or own.kinds:
            continue
        where = phrase.where or tree.Presence(path(way[0]), False)
        such = member(tree.Subquery(tree.Find(tree.Name(other.plural), where)), *way)
        among: tree.ComparisonOperator = "not in" if lacking else "in"
        yield Found(things.end, compare(path(own.id.name), among, such), things.cost + 0.1)


@begins(_OF, words("under about in"))
def of_those_that(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`from suppliers in Poland`, `in an electric car`: things of another kind, of which some are said to be meant."""
    own = p.entity(entity)
    if own.virtual or own.kinds or p.word(at) not in _OF | words("under about in"):
        return
    for things in nested.noun_phrase(p, p.articles(at + 1)):
        phrase = things.value
        way = way_to(p, own, phrase.entity)
        plain = phrase.plain and phrase.where is not None
        one_of_them = p.word(at + 1) in ("a", "an") and isinstance(phrase.where, tree.And)
        headed = phrase.headed or one_of_them
        if not way or not plain or not headed or phrase.entity == entity or p.entity(phrase.entity).virtual:
            continue
        such = tree.Subquery(tree.Find(tree.Name(p.entity(phrase.entity).plural), phrase.where))
        cost = things.cost + 0.2 + date_of_others(p, at, things.end, own, phrase.where)
        yield Found(things.end, compare(path(*way), "in", such), cost)


def date_of_others(p: Parse, at: int, end: int, own: Entity, said: Condition | None) -> float:
    """What it costs to take a date after `bookings of Dutch guests` for one of the guests; more where nothing else is
    said of them: `repairs of technicians this year` are of this year."""
    named = {one.end for i in range(at, end) for one in p.starting(i, FieldWord) if one.payload.ref.target is None}
    begin = next((i for i in range(at + 1, end) if any(one.end == end for one in date_test(p, i))), None)
    dated = begin is not None and begin not in named  # `built before 2015` is said of them
    alone = 0.4 if not isinstance(said, tree.And) else 0.0
    return 0.3 + alone if dated and default_date(own) is not None else 0.0


@begins(_OF, words("in inside under"))
def of_those_referred_to(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`flats in Zurich`, `bookings to Valais`: a value that only what is referred to has, a building or a hut."""
    own = p.entity(entity)
    if p.word(at) not in _OF | words("in inside under") or own.virtual or inside_an_element(p, at, own):
        return
    readings: list[tuple[Lexeme[ValueWord], FieldRef, list[tuple[str, ...]]]] = []
    for lexeme in p.starting(p.articles(at + 1), ValueWord):
        where, found = lexeme.payload.ref, list[tuple[str, ...]]()
        if not lexeme.payload.closed or where.within is not None or _can_have(p, own, lexeme):
            continue
        for ref in FieldRef.all_of(own):
            target = p.entity(ref.target) if ref.target is not None and ref.within is None else None
            if p.word(at) in _DIRECTED and _has_directions(own) and not cued(ref, p.word(at)):
                continue  # where something goes is not where it comes from
            if target is not None and not target.virtual and target.name != entity and where.belongs_to(target):
                found.append((*ref.path, *where.path))
        farther = p.lexicon.chains(own).items() if p.word(at) not in _DIRECTED or not _has_directions(own) else ()
        found += [(*steps(way), *where.path) for name, way in farther if where.belongs_to(p.entity(name))]
        readings.append((lexeme, where, found))
    # `in Leeds` is rather of what the catalog says to be `in` somewhere than of where somebody is `based`
    said_so = [one for one in readings if p.word(at) in one[1].field.words and one[2]]
    for lexeme, where, found in readings:
        other = RATHER_ANOTHER if said_so and all(one[1] != where for one in said_so) else 0.0
        for way in found:
            yield Found(lexeme.end, compare(path(*way), "=", string(lexeme.payload.text)), lexeme.cost + 0.3 + other)


def _can_have(p: Parse, own: Entity, value: Lexeme[ValueWord]) -> bool:
    """Whether a field of the thing itself has the value as well."""
    same = (one for one in p.starting(value.start, ValueWord) if one.end == value.end)
    return any(one.payload.ref.belongs_to(own) for one in same)


def way_to(p: Parse, entity: Entity, target: str) -> tuple[str, ...]:
    """The path that leads from an entity to another one: its one reference, or the one way through other things."""
    ref = only_reference(entity, target)
    return ref.path if ref is not None else steps(p.lexicon.chains(entity).get(target, ()))


@lru_cache(maxsize=512)
def only_reference(entity: Entity, target: str) -> FieldRef | None:
    """The field of an entity that refers to another one, where there is only one and it is no hierarchy."""
    above = {ref.path for ref in hierarchical(entity)}
    found = [ref for ref in FieldRef.own(entity) if ref.target == target]
    return found[0] if len(found) == 1 and found[0].path not in above else None


def recorded(p: Parse) -> Iterator[tuple[Entity, FieldRef]]:
    """What is recorded of things that are not listed, and the field that says whose it is: called as they are, and
    not by what they do in it."""
    for entity in p.schema.entities.values():
        for target in p.schema.entities.values() if not entity.virtual else ():
            ref = only_reference(entity, target.name) if target.virtual else None
            if ref is None or ref.field.name != target.name:
                continue
            if not any(one[-1] == "by" for one in ref.phrases):
                yield entity, ref


def _reference_towards(entity: Entity, target: str, word: str) -> FieldRef | None:
    """Of several references to such things the one that a preposition speaks for: `to Ann`, of a recipient."""
    refs = [ref for ref in FieldRef.own(entity) if ref.target == target]
    found = [ref for ref in refs if word in english.DIRECTION_CUES and cued(ref, word)]
    found = [ref for ref in found if not possession(ref)]  # what is written to Ann does not belong to her
    return found[0] if len(found) == 1 else None


@begins(_OF)
def of_such_ones(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`from German customers`, `of patients under 18`: what is said of them is said of the thing itself."""
    own = p.entity(entity)
    if p.word(at) not in _OF or (p.word(at) in _DIRECTED and _has_directions(own)):
        return
    for before in nested.said_before(p, at + 1):
        condition = before.value
        for end in _nouns_for_others(p, before.end, own):
            if condition is not None:
                yield Found(end, condition, before.cost + 0.15)
            for rest in nested.modifiers(p, end, entity):
                together = both(condition, rest.value) or rest.value
                yield Found(rest.end, together, before.cost + rest.cost + 0.15)


def _nouns_for_others(p: Parse, at: int, entity: Entity) -> Iterator[int]:
    """The words, in the plural, for a field that says who or what a thing belongs to."""
    for lexeme, ref in p.fields(at):
        keyword = ref.kind is FieldKind.KEYWORD and ref.within is None and not lexeme.payload.tail
        keyword = keyword and (ref.target is None or p.entity(ref.target).virtual)  # what is a thing has its own fields
        as_it_is = p.word(lexeme.end - 1) in {one[-1] for one in ref.phrases}  # `species`, `status`
        if keyword and p.plural(lexeme.end) and not as_it_is and ref.belongs_to(entity):
            yield lexeme.end
    for noun in p.starting(at, EntityWord):
        if p.entity(noun.payload.entity).virtual and only_reference(entity, noun.payload.entity) is not None:
            yield noun.end


def _has_directions(entity: Entity) -> bool:
    """Whether an entity has fields for both ends of a way: what comes from somewhere is then said by them."""
    refs = FieldRef.all_of(entity)
    return any(cued(ref, "from") for ref in refs) and any(cued(ref, "to") for ref in refs)


RULES = (of_a_named_one, of_such_ones, of_those_referred_to, of_those_that, with_such_things)
