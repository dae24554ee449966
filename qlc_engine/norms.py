"""Document lengths in one byte, as Lucene's SmallFloat.intToByte4 stores them: exact up to 40, then four bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: How many small lengths are stored as they are: 255 minus the code of the largest int.
_FREE_VALUES = 24


def _decode(code: int) -> int:
    if code < _FREE_VALUES:
        return code
    rest = code - _FREE_VALUES
    bits, shift = rest & 7, (rest >> 3) - 1
    return _FREE_VALUES + (bits if shift == -1 else (bits | 8) << shift)


#: The length that each byte stands for, ascending.
LENGTHS: NDArray[np.int64] = np.array([_decode(code) for code in range(256)], np.int64)


def encode_lengths(lengths: NDArray[np.int64]) -> NDArray[np.uint8]:
    return (np.searchsorted(LENGTHS, lengths, side="right") - 1).astype(np.uint8)
