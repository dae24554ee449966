"""The same documents give the same answers however they lie in segments: one, many, merged, stored and opened again."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import qlc_engine.index as index_module
from qlc_engine import Engine
from qlc_engine.segment import Segment
from qlc_engine.segment_file import SegmentFolder
from tests.engine.asked import Asked
from tests.tables import table

MAPPING = table(__file__, "MAPPING")
words = st.sampled_from(["red", "green", "apple", "pear", "Ünï", "日本", "a.b", ""])
codes = st.sampled_from(["a", "b", "é", "Z", ""])


def few(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(values, st.lists(values, max_size=3), st.none())


documents = st.fixed_dictionaries(
    {},
    optional={
        "kind": few(codes),
        "text": few(st.lists(words, max_size=4).map(" ".join)),
        "n": few(st.integers(-5, 5)),
        "real": few(st.sampled_from([0.5, -1.25, 1e300])),
        "at": few(st.sampled_from(["2021-01-31", "2021-02-28T10:00:00Z", 0])),
        "flag": few(st.booleans()),
        "place": st.sampled_from([None, "41.9,12.5", [12.5, -41.9]]),
        "parts": st.lists(
            st.fixed_dictionaries(
                {},
                optional={
                    "code": few(codes),
                    "size": few(st.integers(0, 3)),
                    "bits": st.lists(st.fixed_dictionaries({"x": codes}), max_size=2),
                },
            ),
            max_size=3,
        ),
    },
)
writes = st.lists(st.tuples(st.sampled_from("abcdefgh"), st.one_of(documents, st.none())), min_size=1, max_size=25)
QUERIES: list[dict[str, Any]] = table(__file__, "QUERIES")
SORTS: list[list[Any]] = table(__file__, "SORTS")


def answers(asked: Asked) -> list[Any]:
    out: list[Any] = []
    for query in QUERIES:
        body = {"query": query, "size": 100, "sort": [{"_id_copy": "asc"}], "_source": False}
        out.append([hit["_id"] for hit in asked.ok("POST", "/i/_search", body)["hits"]["hits"]])
    for sort in SORTS:
        hits = asked.ok("POST", "/i/_search", {"size": 100, "sort": sort})["hits"]["hits"]
        out.append([(hit["_id"], hit["sort"], hit["_source"]) for hit in hits])
    return out


def scores(asked: Asked) -> list[Any]:
    body = {"query": {"match": {"text": "red apple"}}, "size": 100}
    hits = asked.ok("POST", "/i/_search", body)["hits"]["hits"]
    return sorted((hit["_id"], hit["_score"]) for hit in hits)


def written(engine: Engine, history: list[tuple[str, Any]], after_each: Callable[[Asked, int], None]) -> Asked:
    asked = Asked(engine)
    properties = {**MAPPING["mappings"]["properties"], "_id_copy": {"type": "keyword"}}
    asked.ok("PUT", "/i", {"mappings": {"properties": properties}})
    for step, (doc_id, document) in enumerate(history):
        if document is None:
            asked.ask("DELETE", f"/i/_doc/{doc_id}")
        else:
            asked.ok("PUT", f"/i/_doc/{doc_id}", {**document, "_id_copy": doc_id})
        after_each(asked, step)
    asked.ok("POST", "/i/_refresh")
    return asked


def nothing(asked: Asked, step: int) -> None:
    pass


def refreshed(asked: Asked, step: int) -> None:
    asked.ok("POST", "/i/_refresh")


def refreshed_and_flushed(asked: Asked, step: int) -> None:
    asked.ok("POST", "/i/_flush" if step % 3 == 0 else "/i/_refresh")


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(writes)
def test_segments_do_not_show(history: list[tuple[str, Any]]) -> None:
    final: dict[str, Any] = {}
    for doc_id, document in history:
        final.pop(doc_id, None)
        if document is not None:
            final[doc_id] = document
    with Engine.open(None) as engine:
        one = written(engine, list(final.items()), nothing)
        expected, expected_scores = answers(one), scores(one)
    with Engine.open(None) as engine:
        assert answers(written(engine, history, nothing)) == expected
    with Engine.open(None) as engine:
        many = written(engine, history, refreshed)
        assert answers(many) == expected
        many.ok("POST", "/i/_forcemerge")
        assert answers(many) == expected
        assert scores(many) == expected_scores
    with tempfile.TemporaryDirectory() as folder:
        with Engine.open(folder) as engine:
            assert answers(written(engine, history, refreshed_and_flushed)) == expected
        with Engine.open(folder) as engine:
            stored = Asked(engine)
            assert answers(stored) == expected
            stored.ok("POST", "/i/_forcemerge")
            assert answers(stored) == expected
            assert scores(stored) == expected_scores


def test_a_load_that_nobody_refreshes_is_merged_on_the_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "FLUSH_DOCS", 10)
    with Engine.open(str(tmp_path)) as engine:
        asked = Asked(engine)
        asked.ok("PUT", "/i", {"settings": {"refresh_interval": -1}})
        for first in range(0, 500, 10):
            lines = [line for number in range(first, first + 10) for line in ({"index": {}}, {"n": number})]
            asked.ok("POST", "/i/_bulk", lines)
            assert len(list(tmp_path.rglob("*.segment"))) < 10
        assert asked.ok("POST", "/i/_count")["count"] == 0
        asked.ok("POST", "/i/_refresh")
        body = {"size": 0, "aggs": {"sum": {"sum": {"field": "n"}}}}
        assert asked.ok("POST", "/i/_search", body)["aggregations"]["sum"]["value"] == sum(range(500))


def loaded(engine: Engine) -> Asked:
    """Twenty segments of ten documents each, not yet shown."""
    asked = Asked(engine)
    asked.ok("PUT", "/i", {"settings": {"refresh_interval": -1}})
    for first in range(0, 200, 10):
        lines: list[Any] = []
        for number in range(first, first + 10):
            lines += [{"index": {}}, {"n": number}]
        asked.ok("POST", "/i/_bulk", lines)
    return asked


@pytest.fixture
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "FLUSH_DOCS", 10)
    monkeypatch.setattr(index_module, "SAVE_DOCS", 10)


def test_what_is_merged_is_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_segments: None) -> None:
    names: list[str] = []
    save = SegmentFolder.save

    def noted(folder: SegmentFolder, segment: Segment) -> Segment:
        names.append(segment.name)
        return save(folder, segment)

    monkeypatch.setattr(SegmentFolder, "save", noted)
    with Engine.open(str(tmp_path)) as engine:
        asked = loaded(engine)
        asked.ok("POST", "/i/_refresh")
        left = {path.stem for path in tmp_path.rglob("*.segment")}
        assert len(names) == len(set(names)) > len(left)
    with Engine.open(str(tmp_path)) as engine:
        assert Asked(engine).ok("POST", "/i/_count")["count"] == 200
        index = engine.indices.get("i")
        assert {segment.name for segment in index.snapshot.segments} == left


def test_what_is_merged_on_a_full_disk_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small_segments: None, caplog: pytest.LogCaptureFixture
) -> None:
    def full(folder: SegmentFolder, segment: Segment) -> Segment:
        raise OSError("no space left")

    with Engine.open(str(tmp_path)) as engine, monkeypatch.context() as patch:
        patch.setattr(SegmentFolder, "save", full)
        asked = loaded(engine)
        asked.ok("POST", "/i/_refresh")
        assert "stays in memory" in caplog.text
        assert asked.ok("POST", "/i/_count")["count"] == 200
        patch.undo()
        asked.ok("POST", "/i/_flush")
        assert list(tmp_path.rglob("*.segment"))
    with Engine.open(str(tmp_path)) as engine:
        assert Asked(engine).ok("POST", "/i/_count")["count"] == 200
