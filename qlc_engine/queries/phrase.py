"""Phrases: terms at given distances, exactly or with slop, scored by BM25 on how often the phrase occurs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import Postings
from qlc_engine.docset import DocSet, Ordinals, contains, union
from qlc_engine.leaf import Leaf, inverse_document_frequency
from qlc_engine.queries.base import Query, Scores, spread
from qlc_engine.queries.bm25 import bm25_scores
from qlc_engine.queries.terms import Term
from qlc_engine.time_limit import check_time, timed

#: Positions of one document stay below this; documents and positions share one int64.
_POSITION_SPAN = 2**32


@dataclass(frozen=True)
class Phrase(Query):
    """`slots` are the terms with their relative positions; with `last_prefix` the last one is the begin of a term."""

    path: str
    slots: tuple[tuple[bytes, int], ...]
    slop: int = 0
    last_prefix: bool = False
    max_expansions: int = 50

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        return DocSet(leaf.n, ids=self._frequencies(postings)[0])

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return np.zeros(len(ids), np.float64)
        docs, freqs = self._frequencies(postings)
        statistics = leaf.statistics
        doc_count = statistics.of_field(self.path).doc_count
        terms = [term for term, _ in self.slots[: -1 if self.last_prefix else None]]
        if self.last_prefix:
            terms += expansions(leaf, self.path, self.slots[-1][0], self.max_expansions)
        idf = sum(
            inverse_document_frequency(doc_freq, doc_count)
            for term in terms
            if (doc_freq := statistics.doc_freq(self.path, term)) > 0
        )
        return spread(bm25_scores(leaf, self.path, postings, docs, freqs, boost, idf), docs, ids, leaf.n)

    def _frequencies(self, postings: Postings) -> tuple[Ordinals, NDArray[np.float32]]:
        """The documents with the phrase, and how often it occurs in each (sloppy occurrences count less)."""
        runs: list[tuple[list[int], int]] = []
        for slot, (term, offset) in enumerate(self.slots):
            if self.last_prefix and slot == len(self.slots) - 1:
                low, high = postings.terms.prefix_range(term)
                ordinals = list(range(low, min(high, low + self.max_expansions)))
            else:
                at = postings.terms.find(term)
                ordinals = [at] if at >= 0 else []
            if not ordinals:
                return np.zeros(0, np.int32), np.zeros(0, np.float32)
            runs.append((ordinals, offset))
        docs = self._common_docs(postings, runs)
        if len(docs) == 0:
            return docs, np.zeros(0, np.float32)
        keys = [_occurrences(postings, ordinals, docs) for ordinals, _ in timed(runs)]
        if self.slop == 0:
            found, first = keys[0], runs[0][1]
            for part, (_, offset) in zip(keys[1:], runs[1:], strict=True):
                found = found[contains(part, found + (offset - first))]
            hit_docs, counts = np.unique(found // _POSITION_SPAN, return_counts=True)
            return hit_docs.astype(np.int64), counts.astype(np.float32)
        return self._sloppy(docs, keys, [offset for _, offset in runs])

    def _common_docs(self, postings: Postings, runs: list[tuple[list[int], int]]) -> Ordinals:
        docs: Ordinals | None = None
        for ordinals, _ in timed(runs):
            parts = [postings.docs[postings.starts.item(at) : postings.starts.item(at + 1)] for at in ordinals]
            own = parts[0] if len(parts) == 1 else np.unique(np.concatenate(parts))
            if docs is None:
                docs = own
            elif len(own) < len(docs):
                docs = own[contains(docs, own)]
            else:
                docs = docs[contains(own, docs)]
        return np.zeros(0, np.int32) if docs is None else docs

    def _sloppy(
        self, docs: Ordinals, keys: list[NDArray[np.int64]], offsets: list[int]
    ) -> tuple[Ordinals, NDArray[np.float32]]:
        hit_docs: list[int] = []
        freqs: list[float] = []
        for doc in docs.tolist():
            begin = doc * _POSITION_SPAN
            positions = [
                (part[np.searchsorted(part, begin) : np.searchsorted(part, begin + _POSITION_SPAN)] - begin).tolist()
                for part in keys
            ]
            freq = _sloppy_frequency(positions, offsets, self.slop, [term for term, _ in self.slots])
            if freq > 0:
                hit_docs.append(doc)
                freqs.append(freq)
        return np.array(hit_docs, np.int64), np.array(freqs, np.float32)


@dataclass(frozen=True)
class PrefixOfText(Query):
    """A phrase prefix of one word: the first terms that begin with it, each scored by itself."""

    path: str
    prefix: bytes
    max_expansions: int = 50

    def _terms(self, leaf: Leaf) -> list[Term]:
        return [Term(self.path, term) for term in expansions(leaf, self.path, self.prefix, self.max_expansions)]

    def docs(self, leaf: Leaf) -> DocSet:
        return union([DocSet.none(leaf.n), *(term.docs(leaf) for term in self._terms(leaf))], leaf.n)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        total = np.zeros(len(ids), np.float64)
        for term in self._terms(leaf):
            total += term.score(leaf, ids, boost)
        return total.astype(np.float32).astype(np.float64)


def expansions(leaf: Leaf, path: str, prefix: bytes, limit: int) -> list[bytes]:
    """The first terms of the whole index that begin with a prefix."""
    found: set[bytes] = set()
    for part in leaf.statistics.postings(path):
        low, high = part.terms.prefix_range(prefix)
        found.update(part.terms.bytes_at(at) for at in range(low, min(high, low + limit)))
    return sorted(found)[:limit]


def _occurrences(postings: Postings, ordinals: list[int], docs: Ordinals) -> NDArray[np.int64]:
    """Return places of the terms in the documents: ascending `document * span + position`."""
    if postings.positions is None:
        return np.zeros(0, np.int64)
    starts, values = postings.positions.arrays()
    parts: list[NDArray[np.int64]] = []
    for ordinal in ordinals:
        run = slice(postings.starts.item(ordinal), postings.starts.item(ordinal + 1))
        chosen = np.flatnonzero(contains(docs, postings.docs[run])) + run.start
        begins, ends = starts[chosen], starts[chosen + 1]
        counts = ends - begins
        total = int(counts.sum())
        # the indices begin..end of each chosen posting, one after the other
        within = np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)
        positions = values[np.repeat(begins, counts) + within]
        parts.append(np.repeat(postings.docs[chosen].astype(np.int64) * _POSITION_SPAN, counts) + positions)
    return parts[0] if len(parts) == 1 else np.unique(np.concatenate(parts))


def _sloppy_frequency(positions: list[list[int]], offsets: list[int], slop: int, terms: list[bytes]) -> float:
    """Sum over the matches of 1 / (1 + distance), as Lucene's SloppyPhraseMatcher finds them."""
    matcher = _SloppyMatcher(positions, offsets, terms)
    return sum(1.0 / (1.0 + length) for length in matcher.lengths(slop))


class _SloppyMatcher:
    """The slots of a phrase over one document. Where a term is in several slots, these never share a position."""

    def __init__(self, positions: list[list[int]], offsets: list[int], terms: list[bytes]) -> None:
        self._positions = positions
        self._offsets = offsets
        self._at = [0] * len(positions)
        self._end = 0
        self._groups: dict[int, list[int]] = {}
        by_term: dict[bytes, list[int]] = {}
        for slot in sorted(range(len(terms)), key=offsets.__getitem__):
            by_term.setdefault(terms[slot], []).append(slot)
        for group in by_term.values():
            if len(group) > 1:
                self._groups.update(dict.fromkeys(group, group))

    def _place(self, slot: int) -> int:
        return self._positions[slot][self._at[slot]] - self._offsets[slot]

    def _advance(self, slot: int) -> bool:
        self._at[slot] += 1
        if self._at[slot] >= len(self._positions[slot]):
            return False
        self._end = max(self._end, self._place(slot))
        return True

    def _order(self, slot: int) -> tuple[int, int, int]:
        return self._place(slot), self._offsets[slot], slot

    def _settle(self, slot: int) -> bool:
        """After a slot has moved: of two slots of one term on one position the lesser moves on, until none collide."""
        group = self._groups.get(slot, [])
        while True:
            check_time()
            here = self._positions[slot][self._at[slot]]
            other = next((o for o in group if o != slot and self._positions[o][self._at[o]] == here), None)
            if other is None:
                return True
            slot = min(slot, other, key=lambda each: (self._place(each), self._offsets[each]))
            if not self._advance(slot):
                return False

    def lengths(self, slop: int) -> Iterator[int]:
        """The distance of each match that the slop allows."""
        for group in {id(group): group for group in self._groups.values()}.values():
            for steps, slot in enumerate(timed(group)):
                for _ in range(steps):
                    if not self._advance(slot):
                        return
        queue = set(range(len(self._positions)))
        self._end = max(map(self._place, queue))
        while True:
            slot, following = self._pop(queue)
            length = self._end - self._place(slot)
            while True:
                check_time()
                if not self._advance(slot) or not self._settle(slot):
                    if length <= slop:
                        yield length
                    return
                if self._place(slot) > following:
                    queue.add(slot)
                    if length <= slop:
                        yield length
                        break
                    slot, following = self._pop(queue)
                    length = self._end - self._place(slot)
                else:
                    length = min(length, self._end - self._place(slot))

    def _pop(self, queue: set[int]) -> tuple[int, int]:
        """Takes the least slot out of the queue; with it comes the place of the next one."""
        slot = min(queue, key=self._order)
        queue.remove(slot)
        return slot, self._place(min(queue, key=self._order))
