"""Several readings share one request."""

from __future__ import annotations

from typing import Any

import pytest
from elasticsearch.dsl import A

from qlc.compiler.request import SearchRequest
from qlc.mapping.build import build_schema
from qlc.mapping.index_mapping import read_mapping
from qlc.resolver.rows.asking import Answer, BucketReading, ask, over_documents, together

ELSEWHERE = SearchRequest("other", {}, "a lookup")


def pages(count: int, name: str) -> BucketReading[list[Any]]:
    found = []
    for number in range(count):
        answer = yield from ask({"page": A("terms", field=f"{name}{number}")})
        found.append(answer["page"])
    return found


def answered(reading: BucketReading[Any]) -> tuple[list[Any], Any]:
    """What was asked in each round (field names, or the request), and the result. The field asked for is the answer."""
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
        elif not asked:
            answer = {}
        else:
            rounds.append([agg.to_dict()["terms"]["field"] for agg in asked.values()])
            answer = {name: agg.to_dict()["terms"]["field"] for name, agg in asked.items()}


def test_rounds_are_shared_until_each_is_done() -> None:
    rounds, result = answered(together([pages(2, "a"), pages(1, "b"), pages(0, "c")]))
    assert rounds == [["a0", "b0"], ["a1"]]
    assert result == [["a0", "a1"], ["b0"], []]


def test_requests_to_others_go_first_and_alone() -> None:
    def with_lookup() -> BucketReading[list[Any]]:
        response = yield ELSEWHERE
        return [response["found"], *(yield from pages(1, "a"))]

    rounds, result = answered(together([pages(1, "b"), with_lookup()]))
    assert rounds == [ELSEWHERE, ["b0", "a0"]]
    assert result == [["b0"], ["there", "a0"]]


def test_waiting_asks_for_nothing() -> None:
    known: list[str] = []

    def looks_up() -> BucketReading[str]:
        response = yield ELSEWHERE
        known.append(response["found"])
        return known[0]

    def waits() -> BucketReading[str]:
        while not known:
            yield {}
        return known[0]

    rounds, result = answered(together([waits(), looks_up(), waits()]))
    assert rounds == [ELSEWHERE]
    assert result == ["there"] * 3


def test_waiting_reaches_those_further_out() -> None:
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

    def inside() -> BucketReading[Any]:
        return (yield from together([waits(), waits()]))

    rounds, result = answered(together([inside(), looks_up()]))
    assert rounds == [ELSEWHERE]
    assert result == [["there", "there"], "there"]


def test_readings_that_wait_in_a_circle_fail_rather_than_hang() -> None:
    def waits() -> BucketReading[None]:
        while True:
            yield {}

    entity = build_schema(None, read_mapping({"mappings": {"properties": {}}}, "events")).entity("entry")
    with pytest.raises(AssertionError, match="wait for each other"):
        next(over_documents(waits(), entity, [], "rows"))
