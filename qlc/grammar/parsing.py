"""Text to tree, or to the one thing that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache

from qlc.grammar import tree
from qlc.grammar.build import BUILDERS
from qlc.grammar.machine import Build
from qlc.grammar.problem import SyntaxProblem
from qlc.grammar.reading import STOPS, read

LONGEST_KEPT = 2_000
"""Characters of a program whose tree is remembered: rules of English read the same ones again and again."""

_remembered = lru_cache(maxsize=256)(read)


def parse(source: str) -> tree.Program:
    """The tree of a program. Raises SyntaxProblem with the one thing that is wrong; RequestFailed where the deadline
    that is set has passed (qlc/deadline.py)."""
    if len(source) <= LONGEST_KEPT:
        with suppress(*STOPS, SyntaxProblem):
            return _remembered(source)
    return parse_with(source, BUILDERS)


def parse_with(source: str, builders: Mapping[str, Build]) -> tree.Program:
    try:
        return read(source, builders)
    except STOPS as stop:
        from qlc.grammar.errors import diagnose  # what is right does not need it

        raise SyntaxProblem(diagnose(source, stop)) from None
    except SyntaxProblem as problem:
        from qlc.grammar.errors import with_mend

        raise SyntaxProblem(with_mend(source, problem.diagnostic)) from None
