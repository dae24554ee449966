"""What is said of a request: every kind of query, what is shown, in which order, and what keeps it from being run."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qlc import Compiler
from qlc.outcome import Explain
from qlc.pasted.entry import run_pasted
from qlc.pasted.queries import QUERIES
from tests.pasted.conftest import NOW

C = "commonAttributes"
NAME = f"{C}.name.keyword"
TEXT = "contentAttributes.extractedText"
SIZE = f"{C}.sizeInBytes"

SAID: list[tuple[Any, str]] = [
    ({"match_all": {}}, "This finds entries, all of them."),
    ({"match_none": {}}, "This finds entries where nothing can match."),
    ({"term": {NAME: "a"}}, f'name ({NAME}) is "a".'),
    ({"term": {NAME: {"value": "a", "case_insensitive": True}}}, f'name ({NAME}) is "a" in any case.'),
    ({"term": {TEXT: "roof"}}, f'content ({TEXT}) holds the word "roof".'),
    ({"terms": {NAME: ["a", "b", "c"]}}, f'name ({NAME}) is "a", "b" or "c".'),
    ({"terms": {NAME: [str(n) for n in range(20)]}}, '"7" or 12 more values.'),
    ({"ids": {"values": ["1", "2"]}}, 'the id is "1" or "2".'),
    ({"exists": {"field": SIZE}}, f"size ({SIZE}) has a value."),
    ({"range": {SIZE: {"gt": 5, "lte": 9}}}, f"size ({SIZE}) is more than 5 and at most 9."),
    ({"range": {"systemAttributes.createDate": {"gte": "2024-01-01", "lte": "2024-03-31"}}},
     "is from 2024-01-01 to 2024-03-31, both included."),
    ({"range": {"systemAttributes.createDate": {"gte": "now-1d/d"}}}, "is from 2026-03-14 on."),
    ({"range": {"systemAttributes.createDate": {"lt": "now/y"}}}, "is before 2026-01-01."),
    ({"prefix": {NAME: "a"}}, 'begins with "a".'),
    ({"wildcard": {NAME: "a*"}}, 'looks like "a*" (* any letters, ? one).'),
    ({"regexp": {NAME: "a.*"}}, "matches the pattern /a.*/."),
    ({"fuzzy": {NAME: "abc"}}, 'is spelled nearly like "abc".'),
    ({"match": {TEXT: "roof repair"}}, 'holds any of the words "roof repair".'),
    ({"match": {TEXT: {"query": "roof repair", "operator": "and", "fuzziness": "AUTO"}}},
     'holds all of the words "roof repair", also misspelled.'),
    ({"match_phrase": {TEXT: "roof repair"}}, 'holds the words "roof repair" next to each other.'),
    ({"match_phrase": {TEXT: {"query": "roof repair", "slop": 2}}}, "at most 2 places apart."),
    ({"match_phrase_prefix": {TEXT: "roof re"}}, 'holds the words "roof re", the last one as a prefix.'),
    ({"match_bool_prefix": {TEXT: "roof re"}}, "the last one as a prefix."),
    ({"multi_match": {"query": "roof", "fields": [TEXT, f"{C}.name"]}}, f"content ({TEXT}) or name ({C}.name) holds"),
    ({"nested": {"path": "comments", "query": {"term": {"comments.resolved": True}}}},
     "one element of comments has: comments.resolved is true."),
    ({"query_string": {"query": "roof AND pdf", "fields": [TEXT]}}, f'content ({TEXT}) matches the search text "roof AND pdf".'),
    ({"simple_query_string": {"query": "roof", "fields": [TEXT]}}, f'content ({TEXT}) matches the search text "roof".'),
    ({"function_score": {"query": {"term": {NAME: "a"}}, "field_value_factor": {"field": SIZE}}},
     f'name ({NAME}) is "a" (ordered also by size ({SIZE})).'),
    ({"constant_score": {"filter": {"term": {NAME: "a"}}}}, f'name ({NAME}) is "a".'),
    ({"dis_max": {"queries": [{"term": {NAME: "a"}}, {"term": {NAME: "b"}}]}}, f'name ({NAME}) is "a" or name ({NAME}) is "b".'),
    ({"boosting": {"positive": {"term": {NAME: "a"}}, "negative": {"term": {NAME: "b"}}, "negative_boost": 0.5}},
     f'(later in the list: name ({NAME}) is "b").'),
    ({"bool": {"must_not": [{"term": {NAME: "a"}}, {"exists": {"field": SIZE}}]}},
     f'name ({NAME}) is not "a" and size ({SIZE}) has no value.'),
    ({"bool": {"should": [{"term": {NAME: "a"}}, {"exists": {"field": SIZE}}]}}, f'"a" or size ({SIZE}) has a value.'),
    ({"bool": {"must": {"term": {NAME: "a"}}, "should": [{"exists": {"field": SIZE}}]}}, "(better, but not needed: "),
    ({"bool": {"should": [{"term": {NAME: "a"}}, {"term": {NAME: "b"}}, {"term": {NAME: "c"}}],
      "minimum_should_match": 2}}, "at least 2 of these: "),
    ({"bool": {"filter": [{"term": {"entityType.keyword": "FOLDER"}}, {"term": {NAME: "a"}}]}}, "This finds folders where name"),
]  # fmt: skip


def explained(compiler: Compiler, request: Any, words: str = "explain") -> Explain:
    (found,) = run_pasted(f"{words} {json.dumps(request)}", compiler, now=NOW)
    assert isinstance(found, Explain)
    return found


@pytest.mark.parametrize(("query", "phrase"), SAID)
def test_a_query_in_words(store: Compiler, query: Any, phrase: str) -> None:
    message = explained(store, {"query": query}).message
    assert phrase in message
    assert "It was not run." in message


def test_every_kind_of_query_is_tried() -> None:
    geo = {"geo_distance", "geo_bounding_box"}  # the sample store has no places
    assert {next(iter(query)) for query, _ in SAID} | geo == set(QUERIES)


def test_places_in_words() -> None:
    from qlc import catalogs
    from qlc.mapping.index_mapping import load_mapping

    flights = Compiler(None, catalogs.path("flights"), mapping=load_mapping(catalogs.mapping_path("flights"), "flights"))
    for query, phrase in (
        ({"geo_distance": {"distance": "40km", "OriginLocation": {"lat": 41.9, "lon": 12.5}}}, "lies within 40km of 41.9, 12.5"),
        ({"geo_bounding_box": {"OriginLocation": {"top_left": {"lat": 42, "lon": 12}, "bottom_right": {"lat": 41, "lon": 13}}}},
         "is in the box"),
    ):
        assert phrase in explained(flights, {"query": query}).message
    near = explained(flights, {"query": {"geo_distance": {"distance": "40km", "OriginLocation": [12.5, 41.9]}}})
    assert near.query == "find flights where origin_location within 40 km of (41.9, 12.5)"


def test_order_size_and_fields_in_words(store: Compiler) -> None:
    message = explained(store, {"sort": [{SIZE: "desc"}, "systemAttributes.createDate", {"_score": "desc"}], "size": 4,
                                "from": 8, "_source": [f"{C}.name"]}).message  # fmt: skip
    assert f"sorted by size ({SIZE}), largest first; then by created (systemAttributes.createDate), oldest first" in message
    assert "numbers 9 to 12 are shown" in message
    assert f"Of each it shows name ({C}.name)." in message


def test_aggregations_in_words(store: Compiler) -> None:
    message = explained(store, {"size": 0, "aggs": {
        "types": {"terms": {"field": f"{C}.documentType.keyword", "size": 5, "order": {"_key": "asc"}}, "aggs": {
            "mean": {"avg": {"field": SIZE}}}},
        "months": {"date_histogram": {"field": "systemAttributes.createDate", "calendar_interval": "month"}},
        "different": {"cardinality": {"field": f"{C}.documentType.keyword"}}}}).message  # fmt: skip
    assert "This looks at entries, all of them." in message
    assert "at most 5 groups in the order of the value (ascending); in each, 'mean' is the average of size" in message
    assert "It counts them by month of created" in message
    assert "'different' is about the number of different values of type" in message


def test_a_count_in_words(store: Compiler) -> None:
    (found,) = run_pasted("explain GET entities-v4/_count", store, now=NOW)
    assert found.message.startswith("This counts entries, all of them.")
    assert found.query == "count entries"


def test_what_is_wrong_is_reported_with_what_can_be_said(store: Compiler) -> None:
    found = explained(store, {"query": {"bool": {"filter": [{"term": {NAME: "a"}}, {"script": {"script": "1"}}]}}})
    assert f'This finds entries where name ({NAME}) is "a" and [script].' in found.message
    assert "It cannot be run here as it is: 'script' is a script, and scripts are not run (line 1," in found.message
    assert [one.code for one in found.diagnostics] == ["pasted-script"]
    assert found.query == ""


def test_a_broken_request_is_explained_as_it_was_meant(store: Compiler) -> None:
    (found,) = run_pasted("what's wrong with this? {'query': {'match_all': {}}", store, now=NOW)
    assert found.kind == "explain"
    assert "read as it was probably meant. Fixed: 'query' is in single quotes (line 1, column 26)" in found.message
    assert "This finds entries, all of them." in found.message
