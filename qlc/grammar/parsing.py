"""Text to tree, or to the one thing that is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial

from qlc.grammar import tree
from qlc.grammar.build import STOPS, read
from qlc.grammar.machine import Build
from qlc.grammar.problem import SyntaxProblem

LONGEST_KEPT = 2_000
"""Characters of a program whose tree is remembered: rules of English read the same ones again and again."""
_remembered = lru_cache(maxsize=256)(read)


def parse(source: str) -> tree.Program:
    """The tree of a program. Raises SyntaxProblem with the one thing that is wrong; RequestFailed where the deadline
    that is set has passed (qlc/deadline.py)."""
    return _read_or_diagnosed(source, _remembered if len(source) <= LONGEST_KEPT else read)


def parse_with(source: str, builders: Mapping[str, Build]) -> tree.Program:
    """As `parse`, by other builders. Raises SyntaxProblem."""
    return _read_or_diagnosed(source, partial(read, builders=builders))


def _read_or_diagnosed(source: str, reading: Callable[[str], tree.Program]) -> tree.Program:
    try:
        return reading(source)
    except STOPS as stop:
        from qlc.grammar.errors import diagnose  # what is right does not need it

        raise SyntaxProblem(diagnose(source, stop)) from None
    except SyntaxProblem as problem:
        from qlc.grammar.errors import with_fix

        raise SyntaxProblem(with_fix(source, problem.diagnostic)) from None
