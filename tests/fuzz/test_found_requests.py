"""Requests that long runs of the fuzzer found: each was answered with a defect of the engine, or broke it."""

from __future__ import annotations

from typing import Any

import pytest

from qlc_engine import Engine
from tests.engine.asked import Asked
from tests.tables import rows

HALF = "\ud800"
NESTED = {"path": "o", "query": {"match_all": {}}}
SEARCHES: list[tuple[dict[str, Any], int]] = [
    ({"query": {"nested": {**NESTED, "inner_hits": {"_source": {"excludes": False}}}}}, 400),
    ({"query": {"nested": {**NESTED, "inner_hits": {"size": -1e308, "from": 1}}}}, 400),
    ({"query": {"fuzzy": {"t": {"value": HALF}}}}, 200),
    ({"query": {"ids": {"values": [HALF]}}}, 200),
    ({"aggs": {"h": {"histogram": {"field": "n", "interval": 100, "offset": -1e308}}}}, 200),
    ({"aggs": {"t": {"top_hits": {"size": {"x": 2}}}}}, 400),
    ({"sort": [{}]}, 200),
    ({"sort": [{"at": {"missing": -1e308}}]}, 400),
    ({"sort": [{"at": {"format": 5}}]}, 400),
    ({"docvalue_fields": [{"field": "at", "format": [1]}]}, 400),
    ({"query": {"range": {"n": {"gte": [1]}}}}, 400),
    ({"knn": True}, 400),
    ({"query": {"geo_bounding_box": {"g": {"top": 40, "left": 0, "bottom": "NaN", "right": 15}}}}, 400),
    ({"aggs": {"h": {"date_histogram": {"field": "at", "fixed_interval": "12h", "offset": 2**64}}}}, 400),
    ({"query": {"dis_max": {"queries": [{"match": {"t": {"query": "red", "boost": 1e308}}}], "tie_breaker": 5}}}, 200),
]


@pytest.fixture
def asked() -> Asked:
    asked = Asked(Engine.open(None))
    fields = {"t": {"type": "text"}, "n": {"type": "long"}, "at": {"type": "date"}, "o": {"type": "nested"},
              "g": {"type": "geo_point"}}  # fmt: skip
    asked.ok("PUT", "/i", {"mappings": {"properties": fields}})
    asked.put("i", {"1": {"t": "red", "n": 5, "at": "2020-01-01", "o": [{"k": 1}], "g": "1,1"}})
    return asked


@pytest.mark.parametrize(("body", "status"), SEARCHES)
def test_searches(asked: Asked, body: dict[str, Any], status: int) -> None:
    assert asked.ask("POST", "/i/_search", body)[0] == status


@pytest.mark.parametrize(("method", "target", "body", "status"), rows(__file__, "test_other_requests"))
def test_other_requests(asked: Asked, method: str, target: str, body: Any, status: int) -> None:
    assert asked.ask(method, target, body)[0] == status
    assert asked.ids("i", {"match_all": {}}) == ["1"]


def test_a_defect_while_executing_stays_a_defect(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only what is read of a request is taken for malformed; an error of the engine at work is none of the caller's."""

    def broken(*_: Any, **__: Any) -> None:
        raise TypeError("a defect")

    monkeypatch.setattr("qlc_engine.search.run.matching", broken)
    status, answered = asked.ask("POST", "/i/_search", {"query": {"term": {"n": 5}}, "sort": ["n"]})
    assert (status, "a defect" in str(answered)) == (500, True)
