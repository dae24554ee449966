"""What the engine does not know it names: no key, type, query or parameter is passed over in silence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.asked import Asked


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"query": {"mach": {"a": 1}}}, "mach"),
        ({"query": {"script_score": {}}}, "script_score"),
        ({"query": {"term": {"a": {"value": 1, "valeu": 2}}}}, "valeu"),
        ({"query": {"bool": {"shuold": []}}}, "shuold"),
        ({"query": {"range": {"a": {"gte": 1, "lq": 2}}}}, "lq"),
        ({"query": {"match": {"a": {"query": "x", "cutoff_frequency": 1}}}}, "cutoff_frequency"),
        ({"query": {"bool": {"filter": [{"nested": {"path": "a", "query": {"match_all": {}}, "x": 1}}]}}}, "x"),
        ({"sort": [{"a": {"order": "asc", "ordre": 1}}]}, "ordre"),
        ({"sort": [{"_script": {}}]}, "_script"),
        ({"whatever": 1}, "whatever"),
        ({"aggs": {"x": {"termz": {"field": "a"}}}}, "termz"),
    ],
)
def test_a_search_with_something_unknown(asked: Asked, body: dict[str, Any], named: str) -> None:
    asked.put("i", {"1": {"a": 1}})
    status, answered = asked.ask("POST", "/i/_search", body)
    assert status == 400
    assert named in str(answered["error"])


@pytest.mark.parametrize(
    ("field", "named"),
    [
        ({"type": "keywrd"}, "keywrd"),
        ({"type": "keyword", "ignore_abov": 5}, "ignore_abov"),
        ({"type": "text", "analyzer": "klingon"}, "klingon"),
        ({"type": "date", "format": "bbbb"}, "bbbb"),
        ({"type": "geo_shape"}, "geo_shape"),
        ({"type": "nested", "nested_things": True}, "nested_things"),
    ],
)
def test_a_mapping_with_something_unknown(asked: Asked, field: dict[str, Any], named: str) -> None:
    status, answered = asked.ask("PUT", "/i", {"mappings": {"properties": {"a": field}}})
    assert status == 400
    assert named in str(answered["error"])


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/i/_search?sise=3", 400),
        ("PUT", "/i/_doc/1?pipeline=p", 400),
        ("POST", "/i/_delete_by_query", 400),
        ("GET", "/_cluster/stats", 400),
        ("GET", "/none/_search", 404),
        ("DELETE", "/none", 404),
        ("PUT", "/Upper", 400),
        ("PUT", "/i", 400),
    ],
)
def test_a_request_line_that_is_not_served(asked: Asked, method: str, target: str, status: int) -> None:
    asked.put("i", {"1": {"a": 1}})
    assert asked.ask(method, target)[0] == status


def test_a_mapping_conflict_changes_nothing(asked: Asked) -> None:
    inner = {"properties": {"x": {"type": "ip"}}}
    asked.ok("PUT", "/i", {"mappings": {"properties": {"a": {"type": "long"}, "o": inner}}})
    before = asked.ok("GET", "/i/_mapping")
    both = {"b": {"type": "long"}, "a": {"type": "ip"}}
    for properties in ({"a": {"type": "text"}}, {"o": {"type": "nested"}}, both):
        assert asked.ask("PUT", "/i/_mapping", {"properties": properties})[0] == 400
    assert asked.ok("GET", "/i/_mapping") == before


def test_a_nested_query_at_its_own_level(asked: Asked) -> None:
    asked.ask("PUT", "/i", {"mappings": {"properties": {"n": {"type": "nested"}}}})
    inner = {"nested": {"path": "n", "query": {"match_all": {}}}}
    status, answered = asked.ask("POST", "/i/_search", {"query": {"nested": {"path": "n", "query": inner}}})
    assert status == 400
    assert "[nested] below [nested] of the same path [n]" in str(answered["error"])


LONG = "é" * 16_384


@pytest.mark.parametrize(
    "query",
    [
        {"term": {"k": LONG}},
        {"term": {"_id": LONG}},
        {"terms": {"k": ["x", LONG]}},
        {"range": {"k": {"gte": LONG}}},
        {"fuzzy": {"k": LONG}},
        {"match": {"k": LONG}},
        {"term": {"nothing": LONG}},
        {"prefix": {"k": "a" * 1_001}},
        {"wildcard": {"k": "a" * 1_000 + "*"}},
        {"regexp": {"k": "a" * 1_001}},
    ],
    ids=lambda query: next(iter(query)),
)
def test_a_value_that_is_longer_than_any_term(asked: Asked, query: dict[str, Any]) -> None:
    asked.ok("PUT", "/i", {"mappings": {"properties": {"k": {"type": "keyword"}, "t": {"type": "text"}}}})
    status, answered = asked.ask("POST", "/i/_search", {"query": query})
    assert status == 400
    assert any(told in str(answered["error"]) for told in ("is longer than", "has exceeded", "too large"))
    assert asked.ids("i", {"term": {"k": "é" * 16_383}}) == []


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("application/json", 200),
        ("application/vnd.elasticsearch+json; compatible-with=8", 200),
        ("text/plain", 406),
        ("application/yaml", 400),
    ],
)
def test_a_body_of_another_type(asked: Asked, content_type: str, expected: int) -> None:
    asked.put("i", {"1": {"a": 1}})
    status, _, answered = asked.engine.handle("POST", "/i/_search", {"Content-Type": content_type}, b'{"size": 0}')
    assert status == expected
    assert status == 200 or content_type.encode() in answered


@pytest.mark.parametrize(
    ("target", "named"),
    [
        ("/i/_search?track_scores=maybe", "maybe"),
        ("/i/_search?timeout=1x", "1x"),
        ("/i/_search?batched_reduce_size=1", "batchedReduceSize"),
        ("/i/_search?format=yaml", "yaml"),
        ("/i/_search_shards", "_search_shards"),
    ],
)
def test_values_of_parameters_that_are_passed_over_by_no_one(asked: Asked, target: str, named: str) -> None:
    asked.put("i", {"1": {"a": 1}})
    status, answered = asked.ask("GET", target)
    assert status == 400
    assert named in str(answered["error"])
