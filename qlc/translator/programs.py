"""Parse earlier programs, and return their statements and conditions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from qlc.grammar import SyntaxProblem, parse, print_statement, tree
from qlc.grammar.tree import mapped
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity, Schema
from qlc.translator.rules.build import parts


def parsed(program: str) -> tree.Program | None:
    """Parse a text; None if it is not a valid program."""
    try:
        return parse(program)
    except SyntaxProblem:
        return None


def statement_of(program: str) -> tree.Statement | None:
    found = parsed(program)
    return found.statement if found is not None else None


def conditions_of(statement: tree.Statement | None) -> tuple[tree.Condition, ...]:
    """The conditions that all hold."""
    return () if statement is None or isinstance(statement, tree.Get) else parts(statement.where)


def entity_of(statement: tree.Statement, schema: Schema) -> Entity | None:
    """The kind of things that is asked for; None where values are."""
    if isinstance(statement, tree.Get):
        return None
    name = statement.entity.entity if isinstance(statement.entity, tree.EntityLookup) else statement.entity
    return find_entity(schema, name.text)


def with_limit(program: str, limit: int | None) -> str:
    """A list with another limit where it has one; None leaves it."""
    statement = statement_of(program) if limit else None
    if not isinstance(statement, tree.Find) or statement.limit is None:
        return program
    return print_statement(replace(statement, limit=limit))


@lru_cache(maxsize=256)
def named_condition(text: str) -> tree.Condition | None:
    """Return the condition that a named condition of the catalog stands for."""
    statement = statement_of(f"find x where {text}")
    return statement.where if isinstance(statement, tree.Find) else None


def differ_by_date(schema: Schema, programs: Sequence[str]) -> bool:
    """Whether programs are alike but for the field that a date is compared with.

        -> True for "find rentals where picked_up = 2026" and "find rentals where returned_on = 2026"
    """
    trees = [statement_of(program) for program in programs]
    entity = entity_of(trees[0], schema) if trees[0] is not None else None
    if entity is None:
        return False
    dates = {name for name, one in entity.fields.items() if one.kind is FieldKind.DATE}

    def without_names(node: object) -> tree.Node | None:
        is_date = isinstance(node, tree.Name) and node.text in dates
        return tree.Name("date") if is_date else None

    return len({print_statement(mapped(one, without_names)) for one in trees if one is not None}) == 1
