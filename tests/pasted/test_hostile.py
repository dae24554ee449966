"""Attempts to read what is confidential, closed or another tenant's, to run a script, or to write: none gets through."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qlc.outcome import Outcome
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from tests.pasted.conftest import NOW
from tests.pipeline.wire import Wire, searches
from tests.tables import each

CONTEXT = {"tenant": "red", "level": 5}
SECRETS = ("pay.", "verdict", "reviews", "wage")
"""Parts of the paths of confidential fields."""
OTHERS = ("blue", "azure")
"""Words that stand in what belongs to the other tenant, and nowhere else."""


def query(text: str) -> str:
    return f'{{"query": {text}}}'


def aggs(text: str) -> str:
    return f'{{"size": 0, "aggs": {{"a": {text}}}}}'


SCRIPTS = [
    query('{"script": {"script": "true"}}'),
    query('{"script": {"script": {"source": "doc[\'pay.salary\'].value > 5", "lang": "painless"}}}'),
    query('{"script_score": {"query": {"match_all": {}}, "script": {"source": "1"}}}'),
    query('{"function_score": {"query": {"match_all": {}}, "script_score": {"script": "1"}}}'),
    query('{"function_score": {"functions": [{"script_score": {"script": {"source": "1"}}}]}}'),
    query('{"bool": {"filter": [{"script": {"script": {"id": "stored"}}}]}}'),
    query('{"bool": {"must_not": {"bool": {"should": [{"script": {"script": "true"}}]}}}}'),
    query('{"nested": {"path": "shares", "query": {"script": {"script": "true"}}}}'),
    query('{"terms_set": {"tags": {"terms": ["draft"], "minimum_should_match_script": {"source": "1"}}}}'),
    query('{"constant_score": {"filter": {"script": {"script": "true"}}}}'),
    '{"query": {"match_all": {}}, "script_fields": {"x": {"script": {"source": "params._source"}}}}',
    '{"query": {"match_all": {}}, "runtime_mappings": {"x": {"type": "long", "script": "emit(1)"}}}',
    '{"runtime_mappings": {"x": {"type": "long"}}, "query": {"match_all": {}}}',
    '{"query": {"match_all": {}}, "sort": {"_script": {"type": "number", "script": "1", "order": "asc"}}}',
    '{"query": {"match_all": {}}, "sort": [{"_script": {"script": {"source": "1"}}}, "size"]}',
    aggs('{"scripted_metric": {"map_script": "1", "combine_script": "1", "reduce_script": "1"}}'),
    aggs('{"terms": {"script": {"source": "doc[\'pay.grade\'].value"}}}'),
    aggs('{"avg": {"script": "doc[\'pay.salary\'].value"}}'),
    aggs('{"terms": {"field": "type"}, "aggs": {"b": {"bucket_script": {"buckets_path": {}, "script": "1"}}}}'),
    aggs('{"terms": {"field": "type"}, "aggs": {"b": {"bucket_selector": {"buckets_path": {}, "script": "1"}}}}'),
    aggs('{"terms": {"field": "type", "order": {"x": "asc"}}, "aggs": {"x": {"max": {"script": "1"}}}}'),
    aggs('{"sum": {"field": "size", "script": {"source": "_value * 2"}}}'),
    "GET /shared/_search/template\n" + '{"source": {"query": {"match_all": {}}}}',
    '{"query": {"match_all": {}}, "suggest": {"s": {"phrase": {"field": "body", "collate": {"script": "1"}}}}}',
    '{"query": {"match_all": {}}, "rescore": {"query": {"rescore_query": {"script_score": {"script": "1"}}}}}',
    "\u201cquery\u201d: {script: {script: 'true'}}",
]

CONFIDENTIAL = [
    query('{"term": {"pay.salary": 3000}}'),
    query('{"range": {"pay.salary": {"gte": 5}}}'),
    query('{"range": {"pay_alias": {"gte": 5}}}'),
    query('{"exists": {"field": "pay.grade"}}'),
    query('{"exists": {"field": "pay"}}'),
    query('{"exists": {"field": "pay_alias"}}'),
    query('{"exists": {"field": "reviews"}}'),
    query('{"exists": {"field": "shares"}}'),
    query('{"prefix": {"pay.grade": "blue"}}'),
    query('{"wildcard": {"pay.grade": "*"}}'),
    query('{"regexp": {"pay.grade": "b.*"}}'),
    query('{"fuzzy": {"pay.grade": "bluegrade1"}}'),
    query('{"match": {"verdict": "secret"}}'),
    query('{"match_phrase": {"verdict": {"query": "secret verdict"}}}'),
    query('{"match_phrase_prefix": {"verdict": "secret ver"}}'),
    query('{"multi_match": {"query": "secret", "fields": ["body", "verdict"]}}'),
    query('{"multi_match": {"query": "secret", "fields": ["verdict^3"]}}'),
    query('{"bool": {"must_not": [{"exists": {"field": "pay.salary"}}]}}'),
    query('{"query_string": {"query": "pay.salary:>5"}}'),
    query('{"query_string": {"query": "_exists_:verdict", "default_field": "body"}}'),
    query('{"query_string": {"query": "_exists_: pay.salary"}}'),
    query('{"query_string": {"query": "plan AND (verdict :secret)"}}'),
    query('{"query_string": {"query": "body:[a TO b\\\\] verdict:secret"}}'),
    query('{"query_string": {"query": "\\"a\\" verdict:secret"}}'),
    query('{"query_string": {"query": "+-pay_alias:5"}}'),
    query('{"query_string": {"query": "plan~1verdict:secret"}}'),
    query('{"query_string": {"query": "plan", "default_field": "verdict"}}'),
    query('{"query_string": {"query": "plan", "fields": ["body", "verdict^2"]}}'),
    query('{"simple_query_string": {"query": "secret", "fields": ["verdict"]}}'),
    query('{"function_score": {"query": {"term": {"pay.salary": 1}}, "weight": 2}}'),
    query('{"function_score": {"field_value_factor": {"field": "pay.salary"}}}'),
    query('{"function_score": {"functions": [{"filter": {"term": {"pay.salary": 1}}, "weight": 9}]}}'),
    query('{"function_score": {"functions": [{"linear": {"pay.salary": {"origin": 0, "scale": 5}}}]}}'),
    aggs('{"composite": {"sources": [{"a": {"terms": {"field": "pay.grade"}}}]}}'),
    aggs('{"composite": {"sources": [{"a": {"histogram": {"field": "pay.salary", "interval": 1}}}]}}'),
    query('{"bool": {"should": [{"match_all": {}}, {"term": {"pay.salary": 1}}]}}'),
    query('{"dis_max": {"queries": [{"term": {"pay.salary": 1}}]}}'),
    query('{"boosting": {"positive": {"match_all": {}}, "negative": {"term": {"pay.salary": 1}}, "negative_boost": 0.1}}'),
    query('{"constant_score": {"filter": {"term": {"pay.salary": 1}}}}'),
    query('{"nested": {"path": "shares", "query": {"range": {"shares.wage": {"gte": 3}}}}}'),
    query('{"nested": {"path": "reviews", "query": {"match_all": {}}}}'),
    query('{"nested": {"path": "reviews", "query": {"range": {"reviews.mark": {"gte": 1}}}}}'),
    query('{"term": {"tenant": "blue"}}'),
    query('{"bool": {"must_not": {"term": {"tenant": "red"}}}}'),
    '{"query": {"match_all": {}}, "_source": ["name", "pay.salary"]}',
    '{"query": {"match_all": {}}, "_source": "pay.grade"}',
    '{"query": {"match_all": {}}, "_source": {"includes": ["verdict"]}}',
    '{"query": {"match_all": {}}, "fields": ["pay.salary"]}',
    '{"query": {"match_all": {}}, "fields": [{"field": "verdict"}]}',
    '{"query": {"match_all": {}}, "docvalue_fields": [{"field": "pay.salary", "format": "0"}]}',
    '{"query": {"match_all": {}}, "docvalue_fields": ["pay_alias"]}',
    '{"query": {"match_all": {}}, "sort": ["pay.salary"]}',
    '{"query": {"match_all": {}}, "sort": [{"pay_alias": {"order": "desc"}}]}',
    '{"query": {"match_all": {}}, "sort": [{"shares.wage": {"order": "desc", "nested": {"path": "shares"}}}]}',
    ('{"query": {"match_all": {}}, "sort": [{"shares.who": {"nested": {"path": "shares", "filter": {"range": '
    '{"shares.wage": {"gte": 3}}}}}}]}'),
    '{"query": {"match_all": {}}, "post_filter": {"range": {"pay.salary": {"gte": 3}}}}',
    '{"query": {"match": {"body": "plan"}}, "highlight": {"fields": {"verdict": {}}}}',
    '{"query": {"match": {"body": "plan"}}, "highlight": {"fields": [{"verdict": {}}]}}',
    ('{"query": {"match": {"body": "plan"}}, "highlight": {"fields": {"body": {"highlight_query": {"term": '
    '{"pay.salary": 1}}}}}}'),
    aggs('{"terms": {"field": "pay.grade"}}'),
    aggs('{"max": {"field": "pay.salary"}}'),
    aggs('{"cardinality": {"field": "pay_alias"}}'),
    aggs('{"missing": {"field": "pay.salary"}}'),
    aggs('{"filter": {"range": {"pay.salary": {"gte": 3}}}}'),
    aggs('{"filters": {"filters": {"a": {"term": {"pay.salary": 1}}}}}'),
    aggs('{"histogram": {"field": "pay.salary", "interval": 1000}}'),
    aggs('{"range": {"field": "pay.salary", "ranges": [{"to": 5}]}}'),
    aggs('{"nested": {"path": "reviews"}}'),
    aggs('{"nested": {"path": "shares"}, "aggs": {"w": {"avg": {"field": "shares.wage"}}}}'),
    aggs('{"terms": {"field": "type"}, "aggs": {"b": {"sum": {"field": "pay.salary"}}}}'),
    aggs('{"terms": {"field": "tenant"}}'),
    "GET /shared/_search?sort=pay.salary:desc",
    "GET /shared/_search?_source_includes=pay.salary",
    "GET /shared/_search?docvalue_fields=verdict",
]

NOT_ALLOWED = [
    aggs('{"global": {}}'),
    aggs('{"terms": {"field": "type"}, "aggs": {"g": {"global": {}, "aggs": {"t": {"terms": {"field": "name"}}}}}}'),
    aggs('{"terms": {"field": "name", "min_doc_count": 0}}'),
    aggs('{"terms": {"field": "name", "min_doc_count": "0"}}'),
    aggs('{"significant_terms": {"field": "name"}}'),
    aggs('{"significant_text": {"field": "body"}}'),
    aggs('{"top_hits": {"_source": ["pay.salary"]}}'),
    aggs('{"top_metrics": {"metrics": {"field": "pay.salary"}, "sort": {"size": "asc"}}}'),
    aggs('{"terms": {"field": "type"}, "aggs": {"c": {"composite": {"sources": [{"a": {"terms": {"field": "name"}}}]}}}}'),
    aggs('{"composite": {"sources": [{"a": {"geotile_grid": {"field": "place"}}}]}}'),
    aggs('{"multi_terms": {"terms": [{"field": "type"}, {"field": "pay.grade"}]}}'),
    aggs('{"rare_terms": {"field": "name"}}'),
    query('{"query_string": {"query": "pay.*:5"}}'),
    query('{"query_string": {"query": "pay.\\\\*:5"}}'),
    query('{"query_string": {"query": "ver\\\\u0064ict:secret"}}'),
    query('{"query_string": {"query": "*:secret"}}'),
    query('{"query_string": {"query": "a!verdict:secret"}}'),
    query('{"query_string": {"query": "/verdict:secret/"}}'),
    query('{"query_string": {"query": "_exists_:pay.*"}}'),
    query('{"query_string": {"query": "created:[now-1d TO now]"}}'),
    query('{"query_string": {"query": "plan", "rewrite": "constant_score", "quote_field_suffix": ".x"}}'),
    query('{"function_score": {"query": {"match_all": {}}, "random_score": {}}}'),
    query('{"function_score": {"query": {"match_all": {}}, "functions": [{"gauss": {"created": {"scale": "10d"}}}]}}'),
    query('{"function_score": {"query": {"match_all": {}}, "weight": 2, "min_score": 1}}'),
    query('{"more_like_this": {"fields": ["verdict"], "like": [{"_index": "shared", "_id": "blue-d1"}]}}'),
    query('{"percolate": {"field": "q", "document": {"a": 1}}}'),
    query('{"wrapper": {"query": "eyJtYXRjaF9hbGwiOnt9fQ=="}}'),
    query('{"terms": {"id": {"index": "shared", "id": "blue-d1", "path": "above"}}}'),
    query('{"terms": {"id": {"index": "secrets", "id": "1", "path": "ids"}}}'),
    query('{"geo_shape": {"place": {"indexed_shape": {"index": "secrets", "id": "1"}}}}'),
    query('{"pinned": {"ids": ["blue-d1"], "organic": {"match_all": {}}}}'),
    query('{"has_child": {"type": "x", "query": {"match_all": {}}}}'),
    query('{"has_parent": {"parent_type": "x", "query": {"match_all": {}}}}'),
    query('{"nested": {"path": "shares", "query": {"match_all": {}}, "inner_hits": {"_source": ["shares.wage"]}}}'),
    query('{"knn": {"field": "v", "query_vector": [1]}}'),
    query('{"intervals": {"verdict": {"match": {"query": "secret"}}}}'),
    query('{"span_term": {"verdict": "secret"}}'),
    query('{"rank_feature": {"field": "pay.salary"}}'),
    query('{"distance_feature": {"field": "created", "origin": "now", "pivot": "1d"}}'),
    '{"query": {"match_all": {}}, "collapse": {"field": "name", "inner_hits": {"name": "x"}}}',
    '{"query": {"match_all": {}}, "suggest": {"s": {"text": "azur", "term": {"field": "name"}}}}',
    '{"query": {"match_all": {}}, "stored_fields": ["verdict"]}',
    '{"query": {"match_all": {}}, "knn": {"field": "v", "query_vector": [1], "k": 5}}',
    '{"query": {"match_all": {}}, "retriever": {"standard": {"query": {"match_all": {}}}}}',
    '{"query": {"match_all": {}}, "pit": {"id": "abc"}}',
    '{"query": {"match_all": {}}, "slice": {"id": 0, "max": 2}}',
    '{"query": {"match_all": {}}, "rescore": {"query": {"rescore_query": {"term": {"pay.salary": 1}}}}}',
    '{"query": {"match_all": {}}, "indices_boost": [{"secrets": 2}]}',
    "GET /shared/_search?q=pay.salary:>5",
    "GET /shared/_search?scroll=5m\n" + query('{"match_all": {}}'),
    "GET /shared/_search?routing=blue\n" + query('{"match_all": {}}'),
    "GET /shared/_explain/blue-d1\n" + query('{"match_all": {}}'),
    "GET /shared/_validate/query?explain\n" + query('{"match_all": {}}'),
    "GET /shared/_termvectors/blue-d1",
    "GET /shared/_mget\n" + '{"ids": ["blue-d1"], "query": {}}',
    "GET /shared/_mapping",
    "GET /_cat/indices",
    "GET /_security/user",
    "GET /_cluster/settings",
    "GET /shared/_field_caps?fields=*",
    "POST /shared/_terms_enum\n" + '{"field": "pay.grade", "string": "blue"}',
    "POST /_sql\n" + '{"query": "SELECT * FROM shared"}',
    "POST /_query\n" + '{"query": "FROM shared"}',
    "GET /shared/_msearch\n{}\n" + query('{"match_all": {}}'),
    "POST /shared/_async_search\n" + query('{"match_all": {}}'),
    "GET /shared/_knn_search\n" + '{"knn": {"field": "v"}}',
]

OTHER_INDEX = [
    "GET /secrets/_search\n" + query('{"match_all": {}}'),
    "GET /_all/_search\n" + query('{"match_all": {}}'),
    "GET /*/_search\n" + query('{"match_all": {}}'),
    "GET /shared,secrets/_search\n" + query('{"match_all": {}}'),
    "GET /shared*/_search\n" + query('{"match_all": {}}'),
    "GET /other:shared/_search\n" + query('{"match_all": {}}'),
    "GET /%73ecrets/_search\n" + query('{"match_all": {}}'),
    "GET /.security-7/_search",
    "GET /shared%2Csecrets/_count",
    "GET /<shared-{now/d}>/_search\n" + query('{"match_all": {}}'),
    "curl -XGET 'http://elsewhere:9200/secrets/_search' -d '" + query('{"match_all": {}}') + "'",
    "GET /secrets/_doc/1",
]

CLOSED = [
    query('{"term": {"nonsense": 1}}'),
    query('{"term": {"_index": "shared"}}'),
    query('{"exists": {"field": "_routing"}}'),
    query('{"term": {"_ignored": "pay.salary"}}'),
    query('{"exists": {"field": "*"}}'),
    query('{"exists": {"field": "pay.*"}}'),
    query('{"multi_match": {"query": "secret", "fields": ["pay.*"]}}'),
    query('{"multi_match": {"query": "secret", "fields": ["ver*"]}}'),
    '{"query": {"match_all": {}}, "_source": ["pay*"]}',
    '{"query": {"match_all": {}}, "fields": ["verd*"]}',
]

WRITES = [
    ("POST /shared/_delete_by_query\n" + query('{"match_all": {}}'), "delete"),
    ("POST /shared/_delete_by_query?conflicts=proceed " + query('{"match_all": {}}'), "delete"),
    ("post shared/_delete_by_query " + query('{"match_all": {}}'), "delete"),
    ("DELETE /shared", "delete"),
    ("DELETE shared/_doc/red-d1", "delete"),
    ("run this please DELETE /shared/_doc/red-d1", "delete"),
    ("curl -XDELETE localhost:9200/shared", "delete"),
    ("curl --request DELETE 'localhost:9200/shared/_doc/red-d1'", "delete"),
    ("POST /shared/_update_by_query\n" + '{"script": {"source": "ctx._source.size = 1"}}', "other"),
    ("POST /shared/_update/red-d1\n" + '{"doc": {"size": 1}}', "other"),
    ("POST /_bulk\n" + '{"index": {"_index": "shared"}}\n{"size": 1}', "other"),
    ("POST /shared/_doc\n" + '{"name": "x"}', "other"),
    ("PUT /shared/_doc/1\n" + '{"name": "x"}', "other"),
    ("PUT /shared/_create/1\n" + '{"name": "x"}', "other"),
    ("PUT /shared\n" + '{"mappings": {}}', "other"),
    ("PUT /shared/_settings\n" + '{"index": {"number_of_replicas": 0}}', "other"),
    ("PUT /_scripts/x\n" + '{"script": {"source": "1"}}', "other"),
    ("POST /_reindex\n" + '{"source": {"index": "shared"}, "dest": {"index": "mine"}}', "other"),
    ("POST /_aliases\n" + '{"actions": [{"add": {"index": "shared", "alias": "x"}}]}', "other"),
    ("POST /shared/_close", "other"),
    ("POST /shared/_forcemerge", "other"),
    ("fix and run POST /shared/_update_by_query {query: {match_all: {}}}", "other"),
    ("PUT shared/_mapping " + '{"properties": {"x": {"type": "keyword"}}}', "other"),
]


def run(compiler: Compiler, text: str, **more: Any) -> Outcome:
    (found,) = run_pasted(text, compiler, context={**CONTEXT, **more}, now=NOW)
    return found


def reasons(found: Outcome) -> set[str]:
    return {one.code.removeprefix("pasted-") for one in found.diagnostics}


ATTEMPTS = {
    "script": SCRIPTS, "confidential": CONFIDENTIAL, "not-allowed": NOT_ALLOWED, "other-index": OTHER_INDEX,
    "unknown-field": CLOSED,
}  # fmt: skip


@pytest.mark.parametrize("reason", ATTEMPTS)
@pytest.mark.parametrize("before", ["", "fix and run "])
def test_an_attempt_is_rejected_and_nothing_is_asked(wire: Wire, tenants: Compiler, reason: str, before: str) -> None:
    def check(text: str) -> None:
        with wire.watched() as calls:
            found = run(tenants, before + text)
        assert (found.kind, searches(calls)) == ("rejected_query", [])
        assert reason in reasons(found), found.diagnostics
        assert not any(word in found.model_dump_json(exclude={"diagnostics", "message", "detail"}) for word in OTHERS)

    each(ATTEMPTS[reason], check)


@pytest.mark.parametrize(("text", "intent"), WRITES)
def test_a_write_is_refused_and_nothing_is_sent(wire: Wire, tenants: Compiler, text: str, intent: str) -> None:
    with wire.watched() as calls:
        found = run(tenants, text)
    assert (found.kind, found.intent, calls) == ("refuse", intent, [])  # type: ignore[union-attr]


def test_writes_that_are_to_be_explained_are_not_sent_either(wire: Wire, tenants: Compiler) -> None:
    with wire.watched() as calls:
        found = run(tenants, "what does this do? POST /shared/_delete_by_query " + query('{"match_all": {}}'))
    assert (found.kind, calls) == ("explain", [])
    assert "deletes every document" in found.message


def test_an_explanation_asks_nothing_and_tells_no_secret(wire: Wire, tenants: Compiler) -> None:
    def check(text: str) -> None:
        with wire.watched() as calls:
            found = run(tenants, "explain " + text)
        assert (found.kind, searches(calls)) == ("explain", [])
        assert "cannot be run here" in found.message

    each([*SCRIPTS, *CONFIDENTIAL, *NOT_ALLOWED, *CLOSED], check)


RUN = [
    query('{"match_all": {}}'),
    query('{"bool": {"should": [{"match_all": {}}]}}'),
    query('{"bool": {"must_not": [{"term": {"id": "nothing"}}]}}'),
    query('{"bool": {"should": [{"match_all": {}}], "minimum_should_match": 0}}'),
    query('{"ids": {"values": ["blue-d1", "blue-f1", "red-d1"]}}'),
    query('{"terms": {"_id": ["blue-d1", "blue-f1"]}}'),
    query('{"term": {"id": "blue-d1"}}'),
    query('{"prefix": {"name": "Azure"}}'),
    query('{"match": {"body": "azure plan"}}'),
    query('{"multi_match": {"query": "azure secrets"}}'),
    query('{"multi_match": {"query": "azure secret", "fields": ["*"]}}'),
    query('{"nested": {"path": "shares", "query": {"prefix": {"shares.who": "Olga"}}}}'),
    query('{"bool": {"_name": "document", "must": [{"match_all": {"_name": "project"}}]}}'),
    '{"query": {"match_all": {}}, "_source": ["*"]}',
    '{"query": {"match_all": {}}, "_source": true}',
    '{"query": {"match_all": {}}, "_source": {"excludes": ["name"]}}',
    '{"query": {"match_all": {}}, "_source": ["shares"]}',
    '{"query": {"match_all": {}}, "_source": ["sh*", "t*", "*e"]}',
    '{"query": {"match_all": {}}, "fields": ["*"]}',
    '{"query": {"match_all": {}}, "post_filter": {"match_all": {}}}',
    '{"query": {"match_all": {}}, "profile": true, "explain": true, "highlight": {"fields": {"*": {}}}}',
    '{"query": {"match_all": {}}, "sort": [{"name": "desc"}], "size": 1000}',
    '{"query": {"match_all": {}}, "version": true, "seq_no_primary_term": true, "track_scores": true}',
    aggs('{"terms": {"field": "name", "size": 1000}}'),
    aggs('{"terms": {"field": "owner_name", "include": ".*"}}'),
    aggs('{"terms": {"field": "tags", "exclude": ["draft"]}}'),
    aggs('{"filter": {"match_all": {}}, "aggs": {"n": {"terms": {"field": "name", "size": 100}}}}'),
    aggs('{"filters": {"other_bucket": true, "filters": {"x": {"match_none": {}}}}}'),
    aggs('{"nested": {"path": "shares"}, "aggs": {"w": {"terms": {"field": "shares.who"}}, "back": '
         '{"reverse_nested": {}, "aggs": {"n": {"terms": {"field": "name", "size": 100}}}}}}'),
    aggs('{"missing": {"field": "size"}, "aggs": {"n": {"terms": {"field": "name"}}}}'),
    aggs('{"date_histogram": {"field": "created", "calendar_interval": "month", "min_doc_count": 0}}'),
    aggs('{"cardinality": {"field": "owner_name"}}'),
    "GET /shared/_search",
    "GET /shared/_count",
    "GET /shared/_doc/blue-d1",
    "GET /shared/_source/blue-d1",
    "GET shared/_search?size=100&_source=*&preference=x",
]  # fmt: skip


@pytest.mark.parametrize("text", RUN)
def test_what_runs_stays_among_what_the_caller_may_see(wire: Wire, tenants: Compiler, text: str) -> None:
    with wire.watched() as calls:
        outcomes = run_pasted(text, tenants, context=CONTEXT, now=NOW)
    sent = [body for _, body in searches(calls)]
    assert sent
    for body in sent:
        assert '{"term": {"tenant": {"value": "red"}}}' in json.dumps(body["query"])
        assert not any(path in json.dumps(body) for path in SECRETS)
        assert not {"script_fields", "profile", "explain", "suggest", "highlight", "version"} & body.keys()
    for found in outcomes:
        assert found.kind in ("hits", "count", "aggregate", "value"), found
        told = found.model_dump_json(exclude={"query"}).casefold()  # a program repeats what was asked
        assert not any(word in told for word in (*OTHERS, "grade", "wage", "verdict 1"))


def test_counts_are_those_of_one_tenant(tenants: Compiler) -> None:
    both = [run_pasted("GET /shared/_count", tenants, context={"tenant": one, "level": 5})[0] for one in ("red", "blue")]
    assert [one.value for one in both] == [13, 13]  # type: ignore[union-attr]
    high = run_pasted("GET /shared/_count", tenants, context={"tenant": "red", "level": 9})[0]
    assert high.value == 14  # type: ignore[union-attr]


def test_without_the_context_nothing_is_asked(wire: Wire, tenants: Compiler) -> None:
    with wire.watched() as calls:
        (found,) = run_pasted(query('{"match_all": {}}'), tenants, now=NOW)
    assert (found.kind, found.reason) == ("failed", "context-missing")  # type: ignore[union-attr]
    assert searches(calls) == []


def test_paths_that_an_entity_closes_keep_the_request_to_the_others(tenants: Compiler) -> None:
    (found,) = run_pasted(query('{"term": {"secret_note": "red-note"}}'), tenants, context=CONTEXT, now=NOW)
    assert found.kind == "hits"
    assert found.total == 8  # type: ignore[union-attr]
    assert any("Only folders and documents are searched" in note for note in found.notes)


@pytest.mark.parametrize("text", CONFIDENTIAL[:20])
def test_the_context_permits_what_is_confidential(tenants: Compiler, text: str) -> None:
    assert run(tenants, text, sensitive=True).kind == "hits"


def test_the_context_permits_by_name(tenants: Compiler) -> None:
    text = '{"query": {"range": {"pay.salary": {"gt": 7000}}}, "_source": ["pay.salary"]}'
    found = run(tenants, text, sensitive=["salary"])
    assert found.kind == "hits"
    assert [one.values for one in found.hits] == [{"salary": 8000}]  # type: ignore[union-attr]
    assert run(tenants, query('{"exists": {"field": "pay"}}'), sensitive=["salary"]).kind == "rejected_query"


def test_a_page_belongs_to_its_caller(tenants: Compiler) -> None:
    text = '{"query": {"match_all": {}}, "size": 2, "sort": ["name"]}'
    first = run(tenants, text)
    assert first.kind == "hits"
    (other,) = run_pasted(text, tenants, context={"tenant": "blue", "level": 5}, now=NOW,
                          cursor=first.cursor)  # type: ignore[union-attr]
    assert other.kind == "invalid"


def _many(count: int, text: str) -> str:
    return ", ".join(text.replace("N", str(number)) for number in range(count))


LARGE = [
    f'{{"query": {{"match_all": {{}}}}, "_source": [{_many(5000, chr(34) + "unknownN" + chr(34))}]}}',
    f'{{"query": {{"match_all": {{}}}}, "_source": [{_many(3000, chr(34) + "*a*e*i*N*" + chr(34))}]}}',
    f'{{"query": {{"match_all": {{}}}}, "_source": ["{"*a" * 5000}"]}}',
    f'{{"query": {{"bool": {{"filter": [{_many(2000, """{"term": {"unknownN": 1}}""")}]}}}}}}',
    f'{{"query": {{"bool": {{"filter": [{_many(2000, """{"term": {"name": "N"}}""")}]}}}}}}',
    f'{{"query": {{"terms": {{"name": [{_many(12000, chr(34) + "N" + chr(34))}]}}}}}}',
    f'{{"query": {{"multi_match": {{"query": "a", "fields": [{_many(4000, chr(34) + "fN" + chr(34))}]}}}}}}',
    f'{{"aggs": {{{_many(1500, """"aN": {"max": {"field": "unknownN"}}""")}}}}}',
    f'{{"sort": [{_many(5000, chr(34) + "unknownN" + chr(34))}]}}',
    f'{{"query": {{"regexp": {{"name": "{"(a|b)" * 500}"}}}}}}',
    f'{{"query": {"[" * 30_000}',
    f'{{"query": {{"bool": {{"must": {"{" + chr(34) + "bool" + chr(34) + ": {" + chr(34) + "must" + chr(34) + ": "}',
    f'{{"query": {{{_many(5000, "aN: 1")}',
    f'{{"highlight": {{"fields": {{{_many(4000, chr(34) + "unknownN" + chr(34) + ": {}")}}}}}}}',
    '{"query": ' + '{"bool": {"must": ' * 200 + "1" + "}}" * 200 + "}",
]  # fmt: skip


@pytest.mark.parametrize("text", LARGE, ids=range(len(LARGE)))
@pytest.mark.parametrize("before", ["", "fix and run ", "explain "])
def test_a_large_request_is_refused_in_time(tenants: Compiler, text: str, before: str) -> None:
    import time

    started = time.thread_time()
    found = run(tenants, before + text)
    assert found.kind == ("explain" if before == "explain " else "rejected_query")
    assert len(found.diagnostics) <= 60
    assert len(found.message) < 20_000
    assert time.thread_time() - started < 15
