"""Vectors: what bits choose is nearly what all comparisons find, filters come first, and no damaged row is believed."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from qlc_engine import Engine, segment_file
from qlc_engine.queries.vectors import RESCORED, NearestVectors
from qlc_engine.source_filter import filter_source, without_numbers
from qlc_engine.vector_column import VectorColumn, _count_by_table
from tests.engine.asked import Asked
from tests.tables import table

DIMENSIONS, COUNT = 128, 6_000
MAPPING = {"mappings": {"properties": {
    "kind": {"type": "keyword"},
    "vector": {"type": "dense_vector", "dims": DIMENSIONS, "similarity": "cosine"},
}}}  # fmt: skip


def _vectors(seed: int, count: int) -> Any:
    chance = np.random.default_rng(seed)
    centres = np.random.default_rng(0).standard_normal((40, DIMENSIONS)) + 0.5
    return (centres[chance.integers(0, 40, count)] + chance.standard_normal((count, DIMENSIONS))).astype(np.float32)


def _kind(number: int) -> str:
    return "rare" if number % 100 == 7 else "common"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("vectors") / "data")
    with Engine.open(path) as engine:
        asked = Asked(engine)
        asked.ok("PUT", "/i", MAPPING)
        rows = _vectors(1, COUNT).tolist()
        asked.put("i", {str(at): {"kind": _kind(at), "vector": row} for at, row in enumerate(rows)})
        asked.ok("POST", "/i/_forcemerge")
        asked.ok("POST", "/i/_flush")
    return path


def _found(asked: Asked, query: Any, kind: str | None = None, k: int = 10) -> dict[str, float]:
    nearest: dict[str, Any] = {"field": "vector", "query_vector": query.tolist(), "k": k, "num_candidates": 100}
    if kind is not None:
        nearest["filter"] = {"term": {"kind": kind}}
    answer = asked.ok("POST", "/i/_search", {"query": {"knn": nearest}, "size": k, "_source": ["kind"]})
    return {hit["_id"]: hit["_score"] for hit in answer["hits"]["hits"]}


def _exact(query: Any, kind: str | None = None, k: int = 10) -> dict[str, float]:
    rows = _vectors(1, COUNT)
    cosines = rows @ query / np.linalg.norm(rows, axis=1) / np.linalg.norm(query)
    allowed = [at for at in np.argsort(-cosines) if kind in (None, _kind(int(at)))]
    return {str(at): float(1 + cosines[at]) / 2 for at in allowed[:k]}


def test_nearly_all_of_the_nearest_are_found_with_their_exact_scores(folder: str) -> None:
    with Engine.open(folder) as engine:
        assert VectorColumn.of(np.arange(COUNT, dtype=np.int32), _vectors(1, COUNT)).has_codes
        shared = 0
        for query in _vectors(2, 20):
            found, exact = _found(Asked(engine), query), _exact(query)
            assert len(found) == 10
            for key in found.keys() & exact.keys():
                assert found[key] == pytest.approx(exact[key], abs=1e-5)
            shared += len(found.keys() & exact.keys())
        assert shared >= 190


def test_a_filter_is_met_first_and_few_documents_are_compared_exactly(folder: str) -> None:
    with Engine.open(folder) as engine:
        for query in _vectors(3, 5):
            assert _found(Asked(engine), query, "rare") == pytest.approx(_exact(query, "rare"), abs=1e-5)
            assert len(_found(Asked(engine), query, "rare", k=100)) == COUNT // 100
            assert len(_found(Asked(engine), query, "common", k=100)) == 100


def test_deleted_documents_are_not_found(folder: str, tmp_path: Path) -> None:
    query = _vectors(4, 1)[0]
    shutil.copytree(folder, tmp_path / "data")
    with Engine.open(str(tmp_path / "data")) as engine:
        asked = Asked(engine)
        before = list(_found(asked, query))
        asked.ok("DELETE", f"/i/_doc/{before[0]}?refresh=true")
        after = _found(asked, query)
        assert before[0] not in after
        assert len(after) == 10


def test_a_damaged_vector_is_built_again_from_its_document(folder: str, tmp_path: Path) -> None:
    folder = str(shutil.copytree(folder, tmp_path / "data"))
    query = _vectors(5, 1)[0]
    nearest = next(iter(_exact(query)))
    (segment,) = Path(folder, "segments").rglob("*.segment")
    content = bytearray(segment.read_bytes())
    at = content.find(_vectors(1, COUNT)[int(nearest)].tobytes())
    assert at > 0
    content[at + 3] ^= 0x80
    segment.write_bytes(bytes(content))
    with Engine.open(folder) as engine:
        found = _found(Asked(engine), query)
    assert found[nearest] == pytest.approx(_exact(query)[nearest], abs=1e-5)


def test_vectors_of_a_file_of_an_older_release_get_their_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = _vectors(6, 4_100)
    with monkeypatch.context() as older, Engine.open(str(tmp_path / "data")) as engine:
        older.setattr(segment_file, "_OF_VECTORS", ("docs", "rows"))
        asked = Asked(engine)
        asked.ok("PUT", "/i", MAPPING)
        asked.put("i", {str(at): {"kind": "common", "vector": row} for at, row in enumerate(rows.tolist())})
        asked.ok("POST", "/i/_forcemerge")
        asked.ok("POST", "/i/_flush")
    (path,) = (tmp_path / "data").rglob("*.segment")
    assert b'"sums"' not in path.read_bytes()
    with Engine.open(str(tmp_path / "data")) as engine:
        (index,) = engine.indices
        (segment,) = index.snapshot.segments
        column, anew = segment.space.vectors["vector"], VectorColumn.of(np.arange(4_100, dtype=np.int32), rows)
        assert column.has_codes
        assert np.array_equal(column.codes, anew.codes)
        assert next(iter(_found(Asked(engine), rows[7]))) == "7"


def test_candidates_are_chosen_over_all_segments_though_each_has_another_centre() -> None:
    chance = np.random.default_rng(8)
    shifts = 2 * chance.standard_normal((3, DIMENSIONS)).astype(np.float32)
    rows = [_vectors(10 + at, 4_500) + shift for at, shift in enumerate(shifts)]
    columns = [VectorColumn.of(np.arange(len(each), dtype=np.int32), each) for each in rows]
    leaves: Any = [SimpleNamespace(segment=SimpleNamespace(name=str(at))) for at in range(3)]
    cosines = [each / np.linalg.norm(each, axis=1, keepdims=True) for each in rows]
    shared = 0
    for query in _vectors(20, 20) + shifts[1] + shifts[2] / 2:
        nearest = NearestVectors("vector", "cosine", tuple(query.tolist()), 10)
        chosen = nearest._chosen([(leaf, each, None) for leaf, each in zip(leaves, columns, strict=True)], query)
        assert RESCORED <= sum(len(places) for _, _, places in chosen if places is not None) < 1.1 * RESCORED
        least = np.sort(np.concatenate([each @ query for each in cosines]))[-10]
        for each, (_, _, places) in zip(cosines, chosen, strict=True):
            shared += int(np.count_nonzero(each[places] @ query >= least))
    assert shared >= 190


def test_codes_of_all_rows_are_alike_whether_bits_are_counted_by_numpy_or_by_a_table() -> None:
    words = np.array([0, 1, 2**64 - 1, 0xF0F0], np.uint64)
    assert _count_by_table(words).tolist() == [bin(int(word)).count("1") for word in words]


def test_equal_vectors_are_no_more_candidates_than_others() -> None:
    rows = np.ones((5_000, DIMENSIONS), np.float32)
    column = VectorColumn.of(np.arange(5_000, dtype=np.int32), rows)
    assert column.likely(rows[0], None, 100)[0].tolist() == list(range(100))


@pytest.mark.parametrize(
    "source", table(__file__, "test_a_part_without_the_numbers_of_vectors_is_what_it_is_with_them")
)
@pytest.mark.parametrize("paths", [["id"], ["*"], ["vector"], ['x"vector', "y"]])
def test_a_part_without_the_numbers_of_vectors_is_what_it_is_with_them(source: Any, paths: list[str]) -> None:
    for stored in (json.dumps(source), json.dumps(source, separators=(",", ":"))):
        part = without_numbers(stored.encode(), ("vector",), lambda read: filter_source(read, paths))
        assert part == filter_source(source, paths)
