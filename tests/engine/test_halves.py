"""Texts that differ in halves of surrogate pairs alone are one term, as Lucene writes it; what is stored stays."""

from __future__ import annotations

import pytest

from tests.engine.asked import Asked

KEYWORD = {"type": "keyword"}
MAPPINGS = {"properties": {"k": KEYWORD, "n": {"type": "long"}, "t": {"type": "text"}, "f": {"type": "flattened"}}}


@pytest.fixture
def loaded(asked: Asked) -> Asked:
    asked.ok("PUT", "/i", {"mappings": MAPPINGS})
    for n in range(6):
        half = ("\ude00", "\ud800")[n % 2]
        asked.ok("PUT", f"/i/_doc/{n}", {"k": f"a{half}", "n": n, "t": f"word {half} 😀", "f": {f"x{half}": half}})
    asked.ok("POST", "/i/_refresh")
    return asked


def test_pages_in_their_order_are_whole(loaded: Asked) -> None:
    found, after = [], None
    for _ in range(7):
        body = {"size": 1, "sort": [{"k": "asc"}, {"n": "asc"}], **({"search_after": after} if after else {})}
        hits = loaded.ok("POST", "/i/_search", body)["hits"]["hits"]
        found += [hit["_id"] for hit in hits]
        after = hits[0]["sort"] if hits else after
    assert found == ["0", "1", "2", "3", "4", "5"]


def test_they_are_one_value_and_stored_as_they_came(loaded: Asked) -> None:
    found = loaded.ok("POST", "/i/_search", {"size": 0, "aggs": {"k": {"terms": {"field": "k"}}}})
    assert [(one["key"], one["doc_count"]) for one in found["aggregations"]["k"]["buckets"]] == [("a\ufffd", 6)]
    for value in ("a\ud800", "a\udfff", "a\ufffd"):
        assert loaded.ok("POST", "/i/_search", {"query": {"term": {"k": value}}})["hits"]["total"]["value"] == 6
    assert loaded.ok("GET", "/i/_doc/1")["_source"]["k"] == "a\ud800"
    assert loaded.ok("POST", "/i/_search", {"query": {"match": {"t": "word"}}})["hits"]["total"]["value"] == 6
