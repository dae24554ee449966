"""Readings that share their requests wait for each other."""

from __future__ import annotations

from typing import Any

import pytest

from qlc.compiler.request import SearchRequest
from qlc.mapping.build import build_schema
from qlc.mapping.index_mapping import read_mapping
from qlc.resolver.rows.asking import Answer, BucketReading, over_documents, together

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
    """A lookup of an outer reading can satisfy a wait inside another reading."""
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
