"""Conditions of the catalog (named conditions, access rules): texts of the language, parsed once."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from qlc.base.diagnostics import Span
from qlc.grammar import parse, tree
from qlc.grammar.problem import refuse
from qlc.grammar.tree import rebuilt


@lru_cache(maxsize=1024)
def parse_condition(text: str) -> tree.Condition:
    """Parse a condition. Raises SyntaxProblem, but not for a catalog that was checked."""
    statement = parse(f"find x where {text}").statement
    assert isinstance(statement, tree.Find)
    assert statement.where is not None
    return statement.where


@lru_cache(maxsize=1024)
def show_path(text: str) -> tree.Path:
    """Parse a path in the catalog's `show`, such as `shelf.name`. Raises SyntaxProblem if it is not a path."""
    statement = parse(f"find x show {text}").statement
    assert isinstance(statement, tree.Find)
    (shown,) = statement.show
    if isinstance(shown, tree.Calculated):
        refuse("field-needed", "a calculation has no place here", shown.span, "name a field")
    return shown


def condition_at(text: str, span: Span) -> tree.Condition:
    """Parse a condition that a program uses by its name, with all spans set to those of the name."""

    def placed(node: tree.Node) -> tree.Node:
        if isinstance(node, tree.Comparison):
            return replace(node, span=span, operator_span=span)
        return replace(node, span=span)

    found: tree.Condition = rebuilt(parse_condition(text), placed)
    return found
