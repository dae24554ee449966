"""The typed tools, over the corpus that ships as an example."""

import json
from typing import Any

import pytest

import qlc
from qlc.answers.tools import TOOLS, snippet_of
from qlc.answers.tools.results import Annotations, Documents, Ran, ToolProblem


def test_each_tool_has_a_schema_of_its_arguments_and_says_what_it_does() -> None:
    assert [*TOOLS] == [
        "search_text", "search_semantic", "annotations_search", "annotations_aggregate", "get_document_metadata",
        "run_query",
    ]  # fmt: skip
    for tool in TOOLS.values():
        assert tool.description
        assert json.dumps(tool.schema())
        assert tool.schema()["additionalProperties"] is False


def test_passages_have_their_place_and_a_snippet(library: qlc.Corpus) -> None:
    arguments = {"query": "hotel night", "context_chars": 60, "top_k": 2}
    found = library.call_tool("search_text", json.dumps(arguments))
    first = found.passages[0]
    assert (first.file, first.page) == ("notes/travel_policy.md", 1)
    assert "hotel" in first.snippet.lower()
    assert len(first.snippet) == first.end - first.begin <= 60
    again = library.compiler().run(found.program)
    assert again.kind == "hits"
    assert first.passage in again.ids


@pytest.mark.parametrize(
    "where",
    [
        "party contains \"ACME\" and notice < 60 days",
        [{"field": "party", "operator": "contains", "value": "ACME"},
         {"field": "notice", "operator": "<", "value": "60 days"}],
    ],
)  # fmt: skip
def test_a_filter_is_a_condition_or_its_json(library: qlc.Corpus, where: Any) -> None:
    found = library.call_tool("annotations_aggregate", {"measure": "count", "bucket": "contracts", "where": where})
    assert isinstance(found, Ran)
    assert found.outcome["value"] == 1
    passages = library.call_tool("search_text", {"query": "notice", "bucket": "contracts", "where": where})
    assert len({one.document for one in passages.passages}) == 1


def test_a_value_is_a_literal_and_never_a_part_of_the_program(library: qlc.Corpus) -> None:
    value = 'nobody" or title exists or party = "'
    filters = [{"field": "party", "operator": "contains", "value": value}]
    found = library.call_tool("annotations_aggregate", {"measure": "count", "bucket": "contracts", "where": filters})
    assert isinstance(found, Ran)
    assert found.outcome.get("value", 0) == 0


def test_labelled_values_are_found_by_what_the_schema_calls_the_same(library: qlc.Corpus) -> None:
    found = library.call_tool("annotations_search", {"label": "panel width", "operator": ">", "value": "900 mm"})
    assert isinstance(found, Annotations)
    assert {one.file for one in found.annotations} >= {"datasheets/AS-330.md", "datasheets/AS-405.html"}
    assert all(one.page == 1 and one.unit == "m" for one in found.annotations)


def test_a_measure_over_a_field(library: qlc.Corpus) -> None:
    arguments = {"measure": "max", "bucket": "datasheets", "field": "voltage"}
    found = library.call_tool("annotations_aggregate", arguments)
    assert isinstance(found, Ran)
    assert found.outcome["value"] == 800
    assert found.program == "max(voltage) of datasheets"


def test_what_is_known_of_a_document_has_its_quotes(library: qlc.Corpus) -> None:
    found = library.call_tool("get_document_metadata", {"documents": ["datasheets/AS-330.md", "nothing.pdf"]})
    assert isinstance(found, Documents)
    assert found.unknown == ["nothing.pdf"]
    (document,) = found.documents
    assert {one.field: one.quote for one in document.values}["width"] == "Width: 99.2 cm"


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("no_tool", {}, "unknown-tool"),
        ("search_text", {}, "bad-arguments"),
        ("search_text", "{", "bad-arguments"),
        ("search_text", {"query": "x", "top": 3}, "bad-arguments"),
        ("search_text", {"query": "x", "bucket": "contract"}, "unknown-bucket"),
        ("search_text", {"query": "x", "bucket": "contracts", "where": "party exists) or (title exists"},
         "extra-bracket"),
        ("run_query", {"program": "count contracts where notise < 60 days"}, "unknown-field"),
        ("annotations_aggregate", {"measure": "sum", "bucket": "invoices"}, "no-field"),
        ("annotations_aggregate", {"measure": "sum", "bucket": "invoices", "field": "total) of documents"},
         "bad-field"),
        ("annotations_aggregate", {"measure": "count", "bucket": "contracts", "where": [
            {"field": "effective", "operator": ">", "value": "2023-02-31"}]}, "bad-date"),
        ("annotations_aggregate", {"measure": "count", "bucket": "contracts", "where": [
            {"field": "notice", "operator": "<", "value": "60 days or title exists"}]}, "bad-amount"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_arguments_is_data_with_a_next_step(
    library: qlc.Corpus, name: str, arguments: Any, code: str
) -> None:
    found = library.call_tool(name, arguments)
    assert isinstance(found, ToolProblem), found
    assert found.message
    assert found.hint
    assert found.code == code


def test_a_deadline_that_has_passed_is_data(library: qlc.Corpus) -> None:
    found = library.call_tool("search_text", {"query": "notice"}, deadline=0.0)
    assert isinstance(found, ToolProblem)
    assert found.code == "timeout"


def test_a_snippet_is_the_part_with_most_of_the_words() -> None:
    text = "word " * 100 + "the termination notice is sixty days " + "other " * 100
    begin, end = snippet_of(text, "notice of termination", 80)
    assert "termination notice" in text[begin:end]
    assert end - begin <= 80
    assert (text[begin - 1], text[end]) == (" ", " ")
