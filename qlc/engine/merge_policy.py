"""Which segments of an index are merged at a refresh: many small ones, and one that is mostly deleted documents."""

from __future__ import annotations

import math
from collections.abc import Sequence

#: That many segments of one size become one, together with smaller ones behind them.
SEGMENTS_PER_LEVEL = 8

#: So many small ones behind a larger one are merged with it even if it is the only one of its size.
_STRAGGLERS = 32

#: Segments up to this many documents are of the lowest level; each level above is as many times larger.
_SMALLEST = 1_000
_GROWTH = 8


def level(n_docs: int) -> int:
    return 0 if n_docs <= _SMALLEST else math.ceil(math.log(n_docs / _SMALLEST, _GROWTH))


def run_to_merge(sizes: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """The segments [first, last) to merge next, None if none; `sizes` are documents in all and live ones.

    Only neighbours are merged, so that documents stay in the order of their sequence numbers.
    """
    levels = [level(live) for _, live in sizes]
    for wanted in sorted(set(levels)):
        first = len(levels)
        while first > 0 and levels[first - 1] <= wanted:
            first -= 1
        if levels[first:].count(wanted) >= SEGMENTS_PER_LEVEL:
            return first, len(levels)
        if wanted < max(levels) and len(levels) - first >= _STRAGGLERS:
            return first, len(levels)
    for at, (n_docs, live) in enumerate(sizes):
        if n_docs > _SMALLEST and live * 2 < n_docs:
            return at, at + 1
    return None
