"""Requests put together at random, of all that can and cannot run: none raises, none gets past the checks, and none that
names something confidential is sent."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qlc.pasted.door import run_pasted
from qlc.pasted.recognise import recognise
from qlc.pipeline import Compiler
from tests.pasted.conftest import NOW
from tests.pasted.test_hostile import CONTEXT, OTHERS, SECRETS
from tests.pipeline.wire import Wire, searches

OPEN = ["name", "id", "kind", "type", "tags", "size", "created", "status", "body", "signed", "shares.who", "parent", "_id"]
CLOSED = ["pay.salary", "pay.grade", "pay_alias", "verdict", "reviews.mark", "shares.wage", "tenant", "pay", "reviews"]
KINDS = ["term", "terms", "match", "match_phrase", "range", "exists", "prefix", "wildcard", "regexp", "fuzzy", "script",
         "query_string", "more_like_this", "percolate", "wrapper", "ids", "match_all"]  # fmt: skip

fields = st.sampled_from([*OPEN * 2, *CLOSED, "nothing", "*", "pay.*", "_index"])
texts = st.sampled_from(["red", "azure", "Report", "draft", "a*", "", "now-1d/d", "2026-01-01", "x" * 40])
scalars = texts | st.integers(-5, 10**7) | st.booleans() | st.none() | st.floats(allow_nan=False, allow_infinity=False)
params = st.dictionaries(
    st.sampled_from(["value", "query", "gte", "lt", "boost", "operator", "case_insensitive", "fuzziness", "_name", "script"]),
    scalars, max_size=3,
)  # fmt: skip


def leaf() -> st.SearchStrategy[Any]:
    return st.one_of(
        st.builds(lambda kind, field, value: {kind: {field: value}}, st.sampled_from(KINDS), fields, scalars | params),
        st.builds(lambda field: {"exists": {"field": field}}, fields),
        st.builds(lambda names, text: {"multi_match": {"query": text, "fields": names}}, st.lists(fields, max_size=3), texts),
        st.just({"match_all": {}}),
        st.builds(lambda found: {"ids": {"values": found}}, st.lists(st.sampled_from(["red-d1", "blue-d1"]))),
    )


def around(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    clauses = st.lists(inner, max_size=3)
    return st.one_of(
        st.builds(lambda occur: {"bool": occur}, st.dictionaries(
            st.sampled_from(["must", "filter", "should", "must_not", "minimum_should_match"]), clauses | inner, max_size=3)),
        st.builds(lambda path, one: {"nested": {"path": path, "query": one}}, st.sampled_from(["shares", "reviews", "x"]), inner),
        st.builds(lambda one: {"constant_score": {"filter": one}}, inner),
        st.builds(lambda some: {"dis_max": {"queries": some}}, clauses),
    )


queries = st.recursive(leaf(), around, max_leaves=6)
kinds_of_aggregations = st.sampled_from(["terms", "avg", "max", "cardinality", "histogram", "date_histogram", "missing", "global",
                                         "top_hits", "significant_terms", "nested", "filter", "value_count"])  # fmt: skip
aggregations = st.recursive(
    st.builds(lambda kind, field, more: {kind: {"field": field, **more}}, kinds_of_aggregations, fields,
              st.dictionaries(st.sampled_from(["size", "interval", "calendar_interval", "min_doc_count", "path", "script"]),
                              st.sampled_from([0, 1, 5, "month", "shares", "reviews"]), max_size=2)),
    lambda inner: st.builds(lambda one, name, below: {**one, "aggs": {name: below}}, inner,
                            st.sampled_from(["a", "b"]), inner),
    max_leaves=3,
)  # fmt: skip
requests = st.fixed_dictionaries({}, optional={
    "query": queries, "post_filter": queries, "size": st.integers(-1, 20), "from": st.integers(0, 3),
    "sort": st.lists(fields | st.builds(lambda field, way: {field: way}, fields, st.sampled_from(["asc", "desc", "up"])), max_size=3),
    "_source": st.lists(fields, max_size=3) | st.booleans(), "fields": st.lists(fields, max_size=2),
    "aggs": st.builds(lambda one: {"a": one}, aggregations), "highlight": st.builds(lambda field: {"fields": {field: {}}}, fields),
    "profile": st.booleans(), "script_fields": st.just({"x": {"script": "1"}}), "min_score": st.integers(0, 1),
})  # fmt: skip


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(requests, st.sampled_from(["run ", "fix and run ", "GET /shared/_search\n", "explain "]))
def test_no_request_gets_past_the_checks(wire: Wire, tenants: Compiler, request: dict[str, Any], before: str) -> None:
    text = before + json.dumps(request)
    if recognise(text) is None:
        return
    with wire.watched() as calls:
        outcomes = run_pasted(text, tenants, context=CONTEXT, now=NOW)
    sent = [body for _, body in searches(calls)]
    for found in outcomes:
        assert found.kind != "failed" or found.reason in ("too-large",), (text, found)
        if found.kind in ("rejected_query", "explain"):
            assert sent == [] or found.reason == "not_accepted", (text, found)
            continue
        told = found.model_dump_json(exclude={"query"}).casefold()
        assert not any(word in told for word in (*OTHERS, "grade", "wage", "secret verdict")), text
    for body in sent:
        written = json.dumps(body)
        assert '{"term": {"tenant": {"value": "red"}}}' in json.dumps(body["query"])
        assert not any(path in written for path in SECRETS), text
        assert not {"script_fields", "profile", "highlight", "min_score"} & body.keys()
        assert '"script"' not in written
        assert '"global"' not in written
    if before != "explain " and any(f'"{path}"' in text for path in CLOSED):
        assert outcomes[0].kind == "rejected_query", text
