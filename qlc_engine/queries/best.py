"""The best documents of a sum of term scores, or of the best of several sums, without a look at all that match.

Rare terms are scored wherever they are. For frequent ones it is known what they add at most in each block of
neighbouring documents: they are looked up where a rare term and these bounds may reach the scores found by then, and
in the blocks whose bounds do so alone (Turtle and Flood's MaxScore with Ding and Suel's block-max bounds).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qlc_engine.docset import DocSet, Ordinals, contains, expand_runs, union
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import Query, conjunction
from qlc_engine.queries.compound import Bool, Boosted, ConstantScore, DisMax
from qlc_engine.queries.impacts import BLOCK, constant_bounds
from qlc_engine.queries.terms import AnyTerm, Term, TermInLeaf, add_scores

#: Sums made in another order differ by less than this; candidates are scored again as any other document.
_MARGIN = 1e-4

#: Up to so many documents it costs less to score them than to choose among them.
_FEW = 1_000

#: Where filters leave fewer than one of so many documents, it costs less to score all of these that match.
_FEW_MET = 16

#: Terms in more documents of a segment count as frequent.
_FREQUENT = 10_000

#: Below one posting for so many documents, postings are merged instead of being spread over all documents.
_SPARSE = 4

#: Blocks that are looked at first, and how many more are looked at each time.
_FIRST_BLOCKS, _GROWTH = 32, 6

#: With more than one of so many blocks to look at, all postings are added up.
_MANY_BLOCKS = 4

Summand = tuple[Query, float]
Floats = NDArray[np.float32] | NDArray[np.float64]


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
class Sums:
    """The score of a document is the greatest of some sums of terms; what meets no filter does not match."""

    each: Sequence[Sequence[Summand]]
    filters: Sequence[Query] = ()


def sums_of(query: Query) -> Sums | None:
    """Return the sums of a query; None if it is anything else."""
    filters: Sequence[Query] = ()
    if isinstance(query, Bool) and len(query.must) == 1 and query.minimum == 0 and not (query.should or query.must_not):
        filters, query = query.filter, query.must[0]
    best_of = query.queries if isinstance(query, DisMax) and query.tie_breaker == 0 else [query]
    each = [summands(part) for part in best_of]
    found = [part for part in each if part is not None]
    return Sums(found, filters) if len(found) == len(each) else None


@dataclass(frozen=True, slots=True)
class _Constant:
    """A summand that adds the same score to each of its documents, with the interface of `TermInLeaf`."""

    docs: Ordinals
    constant: float
    n: int

    def scores(self) -> NDArray[np.float64]:
        return np.full(len(self.docs), self.constant)

    def scores_at(self, at: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.full(len(at), self.constant)

    def bounds(self) -> NDArray[np.float64]:
        return constant_bounds(self.docs, self.n, self.constant)


Part = TermInLeaf | _Constant


def parts_in(summed: Sequence[Summand], leaf: Leaf) -> list[Part]:
    """Return the summands that occur in a leaf."""
    found: list[Part] = []
    for query, boost in summed:
        if isinstance(query, Term):
            part: Part | None = query.in_leaf(leaf, boost)
        else:
            constant = float(np.float32(boost * getattr(query, "boost", 1)))
            part = _Constant(query.docs(leaf).ids, constant, leaf.n)
        if part is not None and len(part.docs):
            found.append(part)
    return found


def least_matches(parts: Sequence[Part], leaf: Leaf) -> int:
    """How many documents match at least."""
    live = leaf.space.live
    deleted = 0 if live is None else leaf.n - int(np.count_nonzero(live))
    return max(0, max((len(part.docs) for part in parts), default=0) - deleted)


def contenders(parts: Sequence[Part], leaf: Leaf, count: int, least: float) -> Ordinals:
    """The live documents that may be among the first `count`, ascending; perhaps some more.

    Documents with a score below `least` are not asked for.
    """
    if not parts:
        return np.zeros(0, np.int64)
    if sum(len(part.docs) for part in parts) <= _FEW:
        ids = union([DocSet(leaf.n, ids=part.docs) for part in parts], leaf.n).ids
        return ids if leaf.space.live is None else ids[leaf.space.live[ids]]
    return _Choice(parts, leaf, count, least).made()


def contenders_of_any(
    sums: Sequence[Sequence[Part]], filters: Sequence[Query], leaf: Leaf, count: int, least: float
) -> Ordinals | None:
    """The same where the greatest of the sums counts, and filters are to be met; None: these leave too few."""
    if filters:
        met = conjunction(filters, leaf)
        if leaf.space.live is not None:
            met = met & DocSet(leaf.n, mask=leaf.space.live)
        if len(met) * _FEW_MET < leaf.n:
            return None
        if len(met) < leaf.n:
            leaf = dataclasses.replace(leaf, space=dataclasses.replace(leaf.space, live=met.mask))
    # the first of the greatest are among the first of each
    return union([DocSet(leaf.n, ids=contenders(parts, leaf, count, least)) for parts in sums], leaf.n).ids


class _Choice:
    """The state of the choice in one leaf: `least` rises as documents are scored."""

    def __init__(self, parts: Sequence[Part], leaf: Leaf, count: int, least: float) -> None:
        self._rare = [part for part in parts if len(part.docs) <= _FREQUENT]
        self._frequent = [part for part in parts if len(part.docs) > _FREQUENT]
        self._leaf = leaf
        self._count = count
        self._least = least
        #: the best scores so far, in no order, each of another document
        self._best = np.zeros(0, np.float64)

    def made(self) -> Ordinals:
        leaf = self._leaf
        ids, sums = _added_up(self._rare, leaf.n)
        if not self._frequent:
            kept = sums > self._bound()
            ids, sums = _alive(ids[kept], sums[kept], leaf)
            self._note(sums)
            return ids[sums > self._bound()]
        rare, sums = _alive(ids, sums, leaf)
        bounds = np.zeros(-(-leaf.n // BLOCK), np.float64)
        for part in self._frequent:
            bounds += part.bounds()
        self._least = max(self._least, _kth(sums, self._count))
        hopeful = sums + bounds[rare // BLOCK] > self._bound()
        chosen, reached = [rare[hopeful]], [self._completed(rare[hopeful], sums[hopeful])]
        self._note(reached[0])
        for blocks in self._promising(bounds):
            docs, scores = self._in_blocks(blocks)
            # documents with a rare term were scored before
            new = ~contains(rare, docs)
            docs, scores = docs[new], scores[new]
            chosen.append(docs)
            reached.append(scores)
            self._note(scores)
        kept = np.concatenate(reached) > self._bound()
        return np.sort(np.concatenate(chosen)[kept])

    def _bound(self) -> float:
        return max(0.0, self._least * (1 - _MARGIN))

    def _note(self, scores: Floats) -> None:
        self._best = np.concatenate((self._best, scores))
        if len(self._best) >= self._count:
            self._best = np.partition(self._best, len(self._best) - self._count)[len(self._best) - self._count :]
            self._least = max(self._least, float(self._best.min()))

    def _completed(self, ids: Ordinals, sums: NDArray[np.float64]) -> NDArray[np.float64]:
        """The scores of documents, to which rare terms add `sums`."""
        scores = sums.copy()
        for part in self._frequent:
            add_scores(scores, part, ids)
        return scores

    def _promising(self, bounds: NDArray[np.float64]) -> Iterator[NDArray[np.int64]]:
        """Ascending blocks that may hold one of the best, the most promising ones first."""
        left = np.flatnonzero(bounds > self._bound())
        wanted = _FIRST_BLOCKS
        while len(left):
            if len(left) > 2 * wanted:
                of_left = bounds[left]
                first = np.argpartition(of_left, len(left) - wanted)[len(left) - wanted :]
                yield np.sort(left[first])
                bounds[left[first]] = 0.0
                left = left[bounds[left] > self._bound()]
                wanted *= _GROWTH
            else:
                yield left
                return

    def _in_blocks(self, blocks: NDArray[np.int64]) -> tuple[Ordinals, NDArray[np.float64]]:
        """The live documents of ascending blocks that have a frequent term, and what all of these add."""
        n_blocks = -(-self._leaf.n // BLOCK)
        if len(blocks) * _MANY_BLOCKS > n_blocks:
            scores = np.zeros(n_blocks * BLOCK, np.float64)
            for part in self._frequent:
                scores[part.docs] += part.scores()
            others = np.ones(n_blocks, np.bool_)
            others[blocks] = False
            scores.reshape(n_blocks, BLOCK)[others] = 0.0
            return _alive(ids := np.flatnonzero(scores), scores[ids], self._leaf)
        #: what makes of a document its place among those of the blocks
        shifts = np.zeros(blocks[-1] + 1, np.int64)
        shifts[blocks] = (np.arange(len(blocks)) - blocks) * BLOCK
        scores = np.zeros(len(blocks) * BLOCK, np.float64)
        for part in self._frequent:
            kind = part.docs.dtype
            begins = np.searchsorted(part.docs, (blocks * BLOCK).astype(kind))
            ends = np.searchsorted(part.docs, ((blocks + 1) * BLOCK).astype(kind))
            at = expand_runs(begins, ends - begins)
            docs = part.docs[at]
            scores[docs + shifts[docs // BLOCK]] += part.scores_at(at)
        places = np.flatnonzero(scores)
        ids = blocks[places // BLOCK] * BLOCK + places % BLOCK
        return _alive(ids, scores[places], self._leaf)


def _kth(scores: NDArray[np.float64], count: int) -> float:
    """The least of the first `count` of the scores, 0 if there are not so many."""
    return float(np.partition(scores, len(scores) - count)[len(scores) - count]) if len(scores) >= count else 0.0


def _added_up(parts: Sequence[Part], n: int) -> tuple[Ordinals, NDArray[np.float64]]:
    """The documents of some parts, ascending, and what the parts add to the score of each."""
    if not parts:
        return np.zeros(0, np.int32), np.zeros(0, np.float64)
    if len(parts) == 1:
        return parts[0].docs, parts[0].scores().astype(np.float64, copy=False)
    if sum(len(part.docs) for part in parts) * _SPARSE > n:
        sums = np.zeros(n, np.float64)
        for part in parts:
            sums[part.docs] += part.scores()
        ids = np.flatnonzero(sums)
        return ids, sums[ids]
    docs = np.concatenate([part.docs for part in parts])
    # runs that ascend are merged
    order = np.argsort(docs, kind="stable")
    docs = docs[order]
    first = np.flatnonzero(np.concatenate(([True], docs[1:] != docs[:-1])))
    return docs[first], np.add.reduceat(np.concatenate([part.scores() for part in parts])[order], first)


def _alive(ids: Ordinals, scores: NDArray[np.float64], leaf: Leaf) -> tuple[Ordinals, NDArray[np.float64]]:
    """The live ones of some documents, with their scores."""
    if leaf.space.live is None:
        return ids, scores
    alive = leaf.space.live[ids]
    return ids[alive], scores[alive]
