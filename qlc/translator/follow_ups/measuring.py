"""Numbers of what was found: all together, the rows beyond a number, groups by a word that several fields share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.follow_ups import english
from qlc.translator.follow_ups.content import Content, Meaning, counts, surely
from qlc.translator.follow_ups.ordering import bare_measure
from qlc.translator.rules.build import path
from qlc.translator.rules.conditions import default_number, is_number, principal
from qlc.translator.rules.lexicon.field_names import spaced
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.nouns.degrees import fields_of_dimension, numbers_of_dimension
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.numbers import quantity_test
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words import english as plain
from qlc.translator.rules.words.morphology import stem
from qlc.translator.rules.words.phrases import Phrases, words

_GROUPED = (FieldKind.KEYWORD, *NUMERIC, FieldKind.DATE)

SEVERAL_ARE_CALLED_SO = 0.2
"""What it costs to group by a field that shares its last word with others."""


def of_all_together(p: Parse, at: int, entity: Entity, table: Phrases) -> Iterator[tuple[FieldRef, float]]:
    """`how many pages do they have in total?`, `on average`: the number of that name, of all of them."""
    for start in p.phrases(at, english.HOW_MANY):
        for noun in p.starting(start, EntityWord):
            counted = [one for one in entity.fields.values() if counts(one.words, p.raw(noun.start, noun.end))]
            if len(counted) == 1 and any(finished(p, end) for end in p.phrases(noun.end, table)):
                yield FieldRef((counted[0].name,), counted[0]), noun.cost
        for lexeme in p.starting(start, FieldWord):
            ref = lexeme.payload.ref
            if ref.within is not None or not has_field(entity, ref) or not is_number(ref):
                continue
            if any(finished(p, end) for end in p.phrases(lexeme.end, table)):
                yield ref, lexeme.cost
    how = p.past(at, plain.AND)
    dimension = plain.DEGREES.get(p.word(how + 1)) if p.word(how) == "how" else None
    if dimension is not None and any(finished(p, end) for end in p.phrases(how + 2, table)):
        fields = fields_of_dimension(entity, dimension)
        yield from ((ref, 0.0) for ref in fields if len(fields) == 1 and is_number(ref))


ANOTHER_AMOUNT = 0.3
"""What it costs to add up another amount of money than the usual one: the usual one, where the things have it."""


def come_to(c: Content) -> Iterator[tuple[FieldRef, float]]:
    """`how much is that in all?`, `what do they come to?`: the money of what was found, whichever amount it has."""
    assert c.base is not None
    if not any(c.whole(english.COMING_TO, start) for start in range(c.at + 1)):
        return
    yield from amounts_of(c.base.entity)


def costing(c: Content) -> Iterator[tuple[FieldRef, float]]:
    """`what do those cost on average?`: whichever amount of money they have."""
    assert c.base is not None
    if any(c.whole(english.COSTING, start) for start in range(c.at + 1)):
        yield from amounts_of(c.base.entity)


def amounts_of(entity: Entity) -> Iterator[tuple[FieldRef, float]]:
    """The amounts of money that things have, and what it costs to mean each where none is named."""
    usual = default_number(entity)
    amounts = principal([ref for ref in numbers_of_dimension(entity, "money") if ref.within is None])
    for ref in amounts:
        yield ref, 0.0 if len(amounts) == 1 or (usual is not None and ref.path == usual.path) else ANOTHER_AMOUNT


def rows_beyond(c: Content) -> Iterator[Meaning]:
    """`only the ones above 10`, behind rows with one number each: those rows."""
    before = c.base.statement if c.base is not None else None
    if not isinstance(before, tree.Aggregate) or not before.groups or len(before.measures) != 1:
        return
    if c.said.mode not in ("", "narrow") or before.limit is not None or c.p.word(c.at - 1) in english.ANY_THINGS:
        return
    p, measure = c.p, bare_measure(before.measures[0])
    for start in {c.at, *(end for at in range(c.at + 1) for end in p.phrases(at, english.ROWS))}:
        for test in quantity_test(p, start):
            said = test.value
            if not said.compared or said.amount.unit is not None or said.amount.money is not None:
                continue
            if not finished(p, test.end) or said.until is not None:
                continue
            having = tree.Comparison(measure, said.relation, said.amount.node)
            yield surely(replace(before, having=having), test.cost)


def last_words(p: Parse, at: int, entity: Entity) -> Iterator[Found[tuple[tree.Group, ...]]]:
    """`by city`, where flights have an origin city and a dest city: by either, which is then asked about."""
    start = p.articles(at)
    word = p.word(start)
    if not word or any(has_field(entity, one.payload.ref) for one in p.starting(start, FieldWord)):
        return
    called = [one for one in entity.fields.values() if one.kind in _GROUPED and not one.sensitive
              and len(spaced(one.name).split()) > 1 and stem(spaced(one.name).split()[-1]) == stem(word)]  # fmt: skip
    for one in called if len(called) > 1 else ():
        yield Found(start + 1, (tree.Group(path(one.name)),), SEVERAL_ARE_CALLED_SO)


def with_fields(c: Content) -> Iterator[Meaning]:
    """`show the amounts`, `with their due dates`: the same list, and what each has of these."""
    base, p = c.base, c.p
    if base is None or not isinstance(base.statement, tree.Find) or c.said.mode not in ("", "narrow", "add"):
        return
    for begin in range(c.at + 1):
        for start in p.phrases(begin, english.SHOWING_FIELDS):
            several = p.word(start - 1) == "their"
            for end, fields in _fields_listed(p, start, base.entity):
                if finished(p, p.past(end, words("too as well columns column also"))) and (several or p.plural(end)):
                    shown = tuple(path(*one.path) for one in fields)
                    yield surely(replace(base.statement, show=shown))


def _fields_listed(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, tuple[FieldRef, ...]]]:
    """`amounts`, `amounts and due dates`."""
    for lexeme in p.starting(at, FieldWord):
        ref = lexeme.payload.ref
        if ref.within is not None or not has_field(entity, ref) or ref.field.sensitive:
            continue
        yield lexeme.end, (ref,)
        after = p.past(lexeme.end, words(", and"))
        for end, more in _fields_listed(p, p.articles(after), entity) if after > lexeme.end else ():
            yield end, (ref, *more)
