"""The best documents of a sum of term scores, without a look at all that match.

Turtle and Flood's MaxScore over arrays: rare terms are scored first; as soon as those that are left cannot lift a
document among the best by themselves, they are looked up only in the documents that have one of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qlc.engine.docset import Ordinals
from qlc.engine.leaf import Leaf
from qlc.engine.queries.base import Query
from qlc.engine.queries.compound import Bool, Boosted, ConstantScore
from qlc.engine.queries.terms import AnyTerm, Term

#: Sums made in another order differ by less than this; candidates are scored again as any other document.
_MARGIN = 1e-4

#: The greatest of each so many scores stand for all of them where the least score that counts is estimated.
_BLOCK = 64

Summand = tuple[Query, float]


def summands(query: Query, boost: float = 1.0) -> list[Summand] | None:
    """The terms whose scores a query adds up, each with its boost; None if it is anything but such a sum.

    Whatever matches has a score above zero then.
    """
    if isinstance(query, Term):
        return [(query, boost)] if boost > 0 else None
    if isinstance(query, ConstantScore):
        return [(query, boost)] if isinstance(query.inner, Term | AnyTerm) and boost * query.boost > 0 else None
    if isinstance(query, Boosted):
        return summands(query.inner, boost * query.boost)
    if isinstance(query, Bool) and query.minimum == 1 and not (query.must or query.filter or query.must_not):
        parts = [summands(part, boost) for part in query.should]
        found = [part for part in parts if part is not None]
        return [summand for part in found for summand in part] if len(found) == len(parts) else None
    return None


@dataclass(frozen=True, slots=True)
class _Part:
    """A summand in one leaf: where it matches, and what it adds at most."""

    query: Query
    boost: float
    docs: Ordinals
    most: float

    def scores(self, leaf: Leaf, ids: Ordinals) -> NDArray[np.float64]:
        return self.query.score(leaf, ids, self.boost)


def least_matches(parts: Sequence[Summand], leaf: Leaf) -> int:
    """How many documents match at least."""
    live = leaf.space.live
    deleted = 0 if live is None else leaf.n - int(np.count_nonzero(live))
    return max(0, max((len(query.docs(leaf)) for query, _ in parts), default=0) - deleted)


def contenders(summed: Sequence[Summand], leaf: Leaf, count: int, least: float) -> Ordinals:
    """The live documents that may be among the first `count`, ascending.

    Documents with a score below `least` are not asked for.
    """
    parts = sorted((_part(leaf, query, boost) for query, boost in summed), key=lambda part: len(part.docs))
    live = leaf.space.live
    sums = np.zeros(leaf.n, np.float64)
    #: what the parts from each one on add at most
    rest = np.cumsum([0.0, *(part.most for part in reversed(parts))])[::-1].tolist()
    looked = 0
    for part in parts:
        if rest[looked] < least * (1 - _MARGIN):
            break
        sums[part.docs] += part.scores(leaf, part.docs)
        reached = sums[part.docs]
        least = max(least, _nearly_kth(reached if live is None else reached[live[part.docs]], count))
        looked += 1
    ids: Ordinals = np.flatnonzero(sums > max(0.0, least * (1 - _MARGIN) - rest[looked]))
    for at in range(looked, len(parts)):
        ids = ids[sums[ids] >= least * (1 - _MARGIN) - rest[at]]
        sums[ids] += parts[at].scores(leaf, ids)
    ids = ids[sums[ids] >= least * (1 - _MARGIN)]
    return ids if live is None else ids[live[ids]]


def _part(leaf: Leaf, query: Query, boost: float) -> _Part:
    most = query.most(leaf, boost) if isinstance(query, Term) else float(np.float32(boost * getattr(query, "boost", 1)))
    return _Part(query, boost, query.docs(leaf).ids, most)


def _nearly_kth(scores: NDArray[np.float64], count: int) -> float:
    """A score that at least `count` of the scores reach, 0 if there are not so many."""
    if len(scores) < count:
        return 0.0
    blocks = len(scores) // _BLOCK
    if blocks >= 4 * count:
        scores = scores[: blocks * _BLOCK].reshape(blocks, _BLOCK).max(axis=1)
    return float(np.partition(scores, len(scores) - count)[len(scores) - count])
