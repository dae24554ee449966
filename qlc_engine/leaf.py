"""Leaves: one segment at one nesting level, where a query runs, with statistics of the whole index for scores."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggcontext import space_of
from qlc_engine.columns import DocSpace, IntArray, KeywordColumn, NumericColumn, OrdArray, Postings
from qlc_engine.segment import Segment


@dataclass(frozen=True, slots=True)
class FieldStatistics:
    """Over all segments of an index, deleted documents included, as in Lucene."""

    doc_count: int
    total_freq: int

    @property
    def average_length(self) -> np.float32:
        return np.float32(self.total_freq / self.doc_count) if self.doc_count else np.float32(1)


def inverse_document_frequency(doc_freq: int, doc_count: int) -> float:
    """BM25's idf as a float32 value."""
    return float(np.float32(math.log(1 + (doc_count - doc_freq + 0.5) / (doc_freq + 0.5))))


@dataclass(slots=True)
class IndexStatistics:
    """Term and field statistics of one snapshot of an index, each computed once."""

    segments: Sequence[Segment]
    _fields: dict[str, FieldStatistics] = field(default_factory=dict)
    _terms: dict[tuple[str, bytes], int] = field(default_factory=dict)
    _frequencies: dict[tuple[str, bytes], float] = field(default_factory=dict)

    def postings(self, path: str) -> list[Postings]:
        """Of every level: with `include_in_root` a field has terms at several."""
        return [found for segment in self.segments for found in _postings_below(segment.space, path)]

    def leaves(self, nested_path: str | None) -> Iterator[Leaf]:
        for segment in self.segments:
            space = space_of(segment.space, nested_path)
            if space is not None:
                yield Leaf(segment, space, nested_path, self)

    def of_field(self, path: str) -> FieldStatistics:
        found = self._fields.get(path)
        if found is None:
            parts = self.postings(path)
            found = FieldStatistics(sum(part.doc_count for part in parts), sum(part.total_freq for part in parts))
            self._fields[path] = found
        return found

    def doc_freq(self, path: str, term: bytes) -> int:
        key = path, term
        found = self._terms.get(key)
        if found is None:
            found = 0
            for part in self.postings(path):
                at = part.terms.find(term)
                if at >= 0:
                    found += part.starts.item(at + 1) - part.starts.item(at)
            self._terms[key] = found
        return found

    def idf(self, path: str, term: bytes) -> float:
        """BM25's inverse document frequency of a term."""
        key = path, term
        found = self._frequencies.get(key)
        if found is None:
            found = inverse_document_frequency(self.doc_freq(path, term), self.of_field(path).doc_count)
            self._frequencies[key] = found
        return found


def _size_with_elements(space: DocSpace) -> int:
    return space.n_docs + sum(_size_with_elements(child) for child in space.children.values())


def _sizes_with_elements(space: DocSpace) -> IntArray | None:
    """Each document counted with all elements below it; None where there are none."""
    sizes: IntArray | None = None
    for child in space.children.values():
        if child.parent is None or not child.n_docs:
            continue
        if sizes is None:
            sizes = np.ones(space.n_docs, np.int64)
        np.add.at(sizes, child.parent, 1 if (own := _sizes_with_elements(child)) is None else own)
    return sizes


def _postings_below(space: DocSpace, path: str) -> Iterator[Postings]:
    found = space.postings.get(path)
    if found is not None:
        yield found
    for name, child in space.children.items():
        if path.startswith(name + "."):
            yield from _postings_below(child, path)


@dataclass(frozen=True, slots=True)
class Leaf:
    """One segment's documents at the level of `nested_path` (None: the top)."""

    segment: Segment
    space: DocSpace
    nested_path: str | None
    statistics: IndexStatistics

    @property
    def n(self) -> int:
        return self.space.n_docs

    @property
    def n_places(self) -> int:
        """How many documents the server has for these: every element of a nested list is one there."""
        return _size_with_elements(self.space)

    def places(self, ids: OrdArray | IntArray) -> IntArray:
        """The numbers of documents among those of the server, which stores elements directly before their document."""
        sizes = _sizes_with_elements(self.space)
        return ids.astype(np.int64) if sizes is None else (np.cumsum(sizes) - 1)[ids]

    def keyword_column(self, path: str) -> KeywordColumn | None:
        column = self.space.columns.get(path)
        return column if isinstance(column, KeywordColumn) else None

    def numeric_column(self, path: str) -> NumericColumn | None:
        column = self.space.columns.get(path)
        return column if isinstance(column, NumericColumn) else None

    def child(self, path: str) -> tuple[Leaf, IntArray] | None:
        """The leaf of a nested path below, and for each of its elements the enclosing document of this leaf.

        The path of this leaf itself is each element by itself.
        """
        if path == self.nested_path:
            return self, np.arange(self.n)
        parents: IntArray | None = None
        space = self.space
        while True:
            step = next((at for at in space.children if path == at or path.startswith(at + ".")), None)
            if step is None:
                return None
            space = space.children[step]
            above = space.parent
            if above is None:
                return None
            parents = above if parents is None else parents[above]
            if step == path:
                return Leaf(self.segment, space, path, self.statistics), parents

    def one_each(self, path: str, starts: IntArray) -> bool:
        """Whether each document has exactly one value in the column."""
        if starts[-1] != self.n:
            return False
        key = ("one_each", self.nested_path or "", path)
        found = self.segment.derived.get(key)
        if found is None:
            found = np.array(bool((starts[1:] - starts[:-1] == 1).all()))
            self.segment.derived[key] = found
        return bool(found)

    def value_docs(self, path: str, column: NumericColumn) -> NDArray[np.int32] | None:
        """The document of each value of a column; None where each document has exactly one."""
        if self.one_each(path, column.starts):
            return None
        key = ("value_docs", self.nested_path or "", path)
        found = self.segment.derived.get(key)
        if found is None:
            found = np.repeat(np.arange(self.n, dtype=np.int32), np.diff(column.starts))
            self.segment.derived[key] = found
        return found  # type: ignore[return-value]

    def norm_codes(self, path: str, postings: Postings) -> NDArray[np.uint8] | None:
        """The length code of each document; None where the field has no norms."""
        norms = postings.norms
        if norms is None:
            return None
        if len(norms.docs) == self.n:
            return norms.codes
        key = ("norms", self.nested_path or "", path)
        found = self.segment.derived.get(key)
        if found is None:
            found = np.zeros(self.n, np.uint8)
            found[norms.docs] = norms.codes
            self.segment.derived[key] = found
        return found  # type: ignore[return-value]


def top_leaf(segment: Segment, statistics: IndexStatistics) -> Leaf:
    return Leaf(segment, segment.space, None, statistics)
