"""The contents of one segment: immutable numpy columns.

The layout follows Lucene's doc values: per document a sorted run of values, addressed by `starts`
(`values[starts[d]:starts[d + 1]]` are the values of document `d`). Nested objects are child segments whose documents
point at the enclosing document.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from qlc_engine.terms import TermDictionary
from qlc_engine.vector_column import VectorColumn

#: In a stored segment int32 where that is wide enough.
IntArray = NDArray[np.int64]
OrdArray = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class KeywordColumn:
    """Distinct terms of a keyword field (sorted by their UTF-8 bytes) and, per document, its distinct term ordinals.

    As Lucene's SORTED_SET doc values: a document holds each ordinal once, ascending. `terms` of a stored segment is
    read from the mapped file term by term: index it, or turn it into a list where all terms are needed.
    """

    terms: Sequence[str]
    starts: IntArray
    ords: OrdArray


@dataclass(frozen=True, slots=True)
class NumericColumn:
    """Numbers, dates (epoch milliseconds) and booleans (0/1): as Lucene's SORTED_NUMERIC doc values.

    Values of a document are ascending and keep duplicates. `values` is int64 for whole-number types, dates and
    booleans, float64 for `double`, and for `float` and `half_float` float64 already rounded to the type's precision.
    """

    starts: IntArray
    values: NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class GeoColumn:
    starts: IntArray
    lat: NDArray[np.float64]
    lon: NDArray[np.float64]


Column = KeywordColumn | NumericColumn | GeoColumn


@dataclass(frozen=True, slots=True)
class Norms:
    """Lengths of a text field: `docs` (ascending) are the documents that have the field at all, even if empty.

    `codes` are the lengths as one byte each (`norms.LENGTHS`); `total` is the exact sum of lengths.
    """

    docs: OrdArray
    codes: NDArray[np.uint8]
    total: int


class Positions:
    """The positions of terms in their documents: those of posting `p` are `values[starts[p]:starts[p + 1]]`.

    They are the larger half of a text field and few queries need them, so a stored segment reads them on first use.
    """

    __slots__ = ("_arrays", "_read")

    def __init__(self, read: Callable[[], tuple[IntArray, OrdArray]]) -> None:
        self._read = read
        self._arrays: tuple[IntArray, OrdArray] | None = None

    @classmethod
    def of(cls, starts: IntArray, values: OrdArray) -> Positions:
        return cls(lambda: (starts, values))

    def arrays(self) -> tuple[IntArray, OrdArray]:
        """Starts and values."""
        if self._arrays is None:
            self._arrays = self._read()
        return self._arrays


@dataclass(frozen=True, slots=True)
class Postings:
    """For each term the documents that contain it: `docs[starts[t]:starts[t + 1]]`, ascending.

    `freqs` (of any width) is None where each posting counts one (keyword).
    """

    terms: TermDictionary
    starts: IntArray
    docs: OrdArray
    freqs: OrdArray | None = None
    positions: Positions | None = None
    norms: Norms | None = None
    #: documents with at least one term
    doc_count: int = 0

    @property
    def total_freq(self) -> int:
        """Lucene's sumTotalTermFreq; where frequencies are left out each posting counts one."""
        if self.freqs is None:
            return len(self.docs)
        return self.norms.total if self.norms is not None else int(self.freqs.sum())


@dataclass(frozen=True, slots=True)
class DocSpace:
    """Documents of one level: the top level of a segment, or the elements of one nested path in it.

    `parent` (None at the top) gives for each element the ordinal of the enclosing document in the enclosing space,
    ascending. `children` are the nested paths directly below. `live` is False for deleted documents (None: all live).
    """

    n_docs: int
    columns: Mapping[str, Column]
    parent: IntArray | None = None
    live: NDArray[np.bool_] | None = None
    children: Mapping[str, DocSpace] = field(default_factory=dict)
    #: inverted index of keyword-like and text fields
    postings: Mapping[str, Postings] = field(default_factory=dict)
    vectors: Mapping[str, VectorColumn] = field(default_factory=dict)
