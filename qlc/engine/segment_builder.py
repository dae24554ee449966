"""Builds a segment: parsed documents go into growing arrays by field, `build` turns these into immutable columns."""

from __future__ import annotations

import dataclasses
import itertools
from array import array
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc.engine.analysis import Analyzer
from qlc.engine.columns import (
    Column,
    DocSpace,
    GeoColumn,
    IntArray,
    KeywordColumn,
    Norms,
    NumericColumn,
    OrdArray,
    Positions,
    Postings,
    VectorColumn,
)
from qlc.engine.docset import without_repeats
from qlc.engine.norms import encode_lengths
from qlc.engine.segment import Identities, Segment
from qlc.engine.terms import TermDictionary, encode_term

#: Values of a text field at most this long have their terms kept, as they often come again (types, owners, states).
_REMEMBERED_TEXT = 64

#: So many of them: what comes again comes early, and each is something for the garbage collector to look through.
_REMEMBERED_TEXTS = 5_000


@dataclass(frozen=True, slots=True)
class TextIndexing:
    """How the values of a text field are indexed."""

    analyzer: Analyzer
    norms: bool
    #: False with `index_options: docs`: each term counts once per document
    freqs: bool
    #: positions left empty between two values of a document
    gap: int


@dataclass(slots=True)
class ParsedDocument:
    """The values of one document or nested element, ready for the columns.

    Each value has the path of its field and the kind of column; texts come with how they are indexed.
    """

    #: path and term by turns: pairs would keep the garbage collector busy
    keywords: list[str] = field(default_factory=list)
    #: path and number by turns
    longs: list[Any] = field(default_factory=list)
    doubles: list[Any] = field(default_factory=list)
    #: path, text and `TextIndexing` by turns
    texts: list[Any] = field(default_factory=list)
    points: list[tuple[str, float, float]] = field(default_factory=list)
    vectors: list[tuple[str, Sequence[float]]] = field(default_factory=list)
    children: list[tuple[str, ParsedDocument]] = field(default_factory=list)


def _numbering() -> dict[str, int]:
    """Gives each term that is looked up a number, in the order of their arrival."""
    return defaultdict(itertools.count().__next__)


class _KeywordValues:
    def __init__(self) -> None:
        self.docs = array("i")
        self.ids = array("i")
        self.id_by_term = _numbering()

    def build(self, n_docs: int) -> tuple[KeywordColumn, Postings]:
        terms, rank = sorted_terms(self.id_by_term)
        docs, ords = _int32(self.docs), rank[_int32(self.ids)]
        return keyword_column(terms, docs, ords, n_docs)


class _NumericValues:
    def __init__(self, typecode: str) -> None:
        self.docs = array("i")
        self.values: array[Any] = array(typecode)

    def build(self, n_docs: int) -> NumericColumn:
        docs = _int32(self.docs)
        if self.values.typecode == "q":
            return numeric_column(docs, np.array(self.values, np.int64), n_docs)
        return numeric_column(docs, np.array(self.values, np.float64), n_docs)


class _TextValues:
    def __init__(self, indexing: TextIndexing) -> None:
        self._indexing = indexing
        self.id_by_term = _numbering()
        self.docs = array("i")
        self.ids = array("i")
        self.positions = array("i")
        self.field_docs = array("i")
        self.lengths = array("i")
        self._last_doc = -1
        self._next_position = 0
        self._remembered: dict[str, tuple[list[int], Sequence[int], int]] = {}

    def add(self, doc: int, text: str) -> None:
        known = self._remembered.get(text)
        if known is None:
            terms, positions, n_positions = self._indexing.analyzer.terms(text)
            known = list(map(self.id_by_term.__getitem__, terms)), positions, n_positions
            if len(text) <= _REMEMBERED_TEXT and len(self._remembered) < _REMEMBERED_TEXTS:
                self._remembered[text] = known
        term_ids, positions, n_positions = known
        if doc == self._last_doc:
            base = self._next_position + self._indexing.gap
            self.lengths[-1] += len(term_ids)
        else:
            base = 0
            self._last_doc = doc
            self.field_docs.append(doc)
            self.lengths.append(len(term_ids))
        if term_ids:
            self.ids.extend(term_ids)
            self.docs.extend([doc] * len(term_ids))
            self.positions.extend(positions if base == 0 else [base + position for position in positions])
        self._next_position = base + n_positions

    def build(self) -> Postings:
        terms, rank = sorted_terms(self.id_by_term)
        lengths = _int32(self.lengths).astype(np.int64)
        norms = None
        if self._indexing.norms:
            norms = Norms(_int32(self.field_docs), encode_lengths(lengths), int(lengths.sum()))
        ords, doc_count = rank[_int32(self.ids)], int(np.count_nonzero(lengths))
        postings = text_postings(terms, ords, _int32(self.docs), _int32(self.positions), norms, doc_count)
        if self._indexing.freqs:
            return postings
        if norms is not None:
            # without frequencies a document is as long as it has distinct terms
            distinct = np.bincount(postings.docs, minlength=int(norms.docs[-1]) + 1)[norms.docs].astype(np.int64)
            norms = Norms(norms.docs, encode_lengths(distinct), int(distinct.sum()))
        return dataclasses.replace(postings, freqs=None, norms=norms)


class _SpaceBuilder:
    def __init__(self) -> None:
        self.n_docs = 0
        self.parents = array("q")
        self.keywords: dict[str, _KeywordValues] = {}
        self.numbers: dict[str, _NumericValues] = {}
        self.texts: dict[str, _TextValues] = {}
        self.points: dict[str, tuple[array[int], array[float], array[float]]] = {}
        self.vectors: dict[str, tuple[array[int], list[Sequence[float]]]] = {}
        self.children: dict[str, _SpaceBuilder] = {}

    def add(self, parsed: ParsedDocument, parent: int) -> int:
        doc = self.n_docs
        self.n_docs += 1
        self.parents.append(parent)
        turns = iter(parsed.keywords)
        for path, term in zip(turns, turns, strict=True):
            keywords = self.keywords.get(path)
            if keywords is None:
                keywords = self.keywords[path] = _KeywordValues()
            keywords.docs.append(doc)
            keywords.ids.append(keywords.id_by_term[term])
        numbers = iter(parsed.longs)
        for path, number in zip(numbers, numbers, strict=True):
            self._numbers(path, "q", doc, number)
        numbers = iter(parsed.doubles)
        for path, real in zip(numbers, numbers, strict=True):
            self._numbers(path, "d", doc, real)
        each = iter(parsed.texts)
        for path, text, indexing in zip(each, each, each, strict=True):
            texts = self.texts.get(path)
            if texts is None:
                texts = self.texts[path] = _TextValues(indexing)
            texts.add(doc, text)
        for path, lat, lon in parsed.points:
            docs, lats, lons = self.points.setdefault(path, (array("i"), array("d"), array("d")))
            docs.append(doc)
            lats.append(lat)
            lons.append(lon)
        for path, vector in parsed.vectors:
            vector_docs, rows = self.vectors.setdefault(path, (array("i"), []))
            vector_docs.append(doc)
            rows.append(vector)
        for path, child in parsed.children:
            space = self.children.get(path)
            if space is None:
                space = self.children[path] = _SpaceBuilder()
            space.add(child, doc)
        return doc

    def _numbers(self, path: str, typecode: str, doc: int, value: float) -> None:
        numbers = self.numbers.get(path)
        if numbers is None:
            numbers = self.numbers[path] = _NumericValues(typecode)
        numbers.docs.append(doc)
        numbers.values.append(value)

    def build(self, *, top: bool) -> DocSpace:
        columns: dict[str, Column] = {path: values.build(self.n_docs) for path, values in self.numbers.items()}
        postings: dict[str, Postings] = {path: texts.build() for path, texts in self.texts.items()}
        for path, keywords in self.keywords.items():
            columns[path], postings[path] = keywords.build(self.n_docs)
        for path, (docs, lats, lons) in self.points.items():
            columns[path] = GeoColumn(
                run_starts(_int32(docs), self.n_docs), np.array(lats, np.float64), np.array(lons, np.float64)
            )
        return DocSpace(
            n_docs=self.n_docs,
            columns=columns,
            parent=None if top else np.array(self.parents, np.int64),
            children={path: child.build(top=False) for path, child in self.children.items()},
            postings=postings,
            vectors={
                path: VectorColumn(_int32(docs), np.array(rows, np.float32))
                for path, (docs, rows) in self.vectors.items()
            },
        )


class SegmentBuilder:
    """Takes documents in the order of their sequence numbers."""

    def __init__(self) -> None:
        self._top = _SpaceBuilder()
        self._ids: list[str] = []
        self._seq_nos = array("q")
        self._versions = array("q")
        self._by_id: dict[str, int] = {}
        self._replaced: list[int] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, doc_id: str, seq_no: int, version: int, parsed: ParsedDocument) -> None:
        self.delete(doc_id)
        self._by_id[doc_id] = self._top.add(parsed, -1)
        self._ids.append(doc_id)
        self._seq_nos.append(seq_no)
        self._versions.append(version)

    def delete(self, doc_id: str) -> None:
        """Marks the document as deleted if it is among those added."""
        doc = self._by_id.pop(doc_id, None)
        if doc is not None:
            self._replaced.append(doc)

    def build(self, name: str) -> Segment:
        """The segment; a replaced document keeps no entry among the ids, only its place."""
        n_docs = len(self._ids)
        entries = sorted((doc_id.encode(), doc) for doc_id, doc in self._by_id.items())
        entries_all = entries + sorted((self._ids[doc].encode() + b"\x00%d" % doc, doc) for doc in self._replaced)
        entries_all.sort()
        doc_of = np.array([doc for _, doc in entries_all], np.int32)
        ord_of = np.empty(n_docs, np.int32)
        ord_of[doc_of] = np.arange(n_docs, dtype=np.int32)
        identities = Identities(
            ids=TermDictionary.from_sorted([doc_id for doc_id, _ in entries_all]),
            doc_of=doc_of,
            ord_of=ord_of,
            seq_nos=np.array(self._seq_nos, np.int64),
            versions=np.array(self._versions, np.int64),
        )
        segment = Segment(name, self._top.build(top=True), identities)
        return segment.without(self._replaced) if self._replaced else segment


def sorted_terms(id_by_term: dict[str, int]) -> tuple[TermDictionary, OrdArray]:
    """The dictionary of terms numbered in the order of their arrival, and the ordinal of each such number."""
    encoded = [encode_term(term) for term in id_by_term]
    order = sorted(range(len(encoded)), key=encoded.__getitem__)
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return TermDictionary.from_sorted([encoded[at] for at in order]), rank


def run_starts(docs: OrdArray, n_docs: int) -> IntArray:
    """Where the run of each document begins among values whose documents are ascending."""
    starts = np.zeros(n_docs + 1, np.int64)
    np.cumsum(np.bincount(docs, minlength=n_docs), out=starts[1:])
    return starts


def keyword_column(
    terms: TermDictionary, docs: OrdArray, ords: OrdArray, n_docs: int
) -> tuple[KeywordColumn, Postings]:
    """Doc values and postings of (document, ordinal) pairs whose documents are ascending; repeats are dropped."""
    if len(docs) > 1 and not bool((docs[1:] > docs[:-1]).all()):
        pairs = without_repeats(np.sort(docs.astype(np.int64) * len(terms) + ords))
        docs, ords = (pairs // len(terms)).astype(np.int32), (pairs % len(terms)).astype(np.int32)
    starts = run_starts(docs, n_docs)
    by_term = np.argsort(ords, kind="stable")
    postings = Postings(
        terms=terms,
        starts=run_starts(ords, len(terms)),
        docs=docs[by_term],
        doc_count=int(np.count_nonzero(np.diff(starts))),
    )
    return KeywordColumn(terms, starts, ords), postings


def numeric_column(docs: OrdArray, values: NDArray[np.int64] | NDArray[np.float64], n_docs: int) -> NumericColumn:
    """Doc values of (document, value) pairs whose documents are ascending."""
    if len(docs) > 1 and not bool((docs[1:] > docs[:-1]).all()):
        values = values[np.lexsort((values, docs))]
    return NumericColumn(run_starts(docs, n_docs), values)


def text_postings(
    terms: TermDictionary, ords: OrdArray, docs: OrdArray, positions: OrdArray, norms: Norms | None, doc_count: int
) -> Postings:
    """Postings of occurrences (ordinal, document, position) that come by ascending document and position."""
    by_term = np.argsort(ords, kind="stable")
    ords, docs, positions = ords[by_term], docs[by_term], positions[by_term]
    first = np.ones(len(ords), np.bool_)
    first[1:] = (ords[1:] != ords[:-1]) | (docs[1:] != docs[:-1])
    position_starts = np.append(np.flatnonzero(first), len(ords)).astype(np.int64)
    return Postings(
        terms=terms,
        starts=run_starts(ords[first], len(terms)),
        docs=docs[first],
        freqs=np.diff(position_starts).astype(np.int32),
        positions=Positions.of(position_starts, positions),
        norms=norms,
        doc_count=int(doc_count),
    )


def _int32(values: array[int]) -> OrdArray:
    return np.frombuffer(values, np.int32).copy() if len(values) else np.zeros(0, np.int32)
