"""Queries on numbers, dates, booleans, points and vectors: on doc values, without an index of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import GeoColumn, NumericColumn
from qlc_engine.docset import DocSet, Mask, Ordinals
from qlc_engine.geo import distances, quantize
from qlc_engine.leaf import Leaf, inverse_document_frequency
from qlc_engine.queries.base import Query, Scores, spread

Number = int | float


def _docs_with(leaf: Leaf, path: str, column: NumericColumn, hits: Mask) -> DocSet:
    """The documents of the values that hit."""
    docs = leaf.value_docs(path, column)
    if docs is None:
        return DocSet(leaf.n, mask=hits)
    found = docs[hits]
    if len(column.values) > leaf.n or len(found) * 32 > leaf.n:
        mask = np.zeros(leaf.n, np.bool_)
        mask[found] = True
        return DocSet(leaf.n, mask=mask)
    return DocSet(leaf.n, ids=found)


@dataclass(frozen=True)
class NumberRange(Query):
    """Values in [low, high], both included; None is open."""

    path: str
    low: Number | None
    high: Number | None

    def docs(self, leaf: Leaf) -> DocSet:
        column = leaf.numeric_column(self.path)
        if column is None:
            return DocSet.none(leaf.n)
        return _docs_with(leaf, self.path, column, self._hits(column.values))

    def among(self, leaf: Leaf, within: DocSet) -> DocSet:
        column = leaf.numeric_column(self.path)
        if column is None:
            return DocSet.none(leaf.n)
        if not within.is_sparse or leaf.value_docs(self.path, column) is not None:
            return super().among(leaf, within)
        return DocSet(leaf.n, ids=within.ids[self._hits(column.values[within.ids])])

    def _hits(self, values: NDArray[np.int64] | NDArray[np.float64]) -> Mask:
        hits: Mask = np.ones(len(values), np.bool_) if self.low is None else values >= self.low
        if self.high is not None:
            hits &= values <= self.high
        if 0.0 in (self.low, self.high) and values.dtype == np.float64:
            hits &= ~self._other_zero(values)
        return hits

    def _other_zero(self, values: NDArray[np.int64] | NDArray[np.float64]) -> Mask:
        """Lucene has minus zero below zero: the one that a bound of zero leaves out."""
        negative = np.signbit(values)
        out = np.zeros(len(values), np.bool_)
        if self.low == 0 and not np.signbit(self.low):
            out |= negative
        if self.high == 0 and np.signbit(self.high):
            out |= ~negative
        found: Mask = out & (values == 0)
        return found


@dataclass(frozen=True)
class AnyNumber(Query):
    """`terms` on numbers."""

    path: str
    values: tuple[Number, ...]

    def docs(self, leaf: Leaf) -> DocSet:
        column = leaf.numeric_column(self.path)
        if column is None:
            return DocSet.none(leaf.n)
        hits = np.isin(column.values, np.array(self.values, column.values.dtype))
        signs = {bool(np.signbit(value)) for value in self.values if value == 0}
        if len(signs) == 1 and column.values.dtype == np.float64:
            # zero and minus zero are two values to Lucene
            hits &= (column.values != 0) | (np.signbit(column.values) == signs.pop())
        return _docs_with(leaf, self.path, column, hits)


@dataclass(frozen=True)
class BooleanTerm(Query):
    """A boolean is indexed as a term in Lucene, so that it scores by BM25 where a number would not."""

    path: str
    value: bool

    def docs(self, leaf: Leaf) -> DocSet:
        return NumberRange(self.path, int(self.value), int(self.value)).docs(leaf)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        frequency, doc_count, postings = self._statistics(leaf)
        idf = np.float32(inverse_document_frequency(frequency, doc_count))
        weight = np.float32(boost) * np.float32(2.2) * idf
        average = np.float32(postings / doc_count) if doc_count else np.float32(1)
        inverse = np.float32(1) / (np.float32(1.2) * (np.float32(0.25) + np.float32(0.75) / average))
        return self.docs(leaf).contains_each(ids) * np.float64(weight - weight / (np.float32(1) + inverse))

    def _statistics(self, leaf: Leaf) -> tuple[int, int, int]:
        """Documents with this value, documents with any, and pairs of document and value, over the index."""
        frequency = doc_count = postings = 0
        for part in leaf.statistics.leaves(leaf.nested_path):
            column = part.numeric_column(self.path)
            if column is None:
                continue
            counts = [len(_docs_with(part, self.path, column, column.values == value)) for value in (0, 1)]
            frequency += counts[self.value]
            postings += sum(counts)
            doc_count += int(np.count_nonzero(column.starts[1:] > column.starts[:-1]))
        return frequency, doc_count, postings


@dataclass(frozen=True)
class HasValues(Query):
    """`exists` of a field with numbers or points."""

    path: str

    def docs(self, leaf: Leaf) -> DocSet:
        column = leaf.space.columns.get(self.path)
        if column is None:
            return DocSet.none(leaf.n)
        return DocSet(leaf.n, mask=column.starts[1:] > column.starts[:-1])


@dataclass(frozen=True)
class HasVector(Query):
    path: str

    def docs(self, leaf: Leaf) -> DocSet:
        column = leaf.space.vectors.get(self.path)
        return DocSet.none(leaf.n) if column is None else DocSet(leaf.n, ids=column.docs)


@dataclass(frozen=True)
class GeoDistance(Query):
    path: str
    lat: float
    lon: float
    meters: float

    def docs(self, leaf: Leaf) -> DocSet:
        column = leaf.space.columns.get(self.path)
        if not isinstance(column, GeoColumn):
            return DocSet.none(leaf.n)
        return geo_docs(leaf, column, distances(self.lat, self.lon, column.lat, column.lon) <= self.meters)


@dataclass(frozen=True)
class GeoBox(Query):
    """A box in degrees; `left` beyond `right` crosses the date line."""

    path: str
    top: float
    left: float
    bottom: float
    right: float

    def docs(self, leaf: Leaf) -> DocSet:
        column = leaf.space.columns.get(self.path)
        if not isinstance(column, GeoColumn):
            return DocSet.none(leaf.n)
        # edges count as the points that they would be stored as
        (top, left), (bottom, right) = quantize(self.top, self.left), quantize(self.bottom, self.right)
        hits = (column.lat <= top) & (column.lat >= bottom)
        if self.left <= self.right:
            hits &= (column.lon >= left) & (column.lon <= right)
        else:
            hits &= (column.lon >= left) | (column.lon <= right)
        return geo_docs(leaf, column, hits)


def geo_docs(leaf: Leaf, column: GeoColumn, hits: Mask) -> DocSet:
    owners = np.repeat(np.arange(leaf.n), np.diff(column.starts))
    return DocSet(leaf.n, ids=np.unique(owners[hits]))


@dataclass(frozen=True)
class IdSet(Query):
    """Documents by `_id`; only top-level documents have one."""

    ids: tuple[str, ...]

    def docs(self, leaf: Leaf) -> DocSet:
        if leaf.nested_path is not None:
            return DocSet.none(leaf.n)
        identities = leaf.segment.identities
        found = identities.ids.find_all(doc_id.encode("utf-8", "surrogatepass") for doc_id in self.ids)
        return DocSet(leaf.n, ids=np.unique(identities.doc_of[found]) if found else np.zeros(0, np.int32))


@dataclass(frozen=True)
class GivenDocs(Query):
    """Documents found beforehand, with their scores: the nearest vectors. Keyed by segment name."""

    by_segment: dict[str, tuple[Ordinals, Scores]]

    def docs(self, leaf: Leaf) -> DocSet:
        found = self.by_segment.get(leaf.segment.name)
        return DocSet.none(leaf.n) if found is None else DocSet(leaf.n, ids=found[0])

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        found = self.by_segment.get(leaf.segment.name)
        if found is None:
            return np.zeros(len(ids), np.float64)
        return spread(found[1], found[0], ids, leaf.n) * float(np.float32(boost))
