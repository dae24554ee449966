"""What a condition behind another one can hardly mean: another date than the one said, another element of a list."""

from __future__ import annotations

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.lexicon.lexemes import FieldWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.words.morphology import is_participle


def of_another_element(first: Condition, other: Condition) -> bool:
    """Whether `but not edit` behind `Ann can comment on` would be said of all elements: no role of anybody."""
    lists = {
        one.path.segments[0].name.text
        for one in (first.items if isinstance(first, tree.And) else (first,))
        if isinstance(one, tree.Bare) and one.path.segments[0].narrowed is not None
    }
    parts = other.items if isinstance(other, tree.And) else (other,)
    denied = (one.left for one in parts if isinstance(one, tree.Comparison) and one.operator in ("!=", "not in"))
    return any(
        isinstance(left, tree.Path) and len(left.segments) > 1 and left.segments[0].name.text in lists
        for left in denied
    )


def of_another_date(p: Parse, name: str, first: Condition, after: int, other: Condition) -> float:
    """What it costs to take a date behind `due tomorrow or` for another date than the one that was said."""
    entity = p.entity(name)
    lefts = [one.left for one in (first, other) if isinstance(one, tree.Comparison | tree.Between)]
    fields = [entity.fields.get(one.segments[0].name.text) for one in lefts if isinstance(one, tree.Path)]
    dates = len(fields) == 2 and all(one is not None and one.kind is FieldKind.DATE for one in fields)
    said = any(True for _ in p.starting(after, FieldWord))
    return 0.5 if dates and fields[0] != fields[1] and not said else 0.0


def more_is_said(p: Parse, at: int) -> bool:
    """Whether what stands here is said of the noun before it: `documents tagged draft`, `invoices that Ann owns`."""
    return p.word(at) in ("that", "which", "who", "by") or is_participle(p.word(at))


def of_what_is_inside(p: Parse, first: Condition, after: int) -> float:
    """What it costs to take `that Ann made` behind `folders with invoices` for something said of the folders."""
    last = first.items[-1] if isinstance(first, tree.And) else first
    held = last.right if isinstance(last, tree.Comparison) else None
    inside = isinstance(held, tree.Member) and isinstance(held.base, tree.Subquery)
    if not inside:
        return 0.0
    return 0.3 if more_is_said(p, after) else _OF_THEM if date_test(p, after) else 0.0


_OF_THEM = 0.2
"""What it costs to take a date behind `guests with no bookings` for one of the guests."""
