"""Sums per bucket as exact as the server's compensated ones."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import IntArray

FloatArray = NDArray[np.float64]


def sum_by_owner(values: FloatArray | IntArray, owners: IntArray | None, n_owners: int) -> FloatArray:
    """The sum in each bucket, rounded as if computed with twice the precision; of whole numbers it is exact."""
    largest = max(int(values.max()), -int(values.min())) if values.dtype.kind == "i" and len(values) else 0
    if largest * len(values) > _EXACT_DOUBLE:
        return _sum_of_integers(values.astype(np.int64, copy=False), owners, n_owners)
    return _sum_of_doubles(values.astype(np.float64, copy=False), owners, n_owners)


def _sum_of_doubles(values: FloatArray, owners: IntArray | None, n_owners: int) -> FloatArray:
    """The sum in each bucket, as exact as the server's.

    Elasticsearch adds with Kahan's compensation. Here each value is split into a multiple of a common quantum, whose
    sums are exact, and a small rest, whose rounding errors lie far below the last bit of the result.
    """
    finite = values if np.isfinite(values).all() else np.where(np.isfinite(values), values, 0.0)
    largest = float(np.abs(finite).max()) if len(finite) else 0.0
    if largest > _LARGEST_DOUBLE / max(len(finite), 1):
        return _sum_in_order(values, owners, n_owners)
    if largest == 0.0:
        coarse = np.zeros_like(finite)
    else:
        quantum = math.ldexp(1.0, min(max(math.frexp(largest * len(finite))[1] - 53, -1000), 900))
        coarse = np.round(finite / quantum) * quantum
    total = _plain_sum(coarse, owners, n_owners)
    rest = finite - coarse
    if rest.any():
        total = total + _plain_sum(rest, owners, n_owners)
    return total if finite is values else total + _plain_sum(values - finite, owners, n_owners)


_EXACT_DOUBLE = 2**53
_AT_ONCE = 2**20
"""Number of 32-bit halves whose sum a double holds exactly."""


def _sum_of_integers(values: IntArray, owners: IntArray | None, n_owners: int) -> FloatArray:
    """The sums of longs in whole numbers, rounded once at the end: 2^60 + 499 - 2^60 -> 499."""
    totals = [0] * n_owners
    for start in range(0, len(values), _AT_ONCE):
        part = values[start : start + _AT_ONCE]
        of_part = None if owners is None else owners[start : start + _AT_ONCE]
        halves = (part >> 32, part & 0xFFFF_FFFF)
        high, low = (_plain_sum(one.astype(np.float64), of_part, n_owners).tolist() for one in halves)
        added = zip(totals, high, low, strict=True)
        totals = [total + (int(upper) << 32) + int(lower) for total, upper, lower in added]
    return np.array([float(total) for total in totals], np.float64)


_LARGEST_DOUBLE = float(np.finfo(np.float64).max)


def _sum_in_order(values: FloatArray, owners: IntArray | None, n_owners: int) -> FloatArray:
    """The server's own steps, for values so large that their order decides whether the sum overflows."""
    sums, rests = [0.0] * n_owners, [0.0] * n_owners
    for owner, value in zip([0] * len(values) if owners is None else owners.tolist(), values.tolist(), strict=True):
        total = sums[owner]
        if not math.isfinite(value):
            total += value
        if math.isfinite(total):
            corrected = value + rests[owner]
            raised = total + corrected
            rests[owner] = corrected - (raised - total)
            total = raised
        sums[owner] = total
    return np.array(sums, np.float64)


def _plain_sum(values: FloatArray, owners: IntArray | None, n_owners: int) -> FloatArray:
    if owners is None:
        total = np.zeros(n_owners)
        total[0] = values.sum()
        return total
    return np.bincount(owners, weights=values, minlength=n_owners).astype(np.float64, copy=False)


def count_by_owner(number: int, owners: IntArray | None, n_owners: int) -> IntArray:
    if owners is None:
        total = np.zeros(n_owners, np.int64)
        total[0] = number
        return total
    return np.bincount(owners, minlength=n_owners)


def least_by_owner(values: FloatArray, owners: IntArray | None, n_owners: int) -> FloatArray:
    """The least value in each bucket; infinity in empty ones."""
    least = np.full(n_owners, np.inf)
    if owners is None:
        if len(values):
            least[0] = values.min()
    else:
        np.minimum.at(least, owners, values)
    return least


def greatest_by_owner(values: FloatArray, owners: IntArray | None, n_owners: int) -> FloatArray:
    """The greatest value in each bucket; minus infinity in empty ones."""
    return -least_by_owner(-values, owners, n_owners)
