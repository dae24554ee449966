"""Group modifiers (`A and B or C`), and raise the cost of unlikely groupings."""

from __future__ import annotations

from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import name_of, parts
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import words

POSSESSING = words("has have had having")
CONNECTING = frozenset(
    english.COPULAS | (english.AUXILIARIES - english.MODALS - POSSESSING) | english.SOFTENERS
    | words("it they itself themselves we there")
)
_OF_THEM = 0.2
"""Cost of a date after `guests with no bookings` as the guests' date."""
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


def scope_unclear(p: Parse, at: int, said: Condition | None, end: int) -> bool:
    """Whether `and` follows `starred or locked` without a comma: nobody knows how far each of them reaches."""
    last = said.items[-1] if isinstance(said, tree.And) else said
    if p.word(end) not in english.AND - {"but"} or last is None or not differ(last) or p.word(end - 1) == ")":
        return False
    inside = [p.word(i) for i in range(at, end)]
    return "either" not in inside and any(word in english.OR for word in inside)


def torn(p: Parse, at: int, first: Condition, after: int, other: Condition) -> float:
    """Return the cost of reading a name after `in Legal or` with another field than `in Legal`."""
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


def of_another_element(first: Condition, other: Condition) -> bool:
    """Whether `but not edit` after `Ann can comment on` would be said of all elements: no role of anybody."""
    lists = {
        name_of(one.path)
        for one in parts(first)
        if isinstance(one, tree.Bare) and one.path.segments[0].narrowed is not None
    }
    denied = (one.left for one in parts(other) if isinstance(one, tree.Comparison) and one.operator in ("!=", "not in"))
    return any(isinstance(left, tree.Path) and len(left.segments) > 1 and name_of(left) in lists for left in denied)


def of_another_date(p: Parse, name: str, first: Condition, after: int, other: Condition) -> float:
    """Return the cost of a date after `due tomorrow or` with another date field than the first."""
    entity = p.entity(name)
    lefts = [one.left for one in (first, other) if isinstance(one, tree.Comparison | tree.Between)]
    fields = [FieldRef.at(entity, one) for one in lefts if isinstance(one, tree.Path)]
    dates = len(fields) == 2 and all(one is not None and one.kind is FieldKind.DATE for one in fields)
    said = bool(p.starting(after, FieldWord))
    return 0.5 if dates and fields[0] != fields[1] and not said else 0.0


def more_is_said(p: Parse, at: int) -> bool:
    """Whether what is here is said of the noun before it: `documents tagged draft`, `invoices that Ann owns`."""
    return p.word(at) in ("that", "which", "who", "by") or is_participle(p.word(at))


def of_what_is_inside(p: Parse, first: Condition, after: int) -> float:
    """Return the cost of `that Ann made` after `folders with invoices` as a condition on the folders."""
    last = first.items[-1] if isinstance(first, tree.And) else first
    held = last.right if isinstance(last, tree.Comparison) else None
    inside = isinstance(held, tree.Member) and isinstance(held.base, tree.Subquery)
    if not inside:
        return 0.0
    return 0.3 if more_is_said(p, after) else _OF_THEM if date_test(p, after) else 0.0


def bound_alike(p: Parse, first: Condition, at: int, other: Condition, entity: str) -> Condition:
    """The condition after `and`, which begins at a position: a bare number is bounded as the number before it."""
    before = first.items[-1] if isinstance(first, tree.And) else first
    own, *rest = parts(other)
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
    ref = FieldRef.at(p.entity(entity), left)
    return ref is not None and ref.is_number and not is_a_year(ref)
