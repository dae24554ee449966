"""Features of Elasticsearch that the engine has not: each is a 400 in its form of an error, which names it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from qlc_engine import Engine, implemented
from tests.engine.conftest import Asked

QUERIES = """
    combined_fields distance_feature field_masking_span geo_grid geo_polygon geo_shape has_child has_parent intervals
    more_like_this parent_id percolate pinned rank_feature rule script script_score semantic shape span_containing
    span_field_masking span_first span_multi span_near span_not span_or span_term span_within sparse_vector terms_set
    text_expansion weighted_tokens wrapper
""".split()  # noqa: SIM905

PARTS_OF_QUERIES: dict[str, Any] = {
    "random_score": {"function_score": {"random_score": {}}},
    "min_score": {"function_score": {"min_score": 1}},
    "rewrite": {"prefix": {"a": {"value": "x", "rewrite": "scoring_boolean"}}},
    "fuzzy_rewrite": {"match": {"a": {"query": "x", "fuzzy_rewrite": "constant_score"}}},
    "quote_field_suffix": {"query_string": {"query": "x", "quote_field_suffix": ".exact"}},
    "terms lookup": {"terms": {"a": {"index": "i", "id": "1", "path": "a"}}},
}

AGGREGATIONS = """
    adjacency_matrix auto_date_histogram avg_bucket boxplot bucket_correlation bucket_count_ks_test bucket_script
    bucket_selector bucket_sort categorize_text change_point children cumulative_cardinality cumulative_sum
    derivative diversified_sampler extended_stats_bucket frequent_item_sets geo_bounds geo_centroid geo_distance
    geo_line geohash_grid geohex_grid geotile_grid global inference ip_prefix ip_range matrix_stats max_bucket
    min_bucket moving_fn moving_percentiles multi_terms normalize parent percentile_ranks percentiles_bucket
    random_sampler rare_terms rate sampler scripted_metric serial_diff significant_terms significant_text
    stats_bucket string_stats sum_bucket t_test time_series top_metrics variable_width_histogram weighted_avg
""".split()  # noqa: SIM905

PARTS_OF_AGGREGATIONS: dict[str, Any] = {
    "hdr": {"percentiles": {"field": "a", "hdr": {}}},
    "partitions": {"terms": {"field": "a", "include": {"partition": 0, "num_partitions": 2}}},
    "geotile_grid": {"composite": {"sources": [{"p": {"geotile_grid": {"field": "a"}}}]}},
}

FIELD_TYPES = """
    aggregate_metric_double annotated_text completion counted_keyword geo_shape histogram icu_collation_keyword join
    murmur3 passthrough percolator point rank_feature rank_features rank_vectors search_as_you_type semantic_text shape
    sparse_vector token_count version
""".split()  # noqa: SIM905

MAPPING_PARAMETERS = {
    "script": {"type": "long", "script": "emit(1)"},
    "on_script_error": {"type": "long", "on_script_error": "fail"},
    "subobjects": {"type": "object", "subobjects": False},
}

SEARCH_KEYS: dict[str, Any] = {
    "script_fields": {"f": {"script": "1"}},
    "runtime_mappings": {"r": {"type": "long"}},
    "explain": True,
    "profile": True,
    "rank": {"rrf": {}},
    "retriever": {"standard": {}},
    "sub_searches": [],
    "ext": {"x": 1},
    "slice": {"id": 0, "max": 2},
    "rescore": {"query": {"rescore_query": {"match_all": {}}}},
    "min_score": 1,
    "terminate_after": 1,
    "indices_boost": [{"i": 2}],
    "stored_fields": ["a"],
    "version": True,
    "seq_no_primary_term": True,
    "suggest": {"s": {"text": "x", "term": {"field": "a"}}},
}

SORTS: dict[str, Any] = {
    "_geo_distance": {"_geo_distance": {"a": "0,0"}},
    "_script": {"_script": {"type": "number", "script": "1"}},
    "max_children": {"n.a": {"nested": {"path": "n", "max_children": 1}}},
}

TEXT_ANALYSIS = {
    "synonym": {"filter": {"x": {"type": "synonym", "synonyms": ["a,b"]}}},
    "edge_ngram": {"tokenizer": {"x": {"type": "edge_ngram"}}},
    "ngram": {"tokenizer": {"x": {"type": "ngram"}}},
    "pattern": {"analyzer": {"x": {"type": "pattern"}}},
    "path_hierarchy": {"tokenizer": {"x": {"type": "path_hierarchy"}}},
    "snowball": {"filter": {"x": {"type": "snowball"}}},
    "shingle": {"filter": {"x": {"type": "shingle"}}},
    "char_filter": {"char_filter": {"x": {"type": "html_strip"}}},
    "german": {"analyzer": {"x": {"type": "german"}}},
    "french": {"analyzer": {"x": {"type": "french"}}},
}

URL_PARAMETERS = {
    "scroll": "GET /i/_search?scroll=1m",
    "q": "GET /i/_search?q=a:1",
    "typed_keys": "GET /i/_search?typed_keys=true",
    "rest_total_hits_as_int": "GET /i/_search?rest_total_hits_as_int=true",
    "include_named_queries_score": "GET /i/_search?include_named_queries_score=true",
    "min_score": "GET /i/_count?min_score=1",
    "if_seq_no": "PUT /i/_doc/9?if_seq_no=1&if_primary_term=1",
    "version": "PUT /i/_doc/9?version=3&version_type=external",
    "stored_fields": "GET /i/_doc/1?stored_fields=a",
    "realtime": "GET /i/_doc/1?realtime=false",
    "_source": "POST /i/_update/1?_source=true",
    "pipeline": "PUT /i/_doc/9?pipeline=p",
    "ccs_minimize_roundtrips_": "GET /i/_search?ccs_minimize_roundtrips_=true",
}

PATHS = """
    GET /_sql, POST /_sql, POST /_query, POST /_eql/search, POST /_reindex, GET /_tasks, GET /_nodes, GET
    /_nodes/stats, GET /_cluster/state, GET /_cluster/settings, GET /_cluster/stats, GET /_cat/nodes, GET
    /_cat/shards, GET /_cat/aliases, POST /_msearch/template, POST /_render/template, PUT
    /_ingest/pipeline/p, GET /_ingest/pipeline, PUT /_index_template/t, PUT /_component_template/t, PUT
    /_template/t, PUT /_data_stream/d, PUT /_scripts/s, GET /_snapshot, GET /_security/user, GET
    /_ml/anomaly_detectors, GET /_transform, GET /_ilm/status, PUT /_ilm/policy/p, GET /_remote/info, GET
    /_xpack, GET /_license, GET /_stats, GET /_segments, POST /_rank_eval, POST /i/_update_by_query/x, POST
    /i/_rollover/x, GET /i/_termvectors/1, GET /i/_explain/1, POST /i/_async_search/x, GET /_resolve/index/x,
    PUT /_enrich/policy/p, POST /_search/scroll, DELETE /_search/scroll, GET /_mget, GET /i/_source/1, GET
    /i/_validate/query, GET /_validate/query, GET /_analyze, GET /_mapping/field/a, GET /i/_mapping/field/a, POST
    /_aliases, PUT /_query_rules/r, PUT /_synonyms/s, GET /_watcher/stats
""".replace("\n", " ").split(",")


@pytest.fixture(scope="module")
def asked() -> Iterator[Asked]:
    with Engine.open(None) as engine:
        made = Asked(engine)
        nested = {"type": "nested", "properties": {"a": {"type": "long"}}}
        made.ok("PUT", "/i", {"mappings": {"properties": {"n": nested}}})
        made.put("i", {"1": {"a": 1}})
        yield made


def _is_refused(asked: Asked, named: str, method: str, target: str, body: Any) -> None:
    status, answered = asked.ask(method, target, body)
    assert status == 400
    error = answered["error"]
    assert answered["status"] == 400
    assert set(error) >= {"root_cause", "type", "reason"}
    assert all(set(cause) >= {"type", "reason"} for cause in error["root_cause"])
    assert named in str(error)


@pytest.mark.parametrize("name", QUERIES)
def test_queries(asked: Asked, name: str) -> None:
    assert name not in implemented.queries()
    _is_refused(asked, name, "POST", "/i/_search", {"query": {name: {}}})
    _is_refused(asked, name, "POST", "/i/_search", {"query": {"bool": {"must_not": [{name: {"a": {}}}]}}})


@pytest.mark.parametrize("name", PARTS_OF_QUERIES)
def test_parts_of_queries(asked: Asked, name: str) -> None:
    _is_refused(asked, name, "POST", "/i/_search", {"query": PARTS_OF_QUERIES[name]})


@pytest.mark.parametrize("name", AGGREGATIONS)
def test_aggregations(asked: Asked, name: str) -> None:
    assert name not in implemented.aggregations()
    _is_refused(asked, name, "POST", "/i/_search", {"aggs": {"x": {name: {"field": "a"}}}})
    below = {"x": {"filter": {"match_all": {}}, "aggs": {"y": {name: {"field": "a"}}}}}
    _is_refused(asked, name, "POST", "/i/_search", {"aggs": below})


@pytest.mark.parametrize("name", PARTS_OF_AGGREGATIONS)
def test_parts_of_aggregations(asked: Asked, name: str) -> None:
    _is_refused(asked, name, "POST", "/i/_search", {"aggs": {"x": PARTS_OF_AGGREGATIONS[name]}})


@pytest.mark.parametrize("name", FIELD_TYPES)
def test_field_types(asked: Asked, name: str) -> None:
    assert name not in implemented.field_types()
    _is_refused(asked, name, "PUT", "/other", {"mappings": {"properties": {"f": {"type": name}}}})
    _is_refused(asked, name, "PUT", "/i/_mapping", {"properties": {"f": {"type": name}}})


@pytest.mark.parametrize("name", MAPPING_PARAMETERS)
def test_mapping_parameters(asked: Asked, name: str) -> None:
    _is_refused(asked, name, "PUT", "/other", {"mappings": {"properties": {"f": MAPPING_PARAMETERS[name]}}})


@pytest.mark.parametrize("name", SEARCH_KEYS)
def test_parts_of_a_search(asked: Asked, name: str) -> None:
    _is_refused(asked, name, "POST", "/i/_search", {name: SEARCH_KEYS[name]})


@pytest.mark.parametrize("name", SORTS)
def test_sorts(asked: Asked, name: str) -> None:
    _is_refused(asked, name, "POST", "/i/_search", {"sort": [SORTS[name]]})


#: Settings of an index that would change answers.
SETTINGS = {"sort.field": "a", "sort.order": ["desc"], "default_pipeline": "p", "routing_partition_size": 2}


@pytest.mark.parametrize("name", SETTINGS)
def test_settings(asked: Asked, name: str) -> None:
    _is_refused(asked, name, "PUT", "/other", {"settings": {"index": {name: SETTINGS[name]}}})


@pytest.mark.parametrize("name", TEXT_ANALYSIS)
def test_text_analysis(asked: Asked, name: str) -> None:
    _is_refused(asked, name, "PUT", "/other", {"settings": {"analysis": TEXT_ANALYSIS[name]}})


@pytest.mark.parametrize("name", URL_PARAMETERS)
def test_url_parameters(asked: Asked, name: str) -> None:
    method, target = URL_PARAMETERS[name].split()
    _is_refused(asked, name, method, target, None if method == "GET" else {})


@pytest.mark.parametrize("request_line", [line.strip() for line in PATHS])
def test_paths(asked: Asked, request_line: str) -> None:
    """A path without a handler has another form of error in Elasticsearch, and so here; one part may be an index."""
    method, path = request_line.split()
    if method in ("GET", "PUT") and path.count("/") == 1:
        _is_refused(asked, path[1:], method, path, {})
        return
    assert asked.ask(method, path) == (400, {"error": f"no handler found for uri [{path}] and method [{method}]"})


@pytest.mark.parametrize("name", ["if_seq_no", "version", "routing", "pipeline", "_source"])
def test_parts_of_a_bulk_request(asked: Asked, name: str) -> None:
    lines = f'{{"index": {{"_id": "8", "{name}": 1}}}}\n{{"a": 1}}\n'
    status, _, answered = asked.engine.handle("POST", "/i/_bulk", {}, lines.encode())
    assert status == 400
    assert f"[{name}] is not implemented" in answered.decode()


@pytest.mark.parametrize("request_line", ["GET /i/_mget", "GET /i/_analyze", "DELETE /i/_alias/a"])
def test_what_is_done_with_an_index(asked: Asked, request_line: str) -> None:
    method, path = request_line.split()
    _is_refused(asked, path.split("/")[2], method, path, None)


def test_there_are_enough() -> None:
    found = (
        QUERIES,
        AGGREGATIONS,
        FIELD_TYPES,
        MAPPING_PARAMETERS,
        SEARCH_KEYS,
        TEXT_ANALYSIS,
        URL_PARAMETERS,
        PATHS,
    )
    assert sum(map(len, found)) >= 100
