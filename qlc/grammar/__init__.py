"""The language's syntax: `parse` text to a tree, print a tree as canonical text, format and complete source."""

from __future__ import annotations

from qlc.grammar.parsing import parse
from qlc.grammar.printer import (
    print_condition,
    print_group,
    print_measure,
    print_path,
    print_program,
    print_statement,
    print_value,
)
from qlc.grammar.problem import SyntaxProblem

__all__ = [
    "SyntaxProblem",
    "parse",
    "print_condition",
    "print_group",
    "print_measure",
    "print_path",
    "print_program",
    "print_statement",
    "print_value",
]
