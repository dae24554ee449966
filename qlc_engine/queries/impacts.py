"""Upper bounds for a term's scores by block of neighbouring documents, computed once.

BM25 grows with `frequency / length factor`. The greatest such quotient of each block is stored as one byte, rounded up.
The weight of the term, which changes with every write, is applied when bounds are requested. The average length changes
as well, so quotients use the next average on a coarse scale, which makes them slightly greater.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import Postings
from qlc_engine.docset import Ordinals
from qlc_engine.leaf import Leaf
from qlc_engine.queries.bm25 import inverse_norms

#: Documents of one block.
BLOCK = 32

#: Terms of a segment whose bounds are kept at most: a byte for each block.
_KEPT_TERMS = 1_000

#: With more documents to a block than this a term is taken to be in each block.
_DENSE = 4

#: Averages of lengths are rounded up to powers of this.
_AVERAGE_STEP = 1.01

#: The quotients that codes stand for, ascending; a quotient gets the code of the next greater one.
_QUOTIENTS = np.concatenate(([0.0], 2.0 ** (np.arange(-96, 158) / 24), [np.inf]))


def block_bounds(leaf: Leaf, path: str, postings: Postings, run: slice, weight: float) -> NDArray[np.float64]:
    """For each block of documents the greatest score, or more, of a term whose postings are `run`."""
    average = float(leaf.statistics.of_field(path).average_length)
    if postings.norms is None and postings.freqs is None:
        return constant_bounds(postings.docs[run], leaf.n, float(_score(np.float64(inverse_norms(average)[1]), weight)))
    step = math.ceil(math.log(average, _AVERAGE_STEP) - 1e-9) if average > 0 else 0
    key = (leaf.nested_path or "", path, run.start, step)
    kept = leaf.segment.impacts
    codes = kept.get(key)
    if codes is None:
        codes = _codes(leaf, path, postings, run, _AVERAGE_STEP**step)
        if len(kept) >= _KEPT_TERMS:
            kept.clear()
        kept[key] = codes
    bounds: NDArray[np.float64] = _score(_QUOTIENTS, weight).take(codes)
    return bounds


def constant_bounds(docs: Ordinals, n: int, score: float) -> NDArray[np.float64]:
    """The same for a score that does not depend on the document; one bound for all blocks if it may be in any."""
    n_blocks = -(-n // BLOCK)
    if len(docs) > _DENSE * n_blocks:
        return np.full(1, score)
    bounds = np.zeros(n_blocks, np.float64)
    bounds[docs // BLOCK] = score
    return bounds


def _codes(leaf: Leaf, path: str, postings: Postings, run: slice, average: float) -> NDArray[np.uint8]:
    docs = postings.docs[run]
    inverse = inverse_norms(average).astype(np.float64)
    lengths = leaf.norm_codes(path, postings)
    quotients = np.full(len(docs), inverse[1]) if lengths is None else inverse.take(lengths.take(docs))
    if postings.freqs is not None:
        quotients *= postings.freqs[run]
    blocks = docs // BLOCK
    first = np.flatnonzero(np.concatenate(([True], blocks[1:] != blocks[:-1])))
    greatest = np.maximum.reduceat(quotients, first) * (1 + 1e-6)
    out = np.zeros(-(-leaf.n // BLOCK), np.uint8)
    out[blocks[first]] = np.searchsorted(_QUOTIENTS, greatest)
    return out


def _score(quotients: NDArray[np.float64] | np.float64, weight: float) -> NDArray[np.float64]:
    """BM25 of these quotients, in double precision."""
    scores: NDArray[np.float64] = np.asarray(weight - weight / (1.0 + quotients))
    return scores
