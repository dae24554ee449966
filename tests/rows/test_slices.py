"""Cutting known keys into slices; readings that share their requests wait for each other."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.base.deadline import until
from qlc.base.errors import RequestFailed
from qlc.compiler.aggregations.slices import cut, shares
from qlc.compiler.request import SearchRequest
from qlc.mapping.build import build_schema
from qlc.mapping.index_mapping import read_mapping
from qlc.resolver.rows.asking import Answer, BucketReading, over_documents, together

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


ELSEWHERE = SearchRequest("other", {}, "a lookup")


def answered(reading: BucketReading[Any]) -> tuple[list[Any], Any]:
    """The requests that were made, and the result."""
    rounds: list[Any] = []
    answer: Answer | None = None
    while True:
        try:
            asked = reading.send(answer)  # type: ignore[arg-type]
        except StopIteration as end:
            return rounds, end.value
        if isinstance(asked, SearchRequest):
            rounds.append(asked)
            answer = {"found": "there"}
        else:
            assert not asked
            answer = {}


def test_waiting_asks_for_nothing_and_reaches_those_further_out() -> None:
    """What a reading inside of another waits for may be looked up by one beside the outer."""
    known: list[str] = []

    def looks_up() -> BucketReading[Any]:
        response = yield ELSEWHERE
        known.append(response["found"])
        return known[0]

    def waits() -> BucketReading[Any]:
        while not known:
            yield {}
        return known[0]

    rounds, result = answered(together([waits(), together([waits(), waits()]), looks_up()]))
    assert rounds == [ELSEWHERE]
    assert result == ["there", ["there", "there"], "there"]


def test_readings_that_wait_in_a_circle_fail_rather_than_hang() -> None:
    def waits() -> BucketReading[None]:
        while True:
            yield {}

    entity = build_schema(None, read_mapping({"mappings": {"properties": {}}}, "events")).entity("entry")
    with pytest.raises(AssertionError, match="wait for each other"):
        next(over_documents(waits(), entity, [], "rows"))
