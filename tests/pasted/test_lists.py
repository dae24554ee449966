"""A field that stands where it has no values, outside of its nested list or inside of another, is told of everywhere."""

import json
from typing import Any

import pytest

from qlc.outcome import RejectedQuery
from qlc.pasted.aggregations import AGGREGATIONS
from qlc.pasted.entry import run_pasted
from qlc.pasted.queries import QUERIES
from qlc.pipeline.compiler import Compiler
from tests import engines
from tests.pasted.conftest import NOW
from tests.tables import table

LEAVES = {"word": {"type": "keyword"}, "text": {"type": "text"}, "n": {"type": "integer"}, "day": {"type": "date"},
          "spot": {"type": "geo_point"}}  # fmt: skip
MAPPING = {"properties": {
    **LEAVES,
    "jobs": {"type": "nested", "properties": {**LEAVES, "at": {"type": "nested", "properties": LEAVES}}},
    "both": {"type": "nested", "include_in_parent": True, "properties": LEAVES},
}}  # fmt: skip
VALUES = {"word": "w", "text": "t", "n": 1, "day": "2024-01-05", "spot": {"lat": 1, "lon": 1}}


@pytest.fixture(scope="module")
def people() -> Compiler:
    client = engines.open_client()
    client.indices.create(index="people", mappings=MAPPING)
    client.index(
        index="people", document={**VALUES, "jobs": [{**VALUES, "at": [VALUES]}], "both": [VALUES]}, refresh=True
    )
    return Compiler(client, index="people")


def notes(people: Compiler, body: Any) -> tuple[str, ...]:
    found = run_pasted(json.dumps(body), people, now=NOW)
    assert not any(isinstance(one, RejectedQuery) for one in found), found
    return tuple(dict.fromkeys(note for one in found for note in one.notes if "nested" in note))


QUERY: dict[str, Any] = table(__file__, "QUERY")
AGGREGATION: dict[str, Any] = table(__file__, "AGGREGATION")


def test_each_kind_of_query_and_aggregation_is_among_these() -> None:
    assert QUERY.keys() == set(QUERIES) - {"ids", "match_all", "match_none", "nested", "script"}
    assert AGGREGATION.keys() == set(AGGREGATIONS) - {"nested", "reverse_nested", "composite"}


def at(prefix: str, body: Any) -> Any:
    return json.loads(json.dumps(body).replace("@", prefix))


def in_query(path: str, query: Any) -> Any:
    return {"query": query if not path else {"nested": {"path": path, "query": query}}}


def in_aggregation(path: str, aggregation: Any) -> Any:
    found = {"b": aggregation}
    return {"size": 0, "aggs": found if not path else {"a": {"nested": {"path": path}, "aggs": found}}}


QUERIES_MADE = [pytest.param(lambda path, prefix, kind=kind: in_query(path, {kind: at(prefix, QUERY[kind])}), id=kind)
                for kind in QUERY]  # fmt: skip
AGGREGATIONS_MADE = [
    pytest.param(lambda path, prefix, kind=kind: in_aggregation(path, {kind: at(prefix, AGGREGATION[kind])}), id=kind)
    for kind in AGGREGATION
]
POST_FILTER = pytest.param(lambda path, prefix: {"post_filter": in_query(path, {"term": {f"{prefix}n": 1}})["query"]},
                           id="post_filter")  # fmt: skip


@pytest.mark.parametrize("made", [*QUERIES_MADE, *AGGREGATIONS_MADE, POST_FILTER])
@pytest.mark.parametrize(
    ("path", "prefix", "told"),
    [("", "jobs.", "is in the nested list 'jobs'"), ("", "jobs.at.", "is in the nested list 'jobs.at'"),
     ("jobs", "jobs.at.", "is in the nested list 'jobs.at'"), ("jobs", "", "is not in the nested list 'jobs'"),
     ("jobs.at", "jobs.", "is not in the nested list 'jobs.at'"), ("both", "jobs.", "is not in the nested list 'both'"),
     ("", "", ""), ("jobs", "jobs.", ""), ("jobs.at", "jobs.at.", ""), ("", "both.", ""), ("both", "both.", "")],
)  # fmt: skip
def test_a_field_outside_of_its_list_is_told_of(people: Compiler, made: Any, path: str, prefix: str, told: str) -> None:
    found = notes(people, made(path, prefix))
    if not told:
        assert found == ()
    else:
        assert any(note.startswith(f"'{prefix}") and told in note for note in found), found


def test_a_source_of_combinations_in_a_list_is_told_of(people: Compiler) -> None:
    """A composite is at the top alone."""
    for prefix, number in (("jobs.", 1), ("both.", 0), ("", 0)):
        sources = [{"a": {"terms": {"field": f"{prefix}word"}}}]
        assert len(notes(people, in_aggregation("", {"composite": {"sources": sources}}))) == number


@pytest.mark.parametrize("kind", sorted(QUERY.keys() - {"bool", "function_score"}))
@pytest.mark.parametrize(
    ("path", "prefix", "matches"),
    [("", "jobs.", 0), ("jobs", "jobs.at.", 0), ("jobs", "", 0), ("jobs.at", "jobs.", 0), ("both", "jobs.", 0),
     ("", "", 1), ("jobs", "jobs.", 1), ("jobs.at", "jobs.at.", 1), ("", "both.", 1), ("both", "both.", 1)],
)  # fmt: skip
def test_what_is_told_is_true(people: Compiler, kind: str, path: str, prefix: str, matches: int) -> None:
    (found,) = run_pasted(json.dumps(in_query(path, {kind: at(prefix, QUERY[kind])})), people, now=NOW)
    assert found.total == matches
    if found.query:
        again = people.run(found.query, now=NOW)
        assert again.total == matches


@pytest.mark.parametrize("path", ["jobs", "jobs.at", "both"])
def test_a_list_itself_exists_only_inside(people: Compiler, path: str) -> None:
    found = notes(people, {"query": {"exists": {"field": path}}})
    assert bool(found) == (path != "both")
    assert notes(people, in_query(path, {"exists": {"field": path}})) == ()


def test_back_at_the_documents_their_fields_have_values(people: Compiler) -> None:
    inner = {"c": {"reverse_nested": {}, "aggs": {"d": {"avg": {"field": "n"}}, "e": {"avg": {"field": "jobs.n"}}}}}
    (note,) = notes(people, {"size": 0, "aggs": {"a": {"nested": {"path": "jobs"}, "aggs": inner}}})
    assert note.startswith("'jobs.n' is in the nested list")


@pytest.mark.parametrize("order", ["asc", "desc"])
def test_an_order_by_a_list_tells_which_element_counts(people: Compiler, order: str) -> None:
    (note,) = notes(people, {"sort": [{"jobs.n": order}]})
    assert ("largest" if order == "desc" else "smallest") in note
    assert notes(people, {"sort": [{"jobs.n": {"order": order, "nested": {"path": "jobs"}}}]}) == ()


def test_shown_fields_of_a_list_need_no_nested(people: Compiler) -> None:
    body = {"_source": ["jobs.n"], "fields": ["jobs.word"], "docvalue_fields": ["jobs.n"],
            "highlight": {"fields": {"jobs.text": {}}}}  # fmt: skip
    assert notes(people, body) == ()


def test_a_pattern_inside_of_a_list_means_its_texts(people: Compiler) -> None:
    inside = {"multi_match": {"query": "t", "fields": ["*"]}}
    (found,) = run_pasted(json.dumps(in_query("jobs", inside)), people, now=NOW)
    assert (found.total, len(found.notes)) == (1, 0)
