"""Spans: stretches of a text between positions, put together from smaller ones; `span_*` queries.

Source: org.apache.lucene.queries.spans (SpanScorer, SpanNearQuery, SpanNotQuery, SpanFirstQuery, SpanContainingQuery).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qlc_engine.columns import Postings
from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.leaf import Leaf, inverse_document_frequency
from qlc_engine.queries.base import Query, Scores
from qlc_engine.queries.bm25 import bm25_scores
from qlc_engine.time_limit import timed

#: begin and end (exclusive) position, and how much the stretch is wider than what it is made of
Stretch = tuple[int, int, int]


class Spans(ABC):
    """One kind of span; `path` is the field whose positions they are."""

    path: str

    @property
    def scored_path(self) -> str:
        """The field whose lengths and terms count for the score of the whole."""
        return self.path

    @abstractmethod
    def terms(self, leaf: Leaf) -> list[bytes]:
        """The terms that count for the score."""

    @abstractmethod
    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        """The stretches in a document, ascending by begin and end."""

    @abstractmethod
    def candidates(self, leaf: Leaf) -> set[int]:
        """Documents among which all matches are."""


def positions_of(leaf: Leaf, path: str, term: bytes, doc: int) -> list[int]:
    """The positions of a term in a document, ascending."""
    postings = leaf.space.postings.get(path)
    at = -1 if postings is None else postings.terms.find(term)
    if postings is None or at < 0:
        return []
    first, last = postings.starts.item(at), postings.starts.item(at + 1)
    place = first + int(np.searchsorted(postings.docs[first:last], doc))
    if place >= last or postings.docs.item(place) != doc or postings.positions is None:
        return []
    starts, values = postings.positions.arrays()
    found: list[int] = values[starts.item(place) : starts.item(place + 1)].tolist()
    return sorted(found)


def docs_with(leaf: Leaf, path: str, terms: Sequence[bytes]) -> set[int]:
    postings = leaf.space.postings.get(path)
    if postings is None:
        return set()
    out: set[int] = set()
    for at in postings.terms.find_all(terms):
        out.update(postings.docs[postings.starts.item(at) : postings.starts.item(at + 1)].tolist())
    return out


@dataclass(frozen=True)
class SpanTerm(Spans):
    path: str
    term: bytes

    def terms(self, leaf: Leaf) -> list[bytes]:
        return [self.term]

    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        return [(at, at + 1, 0) for at in positions_of(leaf, self.path, self.term, doc)]

    def candidates(self, leaf: Leaf) -> set[int]:
        return docs_with(leaf, self.path, [self.term])


@dataclass(frozen=True)
class SpanTerms(Spans):
    """The terms that a pattern stands for (`span_multi`)."""

    path: str
    pattern: Query

    def _all(self, leaf: Leaf) -> list[bytes]:
        from qlc_engine.highlight.matching import term_test  # needs all kinds of queries

        fits = term_test(self.pattern)
        postings = leaf.space.postings.get(self.path)
        if fits is None or postings is None:
            return []
        return [term for term in postings.terms.as_bytes() if fits(term)]

    def terms(self, leaf: Leaf) -> list[bytes]:
        return self._all(leaf)

    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        found = {at for term in self._all(leaf) for at in positions_of(leaf, self.path, term, doc)}
        return [(at, at + 1, 0) for at in sorted(found)]

    def candidates(self, leaf: Leaf) -> set[int]:
        return docs_with(leaf, self.path, self._all(leaf))


@dataclass(frozen=True)
class SpanOr(Spans):
    clauses: tuple[Spans, ...]

    @property
    def path(self) -> str:  # type: ignore[override]
        return self.clauses[0].path

    def terms(self, leaf: Leaf) -> list[bytes]:
        return [term for clause in self.clauses for term in clause.terms(leaf)]

    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        return sorted({stretch for clause in self.clauses for stretch in clause.find(leaf, doc)})

    def candidates(self, leaf: Leaf) -> set[int]:
        return set().union(*(clause.candidates(leaf) for clause in self.clauses))


@dataclass(frozen=True)
class SpanGap(Spans):
    """So many positions, whatever stands there; only inside of an ordered `span_near`."""

    path: str
    width: int

    def terms(self, leaf: Leaf) -> list[bytes]:
        return []

    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        return []

    def candidates(self, leaf: Leaf) -> set[int]:
        return set()


@dataclass(frozen=True)
class SpanNear(Spans):
    clauses: tuple[Spans, ...]
    slop: int
    in_order: bool

    @property
    def path(self) -> str:  # type: ignore[override]
        return self.clauses[0].path

    def terms(self, leaf: Leaf) -> list[bytes]:
        return [term for clause in self.clauses for term in clause.terms(leaf)]

    def candidates(self, leaf: Leaf) -> set[int]:
        real = [clause.candidates(leaf) for clause in self.clauses if not isinstance(clause, SpanGap)]
        return set.intersection(*real) if real else set()

    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        if self.in_order:
            return self._ordered(leaf, doc)
        found = [clause.find(leaf, doc) for clause in self.clauses]
        if not all(found):
            return []
        return self._unordered(found)

    def _ordered(self, leaf: Leaf, doc: int) -> list[Stretch]:
        """For each first clause the nearest ones behind it."""
        first, *rest = self.clauses
        following = [clause if isinstance(clause, SpanGap) else clause.find(leaf, doc) for clause in rest]
        out: list[Stretch] = []
        for begin, end, _ in first.find(leaf, doc):
            at, width = end, 0
            for part in following:
                if isinstance(part, SpanGap):
                    at += part.width
                    continue
                behind = next((stretch for stretch in part if stretch[0] >= at), None)
                if behind is None:
                    return out
                width += behind[0] - at
                at = behind[1]
            if width <= self.slop:
                out.append((begin, at, width))
        return out

    def _unordered(self, found: list[list[Stretch]]) -> list[Stretch]:
        """The first of each, then always the earliest moves on."""
        at = [0] * len(found)
        out: list[Stretch] = []
        while True:
            cells = [part[place] for part, place in zip(found, at, strict=True)]
            begin, end = min(cell[0] for cell in cells), max(cell[1] for cell in cells)
            length = sum(cell[1] - cell[0] for cell in cells)
            if end - begin - length <= self.slop:
                out.append((begin, end, end - begin))
            least = min(range(len(cells)), key=lambda number: (cells[number][0], cells[number][1]))
            at[least] += 1
            if at[least] >= len(found[least]):
                return out


@dataclass(frozen=True)
class SpanFirst(Spans):
    inner: Spans
    end: int

    @property
    def path(self) -> str:  # type: ignore[override]
        return self.inner.path

    def terms(self, leaf: Leaf) -> list[bytes]:
        return self.inner.terms(leaf)

    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        return [stretch for stretch in self.inner.find(leaf, doc) if stretch[1] <= self.end]

    def candidates(self, leaf: Leaf) -> set[int]:
        return self.inner.candidates(leaf)


@dataclass(frozen=True)
class SpanNot(Spans):
    include: Spans
    exclude: Spans
    before: int = 0
    after: int = 0

    @property
    def path(self) -> str:  # type: ignore[override]
        return self.include.path

    def terms(self, leaf: Leaf) -> list[bytes]:
        return self.include.terms(leaf)

    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        others = self.exclude.find(leaf, doc)
        return [
            stretch
            for stretch in self.include.find(leaf, doc)
            if not any(begin < stretch[1] + self.after and end > stretch[0] - self.before for begin, end, _ in others)
        ]

    def candidates(self, leaf: Leaf) -> set[int]:
        return self.include.candidates(leaf)


@dataclass(frozen=True)
class SpanContain(Spans):
    """The large ones that contain a small one, or with `within` the small ones inside of a large one."""

    big: Spans
    little: Spans
    within: bool

    @property
    def path(self) -> str:  # type: ignore[override]
        return self.big.path

    def terms(self, leaf: Leaf) -> list[bytes]:
        return [*self.big.terms(leaf), *self.little.terms(leaf)]

    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        big, little = self.big.find(leaf, doc), self.little.find(leaf, doc)
        if self.within:
            return [s for s in little if any(b[0] <= s[0] and s[1] <= b[1] for b in big)]
        return [b for b in big if any(b[0] <= s[0] and s[1] <= b[1] for s in little)]

    def candidates(self, leaf: Leaf) -> set[int]:
        return self.big.candidates(leaf) & self.little.candidates(leaf)


@dataclass(frozen=True)
class SpanMasked(Spans):
    """Spans of one field that pass for those of another."""

    inner: Spans
    path: str

    @property
    def scored_path(self) -> str:
        return self.inner.scored_path

    def terms(self, leaf: Leaf) -> list[bytes]:
        return self.inner.terms(leaf)

    def find(self, leaf: Leaf, doc: int) -> list[Stretch]:
        return self.inner.find(leaf, doc)

    def candidates(self, leaf: Leaf) -> set[int]:
        return self.inner.candidates(leaf)


@dataclass(frozen=True)
class SpanQuery(Query):
    """Documents with at least one span, scored by how many and how wide they are."""

    spans: Spans

    @property
    def path(self) -> str:
        return self.spans.path

    def _frequencies(self, leaf: Leaf, within: Sequence[int] | None = None) -> tuple[Ordinals, Scores]:
        docs: list[int] = []
        freqs: list[float] = []
        chosen = sorted(self.spans.candidates(leaf)) if within is None else within
        for doc in timed(chosen):
            found = self.spans.find(leaf, doc)
            if found:
                docs.append(doc)
                freqs.append(sum(1.0 / (1.0 + width) for _, _, width in found))
        return np.array(docs, np.int64), np.array(freqs, np.float64)

    def docs(self, leaf: Leaf) -> DocSet:
        return DocSet(leaf.n, ids=self._frequencies(leaf)[0])

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        out = np.zeros(len(ids), np.float64)
        postings = leaf.space.postings.get(self.spans.scored_path)
        docs, freqs = self._frequencies(leaf, [int(doc) for doc in ids])
        if postings is None or not len(docs):
            return out
        out[np.searchsorted(ids, docs)] = self._scores(leaf, postings, docs, freqs, boost)
        return out

    def _scores(self, leaf: Leaf, postings: Postings, docs: Ordinals, freqs: Scores, boost: float) -> Scores:
        statistics = leaf.statistics
        doc_count = statistics.of_field(self.spans.scored_path).doc_count
        idf = sum(
            inverse_document_frequency(frequency, doc_count)
            for term in dict.fromkeys(self.spans.terms(leaf))
            if (frequency := statistics.doc_freq(self.spans.scored_path, term)) > 0
        )
        return bm25_scores(leaf, self.spans.scored_path, postings, docs, freqs.astype(np.float32), boost, idf)
