"""What the engine does not know or has not it names, as a 400 in Elasticsearch's form of an error: no key, type, query
or parameter is passed over in silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from qlc_engine import Engine, implemented
from tests.engine.asked import Asked

QUERIES = ("more_like_this", "geo_shape", "script_score", "mach")
AGGREGATIONS = ("top_metrics", "geo_bounds", "rare_terms", "bucket_script", "termz")

SEARCHES: dict[str, dict[str, Any]] = {
    # parts of a search
    "script_fields": {"script_fields": {"f": {"script": "1"}}},
    "runtime_mappings": {"runtime_mappings": {"r": {"type": "long"}}},
    "explain": {"explain": True},
    "suggest": {"suggest": {"s": {"text": "x", "term": {"field": "a"}}}},
    "docvalue_fields": {"docvalue_fields": ["a*"]},
    "excludes": {"_source": {"excludes": ["a"]}},
    "[fields] with [*]": {"fields": ["*"]},
    "[fields] with [a] of type [long]": {"fields": ["a"]},
    "whatever": {"whatever": 1},
    # order
    "_geo_distance": {"sort": [{"_geo_distance": {"a": "0,0"}}]},
    "_script": {"sort": [{"_script": {}}]},
    "max_children": {"sort": [{"n.a": {"nested": {"path": "n", "max_children": 1}}}]},
    "ordre": {"sort": [{"a": {"order": "asc", "ordre": 1}}]},
    "unmapped_type": {"sort": [{"b": {"unmapped_type": "long"}}]},
    "sort [format]": {"sort": [{"a": {"format": "0.0"}}]},
    # queries
    "random_score": {"query": {"function_score": {"random_score": {}}}},
    "min_score": {"query": {"function_score": {"min_score": 1}}},
    "multi_value_mode": {"query": {"function_score": {"gauss": {"multi_value_mode": "avg", "a": {"origin": 1}}}}},
    "rewrite": {"query": {"prefix": {"a": {"value": "x", "rewrite": "scoring_boolean"}}}},
    "terms lookup": {"query": {"terms": {"a": {"index": "i", "id": "1", "path": "a"}}}},
    "inner_hits": {"query": {"nested": {"path": "n", "query": {"match_all": {}}, "inner_hits": {}}}},
    "[prefix] on [_index]": {"query": {"prefix": {"_index": "i"}}},
    "[r] of type [integer_range]": {"query": {"term": {"r": 1}}},
    "relation": {"query": {"range": {"r": {"gte": 1, "relation": "within"}}}},
    "validation_method": {"query": {"geo_distance": {"distance": 1, "validation_method": "COERCE", "p": "0,0"}}},
    "wkt": {"query": {"geo_bounding_box": {"p": {"wkt": "BBOX (1, 2, 2, 1)"}}}},
    "valeu": {"query": {"term": {"a": {"value": 1, "valeu": 2}}}},
    "shuold": {"query": {"bool": {"shuold": []}}},
    "lq": {"query": {"range": {"a": {"gte": 1, "lq": 2}}}},
    "same path [n]": {"query": {"nested": {"path": "n", "query": {"nested": {"path": "n", "query": {}}}}}},
    # aggregations
    "hdr": {"aggs": {"x": {"percentiles": {"field": "a", "hdr": {}}}}},
    "partitions": {"aggs": {"x": {"terms": {"field": "a", "include": {"partition": 0, "num_partitions": 2}}}}},
    "geotile_grid": {"aggs": {"x": {"composite": {"sources": [{"p": {"geotile_grid": {"field": "a"}}}]}}}},
    "min_doc_count": {"aggs": {"x": {"terms": {"field": "a", "min_doc_count": 0}}}},
    "keyed": {"aggs": {"x": {"histogram": {"field": "a", "interval": 1, "keyed": True}}}},
    "without names": {"aggs": {"x": {"filters": {"filters": [{"match_all": {}}]}}}},
    "meta": {"aggs": {"x": {"max": {"field": "a"}, "meta": {}}}},
    "top_hits [sort]": {"aggs": {"x": {"top_hits": {"sort": ["a"]}}}},
    "nested elements": {"aggs": {"x": {"nested": {"path": "n"}, "aggs": {"y": {"top_hits": {}}}}}},
    "[r] of type": {"aggs": {"x": {"value_count": {"field": "r"}}}},
    # highlighting
    "highlighter [plain]": {"highlight": {"type": "plain", "fields": {"t": {}}}},
    "fragmenter": {"highlight": {"fields": {"t": {"fragmenter": "simple"}}}},
}  # fmt: skip

FIELDS: dict[str, Any] = {
    "geo_shape": {"type": "geo_shape"},
    "completion": {"type": "completion"},
    "script": {"type": "long", "script": "emit(1)"},
    "subobjects": {"type": "object", "subobjects": False},
    "nested_things": {"type": "nested", "nested_things": True},
    "keywrd": {"type": "keywrd"},
    "ignore_abov": {"type": "keyword", "ignore_abov": 5},
    "klingon": {"type": "text", "analyzer": "klingon"},
    "bbbb": {"type": "date", "format": "bbbb"},
}

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

REQUEST_LINES = {
    "scroll": "GET /i/_search?scroll=1m",
    "sise": "GET /i/_search?sise=3",
    "track_total_hits": "GET /i/_search?track_total_hits=true",
    "if_seq_no": "PUT /i/_doc/9?if_seq_no=1&if_primary_term=1",
    "op_type": "PUT /i/_doc/9?op_type=create",
    "stored_fields": "GET /i/_doc/1?stored_fields=a",
    "_sql": "POST /_sql",
    "_field_caps": "GET /i/_field_caps",
    "_cat": "GET /_cat/indices",
    "/i/_alias/a": "DELETE /i/_alias/a",
    "_delete_by_query": "POST /i/_delete_by_query",
    "/_cluster/stats": "GET /_cluster/stats",
    "Upper": "PUT /Upper",
}


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
        {"term": {"k": LONG}},
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
    status, answered = asked.ask("POST", "/i/_search", {"query": query})
    assert status == 400
    assert any(told in str(answered["error"]) for told in ("is longer than", "has exceeded", "too large"))
    assert asked.ids("i", {"term": {"k": "é" * 16_383}}) == []
