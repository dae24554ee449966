"""Cutting known keys into slices."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.base.deadline import until
from qlc.base.errors import RequestFailed
from qlc.compiler.aggregations.slices import cut, shares

combinations = st.sets(st.tuples(st.integers(0, 4), st.sampled_from("abc"), st.integers(0, 3)), min_size=1)


@given(combinations, st.integers(1, 30))
def test_slices_cover_every_combination_once(keys: set[tuple[int, str, int]], most: int) -> None:
    found = [
        [combination for combination in keys if all(map(frozenset.__contains__, part, combination))]
        for part in cut(sorted(keys), most)
    ]
    assert sorted(combination for part in found for combination in part) == sorted(keys)
    assert all(1 <= len(part) <= most for part in found)


@given(st.lists(st.integers(0, 500), min_size=1, max_size=4), st.integers(1, 1000))
def test_shares_have_room(sizes: list[int], most: int) -> None:
    limits = shares(sizes, most)
    read_together = 1
    for limit, size in zip(limits, sizes, strict=True):
        assert 1 <= limit <= max(1, size)
        read_together *= limit
    assert read_together <= most


def test_very_many_keys_are_cut_by_the_deadline() -> None:
    keys = [(number, name) for number in range(100_000) for name in "ab"]
    with until(time.monotonic() - 1), pytest.raises(RequestFailed, match="deadline"):
        cut(keys, 2)
