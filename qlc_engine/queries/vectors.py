"""Nearest vectors, by comparing with every one: exact where the server's index of quantised vectors is not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qlc_engine.docset import DocSet
from qlc_engine.errors import illegal_argument
from qlc_engine.leaf import IndexStatistics, Leaf
from qlc_engine.queries.base import Query, conjunction
from qlc_engine.queries.numeric import GivenDocs


@dataclass(frozen=True)
class NearestVectors:
    """`k` documents of an index whose vectors are most similar, among those that match the filters."""

    path: str
    similarity_name: str
    vector: tuple[float, ...]
    k: int
    filters: tuple[Query, ...] = ()
    least_similarity: float | None = None

    def find(self, statistics: IndexStatistics, nested_path: str | None) -> GivenDocs:
        found: list[tuple[str, NDArray[np.int64], NDArray[np.float64]]] = []
        for leaf in statistics.leaves(nested_path):
            column = leaf.space.vectors.get(self.path)
            if column is None:
                continue
            docs = column.docs.astype(np.int64)
            scores = vector_scores(np.array(self.vector, np.float32), column.rows, self.similarity_name)
            chosen = self._allowed(leaf).contains_each(docs)
            if self.least_similarity is not None:
                chosen &= scores >= score_of_similarity(self.least_similarity, self.similarity_name) - 1e-7
            found.append((leaf.segment.name, docs[chosen], scores[chosen]))
        if not found:
            return GivenDocs({})
        everything = np.concatenate([scores for _, _, scores in found])
        cut = np.sort(everything)[::-1][self.k - 1] if len(everything) > self.k else -np.inf
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

    def _allowed(self, leaf: Leaf) -> DocSet:
        allowed = conjunction(self.filters, leaf)
        live = leaf.space.live
        return allowed if live is None else allowed & DocSet(leaf.n, mask=live)


def check_vector(vector: Sequence[float], similarity: str) -> None:
    """Refuses what the similarity cannot take: no length under cosine, another length than one under dot_product."""
    length = math.sqrt(sum(part * part for part in vector))
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
    dots: NDArray[np.float32] = rows @ query
    if similarity == "cosine":
        dots = dots / (np.linalg.norm(rows, axis=1) * np.linalg.norm(query)).astype(np.float32)
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
