"""Queries on terms of keyword-like and text fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import Postings
from qlc_engine.docset import DocSet, Ordinals, Test, without_repeats
from qlc_engine.leaf import Leaf
from qlc_engine.lucene_regexp import LuceneRegexp
from qlc_engine.queries.base import Query, Scores, spread
from qlc_engine.queries.bm25 import bm25_limit, bm25_scores
from qlc_engine.queries.impacts import block_bounds
from qlc_engine.time_limit import timed

#: A term in so many times more documents than are asked for is looked up in these.
_FEW = 8

#: Keywords of a segment whose documents are kept, with their mask, since many filters name the same ones: a byte for
#: each document.
_KEPT = 16


def docs_of_terms(postings: Postings, ordinals: Sequence[int], n: int) -> DocSet:
    """The documents that contain any of the terms."""
    starts, docs = postings.starts, postings.docs
    runs = [docs[starts.item(at) : starts.item(at + 1)] for at in ordinals]
    if not runs:
        return DocSet.none(n)
    if len(runs) == 1:
        return DocSet(n, ids=runs[0])
    if sum(map(len, runs)) * 32 < n:
        return DocSet(n, ids=without_repeats(np.sort(np.concatenate(runs))))
    mask = np.zeros(n, np.bool_)
    for run in runs:
        mask[run] = True
    return DocSet(n, mask=mask)


def docs_of_range(postings: Postings, low: int, high: int, n: int) -> DocSet:
    """The documents that contain a term with an ordinal in [low, high)."""
    if low >= high:
        return DocSet.none(n)
    run = postings.docs[postings.starts.item(low) : postings.starts.item(high)]
    if high - low == 1:
        return DocSet(n, ids=run)
    if len(run) * 32 < n:
        return DocSet(n, ids=without_repeats(np.sort(run)))
    mask = np.zeros(n, np.bool_)
    mask[run] = True
    return DocSet(n, mask=mask)


@dataclass(frozen=True)
class Term(Query):
    """One exact term, scored by BM25."""

    path: str
    term: bytes
    cheap = True

    def docs(self, leaf: Leaf) -> DocSet:
        kept, key = leaf.segment.frequent, (leaf.nested_path or "", self.path, self.term)
        if (found := kept.get(key)) is not None:
            return found
        postings, run = self._run(leaf)
        if postings is None:
            return DocSet.none(leaf.n)
        docs = DocSet(leaf.n, ids=postings.docs[run], test=self._test(leaf, postings))
        if docs.is_large and postings.freqs is None:
            if len(kept) >= _KEPT:
                kept.clear()
            kept[key] = docs
        return docs

    def _test(self, leaf: Leaf, postings: Postings) -> Test | None:
        """Return a test by doc values, if each document has one value."""
        column = leaf.keyword_column(self.path)
        if column is None or not leaf.one_each(self.path, column.starts):
            return None
        ords, ordinal = column.ords, postings.terms.find(self.term)
        return lambda ids: ords.take(ids) == ordinal

    def _run(self, leaf: Leaf) -> tuple[Postings | None, slice]:
        """The postings of the field, None if the term is not there, and where those of the term are."""
        postings = leaf.space.postings.get(self.path)
        at = -1 if postings is None else postings.terms.find(self.term)
        if postings is None or at < 0:
            return None, slice(0)
        return postings, slice(postings.starts.item(at), postings.starts.item(at + 1))

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        return self.score_with_idf(leaf, ids, boost, self._idf(leaf))

    def _idf(self, leaf: Leaf) -> float:
        return leaf.statistics.idf(self.path, self.term)

    def in_leaf(self, leaf: Leaf, boost: float, idf: float | None = None) -> TermInLeaf | None:
        """The term in one leaf, to be scored with a boost; None where it is not."""
        postings, run = self._run(leaf)
        if postings is None:
            return None
        return TermInLeaf(self, leaf, postings, run, postings.docs[run], boost, self._idf(leaf) if idf is None else idf)

    def score_with_idf(self, leaf: Leaf, ids: Ordinals, boost: float, idf: float) -> Scores:
        part = self.in_leaf(leaf, boost, idf)
        if part is None:
            return np.zeros(len(ids), np.float64)
        if len(ids) * _FEW < len(part.docs):
            out = np.zeros(len(ids), np.float64)
            add_scores(out, part, ids)
            return out
        return spread(part.scores(), part.docs, ids, leaf.n)


@dataclass(frozen=True, slots=True)
class TermInLeaf:
    """A term's postings in one leaf, and what its scores there are made of."""

    term: Term
    leaf: Leaf
    postings: Postings
    run: slice
    docs: Ordinals
    boost: float
    idf: float

    def scores(self) -> Scores:
        """The score of each of `docs`."""
        return self._scores(self.docs, None if self.postings.freqs is None else self.postings.freqs[self.run])

    def scores_at(self, at: NDArray[np.int64]) -> Scores:
        """The scores of the documents at some places among `docs`."""
        freqs = self.postings.freqs
        return self._scores(self.docs.take(at), None if freqs is None else freqs[self.run].take(at))

    def _scores(self, docs: Ordinals, freqs: Ordinals | None) -> Scores:
        times = np.float32(1) if freqs is None else freqs.astype(np.float32)
        return bm25_scores(self.leaf, self.term.path, self.postings, docs, times, self.boost, self.idf)

    def bounds(self) -> Scores:
        """For each block of documents, or once for all, what no score exceeds."""
        limit = bm25_limit(self.boost, self.idf)
        return block_bounds(self.leaf, self.term.path, self.postings, self.run, limit)


class Scored(Protocol):
    """Ascending documents that can be scored by position on demand."""

    @property
    def docs(self) -> Ordinals: ...

    def scores_at(self, at: NDArray[np.int64]) -> Scores: ...


def add_scores(to: Scores, part: Scored, ids: Ordinals) -> None:
    """Add a part's scores to those of few documents."""
    docs = part.docs
    wanted = ids.astype(docs.dtype, copy=False)
    at = np.minimum(docs.searchsorted(wanted), len(docs) - 1)
    hit = (docs.take(at) == wanted).nonzero()[0]
    if len(hit):
        to[hit] += part.scores_at(at.take(hit))


@dataclass(frozen=True)
class AnyTerm(Query):
    """`terms`: any of several exact terms, with a constant score."""

    path: str
    terms: tuple[bytes, ...]
    cheap = True

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        return docs_of_terms(postings, postings.terms.find_all(self.terms), leaf.n)


@dataclass(frozen=True)
class FoldedTerm(Query):
    """A term up to the case of ASCII letters (`case_insensitive`), with a constant score. `folded` is lower case."""

    path: str
    folded: bytes

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        return docs_of_terms(postings, postings.terms.folded_to(self.folded), leaf.n)


@dataclass(frozen=True)
class TermRange(Query):
    """Terms between two bounds (None: open) in the order of their bytes."""

    path: str
    low: bytes | None
    high: bytes | None
    include_low: bool = True
    include_high: bool = True

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        terms = postings.terms
        # the byte string directly after a term is the term followed by a zero byte
        start = 0 if self.low is None else terms.lower_bound(self.low if self.include_low else self.low + b"\0")
        end = (
            len(terms)
            if self.high is None
            else terms.lower_bound(self.high + b"\0" if self.include_high else self.high)
        )
        return docs_of_range(postings, start, end, leaf.n)


@dataclass(frozen=True)
class Prefix(Query):
    path: str
    prefix: bytes

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        return docs_of_range(postings, *postings.terms.prefix_range(self.prefix), leaf.n)


@dataclass(frozen=True)
class TermPattern(Query):
    """Wildcards and prefixes up to case: terms that a pattern over bytes fits. See `TermDictionary.matching`."""

    path: str
    pattern: re.Pattern[bytes] | None
    literal: bytes
    folded: bool = False

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        found = postings.terms.matching(self.pattern, literal=self.literal, folded=self.folded)
        return docs_of_terms(postings, found, leaf.n)


@dataclass(frozen=True)
class Regexp(Query):
    """Terms that a pattern over characters fits whole, below a plain prefix."""

    path: str
    pattern: LuceneRegexp
    prefix: bytes = b""

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        terms = postings.terms
        low, high = terms.prefix_range(self.prefix) if self.prefix else (0, len(terms))
        fits = self.pattern.fullmatch
        return docs_of_terms(postings, [at for at in timed(range(low, high)) if fits(terms[at])], leaf.n)


@dataclass(frozen=True)
class HasTerms(Query):
    """`exists` of a field that has postings: documents with a norm, or with any term where norms are left out."""

    path: str
    by_norms: bool

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        if self.by_norms and postings.norms is not None:
            return DocSet(leaf.n, ids=postings.norms.docs)
        column = leaf.keyword_column(self.path)
        if column is not None:
            return DocSet(leaf.n, mask=column.starts[1:] > column.starts[:-1])
        return docs_of_range(postings, 0, len(postings.terms), leaf.n)
