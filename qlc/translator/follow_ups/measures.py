"""Which number of things is meant where none is named: `how much is that in total?`, `and the average?`"""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.mapping.schema import Entity
from qlc.translator.follow_ups.content import Content
from qlc.translator.follow_ups.editing import slot_of
from qlc.translator.follow_ups.history import Base, as_base
from qlc.translator.rules.build import parts, path
from qlc.translator.rules.conditions import default_number, of_money, principal
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.nouns.degrees import is_rank, numbers_of_dimension

ANOTHER_AMOUNT = 0.3
"""What it costs to mean another amount of money than the usual one: the usual one, where the things have it."""

OF_ALL = "Of all {0} that were asked for, not only of those in the rows."

_BOUNDS = ("<", "<=", ">", ">=")


def numbers_meant(c: Content, base: Base) -> Iterator[tuple[FieldRef, float]]:
    """The numbers that the conversation spoke of last, and what it costs to mean each; else the amounts of money.

    A number of things (`more than 3 items`) is no answer to `how much`, so money is as likely there. So it is where
    only an earlier search spoke of a number.
    """
    spoken = spoken_of(base)
    of_this_search = bool(spoken)
    for one in reversed(c.earlier) if not spoken else ():
        before = as_base(one, c.schema)
        spoken = spoken_of(before) if before is not None and before.entity == base.entity else []
        if spoken:
            break
    yield from ((ref, 0.0) for ref in spoken)
    counted = not any(of_money(ref) or ref.field.unit for ref in spoken)
    if not of_this_search or counted:
        yield from ((ref, cost) for ref, cost in amounts_of(base.entity) if ref not in spoken)


def spoken_of(base: Base) -> list[FieldRef]:
    """The numbers that a search measures, sorts by or has a bound for."""
    statement = base.statement
    slots = [slot_of(one, base.entity) for one in parts(statement.where)
             if isinstance(one, tree.Between) or (isinstance(one, tree.Comparison) and one.operator in _BOUNDS)]  # fmt: skip
    said = [one.key for one in statement.sort]
    said += statement.measures if isinstance(statement, tree.Aggregate) else ()
    paths = [one.path if isinstance(one, tree.Measure) else one for one in said]
    return [ref for ref in FieldRef.own(base.entity) if ref.is_number and not is_rank(ref)
            and (ref.path in slots or path(*ref.path) in paths)]  # fmt: skip


def amounts_of(entity: Entity) -> Iterator[tuple[FieldRef, float]]:
    """The amounts of money that things have, and what it costs to mean each where none is named."""
    usual = default_number(entity)
    amounts = principal([ref for ref in numbers_of_dimension(entity, "money") if ref.within is None])
    for ref in amounts:
        yield ref, 0.0 if len(amounts) == 1 or (usual is not None and ref.path == usual.path) else ANOTHER_AMOUNT
