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
from qlc.translator.rules.quantities.years import is_a_year

ANOTHER_AMOUNT = 0.3
"""What it costs to mean another amount of money than the usual one: the usual one, where the things have it."""

OF_ALL = "Of all {0} that were asked for, not only of those in the rows."

_BOUNDS = ("<", "<=", ">", ">=")


def numbers_meant(c: Content, base: Base, *, how_much: bool = False) -> Iterator[tuple[FieldRef, float]]:
    """The numbers that the conversation spoke of last, and what it costs to mean each; else the amounts of money.

    Money is as likely where only an earlier search spoke of a number, where that is a number of things (`more than 3
    items`), and where it is asked `how much` there is of what only a condition is on (`larger than 1 MB`).
    """
    asked, bounded = spoken_of(base)
    spoken = asked or bounded
    clear = bool(asked) or (bool(bounded) and not how_much)
    for one in reversed(c.earlier) if not spoken else ():
        before = as_base(one, c.schema)
        spoken = spoken_of(before)[0] if before is not None and before.entity == base.entity else []
        if spoken:
            break
    yield from ((ref, 0.0) for ref in spoken)
    in_money = any(of_money(ref) for ref in spoken)
    if not in_money and not (clear and any(ref.field.unit for ref in spoken)):
        yield from amounts_of(base.entity)


def spoken_of(base: Base) -> tuple[list[FieldRef], list[FieldRef]]:
    """The numbers that a search measures or sorts by, and those that it has a bound for."""
    statement = base.statement
    conditions = (one for one in parts(statement.where) if isinstance(one, tree.Comparison | tree.Between))
    slots = [slot_of(one, base.entity) for one in conditions if getattr(one, "operator", ">") in _BOUNDS]
    said = [one.key for one in statement.sort]
    said += statement.measures if isinstance(statement, tree.Aggregate) else ()
    paths = [one.path if isinstance(one, tree.Measure) else one for one in said]
    numbers = [ref for ref in FieldRef.own(base.entity) if ref.is_number and not is_rank(ref) and not is_a_year(ref)]
    return [one for one in numbers if path(*one.path) in paths], [one for one in numbers if one.path in slots]


def amounts_of(entity: Entity) -> Iterator[tuple[FieldRef, float]]:
    """The amounts of money that things have, and what it costs to mean each where none is named."""
    usual = default_number(entity)
    amounts = principal([ref for ref in numbers_of_dimension(entity, "money") if ref.within is None])
    for ref in amounts:
        yield ref, 0.0 if len(amounts) == 1 or (usual is not None and ref.path == usual.path) else ANOTHER_AMOUNT
