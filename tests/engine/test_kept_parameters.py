"""Parameters of a mapping that change no answer are kept in it, shown, and ignored."""

from __future__ import annotations

from typing import Any

import pytest

from qlc_engine import implemented
from tests.engine.asked import Asked
from tests.tables import table

FIELDS: dict[str, dict[str, Any]] = table(__file__, "FIELDS")


def test_all_are_tried() -> None:
    assert sorted(FIELDS) == implemented.parameters_without_effect()


@pytest.mark.parametrize("name", FIELDS)
def test_it_is_kept_and_changes_no_answer(asked: Asked, name: str) -> None:
    field = FIELDS[name]
    asked.ok("PUT", "/with", {"mappings": {"properties": {"a": field}}})
    asked.ok("PUT", "/without", {"mappings": {"properties": {"a": {"type": field["type"]}}}})
    assert asked.ok("GET", "/with/_mapping")["with"]["mappings"]["properties"]["a"] == field
    answers = []
    for index in ("with", "without"):
        asked.put(index, {str(number): {"a": [number % 3, number % 2]} for number in range(9)})
        body = {
            "query": {"term": {"a": 1}}, "sort": ["a"],
            "aggs": {"a": {"terms": {"field": "a"}}},
        }  # fmt: skip
        answered = asked.ok("POST", f"/{index}/_search", body)
        answers.append((
            [{**hit, "_index": ""} for hit in answered["hits"]["hits"]],
            answered["hits"]["total"],
            answered["aggregations"],
        ))  # fmt: skip
    assert answers[0] == answers[1]
    assert answers[0][0]


def test_how_the_source_is_kept_is_reported_for_objects_too(asked: Asked) -> None:
    inner = {"properties": {"a": {"type": "long"}}, "synthetic_source_keep": "all"}
    properties = {"o": inner, "n": {"type": "nested", **inner}}
    asked.ok("PUT", "/i", {"mappings": {"properties": properties}})
    assert asked.ok("GET", "/i/_mapping")["i"]["mappings"]["properties"] == properties
    asked.ok("PUT", "/i/_mapping", {"properties": {"o": {**inner, "synthetic_source_keep": "none"}}})
    assert asked.ok("GET", "/i/_mapping")["i"]["mappings"]["properties"]["o"]["synthetic_source_keep"] == "none"


@pytest.mark.parametrize("field", table(__file__, "test_values_that_there_are_not_are_refused"))
def test_values_that_there_are_not_are_refused(asked: Asked, field: dict[str, Any]) -> None:
    status, answered = asked.ask("PUT", "/i", {"mappings": {"properties": {"f": field}}})
    assert status == 400
    assert sorted(field)[0] in str(answered["error"])
