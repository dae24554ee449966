"""Nearest vectors: exact among a few thousand documents; among more, what is nearest by bits is scored exactly.

The filters are met first, so that as many are found as there are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qlc_engine.docset import DocSet, contains
from qlc_engine.errors import illegal_argument
from qlc_engine.leaf import IndexStatistics, Leaf
from qlc_engine.queries.base import Query, conjunction
from qlc_engine.queries.numeric import GivenDocs
from qlc_engine.vector_column import Places, VectorColumn

#: Up to so many rows each is scored; of more, so many of all segments that their codes choose, or so many for each
#: document that is wanted. Segments of few rows have no codes, and are scored whole.
EXACT = 4_000
RESCORED, _RESCORED_OF_EACH = 2_000, 10
#: The similarities of vectors by their angle alone, which codes tell.
_OF_ANGLES = ("cosine", "dot_product")
#: The places in a segment's column, None: all.
_Rows = tuple[Leaf, VectorColumn, Places | None]
#: Among more rows than so many for each allowed document, these are looked up one by one.
_FEW = 16


@dataclass(frozen=True)
class NearestVectors:
    """The `k` documents of an index whose vectors are most similar, among those that match the filters."""

    path: str
    similarity_name: str
    vector: tuple[float, ...]
    k: int
    filters: tuple[Query, ...] = ()
    least_similarity: float | None = None

    def find(self, statistics: IndexStatistics, nested_path: str | None) -> GivenDocs:
        columns = [(leaf, leaf.space.vectors.get(self.path)) for leaf in statistics.leaves(nested_path)]
        allowed = [(leaf, column, self._allowed(leaf, column)) for leaf, column in columns if column is not None]
        query = np.array(self.vector, np.float32)
        found: list[tuple[str, NDArray[np.int32], NDArray[np.float64]]] = []
        for leaf, column, wanted in self._chosen(allowed, query):
            places, scores = self._scored(query, column, wanted)
            if self.least_similarity is not None:
                chosen = scores >= score_of_similarity(self.least_similarity, self.similarity_name) - 1e-7
                places, scores = places[chosen], scores[chosen]
            found.append((leaf.segment.name, column.docs[places], scores))
        if not found:
            return GivenDocs({})
        everything = np.concatenate([scores for _, _, scores in found])
        cut = np.partition(everything, -self.k)[-self.k] if len(everything) > self.k else -np.inf
        left = self.k
        by_segment = {}
        for name, _, scores in found:
            keep = np.flatnonzero(scores > cut)
            left -= len(keep)
            by_segment[name] = keep
        for name, _, scores in found:
            ties = np.flatnonzero(scores == cut)[: max(left, 0)]
            left -= len(ties)
            by_segment[name] = np.union1d(by_segment[name], ties)
        return GivenDocs({name: (docs[by_segment[name]], scores[by_segment[name]]) for name, docs, scores in found})

    def _chosen(self, allowed: Sequence[_Rows], query: NDArray[np.float32]) -> list[_Rows]:
        """The rows to score: if there are many, those that are likely to be the nearest of all segments."""
        by_codes = [rows for rows in allowed if rows[1].has_codes and self.similarity_name in _OF_ANGLES]
        if sum(len(column.docs) if places is None else len(places) for _, column, places in by_codes) <= EXACT:
            return [*allowed]
        count = max(RESCORED, _RESCORED_OF_EACH * self.k)
        likely = {leaf.segment.name: column.likely(query, places, count) for leaf, column, places in by_codes}
        expected = np.concatenate([cosines for _, cosines in likely.values()])
        least = np.partition(expected, -count)[-count] if len(expected) > count else -np.inf
        chosen: list[_Rows] = []
        for leaf, column, places in allowed:
            some = likely.get(leaf.segment.name)
            chosen.append((leaf, column, places if some is None else some[0][some[1] >= least]))
        return chosen

    def _scored(
        self, query: NDArray[np.float32], column: VectorColumn, places: Places | None
    ) -> tuple[Places, NDArray[np.float64]]:
        """Some rows, or all (None), each with its score."""
        parts = [
            (some, vector_scores(query, rows, self.similarity_name)) for some, rows in column.in_parts(places)
        ]  # fmt: skip
        if not parts:
            return np.zeros(0, np.int64), np.zeros(0, np.float64)
        return np.concatenate([some for some, _ in parts]), np.concatenate([scores for _, scores in parts])

    def _allowed(self, leaf: Leaf, column: VectorColumn) -> Places | None:
        """The places of the column whose documents live and match the filters; None: all."""
        live = leaf.space.live
        if not self.filters and live is None:
            return None
        allowed = conjunction(self.filters, leaf)
        if live is not None:
            allowed = allowed & DocSet(leaf.n, mask=live)
        if allowed.is_sparse and len(allowed) * _FEW < len(column.docs):
            ids = allowed.ids.astype(column.docs.dtype)
            return np.searchsorted(column.docs, ids)[contains(column.docs, ids)]
        inside = allowed.mask[column.docs]
        return None if inside.all() else np.flatnonzero(inside)


def check_vector(vector: NDArray[np.float64], similarity: str) -> None:
    """Refuses what the similarity cannot take: no length under cosine, another length than one under dot_product."""
    length = math.sqrt(float(vector @ vector))
    if similarity == "cosine" and length == 0:
        raise illegal_argument("The [cosine] similarity does not support vectors with zero magnitude.")
    if similarity == "dot_product" and abs(length * length - 1) > 1e-3:
        raise illegal_argument("The [dot_product] similarity can only be used with unit-length vectors.")


def vector_scores(query: NDArray[np.float32], rows: NDArray[np.float32], similarity: str) -> NDArray[np.float64]:
    """Elasticsearch's `_score` of each row: what is farther away than a float can say is at an infinite distance."""
    if similarity == "l2_norm":
        squares = ((rows - query) ** 2).sum(axis=1, dtype=np.float32)
        near: NDArray[np.float64] = (np.float32(1) / (np.float32(1) + squares)).astype(np.float64)
        return near
    # a product of matrices would wait for threads on other processors, for longer than this takes
    dots: NDArray[np.float32] = np.einsum("ij,j->i", rows, query)
    if similarity == "cosine":
        dots = dots / (np.sqrt(np.einsum("ij,ij->i", rows, rows)) * np.linalg.norm(query)).astype(np.float32)
    if similarity == "max_inner_product":
        lifted: NDArray[np.float64] = np.where(dots < 0, 1 / (1 - np.minimum(dots, 0)), dots + 1).astype(np.float64)
        return lifted
    scores: NDArray[np.float64] = np.maximum((np.float32(1) + dots) / np.float32(2), np.float32(0)).astype(np.float64)
    return scores


def score_of_similarity(value: float, similarity: str) -> float:
    """The score of a vector at the least `similarity` of a knn search."""
    if similarity == "l2_norm":
        return 1 / (1 + value * value)
    if similarity == "max_inner_product":
        return 1 / (1 - value) if value < 0 else value + 1
    return (1 + value) / 2
