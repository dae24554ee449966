"""Selects segments to merge at a refresh: many small ones, and one with mostly deleted documents."""

from __future__ import annotations

import math
from collections.abc import Sequence

#: That many segments of the lowest level become one.
SEGMENTS_PER_LEVEL = 8

#: That many of one size above become one, together with smaller ones after them, where searches look into them: each
#: segment costs a search as much as thousands of documents do. While a load goes on, they wait until they make up two
#: of the greatest size: each document is merged once, and what a load leaves is merged with what was before it.
SEARCHED_PER_LEVEL = 3

#: So many small ones after a larger one are merged with it even if it is the only one of its size.
_STRAGGLERS = 32

#: Segments up to this many documents are of the lowest level; each level above is as many times larger.
_SMALLEST = 1_000
_GROWTH = 8

#: Documents that a merge gathers: what it takes of memory and time has a bound however large the index is. What is but
#: little more than a multiple is spread, so that no small rest is left.
_GREATEST, _SPREAD = 500_000, 1.1


def level(n_docs: int) -> int:
    return 0 if n_docs <= _SMALLEST else math.ceil(math.log(n_docs / _SMALLEST, _GROWTH))


def run_to_merge(sizes: Sequence[tuple[int, int]], *, searched: bool) -> tuple[int, int] | None:
    """The segments [first, last) to merge next, None if none; `sizes` are documents in all and live ones.

    `searched`: whether searches are about to look into them, or a load goes on that will bring more.

    Only neighbours are merged, so that documents stay in the order of their sequence numbers. Segments of half the
    greatest size or more stay as they are, and are between those before and after them.
    """
    first = 0
    for at, (_, live) in enumerate([*sizes, (0, _GREATEST)]):
        if live * 2 > _GREATEST:
            found = _run_among([live for _, live in sizes[first:at]], searched=searched)
            if found is not None:
                return first + found[0], first + found[1]
            first = at + 1
    for at, (n_docs, live) in enumerate(sizes):
        if n_docs > _SMALLEST and live * 2 < n_docs:
            return at, at + 1
    return None


def _run_among(sizes: Sequence[int], *, searched: bool) -> tuple[int, int] | None:
    """The run to merge among neighbours that are all small enough; of a long one as many as fit into one segment."""
    levels = [level(live) for live in sizes]
    for wanted in sorted(set(levels)):
        first = len(levels)
        while first > 0 and levels[first - 1] <= wanted:
            first -= 1
        stragglers = wanted < max(levels) and len(levels) - first >= _STRAGGLERS
        if searched or wanted == 0:
            enough = levels[first:].count(wanted) >= (SEARCHED_PER_LEVEL if wanted else SEGMENTS_PER_LEVEL)
        else:
            enough = sum(sizes[first:]) > 2 * _GREATEST
        if stragglers or enough:
            while first > 0 and sizes[first - 1] <= sum(sizes[first:]):
                # together they would soon be merged with it
                first -= 1
            return first, _end_of_run(sizes, first)
    return None


def _end_of_run(sizes: Sequence[int], first: int) -> int:
    """Return the end of the next merged segment in a run that goes on to the last segment."""
    total = sum(sizes[first:])
    share = total / max(1, total // _GREATEST)
    if share > _SPREAD * _GREATEST:
        share = _GREATEST
    last, gathered = first + 1, sizes[first]
    while last < len(sizes) and gathered < share and gathered + sizes[last] <= _SPREAD * _GREATEST:
        gathered += sizes[last]
        last += 1
    return last
