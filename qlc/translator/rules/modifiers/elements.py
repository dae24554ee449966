"""Conditions on one element of a list: `shared with Ann as editor`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules import english
from qlc.translator.rules.build import both, compare, path, string
from qlc.translator.rules.conditions import (
    date_condition,
    is_number,
    list_fields,
    list_words,
    quantity_condition,
    values,
    values_condition,
)
from qlc.translator.rules.dates import date_test
from qlc.translator.rules.lexicon import FieldRef
from qlc.translator.rules.numbers import quantity_test
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.phrases import words


def element(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """Conditions on one element of a list: `shared with Ann as editor`, `commented on by Ann since March`."""
    own = p.entity(entity)
    start = p.past(
        at,
        words("with that has have a an the are is having any where someone somebody people anyone"),
    )
    for begin in {at, start}:
        for end, name, _ in list_words(p, begin, own):
            for one in _element_conditions(p, end, name, own, 0):
                inner = both(*one.value)
                if inner is not None:
                    narrowed = tree.Path((tree.Segment(tree.Name(name), inner),))
                    yield Found(one.end, tree.Bare(narrowed), one.cost)


_ELEMENT_LINKS = words(
    "with by from on to the as a an of in that were was are is made left written saying mentioning "
    "and rights access permission permissions role for"
)


def _element_conditions(
    p: Parse, at: int, name: str, entity: Entity, depth: int
) -> Iterator[Found[tuple[Condition, ...]]]:
    if depth > 2:
        return
    for start in {at, p.past(at, _ELEMENT_LINKS)}:
        for ref in list_fields(entity, name):
            for one in _element_condition(p, start, ref):
                inner = _inside(one.value)
                finish = (
                    p.past(one.end, words("access rights permission permissions role")) if ref.field.values else one.end
                )
                yield Found(finish, (inner,), one.cost + 0.05)
                for more in _element_conditions(p, finish, name, entity, depth + 1):
                    if all(_field_of(inner) != _field_of(other) for other in more.value):
                        yield Found(more.end, (inner, *more.value), one.cost + more.cost)


def _element_condition(p: Parse, at: int, ref: FieldRef) -> Iterator[Found[Condition]]:
    if ref.kind is FieldKind.DATE:
        for test in date_test(p, at):
            yield Found(test.end, date_condition(ref, test.value), test.cost)
    elif ref.kind is FieldKind.TEXT or (ref.field.mapped.analysed and ref.target is None and ref.field.values is None):
        text = p.quoted(at)
        if text is not None:
            yield Found(at + 1, compare(path(*ref.path), "mentions", string(text)), 0.1)
    elif ref.kind is FieldKind.BOOLEAN:
        denied = p.word(at) in english.NEGATIONS
        for word in (ref.field.name, *ref.field.words):
            if end := p.phrase(at + denied, *word.split("_")):
                yield Found(end, compare(path(*ref.path), "=", tree.Boolean(not denied)), 0.1)
    elif is_number(ref):
        for start, cost in _number_places(p, at, ref):
            for found in quantity_test(p, start):
                bare = replace(found.value, amount=replace(found.value.amount, money=None))
                condition = quantity_condition(ref, bare)
                if condition is not None and bare.compared and bare.until is None:
                    yield Found(found.end, condition, found.cost + cost)
    else:
        for several in values(p, at, ref):
            yield Found(several.end, values_condition(ref, *several.value), several.cost)


def _number_places(p: Parse, at: int, ref: FieldRef) -> Iterator[tuple[int, float]]:
    """Where an amount of this field may stand: behind its words, or behind `priced` where it is a price."""
    for word in (ref.field.name.rsplit(".", 1)[-1], *ref.field.words):
        if end := p.phrase(at, *word.replace("_", " ").split()):
            yield p.past(end, words("is of was :")), 0.0
    if ref.path[-1] in ("price", "cost") and p.word(at) in words("priced costing costs worth cost at for"):
        yield p.past(at + 1, words("at for")), 0.1


def _inside(condition: Condition) -> Condition:
    """The same inside the brackets of its list: without the list's name."""
    match condition:
        case tree.Comparison(left=tree.Path() as left):
            return tree.Comparison(tree.Path(left.segments[1:]), condition.operator, condition.right)
        case tree.Between(left=tree.Path() as left):
            return tree.Between(tree.Path(left.segments[1:]), condition.low, condition.high)
        case tree.And():
            return tree.And(tuple(_inside(one) for one in condition.items))
        case tree.Or():
            return tree.Or(tuple(_inside(one) for one in condition.items))
        case _:
            return condition


def _field_of(condition: Condition) -> object:
    return getattr(condition, "left", condition)
