"""Sets of documents of one DocSpace: sparse as ascending ordinals or dense as a mask, whichever came first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Ordinals = NDArray[np.int32] | NDArray[np.int64]
Mask = NDArray[np.bool_]

#: A sparse operand is turned into a mask when it holds more than one in this many documents.
_DENSE_FRACTION = 32


#: For each of some documents, in any order, whether it is in a set.
Test = Callable[[Ordinals], Mask]


class DocSet:
    """An immutable set of documents among `n`.

    A `test` beside the ordinals tells from the documents themselves which of them are in the set: for a few it costs
    less than to look for them among the ordinals.
    """

    __slots__ = ("_ids", "_mask", "_test", "n")

    def __init__(
        self, n: int, *, ids: Ordinals | None = None, mask: Mask | None = None, test: Test | None = None
    ) -> None:
        self.n = n
        self._ids = ids
        self._mask = mask
        self._test = test

    @classmethod
    def none(cls, n: int) -> DocSet:
        return cls(n, ids=_NO_DOCS)

    @classmethod
    def all(cls, n: int) -> DocSet:
        return cls(n, mask=np.ones(n, np.bool_))

    @property
    def is_sparse(self) -> bool:
        return self._ids is not None

    @property
    def is_large(self) -> bool:
        return self._ids is None or len(self._ids) * _DENSE_FRACTION > self.n

    @property
    def ids(self) -> Ordinals:
        if self._ids is None:
            self._ids = np.flatnonzero(self._mask)  # type: ignore[arg-type]
        return self._ids

    @property
    def mask(self) -> Mask:
        if self._mask is None:
            mask = np.zeros(self.n, np.bool_)
            mask[self._ids] = True
            self._mask = mask
        return self._mask

    def __len__(self) -> int:
        return len(self._ids) if self._ids is not None else int(np.count_nonzero(self._mask))  # type: ignore[arg-type]

    def __and__(self, other: DocSet) -> DocSet:
        if self.is_large and other.is_large:
            return DocSet(self.n, mask=self.mask & other.mask)
        if self._ids is None or (other._ids is not None and len(other._ids) < len(self._ids)):
            self, other = other, self
        ids = self.ids
        return DocSet(self.n, ids=ids[other.contains_each(ids)])

    def __sub__(self, other: DocSet) -> DocSet:
        if self._ids is None:
            mask = self.mask.copy()
            if other._ids is not None:
                mask[other._ids] = False
            else:
                mask &= ~other.mask
            return DocSet(self.n, mask=mask)
        ids = self._ids
        return DocSet(self.n, ids=ids[~other.contains_each(ids)])

    def contains_each(self, ids: Ordinals) -> Mask:
        """For each of the ordinals whether it is in the set."""
        if self._mask is not None:
            found: Mask = self._mask[ids]
            return found
        return contains(self.ids, ids) if self._test is None else self._test(ids)


_NO_DOCS: NDArray[np.int32] = np.zeros(0, np.int32)


def contains(sorted_ids: Ordinals, wanted: Ordinals) -> Mask:
    """For each of `wanted` whether it is among the ascending `sorted_ids`."""
    if len(sorted_ids) == 0:
        return np.zeros(len(wanted), np.bool_)
    # of another width the whole of them would be copied
    at = np.searchsorted(sorted_ids, wanted.astype(sorted_ids.dtype, copy=False))
    at[at == len(sorted_ids)] = 0
    found: Mask = sorted_ids[at] == wanted
    return found


def union(sets: Sequence[DocSet], n: int) -> DocSet:
    """The documents in any of the sets."""
    if len(sets) == 1:
        return sets[0]
    total = sum(len(part) if part.is_sparse else n for part in sets)
    if total * _DENSE_FRACTION < n:
        every = [part.ids for part in sets]
        return DocSet(n, ids=without_repeats(np.sort(np.concatenate(every)))) if sets else DocSet.none(n)
    mask = np.zeros(n, np.bool_)
    for part in sets:
        if part.is_sparse:
            mask[part.ids] = True
        else:
            mask |= part.mask
    return DocSet(n, mask=mask)


def without_repeats(ascending: Ordinals) -> Ordinals:
    """Each of the ordinals once."""
    first = np.ones(len(ascending), np.bool_)
    np.not_equal(ascending[1:], ascending[:-1], out=first[1:])
    distinct: Ordinals = ascending[first]
    return distinct


def expand_runs(starts: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The indices of all runs `starts[i] .. starts[i] + counts[i]`, one after the other."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    shifts: NDArray[np.int64] = np.repeat(starts - (ends - counts), counts)
    return shifts + np.arange(total, dtype=np.int64)
