"""The interface of queries: find matching documents in a leaf, and score given documents."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.errors import illegal_argument
from qlc_engine.leaf import Leaf
from qlc_engine.terms import MAX_TERM_BYTES
from qlc_engine.time_limit import timed

Scores = NDArray[np.float64]

#: Above one wanted document in this many, scores are spread over an array of all documents.
_SPREAD_FRACTION = 16


def checked_term(value: Any) -> Any:
    """A value that terms are compared with. Raises EngineError for one that is longer than any term."""
    if not isinstance(value, str) or len(value) * 4 <= MAX_TERM_BYTES:
        return value
    if len(value.encode("utf-8", "surrogatepass")) > MAX_TERM_BYTES:
        reason = f"Term is longer than maximum indexable length, term starting with [{value[:10]}"
        raise illegal_argument(reason)
    return value


def printed_score(score: float) -> float:
    """A score as Java prints a float: the shortest decimal that stands for it."""
    return float(str(np.float32(score)))


class Query(ABC):
    """A query bound to a mapping; the same object runs in every segment, from many threads."""

    #: whether `docs` costs next to nothing (a slice of postings), so that conjunctions ask it first
    cheap = False
    #: whether it runs after the other clauses, only in the documents that match them
    late = False

    @abstractmethod
    def docs(self, leaf: Leaf) -> DocSet:
        """The documents that match, deleted ones included."""

    def among(self, leaf: Leaf, within: DocSet) -> DocSet:
        """Return the documents of `within` that match."""
        return self.docs(leaf) & within

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        """The score of each of the ascending `ids`, 0 where it does not match. One by default: a constant score."""
        return self.docs(leaf).contains_each(ids) * np.float64(np.float32(boost))

    def score_matching(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        """`score` where all of `ids` are known to match."""
        return self.score(leaf, ids, boost)


class MatchAll(Query):
    def docs(self, leaf: Leaf) -> DocSet:
        return DocSet.all(leaf.n)

    def among(self, leaf: Leaf, within: DocSet) -> DocSet:
        return within


class MatchNone(Query):
    cheap = True

    def docs(self, leaf: Leaf) -> DocSet:
        return DocSet.none(leaf.n)


def spread(values: Scores, docs: Ordinals, ids: Ordinals, n: int) -> Scores:
    """The values of ascending `docs`, read at `ids`; 0 elsewhere."""
    if len(docs) == len(ids) and np.array_equal(docs, ids):
        return values
    if len(ids) * _SPREAD_FRACTION > n:
        by_doc = np.zeros(n, np.float64)
        by_doc[docs] = values
        return by_doc[ids]
    out = np.zeros(len(ids), np.float64)
    if len(docs):
        at = np.searchsorted(docs, ids)
        at[at == len(docs)] = 0
        hit = docs[at] == ids
        out[hit] = values[at[hit]]
    return out


def conjunction(queries: Sequence[Query], leaf: Leaf, start: DocSet | None = None) -> DocSet:
    """The documents that match all queries: the cheap and rare ones narrow what the others look at."""
    docs = start
    found = sorted((query.docs(leaf) for query in timed(queries) if query.cheap), key=lambda part: len(part))
    for part in found:
        docs = part if docs is None else docs & part
    for query in timed(sorted(queries, key=lambda query: query.late)):
        if not query.cheap:
            docs = query.docs(leaf) if docs is None else query.among(leaf, docs)
    return DocSet.all(leaf.n) if docs is None else docs
