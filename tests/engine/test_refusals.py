"""What the engine does not know or has not it names, as a 400 in Elasticsearch's form of an error: no key, type, query
or parameter is passed over in silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from qlc_engine import Engine, implemented
from tests.engine.asked import Asked
from tests.tables import table

QUERIES = ("more_like_this", "geo_shape", "script_score", "mach")
AGGREGATIONS = ("top_metrics", "geo_bounds", "rare_terms", "bucket_script", "termz")
SEARCHES: dict[str, dict[str, Any]] = table(__file__, "SEARCHES")
FIELDS: dict[str, Any] = table(__file__, "FIELDS")

TEXT_ANALYSIS = {
    "synonym": {"filter": {"x": {"type": "synonym", "synonyms": ["a,b"]}}},
    "edge_ngram": {"tokenizer": {"x": {"type": "edge_ngram"}}},
    "char_filter": {"char_filter": {"x": {"type": "html_strip"}}},
    "german": {"analyzer": {"x": {"type": "german"}}},
}

#: Settings of an index that would change answers.
SETTINGS = {
    "sort.field": "a", "default_pipeline": "p", "routing_partition_size": 2, "hidden": True, "blocks.write": True,
}  # fmt: skip

REQUEST_LINES = table(__file__, "REQUEST_LINES")


@pytest.fixture(scope="module")
def asked() -> Iterator[Asked]:
    with Engine.open(None) as engine:
        made = Asked(engine)
        fields = {
            "n": {"type": "nested", "properties": {"a": {"type": "long"}}}, "r": {"type": "integer_range"},
            "p": {"type": "geo_point"}, "k": {"type": "keyword"}, "t": {"type": "text"}, "a": {"type": "long"},
        }  # fmt: skip
        made.ok("PUT", "/i", {"mappings": {"properties": fields}})
        made.put("i", {"1": {"a": 1, "r": {"gte": 1}, "t": "x", "n": [{"a": 1}]}})
        yield made


def is_refused(asked: Asked, named: str, method: str, target: str, body: Any = None) -> None:
    status, answered = asked.ask(method, target, body)
    assert status == 400, answered
    assert named in str(answered["error"])


@pytest.mark.parametrize("name", QUERIES)
def test_queries(asked: Asked, name: str) -> None:
    assert name not in implemented.queries()
    is_refused(asked, name, "POST", "/i/_search", {"query": {name: {}}})
    is_refused(asked, name, "POST", "/i/_search", {"query": {"bool": {"must_not": [{name: {"a": {}}}]}}})


@pytest.mark.parametrize("name", AGGREGATIONS)
def test_aggregations(asked: Asked, name: str) -> None:
    assert name not in implemented.aggregations()
    is_refused(asked, name, "POST", "/i/_search", {"aggs": {"x": {name: {"field": "a"}}}})
    below = {"x": {"filter": {"match_all": {}}, "aggs": {"y": {name: {"field": "a"}}}}}
    is_refused(asked, name, "POST", "/i/_search", {"aggs": below})


@pytest.mark.parametrize("named", SEARCHES)
def test_parts_of_a_search(asked: Asked, named: str) -> None:
    is_refused(asked, named, "POST", "/i/_search", SEARCHES[named])


def test_a_field_of_ranges_tells_whether_there_is_one(asked: Asked) -> None:
    assert asked.ids("i", {"exists": {"field": "r"}}) == ["1"]
    assert asked.ask("PUT", "/i/_doc/2", {"r": {"gte": 2, "lte": 1}})[0] == 400


@pytest.mark.parametrize("name", FIELDS)
def test_mappings(asked: Asked, name: str) -> None:
    is_refused(asked, name, "PUT", "/other", {"mappings": {"properties": {"f": FIELDS[name]}}})
    is_refused(asked, name, "PUT", "/i/_mapping", {"properties": {"f": FIELDS[name]}})


@pytest.mark.parametrize("name", TEXT_ANALYSIS)
def test_text_analysis(asked: Asked, name: str) -> None:
    is_refused(asked, name, "PUT", "/other", {"settings": {"analysis": TEXT_ANALYSIS[name]}})


@pytest.mark.parametrize("name", SETTINGS)
def test_settings(asked: Asked, name: str) -> None:
    is_refused(asked, name, "PUT", "/other", {"settings": {"index": {name: SETTINGS[name]}}})


@pytest.mark.parametrize("named", REQUEST_LINES)
def test_request_lines(asked: Asked, named: str) -> None:
    method, target = REQUEST_LINES[named].split()
    is_refused(asked, named, method, target, None if method in ("GET", "DELETE") else {})


@pytest.mark.parametrize(
    ("method", "target", "status"), [("GET", "/none/_search", 404), ("DELETE", "/none", 404), ("PUT", "/i", 400)]
)
def test_indices_that_there_are_not_or_are(asked: Asked, method: str, target: str, status: int) -> None:
    assert asked.ask(method, target)[0] == status


@pytest.mark.parametrize("name", ["if_seq_no", "routing", "op_type"])
def test_parts_of_a_bulk_request(asked: Asked, name: str) -> None:
    is_refused(asked, f"bulk parameter [{name}]", "POST", "/i/_bulk", [{"index": {"_id": "8", name: 1}}, {"a": 1}])


def test_a_mapping_conflict_changes_nothing(asked: Asked) -> None:
    before = asked.ok("GET", "/i/_mapping")
    both = {"b": {"type": "long"}, "a": {"type": "ip"}}
    for properties in ({"a": {"type": "text"}}, {"n": {"type": "object", "properties": {}}}, both):
        assert asked.ask("PUT", "/i/_mapping", {"properties": properties})[0] == 400
    assert asked.ok("GET", "/i/_mapping") == before


LONG = "é" * 16_384


@pytest.mark.parametrize(
    "query",
    [
        {"term": {"k": LONG}}, {"terms": {"k": ["x", LONG]}}, {"range": {"k": {"gte": LONG}}}, {"fuzzy": {"k": LONG}},
        {"match": {"k": LONG}}, {"term": {"nothing": LONG}}, {"prefix": {"k": "a" * 1_001}},
        {"wildcard": {"k": "a" * 1_000 + "*"}}, {"regexp": {"k": "a" * 1_001}},
    ],
    ids=lambda query: next(iter(query)),
)
def test_a_value_that_is_longer_than_any_term(asked: Asked, query: dict[str, Any]) -> None:
    status, answered = asked.ask("POST", "/i/_search", {"query": query})
    assert status == 400
    assert any(told in str(answered["error"]) for told in ("is longer than", "has exceeded", "too large"))
    assert asked.ids("i", {"term": {"k": "é" * 16_383}}) == []
