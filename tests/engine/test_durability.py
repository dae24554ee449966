"""A folder that survives: kills at any moment, and disks that fail."""

import errno
import json
import os
import random
import signal
import sqlite3
import time
from pathlib import Path
from typing import Any, cast

import pytest

import qlc_engine.index as index_module
from qlc_engine import Engine
from qlc_engine.store import Store
from tests.engine.asked import Asked
from tests.engine.stored import MAPPING, abandon, columns_agree, document, found_documents

#: `make soak` has a thousand.
KILLS = int(os.environ.get("QLC_KILLS", "12"))


def _write_until_killed(folder: str, told: int, seed: int) -> None:
    """Write documents in an endless loop, and report each change through the pipe before it is sent and after its
    answer."""
    chance = random.Random(seed)
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


def _killed(folder: str, seed: int, seconds: float) -> list[str]:
    """Run a writer, kill it after some seconds, and return its reports."""
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
    monkeypatch.setattr(index_module, "FLUSH_DOCS", 30)
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
            found = found_documents(asked)
            assert found in (expected, _after(expected, unanswered)), f"round {round_number}"
            expected = found
            columns_agree(asked, found)
        if chance.random() < 0.5:
            engine.close()
        else:
            abandon(engine)


def _after(documents: dict[str, int], changes: list[tuple[str, int | None]]) -> dict[str, int]:
    changed: dict[str, int | None] = {**documents, **dict(changes)}
    return {doc_id: number for doc_id, number in changed.items() if number is not None}


def test_columns_that_find_no_room_cost_no_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(index_module, "FLUSH_DOCS", 10)
    monkeypatch.setattr(index_module, "SAVE_DOCS", 10)
    folder = str(tmp_path / "data")
    expected = {str(number): number for number in range(45)}
    engine = Engine.open(folder)
    asked = Asked(engine)
    asked.ok("PUT", "/i", MAPPING)
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", _no_space)
        asked.put("i", {doc_id: document(number) for doc_id, number in expected.items()})
        assert found_documents(asked) == expected
        status, answered = asked.ask("POST", "/i/_flush")
        assert (status, answered["error"]["type"]) == (500, "i_o_exception")
        assert "No space left" in answered["error"]["reason"]
        assert list(Path(folder, "segments").rglob("*.tmp")) == []
    assert "columns of index i were not saved" in caplog.text
    abandon(engine)
    with Engine.open(folder) as again:
        assert found_documents(Asked(again)) == expected
        columns_agree(Asked(again), expected)


def _no_space(handle: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_mapping_stored_after_a_save_that_failed_says_what_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = Engine.open(str(tmp_path))
    asked = Asked(engine)
    asked.ok("PUT", "/i", MAPPING)
    asked.put("i", {"1": document(1)})
    with monkeypatch.context() as full:
        full.setattr(Store, "save_segments", _full)
        assert asked.ask("POST", "/i/_flush")[0] == 500
    asked.ok("PUT", "/i/_mapping", {"properties": {"more": {"type": "keyword"}}})
    abandon(engine)
    with Engine.open(str(tmp_path)) as again:
        assert found_documents(Asked(again)) == {"1": 1}


def _full(*arguments: object) -> None:
    raise sqlite3.OperationalError("database or disk is full")


def test_a_commit_that_fails_stores_nothing_and_the_next_one_works(tmp_path: Path) -> None:
    with Engine.open(str(tmp_path)) as engine:
        asked = Asked(engine)
        asked.ok("PUT", "/i", MAPPING)
        connection = engine.store._connection
        engine.store._connection = cast(sqlite3.Connection, _FailingCommit(connection))
        status, answered = asked.ask("PUT", "/i/_doc/1?refresh=true", document(1))
        assert status == 500
        assert "not stored" in answered["error"]["reason"]
        status, answered = asked.ask("PUT", "/i/_alias/a")
        assert (status, answered["error"]["type"]) == (500, "i_o_exception")
        engine.store._connection = connection
        assert asked.ok("GET", "/i")["i"]["aliases"] == {}
        asked.ok("PUT", "/i/_doc/2?refresh=true", document(2))
        assert found_documents(asked) == {"2": 2}


class _FailingCommit:
    """A connection on a disk that fails at each commit."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def execute(self, statement: str, *arguments: Any) -> sqlite3.Cursor:
        if statement == "COMMIT":
            raise sqlite3.OperationalError("disk I/O error")
        return self._connection.execute(statement, *arguments)
