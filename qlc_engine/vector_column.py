"""The vectors of a field in a segment: float32 rows, and one bit of each number to choose rows by.

A bit tells on which side of the mean of all rows a number is. The fewer bits of two unit vectors differ, the nearer
they are likely to be (Charikar 2002), so that a million are compared in the time in which some ten thousand rows are
read. What is chosen that way is scored from the rows. Rows stay in the mapped file, and each is checked by its sum
when it is read, since a look at all of them would take as long as reading the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.damage import DamagedSegmentError
from qlc_engine.time_limit import check_time

#: Vectors of fewer numbers have too few bits, and comparing them costs little.
LEAST_DIMENSIONS = 128
#: Columns of fewer rows are compared whole.
_LEAST_ROWS = 4_000
#: Rows that are read at once, and codes that are compared at once: they fit into the processor's caches.
_ROWS, _CODES = 4_096, 65_536
_BYTE_BITS = np.array([bin(byte).count("1") for byte in range(256)], np.uint8)

Rows = NDArray[np.float32]
Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class VectorColumn:
    """`docs` are ascending, with a row each. Rows are read by `at`, which checks them."""

    docs: NDArray[np.int32]
    rows: Rows
    #: the checksum of each row: its 32-bit words added, modulo 2**32
    sums: NDArray[np.uint32]
    #: the mean of all rows, each scaled to length 1; empty if there are no codes
    centre: Rows
    #: the codes: each line holds 64 bits of every row
    codes: NDArray[np.uint64]

    @classmethod
    def of(cls, docs: NDArray[np.int32], rows: Rows) -> VectorColumn:
        rows = np.ascontiguousarray(rows, np.float32)
        count, dimensions = rows.shape if rows.ndim == 2 else (0, 0)
        sums = np.empty(count, np.uint32)
        for part in _parts(count):
            sums[part] = _sums(rows[part])
        if count < _LEAST_ROWS or dimensions < LEAST_DIMENSIONS:
            return cls(docs, rows, sums, np.zeros(0, np.float32), np.zeros((0, 0), np.uint64))
        total = np.zeros(dimensions, np.float64)
        for part in _parts(count):
            total += _unit(rows[part]).sum(axis=0)
        centre = (total / count).astype(np.float32)
        codes = np.empty((-(-dimensions // 64), count), np.uint64)
        for part in _parts(count):
            codes[:, part] = _codes(rows[part], centre)
        return cls(docs, rows, sums, centre, codes)

    @property
    def has_codes(self) -> bool:
        return len(self.centre) > 0

    def at(self, places: Places | slice) -> Rows:
        """Some rows. Raises DamagedSegmentError where one is not what was written."""
        found = self.rows[places]
        if not np.array_equal(_sums(found), self.sums[places]):
            raise DamagedSegmentError("a vector of a segment is damaged")
        return found

    def in_parts(self, places: Places | None, *, timed: bool = True) -> Iterator[tuple[Places, Rows]]:
        """Rows at ascending places, or all, a part at a time; `timed`: as long as there is time. Raises TimeOver."""
        for part in _parts(len(self.docs) if places is None else len(places)):
            if timed:
                check_time()
            some = np.arange(part.start, part.stop) if places is None else places[part]
            whole = slice(int(some[0]), int(some[-1]) + 1)
            yield some, self.at(whole if whole.stop - whole.start == len(some) else some)

    def likely(self, query: Rows, places: Places | None, count: int) -> tuple[Places, Rows]:
        """Return the `count` places (of ascending `places`, or of all) whose codes differ least from the query's code,
        and the estimated cosine of each, by which the caller chooses among columns. Raises TimeOver.

        If h of n bits differ, the angle between row and query, seen from the centre, is about pi * h / n (Charikar
        2002); the row's distance from the centre is taken to be that of an average row.
        """
        size = len(self.docs) if places is None else len(places)
        unit = _unit(query[None, :])
        wanted = _codes(unit, self.centre)[:, 0]
        apart = np.zeros(size, np.uint16)
        for part in _parts(size, _CODES):
            check_time()
            for word, line in zip(wanted, self.codes, strict=True):
                apart[part] += _bits((line[part] if places is None else line[places[part]]) ^ word)
        if size <= count:
            chosen = np.arange(size)
        else:
            limit = np.searchsorted(np.cumsum(np.bincount(apart)), count)
            nearer, same = np.flatnonzero(apart < limit), np.flatnonzero(apart == limit)
            chosen = np.union1d(nearer, same[: count - len(nearer)])
        reach = np.linalg.norm(unit[0] - self.centre) * np.sqrt(max(0.0, 1 - float(self.centre @ self.centre)))
        expected = np.cos(np.pi / len(self.centre) * apart[chosen]) * reach + unit[0] @ self.centre
        return chosen if places is None else places[chosen], expected.astype(np.float32)


def _parts(count: int, size: int = _ROWS) -> Iterator[slice]:
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


def _sums(rows: Rows) -> NDArray[np.uint32]:
    words: NDArray[np.uint32] = np.ascontiguousarray(rows).view(np.uint32)
    sums: NDArray[np.uint32] = words.sum(axis=1, dtype=np.uint32)
    return sums


def _unit(rows: Rows) -> Rows:
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    unit: Rows = (rows / np.where(lengths > 0, lengths, 1)[:, None]).astype(np.float32, copy=False)
    return unit


def _codes(rows: Rows, centre: Rows) -> NDArray[np.uint64]:
    packed = np.packbits(_unit(rows) > centre, axis=1)
    whole = np.zeros((len(rows), -(-rows.shape[1] // 64) * 8), np.uint8)
    whole[:, : packed.shape[1]] = packed
    return np.ascontiguousarray(whole.view(np.uint64).T)


def _count_by_table(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    counted: NDArray[np.uint8] = _BYTE_BITS[words.view(np.uint8)].reshape(-1, 8).sum(axis=1, dtype=np.uint8)
    return counted


#: How many bits are set in each word; numpy counts them itself from 2.0 on.
_bits: Any = getattr(np, "bitwise_count", _count_by_table)
