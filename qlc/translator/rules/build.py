"""Syntax trees of the query language, from parts."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import overload

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement, Value
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema

COUNT = tree.Measure("count")


@lru_cache(maxsize=4096)
def path(*names: str) -> tree.Path:
    return tree.Path(tuple(tree.Segment(tree.Name(one)) for one in names))


def name_of(one: tree.Path | tree.Computed) -> str:
    """The field or list that a path begins with; empty for a calculation."""
    return one.segments[0].name.text if isinstance(one, tree.Path) else ""


def string(text: str) -> tree.String:
    return tree.String(text)


def number(value: int | float, unit: str | None = None) -> tree.Number:
    text = str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
    return tree.Number(int(value) if text.lstrip("-").isdecimal() else value, text, unit)


def compare(left: tree.Left, operator: tree.ComparisonOperator, right: Value) -> Condition:
    return tree.Comparison(left, operator, right)


def lookup(entity: str, text: str) -> tree.EntityLookup:
    return tree.EntityLookup(tree.Name(entity), tree.String(text))


def member(base: Value, *names: str) -> Value:
    """`base.field`. Raises ValueError for a base that has no fields."""
    found = tuple(tree.Name(one) for one in names)
    if isinstance(base, tree.Member):
        return tree.Member(base.base, (*base.names, *found))
    if isinstance(base, tree.EntityLookup | tree.Subquery | tree.Parameter):
        return tree.Member(base, found)
    raise ValueError(f"{base} has no fields")


@overload
def both(first: Condition, /, *others: Condition | None) -> Condition: ...
@overload
def both(*conditions: Condition | None) -> Condition | None: ...
def both(*conditions: Condition | None) -> Condition | None:
    """All of them; None where there are none. `and` never directly holds an `and`; the same is said once."""
    items: dict[Condition, None] = {}
    for one in conditions:
        if one is not None:
            items.update(dict.fromkeys(one.items if isinstance(one, tree.And) else (one,)))
    if not items:
        return None
    return next(iter(items)) if len(items) == 1 else tree.And(tuple(items))


def search_of(statement: Statement, schema: Schema) -> tuple[tree.Find | tree.Aggregate, Entity] | None:
    """Return a search with the entity of its things; None for `get`, and for one thing by its name."""
    if isinstance(statement, tree.Get) or not isinstance(statement.entity, tree.Name):
        return None
    entity = find_entity(schema, statement.entity.text)
    return (statement, entity) if entity is not None else None


def parts(where: Condition | None) -> tuple[Condition, ...]:
    """The conditions that all hold."""
    if where is None:
        return ()
    return where.items if isinstance(where, tree.And) else (where,)


def either(conditions: Iterable[Condition]) -> Condition:
    items: dict[Condition, None] = {}
    for one in conditions:
        items.update(dict.fromkeys(one.items if isinstance(one, tree.Or) else (one,)))
    return next(iter(items)) if len(items) == 1 else tree.Or(tuple(items))


def negation(condition: Condition) -> Condition:
    """The plain way to write the opposite."""
    match condition:
        case tree.Not(item=item):
            return item
        case tree.Presence():
            return tree.Presence(condition.left, not condition.missing)
        case tree.Comparison(operator="="):
            if isinstance(condition.right, tree.Boolean):
                return compare(condition.left, "=", tree.Boolean(not condition.right.value))
            return compare(condition.left, "!=", condition.right)
        case tree.Comparison(operator="in"):
            return compare(condition.left, "not in", condition.right)
        case _:
            return tree.Not(condition)
