"""Programs of tests/grammar/frozen.json.xz that the document store's catalog accepts.

They were drawn around documents (tests/differential), and joined of the conditions of the reference.
"""

from functools import cache

from qlc.compiler.request import CannotAnswer
from qlc.grammar import SyntaxProblem
from tests.amounts import some
from tests.grammar.frozen import frozen

from .world import drive

TRIED = {"differential": some(40, 400), "fuzz": some(200, 2_000)}
"""Texts that are tried, by how they were drawn: half of them are programs over the store."""


@cache
def programs(part: int = 1) -> list[str]:
    """Every `part`-th of the programs; each of them has requests."""
    if part > 1:
        return programs()[::part]
    tried = [text for kind, most in TRIED.items() for text, _ in frozen()[kind][:: len(frozen()[kind]) // most]]
    return [text for text in tried if "$" not in text and _has_requests(text)]


def _has_requests(text: str) -> bool:
    try:
        _, plan = drive().compiler.prepare(text).compiled({}, frozenset(), None)
        return plan is not None and bool(drive().requests(text))
    except (SyntaxProblem, CannotAnswer):
        return False
