"""Conditions of the catalog (named conditions, access rules): texts of the language, parsed once."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from qlc.base.diagnostics import Span
from qlc.grammar import parse, tree
from qlc.grammar.problem import refuse
from qlc.grammar.tree import rebuilt
from qlc.mapping.catalog_texts import parse_calculation


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


def measure_at(text: str, span: Span) -> tree.Measure:
    """Parse a measure that a program uses by its name, with all spans set to those of the name."""
    node = parse_calculation(text)
    match node:
        case tree.Measure():
            found = node
        case tree.Path():
            is_count = len(node.segments) == 1 and node.segments[0].name.text == "count"
            found = tree.Measure("count") if is_count else tree.Measure("named", node)
        case _:
            found = tree.Measure("calculation", expression=node)
    placed: tree.Measure = rebuilt(found, lambda one: _placed(one, span))
    return placed


def _placed(node: tree.Node, span: Span) -> tree.Node:
    return replace(node, span=span, operator_span=span) if isinstance(node, tree.Comparison) else replace(
        node, span=span)


def condition_at(text: str, span: Span) -> tree.Condition:
    """Parse a condition that a program uses by its name, with all spans set to those of the name."""

    found: tree.Condition = rebuilt(parse_condition(text), lambda node: _placed(node, span))
    return found
