"""Conditions that stand in the catalog (named conditions, access rules): texts of the language, parsed once."""

from __future__ import annotations

from functools import lru_cache

from qlc.grammar import parse, tree


@lru_cache(maxsize=1024)
def parse_condition(text: str) -> tree.Condition:
    """The tree of a condition. Raises SyntaxProblem; a catalog that was checked holds no such text."""
    statement = parse(f"find x where {text}").statement
    assert isinstance(statement, tree.Find)
    assert statement.where is not None
    return statement.where
