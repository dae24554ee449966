"""Helpers of the grammar's tests."""

from typing import cast

from qlc.base.diagnostics import Diagnostic
from qlc.grammar import SyntaxProblem, parse, print_program, tree


def canonical(source: str) -> str:
    """The canonical text, which is its own canonical text."""
    program = parse(source)
    text = print_program(program)
    assert parse(text) == program
    return text


def where(condition: str) -> tree.Condition:
    found = cast(tree.Find, parse(f"find documents where {condition}").statement).where
    assert found is not None
    return found


def value(text: str) -> tree.Value:
    return cast(tree.Comparison, where(f"f = {text}")).right


def problem(source: str) -> Diagnostic:
    try:
        program = parse(source)
    except SyntaxProblem as found:
        return found.diagnostic
    raise AssertionError(f"this is a program: {print_program(program)}")
