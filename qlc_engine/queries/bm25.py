"""BM25 as Elasticsearch computes it: Lucene's float32 arithmetic, k1 1.2, b 0.75, times k1 + 1 (2.2).

Source: org.elasticsearch.lucene.similarity.LegacyBM25Similarity over org.apache.lucene.search.similarities
.BM25Similarity (`weight - weight / (1 + freq * cache[norm])`).
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import Postings
from qlc_engine.docset import Ordinals
from qlc_engine.leaf import Leaf
from qlc_engine.norms import LENGTHS

_K1 = np.float32(1.2)
_B = np.float32(0.75)


@functools.lru_cache(maxsize=1024)
def inverse_norms(average_length: float) -> NDArray[np.float32]:
    """For each length code the factor that a frequency is weighed with."""
    lengths = LENGTHS.astype(np.float32)
    relative = (np.float32(1) - _B) + _B * lengths / np.float32(average_length)
    inverse: NDArray[np.float32] = np.float32(1) / (_K1 * relative)
    return inverse


def bm25_scores(
    leaf: Leaf,
    path: str,
    postings: Postings,
    docs: Ordinals,
    freqs: NDArray[np.float32] | np.float32,
    boost: float,
    idf: float,
) -> NDArray[np.float64]:
    """The score of each document for a term (or phrase) that occurs `freqs` times in it."""
    average = leaf.statistics.of_field(path).average_length
    inverse = inverse_norms(float(average))
    weight = np.float32(bm25_limit(boost, idf))
    codes = leaf.norm_codes(path, postings)
    # without norms each document counts as one term long
    by_doc = inverse[1] if codes is None else inverse.take(codes.take(docs))
    scores = weight - weight / (np.float32(1) + freqs * by_doc)
    return np.full(len(docs), scores, np.float64) if scores.ndim == 0 else scores.astype(np.float64)


def bm25_limit(boost: float, idf: float) -> float:
    """Return the limit of a term's score as its frequency grows."""
    return float(np.float32(boost) * np.float32(2.2) * np.float32(idf))
