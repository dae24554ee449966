"""Requests with aggregations that run, on the sample store: numbers, tables, combinations of values."""

from __future__ import annotations

import json
from typing import Any

import pytest

from qlc import Compiler
from qlc.outcome import AggregateOut, ValueOut
from tests.pasted.conftest import NOW, TYPE, C, S, run
from tests.tables import table


def test_groups_and_numbers(store: Compiler) -> None:
    request = {"size": 0, "aggs": {
        "by_type": {"terms": {"field": TYPE, "size": 3}, "aggs": {"mean": {"avg": {"field": f"{C}.sizeInBytes"}}}},
        "years": {"date_histogram": {"field": f"{S}.createDate", "calendar_interval": "year"}},
        "largest": {"max": {"field": f"{C}.sizeInBytes"}},
        "newest": {"max": {"field": f"{S}.createDate"}},
    }}  # fmt: skip
    numbers, types, years = run(store, request)
    assert isinstance(numbers, ValueOut)
    largest = store.run("max(size) of documents", now=NOW)
    assert isinstance(largest, ValueOut)
    assert numbers.value["largest"] == largest.value
    assert numbers.value["newest"].startswith("2026-")
    program = store.run("count, avg(size) of documents by type limit 3", now=NOW)
    assert isinstance(types, AggregateOut)
    assert isinstance(program, AggregateOut)
    assert (types.groups, types.measures) == (["by_type"], ["count", "mean"])
    assert [(row.key, row.value["count"]) for row in types.rows] == [
        (row.key, row.value["count"]) for row in program.rows
    ]
    assert [row.value["mean"] for row in types.rows] == pytest.approx([row.value["avg"] for row in program.rows])
    assert any("more values are in others" in note for note in types.notes)
    assert isinstance(years, AggregateOut)
    by_year = store.run("count entries by year(created)", now=NOW)
    assert isinstance(by_year, AggregateOut)
    assert [(row.key, row.value) for row in years.rows] == [(row.key, row.value) for row in by_year.rows]


def test_groups_inside_groups(store: Compiler) -> None:
    request = {
        "size": 0,
        "query": {"terms": {TYPE: ["W2", "NDA"]}},
        "aggs": {
            "t": {
                "terms": {"field": TYPE},
                "aggs": {
                    "y": {
                        "date_histogram": {
                            "field": f"{S}.createDate",
                            "calendar_interval": "quarter",
                            "min_doc_count": 1,
                        }
                    }
                },
            }
        },
    }
    (found,) = run(store, request)
    assert isinstance(found, AggregateOut)
    assert found.groups == ["t", "y"]
    program = store.run('count documents where type in ["W2", "NDA"] by type, quarter(created)', now=NOW)
    assert isinstance(program, AggregateOut)
    assert {(row.key["t"], row.key["y"]): row.value for row in found.rows} == {
        (row.key["type"], row.key["quarter"]): row.value for row in program.rows
    }


def test_hits_and_groups_together(store: Compiler) -> None:
    outcomes = run(store, {"size": 2, "query": {"term": {TYPE: "W2"}}, "aggs": {"t": {"terms": {"field": TYPE}}}})
    assert [one.kind for one in outcomes] == ["aggregate", "hits"]


def test_groups_of_one_bucket_are_beside_the_numbers(store: Compiler) -> None:
    request = {"size": 0, "aggs": {
        "shared": {"nested": {"path": "sharing.permissions"}, "aggs": {
            "editors": {"filter": {"term": {"sharing.permissions.role": "editor"}}},
            "roles": {"terms": {"field": "sharing.permissions.role"}, "aggs": {"documents": {"reverse_nested": {}}}}}},
        "untyped": {"missing": {"field": TYPE}},
        "sizes": {"range": {"field": f"{C}.sizeInBytes", "ranges": [{"to": 1000000}, {"key": "big", "from": 1000000}]}},
        "kinds": {"filters": {"filters": {"w2": {"term": {TYPE: "W2"}}, "nda": {"term": {TYPE: "NDA"}}}}},
    }}  # fmt: skip
    numbers, roles, sizes, kinds = run(store, request)
    assert isinstance(numbers, ValueOut)
    assert list(numbers.value) == ["shared", "shared.editors", "untyped"]
    assert isinstance(roles, AggregateOut)
    assert {row.key: row.value["count"] for row in roles.rows}["editor"] == numbers.value["shared.editors"]
    assert isinstance(sizes, AggregateOut)
    assert [row.key for row in sizes.rows] == ["*-1000000.0", "big"]
    assert isinstance(kinds, AggregateOut)
    assert {row.key for row in kinds.rows} == {"w2", "nda"}


@pytest.mark.parametrize("aggregation", table(__file__, "test_too_many_buckets_end_in_time"))
def test_too_many_buckets_end_in_time(store: Compiler, aggregation: Any) -> None:
    (found,) = run(store, {"size": 0, "aggs": {"a": aggregation}})
    assert (found.kind, found.reason) == ("failed", "too-large")  # type: ignore[union-attr]


def test_combinations_are_read_page_by_page(store: Compiler) -> None:
    year = {"date_histogram": {"field": f"{S}.createDate", "calendar_interval": "year"}}
    sources = [{"type": {"terms": {"field": TYPE}}}, {"year": year}]
    composite: dict[str, Any] = {"size": 500, "sources": sources}
    mean = {"mean": {"avg": {"field": f"{C}.sizeInBytes"}}}
    (whole,) = run(store, {"size": 0, "aggs": {"c": {"composite": composite, "aggs": mean}}})
    assert isinstance(whole, AggregateOut)
    assert whole.groups == ["type", "year"]
    assert whole.measures == ["count", "mean"]
    (first,) = run(store, {"size": 0, "aggs": {"c": {"composite": {**composite, "size": 7}, "aggs": mean}}})
    assert isinstance(first, AggregateOut)
    assert first.rows == whole.rows[:7]
    (told,) = first.notes
    after = json.loads(told.partition('"after": ')[2].partition("}")[0] + "}")
    (second,) = run(store, {"size": 0, "aggs": {"c": {"composite": {**composite, "size": 7, "after": after},
                                                      "aggs": mean}}})  # fmt: skip
    assert isinstance(second, AggregateOut)
    assert second.rows == whole.rows[7:14]
    counted = store.run("count documents by type, year(created)", now=NOW)
    assert isinstance(counted, AggregateOut)
    assert len(counted.rows) == len(whole.rows)


def test_too_many_combinations_are_cut_and_reported(store: Compiler) -> None:
    sources = [{"id": {"terms": {"field": f"{S}.checksum"}}}]
    (found,) = run(store, {"size": 0, "aggs": {"c": {"composite": {"size": 50_000, "sources": sources}}}})
    assert isinstance(found, AggregateOut)
    assert len(found.rows) == 1_000
    assert any("at most 1,000" in note for note in found.notes)
