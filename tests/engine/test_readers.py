"""One writer and many readers of a folder: threads, processes, and what they see while the other works."""

import json
import subprocess
import sys
import threading
from typing import Any

import pytest

import qlc_engine.index as index_module
from qlc_engine import Engine
from qlc_engine.folder_lock import FolderLockedError
from qlc_engine.search.run import Search
from tests.engine.asked import Asked
from tests.engine.stored import MAPPING, document, found_documents
from tests.tables import table


def test_a_second_writer_is_refused_and_readers_see_what_is_written(folder: str) -> None:
    with Engine.open(folder) as writer, Engine.open(folder, read_only=True) as reader:
        with pytest.raises(FolderLockedError, match="read_only=True"):
            Engine.open(folder)
        reading, writing = Asked(reader), Asked(writer)
        assert len(found_documents(reading)) == 55
        for step in range(3):
            writing.ok("PUT", f"/i/_doc/new{step}", document(1000 + step))
            writing.ok("DELETE", f"/i/_doc/{step}")
            assert found_documents(reading) == _refreshed(writing)
            writing.ok("POST", "/i/_flush" if step == 1 else "/i/_forcemerge")
            assert found_documents(reading) == found_documents(writing)
        assert reading.ask("PUT", "/i/_doc/1", document(1))[0] == 403
        writing.ok("PUT", "/other", MAPPING)
        writing.ok("DELETE", "/i")
        assert reading.ask("POST", "/i/_search")[0] == 404
        assert reading.ids("other", {"match_all": {}}) == []


def _refreshed(asked: Asked) -> dict[str, int]:
    asked.ok("POST", "/i/_refresh")
    return found_documents(asked)


def test_every_thread_of_a_reader_sees_each_write_and_leaves_no_connection(folder: str) -> None:
    with Engine.open(folder) as writer, Engine.open(folder, read_only=True) as reader:
        writing, reading = Asked(writer), Asked(reader)
        for step in range(30):
            if step < 4:
                writing.ok("PUT", f"/i/_doc/new{step}", document(1000 + step))
            found: list[dict[str, int]] = []
            thread = threading.Thread(target=lambda found=found: found.append(found_documents(reading)))
            thread.start()
            thread.join()
            assert f"new{min(step, 3)}" in found[0]
        assert len(reader.store._idle) <= 2


def test_a_reader_begins_anew_when_documents_go_under_its_hands(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Engine.open(folder) as writer, Engine.open(folder, read_only=True) as reader:
        writing, reading = Asked(writer), Asked(reader)
        assert len(found_documents(reading)) == 55
        pit = reading.ok("POST", "/i/_pit?keep_alive=1m")["id"]
        run, left = Search.run, [1]

        def run_late(search: Search) -> dict[str, Any]:
            if left:
                left.pop()
                writing.put("i", {str(number): document(number + 100) for number in range(55)})
                writing.ok("POST", "/i/_forcemerge")
            return run(search)

        monkeypatch.setattr(Search, "run", run_late)
        assert found_documents(reading) == {str(number): number + 100 for number in range(55)}
        status, answered = reading.ask("POST", "/_search", {"pit": {"id": pit}})
        assert status == 404
        assert answered["error"]["root_cause"][0]["type"] == "search_context_missing_exception"


def test_a_reader_knows_new_fields_and_indices_at_once(folder: str) -> None:
    with Engine.open(folder) as writer, Engine.open(folder, read_only=True) as reader:
        writing, reading = Asked(writer), Asked(reader)
        writing.ok("PUT", "/i/_doc/x", {"fresh": 1})
        assert "fresh" in reading.ok("GET", "/i/_mapping")["i"]["mappings"]["properties"]
        writing.ok("PUT", "/other/_doc/1", {"a": 1})
        assert reading.ok("GET", "/other/_doc/1")["found"]


def _write_twenty(asked: Asked, first: int) -> None:
    lines = [
        line
        for number in range(first, first + 20)
        for line in ({"index": {"_id": f"n{number}"}}, document(1000 + number))
    ]
    asked.ok("POST", f"/i/_bulk?refresh={json.dumps(first % 40 == 0)}", lines)
    if first % 100 == 0:
        asked.ok("POST", "/i/_flush")


_READER = table(__file__, "_READER")


def test_reading_processes_and_threads_beside_a_writer_see_whole_requests_only(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "FLUSH_DOCS", 50)
    monkeypatch.setattr(index_module, "SAVE_DOCS", 50)
    total = 600
    readers = [
        subprocess.Popen([sys.executable, "-c", _READER, folder, str(total)], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    failed: list[str] = []
    with Engine.open(folder) as writer:
        asked, done = Asked(writer), threading.Event()

        def search() -> None:
            while not done.is_set():
                count = asked.ok("POST", "/i/_count", {"query": {"range": {"n": {"gte": 1000}}}})["count"]
                if count % 20:
                    failed.append(f"{count} documents")

        threads = [threading.Thread(target=search) for _ in range(2)]
        for thread in threads:
            thread.start()
        try:
            for first in range(0, total, 20):
                _write_twenty(asked, first)
            asked.ok("POST", "/i/_refresh")
            told = [reader.communicate(timeout=60)[0] for reader in readers]
        finally:
            done.set()
            for thread in threads:
                thread.join()
            for reader in readers:
                reader.kill()
    assert told == ["seen\n", "seen\n"]
    assert failed == []


def test_a_load_of_long_documents_leaves_little_to_build_for_a_reader(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns are saved by size, long before 25,000 documents, without a refresh."""
    monkeypatch.setattr(index_module, "SAVE_BYTES", 2_000)
    with Engine.open(folder) as writer:
        asked = Asked(writer)
        for first in range(0, 100, 20):
            lines = [
                line
                for number in range(first, first + 20)
                for line in ({"index": {"_id": f"n{number}"}}, {**document(number), "title": "long " * 100})
            ]
            asked.ok("POST", "/i/_bulk", lines)
        built: list[str] = []
        monkeypatch.setattr(index_module.Index, "parse", lambda self, doc_id, *_: built.append(doc_id))
        with Engine.open(folder, read_only=True) as reader:
            found = Asked(reader).ok("POST", "/i/_count", {"query": {"range": {"n": {"gte": 0}}}})["count"]
        assert (found, built) == (155, [])  # the folder had 55
