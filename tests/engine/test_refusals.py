"""Values that are longer than any term; other refusals are in requests/refused.requests."""

from typing import Any

import pytest

from qlc_engine import implemented
from tests.engine.asked import Asked
from tests.engine.test_requests import FOLDER
from tests.pairs import read_cases


def test_what_is_refused_is_not_among_what_is_implemented() -> None:
    refused = [case for case in read_cases(FOLDER / "refused.requests") if " /i/_search " in case.source]
    for kind, known in {"Queries": implemented.queries(), "Aggregations": implemented.aggregations()}.items():
        names = [case.source for case in refused if case.title == kind]
        assert names
        assert not [one for one in names for name in {*known} - {"bool", "filter", "match_all"} if f'"{name}":' in one]


def test_every_parameter_that_changes_no_answer_is_tried() -> None:
    tried = [case.title.partition("is kept and shown: ")[2] for case in read_cases(FOLDER / "fields.requests")]
    assert set(filter(None, tried)) == set(implemented.parameters_without_effect())


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
    asked.ok("PUT", "/i", {"mappings": {"properties": {"k": {"type": "keyword"}}}})
    status, answered = asked.ask("POST", "/i/_search", {"query": query})
    assert status == 400
    assert any(told in str(answered["error"]) for told in ("is longer than", "has exceeded", "too large"))
    assert asked.ids("i", {"term": {"k": "é" * 16_383}}) == []
