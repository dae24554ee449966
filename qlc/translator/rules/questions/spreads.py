"""How things or amounts are spread: `how are the folders distributed over the colours`, `storage per owner`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.grammar.units import find_unit
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import path
from qlc.translator.rules.conditions import default_date, is_number
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nouns.clauses import group, groups
from qlc.translator.rules.nouns.degrees import fields_of_dimension
from qlc.translator.rules.nouns.names import possession
from qlc.translator.rules.nouns.noun_phrases import NounPhrase, bare_noun, noun_phrase
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.questions.aggregates import COUNT, aggregate, first_with, grouped
from qlc.translator.rules.questions.counts import counted
from qlc.translator.rules.questions.measures import measured
from qlc.translator.rules.questions.rankings import first_row
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

_SPREAD = phrases(
    "(distributed | spread | split | divided | broken down | grouped | scattered) [up | out] "
    "(over | across | by | between | among | amongst | into | per | in | throughout)"
)
_SPREADING = phrases("(distribution | split | spread | breakdown) of")
_OVER = phrases("over | across | by | between | among | amongst | into | per | in")


@rule
def spread_over(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how are the files spread across categories`, `the distribution of files over categories`."""
    if p.word(at) == "how" and p.word(at + 1) in english.COPULAS:
        for things in noun_phrase(p, p.articles(at + 2)):
            for end in p.phrases(things.end, _SPREAD):
                yield from _over(p, end, things)
    start = p.past(at, words("what is 's the a show me give"))
    for begin in p.phrases(start, _SPREADING):
        for things in noun_phrase(p, p.articles(begin)):
            for end in p.phrases(things.end, _OVER):
                yield from _over(p, end, things)
        yield from _of_values(p, p.articles(begin))


def _of_values(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`breakdown of file extensions in Archive`: of the things that have them, by what they are."""
    for lexeme in p.starting(at, FieldWord):
        ref = lexeme.payload.ref
        entity = first_with(p, ref) if ref.kind in (FieldKind.KEYWORD, FieldKind.BOOLEAN) else None
        plain = ref.within is None and not lexeme.payload.tail and p.plural(lexeme.end)
        if entity is not None and plain and not any(one.end == lexeme.end for one in p.starting(at, EntityWord)):
            by, things = (tree.Group(path(*ref.path)),), NounPhrase(entity.name)
            yield Found(lexeme.end, aggregate(p, things, (COUNT,), by), lexeme.cost + 0.1)
            for rest in modifiers(p, lexeme.end, entity.name):
                found = aggregate(p, things.also(rest.value), (COUNT,), by)
                yield Found(rest.end, found, lexeme.cost + rest.cost + 0.1)


def _over(p: Parse, at: int, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    if things.value.fixed is None and things.value.limit is None and not things.value.sort:
        for by in groups(p, p.articles(at), p.entity(things.value.entity)):
            yield Found(by.end, aggregate(p, things.value, (COUNT,), by.value), things.cost + by.cost)
            for rest in modifiers(p, by.end, things.value.entity):
                phrase = things.value.also(rest.value)
                yield Found(rest.end, aggregate(p, phrase, (COUNT,), by.value), things.cost + by.cost + rest.cost)


_ROOM = phrases("[disk | storage] (storage | space)")
_TAKING = words(
    "use uses used using take takes took taken taking up occupy occupies occupied consume consumes have has hold holds "
    "own owns need needs contain contains"
)


@rule
def of_each(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how much storage does each owner use`, `how many pages has each vendor`, `space used per folder`."""
    if p.word(at) == "how" and p.word(at + 1) in ("much", "many"):
        for end, ref, entity in _amounts(p, at + 2):
            auxiliary = p.past(end, english.AUXILIARIES | english.COPULAS | {"used", "by"})
            if auxiliary > end and p.word(auxiliary) in ("each", "every"):
                for by in group(p, auxiliary + 1, entity):
                    total = _sum(p, NounPhrase(entity.name), ref, by.value)
                    yield Found(p.past(by.end, _TAKING), total, by.cost + 0.05)
                continue
            for things in noun_phrase(p, p.articles(auxiliary)) if auxiliary > end else ():
                plain = things.value.fixed is None and things.value.limit is None and not things.value.sort
                if plain and things.value.where is not None and has_field(p.entity(things.value.entity), ref):
                    after = p.past(things.end, _TAKING | words("in total together altogether overall all"))
                    if after > things.end:
                        measure = tree.Measure("sum", path(*ref.path))
                        yield Found(after, aggregate(p, things.value, (measure,)), things.cost + 0.1)
    yield from _who_most(p, at)
    yield from _which_most(p, at)
    start = p.past(at, words("the total what is 's show me give"))
    for end, ref, entity in _room(p, start):
        things = Found(p.past(end, words("used taken up occupied")), NounPhrase(entity.name), 0.0)
        yield from grouped(p, things, (tree.Measure("sum", path(*ref.path)),))


def _who_most(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`who uses the most storage`: by whose the things are."""
    verb = p.past(at + 1, english.AUXILIARIES) if p.word(at) == "who" else p.end
    verb = verb + 1 if p.word(verb) in _TAKING else verb if verb > at + 1 else p.end
    most = p.past(verb, ("up", "the"))
    largest = p.word(most) in ("most", "largest", "biggest", "highest")
    for end, ref, entity in _room(p, p.past(most + 1, ("total",))) if largest else ():
        refs = (FieldRef((one.name,), one) for one in entity.fields.values())
        for by in (one for one in refs if one.target is not None and possession(one)):
            total = tree.Measure("sum", path(*ref.path))
            yield Found(end, first_row(p, NounPhrase(entity.name), total, tree.Group(path(*by.path)), True, 1), 0.05)


def _which_most(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`which extension takes up the most space`: by the group that is asked for."""
    for entity in _with_room(p) if p.word(at) in ("which", "what") else ():
        for by in group(p, at + 1, entity):
            verb = p.past(by.end, english.AUXILIARIES)
            most = p.past(verb, _TAKING | {"the"})
            for end, same, _ in _room(p, most + 1) if most > by.end and p.word(most) == "most" else ():
                total = tree.Measure("sum", path(*same.path))
                things = NounPhrase(entity.name)
                row = first_row(p, things, total, by.value, True, 1)
                yield Found(end, row, by.cost + 0.05)
                for rest in modifiers(p, end, entity.name):
                    row = first_row(p, things.also(rest.value), total, by.value, True, 1)
                    yield Found(rest.end, row, by.cost + rest.cost + 0.05)


def _with_room(p: Parse) -> list[Entity]:
    """What has a size, where room is spoken of at all."""
    return [entity for at in range(p.end) for _, _, entity in _room(p, at)][:1]


def _amounts(p: Parse, at: int) -> Iterator[tuple[int, FieldRef, Entity]]:
    for lexeme in p.starting(at, FieldWord):
        entity = first_with(p, lexeme.payload.ref)
        if is_number(lexeme.payload.ref) and lexeme.payload.ref.within is None and entity is not None:
            yield lexeme.end, lexeme.payload.ref, entity
    yield from _room(p, at)


def _room(p: Parse, at: int) -> Iterator[tuple[int, FieldRef, Entity]]:
    """`storage`, `disk space`: what things take up, where they have a size in bytes."""
    for end in p.phrases(at, _ROOM):
        for entity in (e for e in p.schema.entities.values() if not e.virtual):
            sizes = fields_of_dimension(entity, "size")
            unit = find_unit(sizes[0].field.unit or "") if len(sizes) == 1 else None
            if unit is not None and unit.dimension == "size":
                yield end, sizes[0], entity
                return


def _sum(p: Parse, phrase: NounPhrase, ref: FieldRef, by: tree.Group) -> Statement:
    return aggregate(p, phrase, (tree.Measure("sum", path(*ref.path)),), (by,))


_EACH = phrases("(for | of | in | from | by | to) (each | every) | per | each | for all")


@rule
def groups_first(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`for each owner, how many folders`, `per vendor the total amount`."""
    for end in p.phrases(at, _EACH):
        for entity in (e for e in p.schema.entities.values() if not e.virtual):
            for by in groups(p, end, entity):
                after = p.past(by.end, words(", : - – the show me give tell"))
                for form in (counted, measured):
                    for one in form(p, after):
                        if _of(one.value, entity):
                            assert isinstance(one.value, tree.Aggregate)
                            yield Found(one.end, replace(one.value, groups=by.value), one.cost + by.cost + 0.05)


_REGULARLY = words("monthly yearly weekly daily quarterly hourly")


@rule
def regularly(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`weekly applications since April`, `monthly average price`: for each of the calendar, before what is counted."""
    start = p.past(at, words("the our what is are 's show me give"))
    unit = english.CALENDAR.get(p.word(start)) if p.word(start) in _REGULARLY and not p.lexemes[start] else None
    if unit is None:
        return
    for one in (*counted(p, start + 1), *measured(p, start + 1), *_counted_things(p, start + 1)):
        for entity in p.schema.entities.values():
            date = default_date(entity)
            if not entity.virtual and date is not None and _of(one.value, entity):
                assert isinstance(one.value, tree.Aggregate)
                by = (tree.Group(path(*date[0].path), unit),)
                yield Found(one.end, replace(one.value, groups=by), one.cost + 0.05)


def _counted_things(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """The number of all things that the noun for them stands for; `monthly reports` may well be called so."""
    nouns = (one.end for one in p.starting(at, EntityWord))
    dates = (one.end for one in p.starting(at, FieldWord) if one.payload.ref.kind is FieldKind.DATE)
    ends = {*nouns, *dates}
    for bare in bare_noun(p, at) if ends else ():
        if bare.end in ends and bare.value.where is None and bare.value.limit is None and not bare.value.sort:
            yield Found(bare.end, aggregate(p, bare.value, (COUNT,)), bare.cost)
            for rest in modifiers(p, bare.end, bare.value.entity):
                phrase = bare.value.also(rest.value)
                yield Found(rest.end, aggregate(p, phrase, (COUNT,)), bare.cost + rest.cost)


def _of(statement: Statement, entity: Entity) -> bool:
    """Whether numbers are of things of an entity, and in no groups yet."""
    return isinstance(statement, tree.Aggregate) and not statement.groups and statement.entity.text == entity.plural


@rule
def measured_behind(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`invoices 2025, total amount`, `photos in Legal: average size`: the measure behind what it is of."""
    for things in noun_phrase(p, at):
        phrase = things.value
        after = p.past(things.end, words(", : - –"))
        if after == things.end or phrase.fixed is not None or phrase.limit is not None or phrase.sort:
            continue
        for one in measured(p, after):
            bare = isinstance(one.value, tree.Aggregate) and one.value.where is None and not one.value.groups
            if bare and _of(one.value, p.entity(phrase.entity)):
                assert isinstance(one.value, tree.Aggregate)
                if phrase.where is not None and one.value.measures != (COUNT,):
                    yield Found(one.end, replace(one.value, where=phrase.where), things.cost + one.cost)
