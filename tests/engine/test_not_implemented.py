"""Features of Elasticsearch that the engine has not: each is a 400 in its form of an error, which names it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from qlc_engine import Engine, implemented
from tests.engine.conftest import Asked

QUERIES = """
    geo_grid has_child has_parent parent_id percolate pinned rank_feature rule script script_score semantic shape
    sparse_vector text_expansion weighted_tokens
""".split()  # noqa: SIM905

AGGREGATIONS = """
    adjacency_matrix auto_date_histogram boxplot bucket_correlation bucket_count_ks_test bucket_script
    bucket_selector categorize_text change_point children cumulative_cardinality frequent_item_sets geo_line
    geohex_grid inference matrix_stats moving_fn moving_percentiles multi_terms normalize parent random_sampler rate
    scripted_metric string_stats t_test time_series top_metrics
""".split()  # noqa: SIM905

FIELD_TYPES = """
    aggregate_metric_double annotated_text completion counted_keyword geo_shape histogram icu_collation_keyword join
    murmur3 passthrough percolator point rank_feature rank_features rank_vectors search_as_you_type semantic_text shape
    sparse_vector token_count version
""".split()  # noqa: SIM905

MAPPING_PARAMETERS = {
    "script": {"type": "long", "script": "emit(1)"},
    "time_series_dimension": {"type": "keyword", "time_series_dimension": True},
    "time_series_metric": {"type": "long", "time_series_metric": "gauge"},
    "on_script_error": {"type": "long", "on_script_error": "fail"},
    "subobjects": {"type": "object", "subobjects": False},
    "synthetic_source_keep": {"type": "keyword", "synthetic_source_keep": "all"},
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
    "pipeline": "PUT /i/_doc/9?pipeline=p",
    "ccs_minimize_roundtrips_": "GET /i/_search?ccs_minimize_roundtrips_=true",
}

SUGGESTERS: dict[str, Any] = {
    "phrase": {"phrase": {"field": "a"}},
    "completion": {"completion": {"field": "a"}},
    "jaro_winkler": {"term": {"field": "a", "string_distance": "jaro_winkler"}},
    "ngram": {"term": {"field": "a", "string_distance": "ngram"}},
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
    PUT /_enrich/policy/p, PUT /_query_rules/r, PUT /_synonyms/s, GET /_watcher/stats
""".replace("\n", " ").split(",")


@pytest.fixture(scope="module")
def asked() -> Iterator[Asked]:
    with Engine.open(None) as engine:
        made = Asked(engine)
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


@pytest.mark.parametrize("name", AGGREGATIONS)
def test_aggregations(asked: Asked, name: str) -> None:
    assert name not in implemented.aggregations()
    _is_refused(asked, name, "POST", "/i/_search", {"aggs": {"x": {name: {"field": "a"}}}})
    below = {"x": {"filter": {"match_all": {}}, "aggs": {"y": {name: {"field": "a"}}}}}
    _is_refused(asked, name, "POST", "/i/_search", {"aggs": below})


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


@pytest.mark.parametrize("name", SUGGESTERS)
def test_suggesters(asked: Asked, name: str) -> None:
    _is_refused(asked, name, "POST", "/i/_search", {"suggest": {"s": {"text": "x", **SUGGESTERS[name]}}})


@pytest.mark.parametrize("values", [[-1.0, 2.0], [1e-9, 1e6]])
def test_values_that_narrow_cells_cannot_hold(asked: Asked, values: list[float]) -> None:
    asked.put("numbers", {str(number): {"v": value} for number, value in enumerate(values)})
    aggregation = {"percentiles": {"field": "v", "hdr": {}}}
    _is_refused(asked, "hdr", "POST", "/numbers/_search", {"aggs": {"x": aggregation}})


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
    _is_refused(asked, name, method, target, {})


@pytest.mark.parametrize("request_line", [line.strip() for line in PATHS])
def test_paths(asked: Asked, request_line: str) -> None:
    """A path without a handler has another form of error in Elasticsearch, and so here; one part may be an index."""
    method, path = request_line.split()
    if method in ("GET", "PUT") and path.count("/") == 1:
        _is_refused(asked, path[1:], method, path, {})
        return
    assert asked.ask(method, path) == (400, {"error": f"no handler found for uri [{path}] and method [{method}]"})


def test_there_are_enough() -> None:
    found = (
        QUERIES,
        AGGREGATIONS,
        FIELD_TYPES,
        MAPPING_PARAMETERS,
        SEARCH_KEYS,
        SUGGESTERS,
        TEXT_ANALYSIS,
        URL_PARAMETERS,
        PATHS,
    )
    assert sum(map(len, found)) >= 100
