"""Which amount of money is meant where none is named."""

from __future__ import annotations

from qlc.grammar import tree
from qlc.mapping.schema import Entity
from qlc.translator.rules.conditions import default_number, is_number, list_fields, of_money, plain, principal
from qlc.translator.rules.lexicon.lexemes import FieldRef, entity_fields


def money_beside(entity: Entity, by: tree.Group) -> FieldRef | None:
    """The amount of money that is added up for groups where none is named: of elements, where a field of them makes
    the groups, as what the things themselves cost would be counted for each element."""
    many = by.path.segments[0].name.text
    if many not in entity.lists:
        return usual_money(entity)
    own = [ref for ref in list_fields(entity, many) if is_number(ref) and of_money(ref)]
    return own[0] if len(own) == 1 else None


def usual_money(entity: Entity) -> FieldRef | None:
    """The amount of money that is meant where none is named."""
    usual = default_number(entity)
    if usual is not None and of_money(usual):
        return usual
    money = principal([ref for ref in entity_fields(entity) if ref.within is None and is_number(ref) and of_money(ref)])
    return money[0] if len(money) == 1 and plain(money[0]) else None
