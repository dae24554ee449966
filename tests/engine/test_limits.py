"""Requests that would need endless time or memory: refused by a limit, or ended by the time that the caller has."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from qlc_engine import Elasticsearch, Engine
from qlc_engine.rest.request import Request
from tests.engine.asked import Asked

DOCUMENTS = 200


@pytest.fixture(scope="module")
def stocked() -> Iterator[Asked]:
    with Engine.open(None) as engine:
        asked = Asked(engine)
        fields = {"n": {"type": "double"}, "at": {"type": "date"}, "k": {"type": "keyword"}, "t": {"type": "text"}}
        asked.ok("PUT", "/i", {"mappings": {"properties": fields}})
        asked.put("i", {
            str(n): {"n": n / 7, "at": f"20{n % 20 + 10}-01-01", "k": f"k{n}", "t": "red green " * 20}
            for n in range(DOCUMENTS)
        })  # fmt: skip
        yield asked


def in_bools(depth: int) -> dict[str, Any]:
    query: dict[str, Any] = {"match_all": {}}
    for _ in range(depth):
        query = {"bool": {"must": [query]}}
    return query


def in_aggregations(depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {"a": {"terms": {"field": "k"}}}
    for _ in range(depth):
        found = {"a": {"terms": {"field": "k"}, "aggs": found}}
    return found


TERMS = [{"term": {"k": str(n)}} for n in range(40_000)]
REFUSED: dict[str, dict[str, Any]] = {
    "Result window is too large": {"size": 10**9},
    "from + size must be": {"from": 9_999, "size": 2},
    "too many buckets": {"size": 0, "aggs": {"a": {"histogram": {"field": "n", "interval": 1e-300}}}},
    "Trying to create too many buckets": {
        "size": 0, "aggs": {"a": {"histogram": {
            "field": "n", "interval": 1, "extended_bounds": {"min": -1e15, "max": 1e15}}}}},
    "too_many_buckets": {"size": 0, "aggs": {"a": {"date_histogram": {"field": "at", "fixed_interval": "1ms"}}}},
    "maxClauseCount is set to 32768": {"query": {"bool": {"should": TERMS}}},
    "maxClauseCount": {"query": {"query_string": {"query": " ".join(f"k:{n}" for n in range(40_000))}}},
    "too_many_clauses": {"query": {"dis_max": {"queries": TERMS}}},
    "has exceeded the allowed maximum of [65536]": {"query": {"terms": {"k": [str(n) for n in range(70_000)]}}},
    "exceeds the maximum nested depth": {"query": in_bools(40)},
    "nested too deeply": {"query": {"regexp": {"k": "(" * 400 + "a" + ")" * 400}}},
    "aggregations in more than 50 others": {"size": 0, "aggs": in_aggregations(60)},
    "has exceeded the allowed maximum of [1000]": {"query": {"regexp": {"k": "a" * 1_001}}},
    "Top hits result window is too large": {"size": 0, "aggs": {"a": {"top_hits": {"size": 10**9}}}},
}  # fmt: skip


@pytest.mark.parametrize("told", REFUSED)
def test_what_would_need_too_much_is_refused(stocked: Asked, told: str) -> None:
    began = time.process_time()
    status, answered = stocked.ask("POST", "/i/_search", REFUSED[told])
    assert status in (400, 503), answered
    assert told.lower() in str(answered["error"]).lower()
    assert time.process_time() - began < 30


LONG: dict[str, dict[str, Any]] = {
    "a phrase": {"query": {"match_phrase": {"t": {"query": "red " * 5_000, "slop": 10**9}}}},
    "clauses": {"query": {"bool": {"should": [{"match": {"t": f"w{n} red"}} for n in range(30_000)]}}},
    "functions": {"query": {"function_score": {
        "functions": [{"filter": {"match": {"t": "red"}}, "weight": 1}] * 30_000}}},
    "fields": {"size": 200, "fields": [f"f{n}" for n in range(500_000)]},
    "filters": {"query": {"bool": {"filter": [{"match": {"t": "red"}}] * 32_000}}},
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_a_request_ends_when_its_time_is_over(stocked: Asked, name: str) -> None:
    raw = json.dumps(LONG[name]).encode()
    began = time.process_time()
    status, _, answered = stocked.engine.respond(Request.of("POST", "/i/_search", raw, seconds=0.3))
    assert (status, b"task_cancelled_exception" in answered) == (400, True), answered[:300]  # type: ignore[operator]
    assert time.process_time() - began < 20


def test_a_search_with_a_timeout_answers_with_what_it_has(stocked: Asked) -> None:
    status, answered = stocked.ask("POST", "/i/_search", {**LONG["functions"], "timeout": "100ms"})
    assert (status, answered["timed_out"]) == (200, True)
    status, answered = stocked.ask("POST", "/i/_search", {"timeout": "60s"})
    assert (status, answered["timed_out"], answered["hits"]["total"]["value"]) == (200, False, DOCUMENTS)


def test_the_client_hands_its_time_on() -> None:
    from elasticsearch import BadRequestError

    with Elasticsearch() as client:
        client.index(index="i", id="1", document={"t": "red " * 50}, refresh=True)
        query = {"match_phrase": {"t": {"query": "red " * 20_000, "slop": 10**9}}}
        with pytest.raises(BadRequestError, match="task_cancelled_exception"):
            client.options(request_timeout=0.3).search(index="i", query=query)


def test_texts_and_numbers_are_not_sorted_together(stocked: Asked) -> None:
    stocked.put("j", {"1": {"k": 5}})
    status, answered = stocked.ask("POST", "/i,j/_search", {"sort": ["k"]})
    assert status == 400
    assert "incompatible sort types" in str(answered["error"])


def test_a_number_that_json_has_not_is_written_as_a_server_writes_it(stocked: Asked) -> None:
    body = {"size": 0, "aggs": {"r": {"range": {"field": "n", "ranges": [{"from": "Infinity"}]}}}}
    answered = stocked.ok("POST", "/i/_search", body)
    assert answered["aggregations"]["r"]["buckets"][0]["from"] == "Infinity"
