"""Text to tree, where the text is a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.build import BUILDERS
from qlc.grammar.lexer import TooLong, Unreadable, tokens
from qlc.grammar.machine import Build, Machine, TooDeep, Unexpected

STOPS = (Unexpected, Unreadable, TooDeep, TooLong)
"""What reading ends with where the text is none."""


def read(source: str, builders: Mapping[str, Build] = BUILDERS) -> tree.Program:
    """The tree of a program. Raises one of STOPS, which tell where reading ended, and SyntaxProblem for a literal that
    is none; RequestFailed where the deadline that is set has passed (qlc/deadline.py)."""
    machine, comments = Machine(builders), list[tree.Comment]()
    machine.read(tokens(source, machine.states, comments))
    program = machine.result
    assert isinstance(program, tree.Program)
    return replace(program, comments=tuple(comments)) if comments else program
