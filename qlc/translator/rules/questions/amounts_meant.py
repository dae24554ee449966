"""Which amount of money is meant where none is named."""

from __future__ import annotations

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.translator.rules.build import path
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


def counts_for_each_element(schema: Schema, statement: Statement) -> bool:
    """Whether money of the things is added up in groups of their elements, which have amounts of their own: `total cost
    by workshop` is of what was done there, and not of what the vehicles cost that were there."""
    if not isinstance(statement, tree.Aggregate) or not isinstance(statement.entity, tree.Name):
        return False
    entity = find_entity(schema, statement.entity.text)
    many = [one.path.segments[0].name.text for one in statement.groups if one.path is not None]
    lists = [name for name in many if entity is not None and name in entity.lists]
    if entity is None or not lists or not any(of_money(ref) for name in lists for ref in list_fields(entity, name)):
        return False
    money = [path(*ref.path) for ref in entity_fields(entity) if ref.within is None and of_money(ref)]
    return any(one.path in money for one in statement.measures)
