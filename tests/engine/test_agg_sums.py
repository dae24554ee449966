"""Sums per bucket against Python's exact ones."""

import math

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qlc_engine.aggregations.sums import sum_by_owner
from tests import engines

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


LONGS = st.integers(-(2**63), 2**63 - 1)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(LONGS, st.integers(0, 3)), max_size=60))
def test_longs_that_cancel_are_added_exactly(pairs: list[tuple[int, int]]) -> None:
    values = np.array([value for value, _ in pairs], np.int64)
    owners = np.array([owner for _, owner in pairs], np.int64)
    by_owner = [float(sum(value for value, own in pairs if own == owner)) for owner in range(4)]
    assert sum_by_owner(values, owners, 4).tolist() == by_owner
    assert sum_by_owner(values, None, 1).tolist() == [float(sum(value for value, _ in pairs))]


def test_longs_are_added_exactly_across_segments() -> None:
    client = engines.open_client()
    client.indices.create(index="sums", mappings={"properties": {"n": {"type": "long"}}})
    for number in (2**60, 499, None, -(2**60)):
        client.index(index="sums", document={"n": number} if number is not None else {}, refresh=True)
    aggs = {kind: {kind: {"field": "n"}} for kind in ("sum", "stats", "avg")}
    found = client.search(index="sums", size=0, aggs=aggs)["aggregations"]
    assert (found["sum"]["value"], found["stats"]["sum"], found["avg"]["value"]) == (499, 499, 499 / 3)


def test_whole_numbers_are_exact() -> None:
    values = np.full(1_000, 9_007_199_254_740_991.0)
    assert float(sum_by_owner(values, None, 1)[0]) == float(9_007_199_254_740_991 * 1_000)
