"""Keep what is equal to the first one in the answer: "which lamp is the tallest?" names both that are."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from qlc.grammar import parse, print_program, tree
from qlc.outcome import Clarify
from qlc.translator.protocol import Need, Try


def with_ties(program: str) -> Generator[Need, Any, str]:
    """Return a program for the first one that also gives those that are equal to it.

    `find lamps sort height desc limit 1` -> `find lamps sort height desc limit 1 with ties`
    `get (find games sort played desc limit 1).black` -> the same, unless equal ones have other values: then
    `find games sort played desc limit 1 with ties show black`
    """
    parsed = parse(program)
    statement = parsed.statement
    if not isinstance(statement, tree.Get):
        tied = _tied(statement)
        return program if tied is None else print_program(replace(parsed, statement=tied))
    first, *others = statement.items
    if not isinstance(first, tree.Member) or not isinstance(first.base, tree.Subquery):
        return program
    inner = _tied(first.base.statement)
    if inner is None or not all(isinstance(one, tree.Path) for one in others):
        return program
    items = (replace(first, base=tree.Subquery(inner)), *statement.items[1:])
    every = yield Try(print_program(replace(parsed, statement=replace(statement, items=items))))
    if not isinstance(every, Clarify) or isinstance((yield Try(program)), Clarify):
        return program  # all that are equal have the same value; or a name in it is of several things
    if isinstance(inner, tree.Find):
        more = (one for one in others if isinstance(one, tree.Path))
        inner = replace(inner, show=(tree.Path(tuple(map(tree.Segment, first.names))), *more))
    return print_program(replace(parsed, statement=inner))


def _tied(statement: tree.Statement) -> tree.Find | tree.Aggregate | None:
    """Return a statement for the first one, with its ties; None for others, and for what has no order."""
    if isinstance(statement, tree.Get) or statement.limit != 1 or statement.offset or statement.ties:
        return None
    ordered = statement.sort if isinstance(statement, tree.Find) else statement.groups
    return replace(statement, ties=True) if ordered else None
