"""Conditions of the catalog (named conditions, access rules): texts of the language, parsed once."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from qlc.base.diagnostics import Span
from qlc.grammar import parse, tree
from qlc.grammar.tree import rebuilt


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
    """The tree of a condition that is in a program by its name: whatever is reported of it points to the name."""

    def placed(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Comparison):
            return replace(node, span=span, operator_span=span)
        return replace(node, span=span)

    found: tree.Condition = rebuilt(parse_condition(text), placed)
    return found
