"""Queries made of queries: bool, constant_score, dis_max, boosting, nested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from qlc_engine.docset import DocSet, Ordinals, union, without_repeats
from qlc_engine.errors import EngineError
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import MatchAll, MatchNone, Query, Scores, conjunction
from qlc_engine.time_limit import timed


@dataclass(frozen=True)
class Boosted(Query):
    inner: Query
    boost: float

    @property
    def cheap(self) -> bool:  # type: ignore[override]
        return self.inner.cheap

    @property
    def late(self) -> bool:  # type: ignore[override]
        return self.inner.late

    def docs(self, leaf: Leaf) -> DocSet:
        return self.inner.docs(leaf)

    def among(self, leaf: Leaf, within: DocSet) -> DocSet:
        return self.inner.among(leaf, within)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        return self.inner.score(leaf, ids, boost * self.boost)

    def score_matching(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        return self.inner.score_matching(leaf, ids, boost * self.boost)


MAX_CLAUSE_COUNT = 32_768
"""`indices.query.bool.max_clause_count`. A server takes it from its memory and processors, and at least 1024."""


def check_clauses(count: int) -> None:
    """Raises EngineError for a query of more clauses than there may be."""
    if count > MAX_CLAUSE_COUNT:
        raise EngineError("too_many_clauses", f"maxClauseCount is set to {MAX_CLAUSE_COUNT}")


@dataclass(frozen=True)
class Bool(Query):
    """`minimum` is how many of `should` have to match; 0 if they only add to the score."""

    must: Sequence[Query] = ()
    filter: Sequence[Query] = ()
    should: Sequence[Query] = ()
    must_not: Sequence[Query] = ()
    minimum: int = 0

    def __post_init__(self) -> None:
        check_clauses(sum(map(len, (self.must, self.filter, self.should, self.must_not))))

    @cached_property
    def late(self) -> bool:  # type: ignore[override]
        return any(query.late for query in (*self.must, *self.filter, *self.should, *self.must_not))

    def docs(self, leaf: Leaf) -> DocSet:
        return self._docs(leaf, None)

    def among(self, leaf: Leaf, within: DocSet) -> DocSet:
        return self._docs(leaf, within)

    def _docs(self, leaf: Leaf, within: DocSet | None) -> DocSet:
        required = (*self.must, *self.filter)
        docs = conjunction(required, leaf, within) if required else within
        if self.minimum > 0:
            docs = self._enough(leaf, docs)
        if docs is None:
            docs = DocSet.all(leaf.n)
        for query in timed(self.must_not):
            docs = docs - query.among(leaf, docs)
        return docs

    def _enough(self, leaf: Leaf, docs: DocSet | None) -> DocSet:
        parts = [
            query.docs(leaf) if docs is None or query.cheap else query.among(leaf, docs) for query in timed(self.should)
        ]
        if self.minimum > len(parts):
            return DocSet.none(leaf.n)
        if self.minimum == 1:
            matching = union(parts, leaf.n)
        elif self.minimum == len(parts):
            matching = parts[0]
            for part in parts[1:]:
                matching = matching & part
        else:
            counts = np.zeros(leaf.n, np.int16)
            for part in parts:
                if part.is_sparse:
                    counts[part.ids] += 1
                else:
                    counts += part.mask
            matching = DocSet(leaf.n, mask=counts >= self.minimum)
        return matching if docs is None else docs & matching

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        if self.minimum == 1 and not (self.must or self.filter or self.must_not):
            # documents that match no clause have the sum zero
            return self.score_matching(leaf, ids, boost)
        matching = self.docs(leaf).contains_each(ids)
        if matching.all():
            return self.score_matching(leaf, ids, boost)
        scores = np.zeros(len(ids), np.float64)
        scores[matching] = self.score_matching(leaf, ids[matching], boost)
        return scores

    def score_matching(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        total = np.zeros(len(ids), np.float64)
        for query in timed(self.must):
            total += query.score_matching(leaf, ids, boost)
        for query in timed(self.should):
            total += query.score(leaf, ids, boost)
        return total.astype(np.float32).astype(np.float64)


@dataclass(frozen=True)
class ConstantScore(Query):
    """Its own score for all that `inner` matches (0 for a filter clause asked for a score)."""

    inner: Query
    boost: float = 1.0

    @property
    def cheap(self) -> bool:  # type: ignore[override]
        return self.inner.cheap

    @property
    def late(self) -> bool:  # type: ignore[override]
        return self.inner.late

    def docs(self, leaf: Leaf) -> DocSet:
        return self.inner.docs(leaf)

    def among(self, leaf: Leaf, within: DocSet) -> DocSet:
        return self.inner.among(leaf, within)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        return super().score(leaf, ids, boost * self.boost)


@dataclass(frozen=True)
class DisMax(Query):
    queries: Sequence[Query]
    tie_breaker: float = 0.0

    def __post_init__(self) -> None:
        check_clauses(len(self.queries))

    def docs(self, leaf: Leaf) -> DocSet:
        parts = [query.docs(leaf) for query in timed(self.queries)]
        return union(parts, leaf.n) if parts else DocSet.none(leaf.n)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        return dis_max_scores((query.score(leaf, ids, boost) for query in timed(self.queries)), ids, self.tie_breaker)


def dis_max_scores(parts: Iterable[Scores], ids: Ordinals, tie_breaker: float) -> Scores:
    """The best of several scores of each document, and of the others as much as the tie breaker says."""
    best = np.zeros(len(ids), np.float64)
    total = np.zeros(len(ids), np.float64)
    for scores in parts:
        np.maximum(best, scores, out=best)
        total += scores
    combined: Scores = best + (total - best) * float(np.float32(tie_breaker))
    return combined.astype(np.float32).astype(np.float64)


@dataclass(frozen=True)
class Boosting(Query):
    positive: Query
    negative: Query
    negative_boost: float

    def docs(self, leaf: Leaf) -> DocSet:
        return self.positive.docs(leaf)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        demoted = self.negative.docs(leaf).contains_each(ids)
        return self.positive.score(leaf, ids, boost) * np.where(demoted, float(np.float32(self.negative_boost)), 1.0)


@dataclass(frozen=True)
class Nested(Query):
    """Documents with an element that matches `inner`. `score_mode` None: elements do not score."""

    path: str
    inner: Query
    score_mode: str | None = "avg"

    def docs(self, leaf: Leaf) -> DocSet:
        below = leaf.child(self.path)
        if below is None:
            return DocSet.none(leaf.n)
        child, parents = below
        found = self.inner.docs(child)
        if found.is_sparse and len(found) * 16 < leaf.n:
            return DocSet(leaf.n, ids=without_repeats(parents[found.ids]))
        mask = np.zeros(leaf.n, np.bool_)
        mask[parents[found.ids]] = True
        return DocSet(leaf.n, mask=mask)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        below = leaf.child(self.path)
        if below is None or self.score_mode is None:
            return np.zeros(len(ids), np.float64)
        child, parents = below
        elements = self.inner.docs(child).ids
        scores = self.inner.score_matching(child, elements, boost)
        owners = parents[elements]
        if self.score_mode in ("sum", "avg"):
            by_doc: Scores = np.bincount(owners, weights=scores, minlength=leaf.n).astype(np.float64)
            if self.score_mode == "avg":
                by_doc = by_doc / np.maximum(np.bincount(owners, minlength=leaf.n), 1)
        elif self.score_mode == "max":
            by_doc = np.zeros(leaf.n, np.float64)
            np.maximum.at(by_doc, owners, scores)
        else:
            by_doc = np.full(leaf.n, np.inf)
            np.minimum.at(by_doc, owners, scores)
            by_doc[np.isinf(by_doc)] = 0.0
        found: Scores = by_doc[ids].astype(np.float32).astype(np.float64)
        return found


def unwrapped(query: Query) -> Query:
    """A query without what is around it and changes no more than scores, as Lucene rewrites it before it runs."""
    while True:
        inner = query.inner if isinstance(query, Boosted | ConstantScore) else _only_clause(query)
        if inner is None:
            return query
        query = inner


def _only_clause(query: Query) -> Query | None:
    if not isinstance(query, Bool) or any(not isinstance(clause, MatchNone) for clause in query.must_not):
        return None
    needed: list[Query] = []
    for clause in (*query.must, *query.filter):
        if clause not in needed:
            needed.append(clause)
    some = [clause for clause in needed if not isinstance(clause, MatchAll)] or needed[:1]
    if query.should and (some or query.minimum != 1):
        return None
    some += query.should
    return some[0] if len(some) == 1 else None


def minimum_should_match(given: Any, clauses: int) -> int:
    """How many of the optional clauses have to match: a number, a percentage, or conditions such as `3<75% 9<-2`."""
    text = str(given).strip()
    if "<" in text:
        found = clauses
        for part in text.split():
            bound, _, rest = part.partition("<")
            if clauses <= _whole(bound):
                return found
            found = minimum_should_match(rest, clauses)
        return found
    if text.endswith("%"):
        percent = _whole(text[:-1])
        share = int(clauses * percent / 100)
        minimum = clauses + share if percent < 0 else share
    else:
        number = _whole(text)
        minimum = clauses + number if number < 0 else number
    return max(0, minimum)


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise EngineError("number_format_exception", f'For input string: "{text}"') from None
