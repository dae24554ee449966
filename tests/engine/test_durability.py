"""A folder that survives: kills at any moment, a second writer, readers beside it, damaged and newer files."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

import qlc.engine.index as index_module
from qlc.engine import Engine
from qlc.engine.folder_lock import FolderLockedError
from qlc.engine.repair import check_folder, repair_folder
from qlc.engine.store import StoreError
from tests.engine.conftest import Asked

#: `QLC_KILLS=1000` for a long run.
KILLS = int(os.environ.get("QLC_KILLS", "100"))

MAPPING = {
    "mappings": {
        "properties": {
            "n": {"type": "long"},
            "kind": {"type": "keyword"},
            "text": {"type": "text"},
            "parts": {"type": "nested", "properties": {"x": {"type": "keyword"}}},
        }
    }
}


def document(number: int) -> dict[str, Any]:
    return {
        "n": number,
        "kind": f"k{number % 7}",
        "text": f"word{number % 50} and more",
        "parts": [{"x": f"x{number % 5}"}, {"x": "y"}],
    }


def _write_until_killed(folder: str, told: int, seed: int) -> None:
    """Tells through the pipe what it is about to write, and when that was answered."""
    chance = random.Random(seed)
    _die_at_a_sync(chance)
    asked = Asked(Engine.open(folder))
    if asked.engine.indices.get("i") is None:
        asked.ok("PUT", "/i", MAPPING)
    while True:
        kind = chance.random()
        if kind > 0.8:
            asked.ok("POST", f"/i/{chance.choice(['_flush', '_flush', '_forcemerge', '_refresh'])}")
            continue
        changes: list[tuple[str, int | None]] = []
        lines: list[Any] = []
        for _ in range(chance.choice([1, 1, 3, 20, 60])):
            doc_id, number = str(chance.randrange(200)), chance.randrange(10**9)
            if chance.random() < 0.2:
                changes.append((doc_id, None))
                lines.append({"delete": {"_id": doc_id}})
            elif chance.random() < 0.2:
                changes.append((doc_id, number))
                lines += [{"update": {"_id": doc_id}}, {"doc": document(number), "doc_as_upsert": True}]
            else:
                changes.append((doc_id, number))
                lines += [{"index": {"_id": doc_id}}, document(number)]
        os.write(told, (json.dumps(changes) + "\n").encode())
        asked.ok("POST", f"/i/_bulk?refresh={chance.choice(['true', 'false'])}", lines)
        os.write(told, b"answered\n")


def _die_at_a_sync(chance: random.Random) -> None:
    """In every other process: the end comes at a sync or rename of a segment file, before or after it."""
    if chance.random() < 0.5:
        return
    left = chance.randrange(1, 20)

    def dying(call: Any) -> Any:
        def wrapped(*arguments: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0 and chance.random() < 0.5:
                os.kill(os.getpid(), signal.SIGKILL)
            result = call(*arguments)
            if left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return wrapped

    os.fsync = dying(os.fsync)
    os.replace = dying(os.replace)


def _killed(folder: str, seed: int, seconds: float) -> list[str]:
    """What a writer told before it was killed."""
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(heard)
        try:
            _write_until_killed(folder, told, seed)
        finally:
            os._exit(3)
    os.close(told)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the writer failed by itself"
    with os.fdopen(heard) as pipe:
        return pipe.read().splitlines()


def test_every_answered_write_survives_a_kill_and_none_is_half_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "SAVE_DOCS", 40)
    folder = str(tmp_path / "data")
    expected: dict[str, int] = {}
    chance = random.Random(7)
    for round_number in range(KILLS):
        unanswered: list[tuple[str, int | None]] = []
        for line in _killed(folder, round_number, 0.02 + chance.random() * 0.15):
            if line == "answered":
                expected = _after(expected, unanswered)
                unanswered = []
            else:
                unanswered = json.loads(line)
        engine = Engine.open(folder)
        asked = Asked(engine)
        if engine.indices.get("i") is None:
            assert not expected
        else:
            found = _found(asked)
            assert found in (expected, _after(expected, unanswered)), f"round {round_number}"
            expected = found
            _check_columns(asked, found)
        if chance.random() < 0.5:
            engine.close()
        else:
            engine.store.close()
            assert engine._lock is not None
            engine._lock.release()


def _after(documents: dict[str, int], changes: list[tuple[str, int | None]]) -> dict[str, int]:
    changed: dict[str, int | None] = {**documents, **dict(changes)}
    return {doc_id: number for doc_id, number in changed.items() if number is not None}


def _found(asked: Asked) -> dict[str, int]:
    answered = asked.ok("POST", "/i/_search", {"size": 1000, "sort": [{"n": "asc"}], "track_total_hits": True})
    hits = answered["hits"]["hits"]
    assert answered["hits"]["total"]["value"] == len(hits)
    assert all(hit["_source"] == document(hit["sort"][0]) for hit in hits)
    return {hit["_id"]: hit["sort"][0] for hit in hits}


def _check_columns(asked: Asked, found: dict[str, int]) -> None:
    """What the columns say is what the documents say."""
    for number in range(5):
        nested = {"nested": {"path": "parts", "query": {"term": {"parts.x": f"x{number}"}}}}
        match = {"match": {"text": f"word{number}"}}
        for query, modulus in ((nested, 5), (match, 50)):
            counted = asked.ok("POST", "/i/_count", {"query": query})["count"]
            assert counted == sum(value % modulus == number for value in found.values())


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A folder with a saved segment of 50 documents and 5 that came after."""
    path = str(tmp_path / "data")
    engine = Engine.open(path)
    asked = Asked(engine)
    asked.ok("PUT", "/i", MAPPING)
    asked.put("i", {str(number): document(number) for number in range(50)})
    asked.ok("POST", "/i/_flush")
    asked.put("i", {str(number): document(number) for number in range(50, 55)})
    engine.store.close()
    assert engine._lock is not None
    engine._lock.release()
    return path


def test_a_second_writer_is_refused_and_readers_see_what_is_written(folder: str) -> None:
    with Engine.open(folder) as writer, Engine.open(folder, read_only=True) as reader:
        with pytest.raises(FolderLockedError, match="read_only=True"):
            Engine.open(folder)
        reading, writing = Asked(reader), Asked(writer)
        assert len(_found(reading)) == 55
        for step in range(3):
            writing.ok("PUT", f"/i/_doc/new{step}", document(1000 + step))
            writing.ok("DELETE", f"/i/_doc/{step}")
            assert _found(reading) == _after(_found_all(writing), [])
            writing.ok("POST", "/i/_flush" if step == 1 else "/i/_forcemerge")
            assert _found(reading) == _found(writing)
        assert reading.ask("PUT", "/i/_doc/1", document(1))[0] == 403
        writing.ok("PUT", "/other", MAPPING)
        writing.ok("DELETE", "/i")
        assert reading.ask("POST", "/i/_search")[0] == 404
        assert reading.ids("other", {"match_all": {}}) == []


def _found_all(asked: Asked) -> dict[str, int]:
    asked.ok("POST", "/i/_refresh")
    return _found(asked)


def test_a_damaged_segment_file_is_built_again(folder: str) -> None:
    (segment,) = Path(folder, "segments").rglob("*.segment")
    content = bytearray(segment.read_bytes())
    content[-40] ^= 0xFF
    segment.write_bytes(bytes(content))
    with Engine.open(folder) as engine:
        assert len(_found(Asked(engine))) == 55


def test_lost_segment_files_are_built_again(folder: str) -> None:
    shutil.rmtree(Path(folder, "segments"))
    with Engine.open(folder) as engine:
        assert len(_found(Asked(engine))) == 55
        _check_columns(Asked(engine), _found(Asked(engine)))


def test_a_newer_or_damaged_store_is_refused_with_a_sentence(folder: str) -> None:
    path = Path(folder, "engine.sqlite3")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="format 99"):
        Engine.open(folder)
    for left in Path(folder).glob("engine.sqlite3-*"):
        left.unlink()
    path.write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StoreError, match="damaged"):
        Engine.open(folder)


def test_a_full_disk_loses_nothing(folder: str) -> None:
    with Engine.open(folder) as engine:
        asked = Asked(engine)
        before = _found(asked)
        pages = engine.store._connection.execute("PRAGMA page_count").fetchone()[0]
        engine.store._connection.execute(f"PRAGMA max_page_count = {pages}")
        status, answered = asked.ask("PUT", "/i/_doc/big?refresh=true", {"text": "x" * 1_000_000})
        assert status == 500
        assert "not stored" in answered["error"]["reason"]
        assert _found(asked) == before
        engine.store._connection.execute("PRAGMA max_page_count = 1000000")
        asked.ok("PUT", "/i/_doc/new?refresh=true", document(77_777))
        assert _found(asked) == {**before, "new": 77_777}


def test_damage_in_the_middle_of_a_file_is_found_and_mended(folder: str) -> None:
    (segment,) = Path(folder, "segments").rglob("*.segment")
    whole = segment.read_bytes()
    assert check_folder(folder) == []

    def damage() -> None:
        content = bytearray(whole)
        for at in range(len(content) // 3, len(content) // 2):
            content[at] ^= 0x55
        segment.write_bytes(bytes(content))

    damage()
    assert len(check_folder(folder)) == 1
    with Engine.open(folder) as engine:
        _check_columns(Asked(engine), _found(Asked(engine)))
    assert check_folder(folder) == []


def test_repair_builds_columns_again(folder: str) -> None:
    (segment,) = Path(folder, "segments").rglob("*.segment")
    segment.write_bytes(segment.read_bytes()[:-1])
    assert "index i" in repair_folder(folder)[0]
    assert repair_folder(folder) == []
    with Engine.open(folder) as engine:
        assert len(_found(Asked(engine))) == 55
