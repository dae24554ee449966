"""Text to tree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.build import BUILDERS
from qlc.grammar.lexer import TooLong, Unreadable, tokens
from qlc.grammar.machine import Build, Machine, TooDeep, Unexpected
from qlc.grammar.problem import SyntaxProblem


def parse(source: str) -> tree.Program:
    """The tree of a program. Raises SyntaxProblem with the one thing that is wrong; RequestFailed where the deadline
    that is set has passed (qlc/deadline.py)."""
    return parse_with(source, BUILDERS)


def parse_with(source: str, builders: Mapping[str, Build]) -> tree.Program:
    machine, comments = Machine(builders), list[tree.Comment]()
    try:
        machine.read(tokens(source, machine.states, comments))
    except (Unexpected, Unreadable, TooDeep, TooLong) as stop:
        from qlc.grammar.errors import diagnose

        raise SyntaxProblem(diagnose(source, stop)) from None
    except SyntaxProblem as problem:
        from qlc.grammar.errors import with_mend

        raise SyntaxProblem(with_mend(source, problem.diagnostic)) from None
    program = machine.result
    assert isinstance(program, tree.Program)
    return replace(program, comments=tuple(comments)) if comments else program
