"""Bounds that are said once: `more than 500 likes and 50 shares` are more than 50 shares as well."""

from __future__ import annotations

from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.translator.rules.parse import Parse

_BOUNDS = ("<", ">", "<=", ">=")


def bound_alike(p: Parse, first: Condition, at: int, other: Condition) -> Condition:
    """The condition behind `and`, which begins at a position: a bare number is bounded as the number before it."""
    before = first.items[-1] if isinstance(first, tree.And) else first
    own, *rest = other.items if isinstance(other, tree.And) else (other,)
    if not isinstance(before, tree.Comparison) or not isinstance(own, tree.Comparison) or own.operator != "=":
        return other
    numbers = isinstance(before.right, tree.Number) and isinstance(own.right, tree.Number)
    if not numbers or before.operator not in _BOUNDS or before.left == own.left or not p.word(at)[:1].isdigit():
        return other
    alike = replace(own, operator=before.operator)
    return tree.And((alike, *rest)) if rest else alike
