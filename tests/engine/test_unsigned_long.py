"""`unsigned_long`: what is stored lies 2^63 below the value, which no answer may show.

The servers of the tests do not have the type (it comes with a module that is not published). Below 2^63 a `long` is
the measure; above, the values that Elasticsearch's own tests of the type expect.
"""

from __future__ import annotations

from typing import Any

import pytest

from qlc_engine import Engine
from tests.engine.asked import Asked
from tests.tables import rows, table

SMALL = [0, 5, 5, 1_000_003, 2**53 + 1, 2**63 - 1]
LARGE = [0, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]


def _engine(values: list[int], kind: str = "unsigned_long") -> Asked:
    asked = Asked(Engine.open(None))
    asked.ok("PUT", "/one", {"mappings": {"properties": {"v": {"type": kind}}}})
    asked.put("one", {str(at): {"v": value} for at, value in enumerate(values)} | {"none": {}})
    asked.put("one", {"many": {"v": values[1:3]}})
    return asked


def _aggregated(asked: Asked, aggregation: dict[str, Any]) -> Any:
    return asked.ok("POST", "/one/_search", {"size": 0, "aggs": {"x": aggregation}})["aggregations"]["x"]


@pytest.mark.parametrize("aggregation", table(__file__, "test_what_a_long_can_hold_is_aggregated_as_one"), ids=str)
def test_what_a_long_can_hold_is_aggregated_as_one(aggregation: dict[str, Any]) -> None:
    assert _aggregated(_engine(SMALL), aggregation) == _aggregated(_engine(SMALL, "long"), aggregation)


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("mode", ["min", "max"])
@pytest.mark.parametrize("cast", [{}, {"numeric_type": "double"}], ids=str)
def test_what_a_long_can_hold_is_sorted_as_one(order: str, mode: str, cast: dict[str, Any]) -> None:
    body = {"sort": [{"v": {"order": order, "mode": mode, **cast}}], "query": {"exists": {"field": "v"}}}
    signed, unsigned = (_engine(SMALL, kind).ok("POST", "/one/_search", body) for kind in ("long", "unsigned_long"))
    assert unsigned["hits"] == signed["hits"]


def test_sorts_count_above_the_largest_long() -> None:
    asked = _engine(LARGE)
    body = {"sort": [{"v": "asc"}], "query": {"bool": {"must_not": {"ids": {"values": ["many", "none"]}}}}}
    hits = asked.ok("POST", "/one/_search", body)["hits"]["hits"]
    assert [hit["sort"] for hit in hits] == [[value] for value in LARGE]
    hits = asked.ok("POST", "/one/_search", {**body, "search_after": [2**63]})["hits"]["hits"]
    assert [hit["sort"] for hit in hits] == [[2**64 - 2], [2**64 - 1]]
    assert asked.ask("POST", "/one/_search", {**body, "search_after": [2**64]})[0] == 400


def test_doc_values_are_the_values() -> None:
    body = {"docvalue_fields": ["v"], "_source": False, "size": 20}
    hits = _engine(LARGE).ok("POST", "/one/_search", body)["hits"]["hits"]
    assert {hit["_id"]: hit.get("fields") for hit in hits} == {
        **{str(at): {"v": [value]} for at, value in enumerate(LARGE)},
        "many": {"v": [2**63 - 1, 2**63]},
        "none": None,
    }


def test_doc_values_of_a_long_stand_as_often_as_they_were_given() -> None:
    asked = _engine([7], "long")
    asked.put("one", {"three": {"v": [9, 3, 9]}})
    body = {"docvalue_fields": ["v"], "query": {"ids": {"values": ["three"]}}}
    assert asked.ok("POST", "/one/_search", body)["hits"]["hits"][0]["fields"] == {"v": [3, 9, 9]}


@pytest.mark.parametrize(
    ("aggregation", "expected"), rows(__file__, "test_aggregations_count_above_the_largest_long"), ids=str
)
def test_aggregations_count_above_the_largest_long(aggregation: dict[str, Any], expected: dict[str, Any]) -> None:
    assert _aggregated(_engine(LARGE), aggregation) == expected


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [({"lte": "18446744073709551614.5"}, "0123"), ({"gt": "9223372036854775807.5"}, "234"), ({"gte": 2**64 - 1}, "4")],
)
def test_a_bound_written_as_text_keeps_its_digits(bounds: dict[str, Any], expected: str) -> None:
    query = {"bool": {"filter": {"range": {"v": bounds}}, "must_not": {"ids": {"values": ["many"]}}}}
    assert "".join(sorted(_engine(LARGE).ids("one", query))) == expected
