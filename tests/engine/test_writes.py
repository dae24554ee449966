"""Documents written, changed and removed: answers, versions, conflicts and what is seen when."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.asked import Asked


def test_bulk_items_stand_or_fall_alone(asked: Asked) -> None:
    asked.ok("PUT", "/i", {"mappings": {"properties": {"n": {"type": "integer"}}}})
    answered = asked.ok(
        "POST",
        "/i/_bulk",
        [
            {"index": {"_id": "1"}}, {"n": 1},
            {"create": {"_id": "1"}}, {"n": 2},
            {"index": {"_id": "2"}}, {"n": "many"},
            {"update": {"_id": "1"}}, {"doc": {"n": 3}},
            {"delete": {"_id": "none"}},
        ],
    )  # fmt: skip
    items = [next(iter(item.values())) for item in answered["items"]]
    assert answered["errors"]
    assert [item["status"] for item in items] == [201, 409, 400, 200, 404]
    assert items[1]["error"]["type"] == "version_conflict_engine_exception"
    assert items[2]["error"]["type"] == "document_parsing_exception"
    assert items[2]["error"]["caused_by"]["type"] == "illegal_argument_exception"
    assert items[3]["result"] == "updated"
    assert items[3]["_version"] == 2
    assert asked.ok("GET", "/i/_doc/1")["_source"] == {"n": 3}


def test_an_id_written_twice_in_one_bulk_is_one_document(asked: Asked) -> None:
    lines: list[Any] = [{"index": {"_id": "1"}}, {"n": 1}, {"index": {"_id": "1"}}, {"n": 2}]
    asked.ok("POST", "/i/_bulk?refresh=true", [*lines, {"delete": {"_id": "1"}}, {"index": {"_id": "1"}}, {"n": 3}])
    assert asked.ids("i", {"match_all": {}}) == ["1"]
    assert asked.ids("i", {"term": {"n": 3}}) == ["1"]
    assert asked.ids("i", {"terms": {"n": [1, 2]}}) == []


def test_updates_merge_detect_what_changes_nothing_and_insert(asked: Asked) -> None:
    asked.ok("PUT", "/i/_doc/1", {"a": {"b": 1, "c": [1]}, "d": 1})
    assert asked.ok("POST", "/i/_update/1", {"doc": {"a": {"b": 1}}})["result"] == "noop"
    assert asked.ok("POST", "/i/_update/1", {"doc": {"a": {"c": [2]}, "e": 5}})["result"] == "updated"
    assert asked.ok("GET", "/i/_doc/1")["_source"] == {"a": {"b": 1, "c": [2]}, "d": 1, "e": 5}
    assert asked.ask("POST", "/i/_update/2", {"doc": {"a": 1}})[1]["error"]["type"] == "document_missing_exception"
    assert asked.ok("POST", "/i/_update/2", {"doc": {"d": 7}, "doc_as_upsert": True})["result"] == "created"
    assert asked.ask("POST", "/i/_update/2", {"script": {"source": "1"}})[0] == 400


@pytest.mark.parametrize("source", [b'{"a": ', b"[1]", b'{"a": NaN}', b'"x"'])
def test_what_is_no_document_is_refused(asked: Asked, source: bytes) -> None:
    status, _, answered = asked.engine.handle("PUT", "/i/_doc/1", source)
    assert status == 400
    assert b"document_parsing_exception" in answered


def test_a_point_in_time_keeps_what_it_saw(asked: Asked) -> None:
    asked.put("i", {"1": {"a": 1}, "2": {"a": 2}})
    pit = asked.ok("POST", "/i/_pit?keep_alive=1m")["id"]
    asked.put("i", {"1": {"a": 5}, "3": {"a": 3}})
    asked.ok("DELETE", "/i/_doc/2?refresh=true")
    asked.ok("POST", "/i/_forcemerge")
    body = {"pit": {"id": pit}, "sort": [{"a": "asc"}]}
    hits = asked.ok("POST", "/_search", body)["hits"]["hits"]
    assert [(hit["_id"], hit["_source"]["a"]) for hit in hits] == [("1", 1), ("2", 2)]
    assert len(hits[0]["sort"]) == 2
    assert asked.ok("DELETE", "/_pit", {"id": pit}) == {"succeeded": True, "num_freed": 1}
    assert asked.ask("POST", "/_search", body)[0] == 404
