"""The language's syntax: `parse` text to a tree, print a tree as canonical text, format and complete source."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

if TYPE_CHECKING:
    from qlc.grammar import tree
    from qlc.grammar.completion import Completion

__all__ = [
    "SyntaxProblem",
    "complete",
    "format_source",
    "parse",
    "print_condition",
    "print_group",
    "print_measure",
    "print_path",
    "print_program",
    "print_statement",
    "print_value",
]


def parse(source: str) -> tree.Program:
    """Parse a program to its tree. Raises SyntaxProblem; RequestFailed when the deadline has passed."""
    from qlc.grammar.parsing import parse  # lazy: printing a tree needs no Lark

    return parse(source)


def format_source(source: str, width: int = 100) -> str:
    """Return the canonical text of a program, broken into lines, with its comments. Raises SyntaxProblem."""
    from qlc.grammar.formatting import format_source

    return format_source(source, width)


def complete(source: str, cursor: int) -> Completion:
    """Return the completions at the cursor that the syntax allows; the catalog adds names of fields and values."""
    from qlc.grammar.completion import complete

    return complete(source, cursor)
