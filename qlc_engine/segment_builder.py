"""Builds a segment: parsed documents go into growing arrays by field, `build` turns these into immutable columns."""

from __future__ import annotations

import dataclasses
import itertools
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.analysis import Analyzer
from qlc_engine.columns import (
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
)
from qlc_engine.docset import without_repeats
from qlc_engine.norms import encode_lengths
from qlc_engine.segment import Identities, Segment
from qlc_engine.terms import TermDictionary, encode_term
from qlc_engine.vector_column import VectorColumn

#: Values of a text field at most this long have their terms kept, as they often come again (types, owners, states).
_REMEMBERED_TEXT = 64

#: So many neighbouring texts are analysed at once, if they are ASCII and at most so long each.
_MANY_TEXTS = 32
_PLAIN_TEXT = 4_096

#: Documents whose values are put into columns together.
_TOGETHER = 1_000

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


class ParsedDocument:
    """The values of one document or nested element, ready for the columns.

    Each value has the path of its field and the kind of column; texts come with how they are indexed.
    """

    __slots__ = ("children", "doubles", "keywords", "longs", "points", "texts", "vectors")

    def __init__(self) -> None:
        #: path and term by turns: pairs would keep the garbage collector busy
        self.keywords: list[str] = []
        #: path and number by turns
        self.longs: list[Any] = []
        self.doubles: list[Any] = []
        #: path, text and `TextIndexing` by turns
        self.texts: list[Any] = []
        self.points: list[tuple[str, float, float]] = []
        self.vectors: list[tuple[str, NDArray[np.float32]]] = []
        self.children: list[tuple[str, ParsedDocument]] = []


def _numbering() -> dict[str, int]:
    """Gives each term that is looked up a number, in the order of their arrival."""
    return defaultdict(itertools.count().__next__)


class _Chunks:
    """An array that grows by whole arrays."""

    def __init__(self, dtype: type[np.generic]) -> None:
        self._dtype = dtype
        self._chunks: list[NDArray[Any]] = []

    def add(self, values: NDArray[Any]) -> None:
        self._chunks.append(values)

    def joined(self) -> Any:
        return np.concatenate(self._chunks) if self._chunks else np.zeros(0, self._dtype)


class _KeywordValues:
    def __init__(self) -> None:
        self._docs = _Chunks(np.int32)
        self._ids = _Chunks(np.int32)
        self._id_by_term = _numbering()

    def take(self, docs: OrdArray, terms: Sequence[str]) -> None:
        self._docs.add(docs)
        self._ids.add(np.fromiter(map(self._id_by_term.__getitem__, terms), np.int32, len(terms)))

    def build(self, n_docs: int) -> tuple[KeywordColumn, Postings]:
        terms, rank = sorted_terms(self._id_by_term)
        return keyword_column(terms, self._docs.joined(), rank[self._ids.joined()], n_docs)


class _NumericValues:
    def __init__(self, dtype: type[np.generic]) -> None:
        self._dtype = dtype
        self._docs = _Chunks(np.int32)
        self._values = _Chunks(dtype)

    def take(self, docs: OrdArray, values: Sequence[Any]) -> None:
        self._docs.add(docs)
        self._values.add(np.array(values, self._dtype))

    def build(self, n_docs: int) -> NumericColumn:
        return numeric_column(self._docs.joined(), self._values.joined(), n_docs)


class _TextValues:
    def __init__(self, indexing: TextIndexing) -> None:
        self._indexing = indexing
        self._id_by_term = _numbering()
        self._ids = array("i")
        #: by value: its document, how many terms it has, and how many positions
        self._docs = _Chunks(np.int32)
        self._counts = array("i")
        self._lengths = array("i")
        #: positions of the terms of the values in which some are left out
        self._positions: dict[int, Sequence[int]] = {}
        self._remembered: dict[str, tuple[array[int], Sequence[int], int]] = {}

    def take(self, docs: OrdArray, texts: Sequence[str]) -> None:
        self._docs.add(docs)
        for is_plain, run in itertools.groupby(texts, _is_plain):
            together = list(run)
            if not is_plain or len(together) < _MANY_TEXTS or not self._take_together(together):
                self._take_one_by_one(together)

    def _take_together(self, texts: Sequence[str]) -> bool:
        """Takes plain texts at once; False, and nothing is taken, where the analyser cannot."""
        found = self._indexing.analyzer.terms_of_many(texts)
        if found is None:
            return False
        terms, counts = found
        self._ids.frombytes(np.fromiter(map(self._id_by_term.__getitem__, terms), np.int32, len(terms)).tobytes())
        encoded = counts.astype(np.int32).tobytes()
        self._counts.frombytes(encoded)
        self._lengths.frombytes(encoded)
        return True

    def _take_one_by_one(self, texts: Sequence[str]) -> None:
        remembered, analyze, number = self._remembered, self._indexing.analyzer.terms, self._id_by_term.__getitem__
        for text in texts:
            known = remembered.get(text)
            if known is None:
                terms, positions, n_positions = analyze(text)
                known = array("i", map(number, terms)), positions, n_positions
                if len(text) <= _REMEMBERED_TEXT and len(remembered) < _REMEMBERED_TEXTS:
                    remembered[text] = known
            term_ids, positions, n_positions = known
            if type(positions) is not range:
                self._positions[len(self._counts)] = positions
            self._ids.extend(term_ids)
            self._counts.append(len(term_ids))
            self._lengths.append(n_positions)

    def build(self) -> Postings:
        terms, rank = sorted_terms(self._id_by_term)
        docs, counts = self._docs.joined(), _int32(self._counts)
        firsts = np.flatnonzero(np.concatenate(([True], docs[1:] != docs[:-1])))
        field_docs, lengths = docs[firsts], np.add.reduceat(counts, firsts, dtype=np.int64)
        norms = None
        if self._indexing.norms:
            norms = Norms(field_docs, encode_lengths(lengths), int(lengths.sum()))
        ords, doc_count = rank[_int32(self._ids)], int(np.count_nonzero(lengths))
        positions = self._all_positions(firsts, counts)
        postings = text_postings(terms, ords, np.repeat(docs, counts), positions, norms, doc_count)
        if self._indexing.freqs:
            return postings
        if norms is not None:
            # without frequencies a document is as long as it has distinct terms
            distinct = np.bincount(postings.docs, minlength=int(norms.docs[-1]) + 1)[norms.docs].astype(np.int64)
            norms = Norms(norms.docs, encode_lengths(distinct), int(distinct.sum()))
        return dataclasses.replace(postings, freqs=None, norms=norms)

    def _all_positions(self, firsts: IntArray, counts: OrdArray) -> OrdArray:
        """The position of each term in its document. `firsts` are the first values of the documents."""
        spans = _int32(self._lengths).astype(np.int64) + self._indexing.gap
        passed = np.cumsum(spans) - spans
        bases = passed - np.repeat(passed[firsts], np.diff(np.append(firsts, len(passed))))
        begins = np.cumsum(counts, dtype=np.int64) - counts
        found: OrdArray = (np.arange(int(counts.sum())) + np.repeat(bases - begins, counts)).astype(np.int32)
        for value, positions in self._positions.items():
            begin = begins.item(value)
            found[begin : begin + len(positions)] = np.array(positions, np.int64) + bases[value]
        return found


def _is_plain(text: str) -> bool:
    return text.isascii() and len(text) <= _PLAIN_TEXT


def _by_path(
    fields: Sequence[Sequence[Any]], docs: OrdArray, width: int
) -> Iterator[tuple[str, OrdArray, list[list[Any]]]]:
    """The values of some documents, field by field: path, the document of each value, and what is next to the path.

    `fields` has for each document a path and `width - 1` things beside it by turns.
    """
    flat = list(itertools.chain.from_iterable(fields))
    if not flat:
        return
    owners = np.repeat(docs, np.fromiter(map(len, fields), np.int64, len(fields)) // width)
    number_of = _numbering()
    numbers = np.fromiter(map(number_of.__getitem__, flat[::width]), np.int32, len(owners))
    order = stable_order(numbers, len(number_of))
    beside = [flat[at::width] for at in range(1, width)]
    start = 0
    for path, end in zip(number_of, np.cumsum(np.bincount(numbers)).tolist(), strict=True):
        places = order[start:end]
        listed = places.tolist()
        yield path, owners[places], [[values[place] for place in listed] for values in beside]
        start = end


class _SpaceBuilder:
    def __init__(self) -> None:
        self.n_docs = 0
        self._parents = _Chunks(np.int64)
        self._keywords: dict[str, _KeywordValues] = {}
        self._numbers: dict[str, _NumericValues] = {}
        self._texts: dict[str, _TextValues] = {}
        self._points: dict[str, tuple[array[int], array[float], array[float]]] = {}
        self._vectors: dict[str, tuple[array[int], list[NDArray[np.float32]]]] = {}
        self._children: dict[str, _SpaceBuilder] = {}

    def take(self, parsed: Sequence[ParsedDocument], parents: Sequence[int]) -> None:
        """Adds documents; many at once are added field by field, which the tables of terms are fast for."""
        docs = np.arange(self.n_docs, self.n_docs + len(parsed), dtype=np.int32)
        self.n_docs += len(parsed)
        self._parents.add(np.array(parents, np.int64))
        for path, owners, (terms,) in _by_path([one.keywords for one in parsed], docs, 2):
            keywords = self._keywords.get(path)
            if keywords is None:
                keywords = self._keywords[path] = _KeywordValues()
            keywords.take(owners, terms)
        for path, owners, (longs,) in _by_path([one.longs for one in parsed], docs, 2):
            self._of_numbers(path, np.int64).take(owners, longs)
        for path, owners, (doubles,) in _by_path([one.doubles for one in parsed], docs, 2):
            self._of_numbers(path, np.float64).take(owners, doubles)
        for path, owners, (values, indexing) in _by_path([one.texts for one in parsed], docs, 3):
            texts = self._texts.get(path)
            if texts is None:
                texts = self._texts[path] = _TextValues(indexing[0])
            texts.take(owners, values)
        elements: dict[str, tuple[list[ParsedDocument], list[int]]] = {}
        for doc, one in zip(docs.tolist(), parsed, strict=True):
            if one.points or one.vectors:
                self._take_points(doc, one)
            for path, child in one.children:
                found = elements.get(path)
                if found is None:
                    found = elements[path] = [], []
                found[0].append(child)
                found[1].append(doc)
        for path, (children, around) in elements.items():
            space = self._children.get(path)
            if space is None:
                space = self._children[path] = _SpaceBuilder()
            space.take(children, around)

    def _of_numbers(self, path: str, dtype: type[np.generic]) -> _NumericValues:
        numbers = self._numbers.get(path)
        if numbers is None:
            numbers = self._numbers[path] = _NumericValues(dtype)
        return numbers

    def _take_points(self, doc: int, parsed: ParsedDocument) -> None:
        for path, lat, lon in parsed.points:
            docs, lats, lons = self._points.setdefault(path, (array("i"), array("d"), array("d")))
            docs.append(doc)
            lats.append(lat)
            lons.append(lon)
        for path, vector in parsed.vectors:
            vector_docs, rows = self._vectors.setdefault(path, (array("i"), []))
            vector_docs.append(doc)
            rows.append(vector)

    def build(self, *, top: bool) -> DocSpace:
        columns: dict[str, Column] = {path: values.build(self.n_docs) for path, values in self._numbers.items()}
        postings: dict[str, Postings] = {path: texts.build() for path, texts in self._texts.items()}
        for path, keywords in self._keywords.items():
            columns[path], postings[path] = keywords.build(self.n_docs)
        for path, (docs, lats, lons) in self._points.items():
            columns[path] = GeoColumn(
                run_starts(_int32(docs), self.n_docs), np.array(lats, np.float64), np.array(lons, np.float64)
            )
        return DocSpace(
            n_docs=self.n_docs,
            columns=columns,
            parent=None if top else self._parents.joined(),
            children={path: child.build(top=False) for path, child in self._children.items()},
            postings=postings,
            vectors={
                path: VectorColumn.of(_int32(docs), np.stack(rows))
                for path, (docs, rows) in self._vectors.items()
            },
        )


class SegmentBuilder:
    """Takes documents in the order of their sequence numbers."""

    def __init__(self) -> None:
        self._top = _SpaceBuilder()
        #: documents whose values are in no column yet
        self._waiting: list[ParsedDocument] = []
        self._ids: list[str] = []
        self._seq_nos = array("q")
        self._versions = array("q")
        self._by_id: dict[str, int] = {}
        self._replaced: list[int] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, doc_id: str, seq_no: int, version: int, parsed: ParsedDocument) -> None:
        self.delete(doc_id)
        self._by_id[doc_id] = len(self._ids)
        self._waiting.append(parsed)
        self._ids.append(doc_id)
        self._seq_nos.append(seq_no)
        self._versions.append(version)
        if len(self._waiting) >= _TOGETHER:
            self.settle()

    def settle(self) -> None:
        """Puts the values of the documents that wait into columns, and lets go of the documents."""
        if self._waiting:
            self._top.take(self._waiting, [-1] * len(self._waiting))
            self._waiting = []

    def delete(self, doc_id: str) -> None:
        """Marks the document as deleted if it is among those added."""
        doc = self._by_id.pop(doc_id, None)
        if doc is not None:
            self._replaced.append(doc)

    def build(self, name: str) -> Segment:
        """The segment; a replaced document keeps no entry among the ids, only its place."""
        self.settle()
        ids, ord_of = self._sorted_ids()
        doc_of = np.empty(len(ord_of), np.int32)
        doc_of[ord_of] = np.arange(len(ord_of), dtype=np.int32)
        identities = Identities(
            ids=ids,
            doc_of=doc_of,
            ord_of=ord_of,
            seq_nos=np.array(self._seq_nos, np.int64),
            versions=np.array(self._versions, np.int64),
        )
        segment = Segment(name, self._top.build(top=True), identities)
        return segment.without(self._replaced) if self._replaced else segment

    def _sorted_ids(self) -> tuple[TermDictionary, OrdArray]:
        """The dictionary of the ids, and the ordinal of each document's id."""
        if not self._replaced:
            return sorted_terms(self._by_id)
        entries = [(doc_id.encode(), doc) for doc_id, doc in self._by_id.items()]
        entries += [(self._ids[doc].encode() + b"\x00%d" % doc, doc) for doc in self._replaced]
        entries.sort()
        ord_of = np.empty(len(entries), np.int32)
        ord_of[[doc for _, doc in entries]] = np.arange(len(entries), dtype=np.int32)
        return TermDictionary.from_sorted([doc_id for doc_id, _ in entries]), ord_of


def sorted_terms(id_by_term: dict[str, int]) -> tuple[TermDictionary, OrdArray]:
    """The dictionary of terms numbered in the order of their arrival, and the ordinal of each such number."""
    # the order of texts is that of their UTF-8 bytes
    terms = sorted(id_by_term)
    dictionary = TermDictionary.from_texts(terms)
    if dictionary is None:
        encoded = [encode_term(term) for term in id_by_term]
        order = sorted(range(len(encoded)), key=encoded.__getitem__)
        dictionary = TermDictionary.from_sorted([encoded[at] for at in order])
    else:
        order = list(map(id_by_term.__getitem__, terms))
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return dictionary, rank


def stable_order(numbers: OrdArray, end: int) -> IntArray:
    """The places of numbers from 0 up to `end` in ascending order, equal ones as they come.

    Numpy sorts 16 bits in one pass, so that two of these cost a fraction of sorting by comparisons.
    """
    low = np.argsort(numbers.astype(np.uint16), kind="stable")
    if end <= 2**16:
        return low
    if end > 2**32:
        raise ValueError("more than 32 bits")
    high = (numbers >> 16).astype(np.uint16)
    order: IntArray = low[np.argsort(high[low], kind="stable")]
    return order


def run_starts(docs: OrdArray, n_docs: int) -> IntArray:
    """Return the start of each document's run among values whose documents are ascending."""
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
    by_term = stable_order(ords, len(terms))
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
    by_term = stable_order(ords, len(terms))
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
