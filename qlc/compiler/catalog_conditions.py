"""Conditions that stand in the catalog (named conditions, access rules): texts of the language, parsed once."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache
from typing import Any

from qlc.diagnostics import Span
from qlc.grammar import parse, tree


@lru_cache(maxsize=1024)
def parse_condition(text: str) -> tree.Condition:
    """The tree of a condition. Raises SyntaxProblem; a catalog that was checked holds no such text."""
    statement = parse(f"find x where {text}").statement
    assert isinstance(statement, tree.Find)
    assert statement.where is not None
    return statement.where


@lru_cache(maxsize=1024)
def show_path(text: str) -> tree.Path:
    """The tree of what the catalog shows of an entity: `shelf.name`. Raises SyntaxProblem where it is no path."""
    statement = parse(f"find x show {text}").statement
    assert isinstance(statement, tree.Find)
    return statement.show[0]


def condition_at(text: str, span: Span) -> tree.Condition:
    """The tree of a condition that stands in a program by its name: whatever is told of it points to the name."""
    found: tree.Condition = _placed(parse_condition(text), span)
    return found


def _placed(node: Any, span: Span) -> Any:
    if isinstance(node, tuple) and not isinstance(node, Span):
        return tuple(_placed(item, span) for item in node)
    if not isinstance(node, tree.Node):
        return node
    changed = {}
    for attribute in fields(node):
        value = getattr(node, attribute.name)
        if attribute.name in ("span", "operator_span"):
            changed[attribute.name] = span
        elif isinstance(value, tree.Node | tuple):
            changed[attribute.name] = _placed(value, span)
    return replace(node, **changed)
