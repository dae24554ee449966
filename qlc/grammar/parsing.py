"""Parsing: text to tree with Lark, or to the diagnostic of its first error."""

from __future__ import annotations

from functools import lru_cache

from lark import UnexpectedInput

from qlc.grammar import tree
from qlc.grammar.problem import SyntaxProblem
from qlc.grammar.reading import read

LONGEST_KEPT = 2_000
"""Most characters of a program whose tree is cached: rules of English parse the same ones again and again."""
_remembered = lru_cache(maxsize=256)(read)


def parse(source: str) -> tree.Program:
    """Parse a program to its tree. Raises SyntaxProblem with its one diagnostic; RequestFailed after the deadline."""
    try:
        return _remembered(source) if len(source) <= LONGEST_KEPT else read(source)
    except UnexpectedInput as stop:
        from qlc.grammar.errors import diagnose  # only errors need it

        raise SyntaxProblem(diagnose(source, stop)) from None
    except SyntaxProblem as problem:
        from qlc.grammar.errors import with_fix

        raise SyntaxProblem(with_fix(source, problem.diagnostic)) from None
