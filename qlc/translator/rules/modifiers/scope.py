"""Which of several modifiers belong together, and which readings of them nobody means: `A and B or C`."""

from __future__ import annotations

from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import parts
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import words

POSSESSING = words("has have had having")
CONNECTING = frozenset(
    english.COPULAS
    | (english.AUXILIARIES - english.MODALS - POSSESSING)
    | english.SOFTENERS
    | words("it they itself themselves we there")
)
_BOUNDS = ("<", ">", "<=", ">=")


def differ(condition: Condition) -> bool:
    """Whether alternatives are of several fields."""
    if not isinstance(condition, tree.Or):
        return False
    return len({one.left if isinstance(one, tree.Comparison) else one for one in condition.items}) > 1


def after_and(p: Parse, at: int) -> bool:
    before = at - 1
    while before > 0 and p.word(before) in CONNECTING - english.AND:
        before -= 1
    return before > 0 and p.word(before) in english.AND


def torn(p: Parse, at: int, first: Condition, after: int, other: Condition) -> float:
    """What it costs to take a name after `in Legal or` for something else than what `in` was said of."""
    conditions = (first, other)
    begin = p.past(at, english.RELATIVE_PRONOUNS | CONNECTING)
    if p.word(after - 1) == "or" and p.word(begin) in english.NEGATIONS and is_participle(p.word(after)):
        return 1.0  # `not opened or edited since May` denies both
    said = [one.left if isinstance(one, tree.Comparison) else "" for one in conditions
            if isinstance(one, tree.Comparison | tree.EntityText)]  # fmt: skip
    if p.word(p.past(at, english.COPULAS)) not in english.PREPOSITIONS | {"about"} or len(said) < len(conditions):
        return 0.0
    bare = any(True for kind in (ValueWord, NameWord) for _ in p.starting(after, kind))
    if not bare or said[0] == said[1]:
        return 0.0
    return 0.6 if all(said) else 1.5  # `about typos or tone`: both are what it is about


def of_another_date(p: Parse, name: str, first: Condition, after: int, other: Condition) -> float:
    """What it costs to take a date after `due tomorrow or` for another date than the one that was said."""
    entity = p.entity(name)
    lefts = [one.left for one in (first, other) if isinstance(one, tree.Comparison | tree.Between)]
    fields = [FieldRef.at(entity, one) for one in lefts if isinstance(one, tree.Path)]
    dates = len(fields) == 2 and all(one is not None and one.kind is FieldKind.DATE for one in fields)
    said = bool(p.starting(after, FieldWord))
    return 0.5 if dates and fields[0] != fields[1] and not said else 0.0


def bound_alike(p: Parse, first: Condition, at: int, other: Condition, entity: str) -> Condition:
    """The condition after `and`, which begins at a position: a bare number is bounded as the number before it."""
    before = first.items[-1] if isinstance(first, tree.And) else first
    own, *rest = parts(other)
    if not isinstance(before, tree.Comparison) or not isinstance(own, tree.Comparison) or own.operator != "=":
        return other
    numbers = isinstance(before.right, tree.Number) and isinstance(own.right, tree.Number)
    numbers = numbers and all(False for one in (before, own))
    if not numbers or before.operator not in _BOUNDS or before.left == own.left or not p.word(at)[:1].isdecimal():
        return other
    alike = replace(own, operator=before.operator)
    return tree.And((alike, *rest)) if rest else alike
