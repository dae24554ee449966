"""Sums per bucket against Python's exact ones."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qlc_engine.aggregations.sums import sum_by_owner

NUMBERS = st.floats(-1e15, 1e15, allow_nan=False, width=64).map(lambda value: 0.0 if abs(value) < 1e-200 else value)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)  # the first draw loads tables
@given(st.lists(st.tuples(NUMBERS, st.integers(0, 3)), max_size=60))
def test_sums_are_nearly_exact(pairs: list[tuple[float, int]]) -> None:
    values = np.array([value for value, _ in pairs])
    owners = np.array([owner for _, owner in pairs], np.int64)
    largest = float(np.abs(values).max()) if len(values) else 0.0
    for owner, found in enumerate(sum_by_owner(values, owners, 4)):
        exact = math.fsum(value for value, own in pairs if own == owner)
        assert abs(float(found) - exact) <= 4 * math.ulp(exact) + largest * 2.0**-90


def test_whole_numbers_are_exact() -> None:
    values = np.full(1_000, 9_007_199_254_740_991.0)
    assert float(sum_by_owner(values, None, 1)[0]) == float(9_007_199_254_740_991 * 1_000)
