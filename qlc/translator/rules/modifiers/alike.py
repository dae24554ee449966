"""What is alike: bounds that are said once (`more than 500 likes and 50 shares`), and two fields of one thing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.conditions import is_number
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, has_field
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import Phrases, phrases, words

_BOUNDS = ("<", ">", "<=", ">=")


def bound_alike(p: Parse, first: Condition, at: int, other: Condition, entity: str) -> Condition:
    """The condition behind `and`, which begins at a position: a bare number is bounded as the number before it."""
    before = first.items[-1] if isinstance(first, tree.And) else first
    own, *rest = other.items if isinstance(other, tree.And) else (other,)
    if not isinstance(before, tree.Comparison) or not isinstance(own, tree.Comparison) or own.operator != "=":
        return other
    numbers = isinstance(before.right, tree.Number) and isinstance(own.right, tree.Number)
    numbers = numbers and all(_is_counted(p, one.left, entity) for one in (before, own))
    if not numbers or before.operator not in _BOUNDS or before.left == own.left or not p.word(at)[:1].isdecimal():
        return other
    alike = replace(own, operator=before.operator)
    return tree.And((alike, *rest)) if rest else alike


def _is_counted(p: Parse, left: object, entity: str) -> bool:
    """Whether a side of a condition is a number of the thing: a year is a bound of a date."""
    field = p.entity(entity).fields.get(left.segments[0].name.text) if isinstance(left, tree.Path) else None
    ref = FieldRef((field.name,), field) if field is not None else None
    return ref is not None and is_number(ref) and not is_a_year(ref)


_SAME = phrases("(are | is | being) [both] [exactly] [the] (same | equal | identical) | match | coincide | agree")
_OTHER = phrases(
    "(are | is) (different | not the same | not equal | not identical | unequal) | (do | does) not match | differ"
)


def two_fields_alike(p: Parse, at: int, entity: str) -> Iterator[Found[Condition]]:
    """`where origin country and destination country are the same`, `whose start and end station differ`."""
    own = p.entity(entity)
    start = p.past(at, words("where whose with the if when that have has"))
    if start == at:
        return
    for first in p.starting(start, FieldWord):
        for second in p.starting(p.articles(first.end + 1), FieldWord) if p.word(first.end) in english.AND else ():
            refs = (first.payload.ref, second.payload.ref)
            if refs[0] == refs[1] or not all(_comparable(ref) and has_field(own, ref) for ref in refs):
                continue
            tables: tuple[tuple[Phrases, Literal["=", "!="]], ...] = ((_SAME, "="), (_OTHER, "!="))
            for table, operator in tables:
                for end in p.phrases(second.end, table):
                    two = compare(path(*refs[0].path), operator, tree.NameValue(path(*refs[1].path)))
                    yield Found(end, two, first.cost + second.cost)


def _comparable(ref: FieldRef) -> bool:
    """Whether two fields can be compared: single codes and flags, of one kind."""
    return ref.kind in (FieldKind.KEYWORD, FieldKind.BOOLEAN) and ref.within is None and ref.field.many is not True
