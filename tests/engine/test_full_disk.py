"""Random work on a disk that is full again and again: what was answered is stored, what was refused left no trace.

The limit of a process on the size of its files stands for the disk; every kind of write meets it.
"""

import random
import resource
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import qlc_engine.index as index_module
from qlc_engine import Engine
from tests.engine.asked import Asked
from tests.engine.stored import MAPPING, abandon, document, in_child

Stored = dict[str, dict[str, int]]
ROUNDS = 120
LIMITS = (None, None, 60_000, 120_000, 300_000, 500_000)


@contextmanager
def _files_no_larger_than(limit: int | None) -> Iterator[None]:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard if limit is None else limit, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))


class _Work:
    """An engine, its expected documents, and how often each kind of write was refused."""

    def __init__(self, folder: str, seed: int) -> None:
        self.chance = random.Random(seed)
        self.folder = folder
        self.engine = Engine.open(folder)
        self.asked = Asked(self.engine)
        self.stored: Stored = {}
        self.refused: Counter[str] = Counter()

    def write(self) -> None:
        name, kind = self.chance.choice("ab"), self.chance.random()
        documents = self.stored.get(name)
        if documents is None:
            if self._answered("create", "PUT", f"/{name}", MAPPING):
                self.stored[name] = {}
        elif kind < 0.05:
            if self._answered("drop", "DELETE", f"/{name}"):
                del self.stored[name]
        elif kind < 0.15:
            self._answered("save", "POST", f"/{name}/{self.chance.choice(['_flush', '_forcemerge'])}")
        elif kind < 0.25 and documents:
            doc_id = self.chance.choice(sorted(documents))
            if self._answered("delete", "DELETE", f"/{name}/_doc/{doc_id}?refresh=true"):
                del documents[doc_id]
        elif kind < 0.4 and documents:
            doc_id, number = self.chance.choice(sorted(documents)), self.chance.randrange(10**6)
            if self._answered("update", "POST", f"/{name}/_update/{doc_id}?refresh=true", {"doc": document(number)}):
                documents[doc_id] = number
        else:
            self._bulk(name, documents)

    def _bulk(self, name: str, documents: dict[str, int]) -> None:
        new = {str(self.chance.randrange(300)): self.chance.randrange(10**6)
               for _ in range(self.chance.choice([1, 3, 40, 120]))}  # fmt: skip
        padding = "p" * self.chance.choice([0, 10, 2000])
        lines = [line for doc_id, number in new.items()
                 for line in ({"index": {"_id": doc_id}}, {**document(number), "padding": padding})]  # fmt: skip
        if self._answered("bulk", "POST", f"/{name}/_bulk?refresh=true", lines):
            documents.update(new)

    def _answered(self, kind: str, *request: Any) -> bool:
        status, told = self.asked.ask(*request)
        if status < 300 and not told.get("errors"):
            return True
        assert status == 500 or all(next(iter(item.values()))["status"] == 500 for item in told["items"]), told
        self.refused[kind] += 1
        return False

    def end(self) -> None:
        if self.chance.random() < 0.5:
            self.engine.close()
        else:
            abandon(self.engine)

    def open_again(self) -> None:
        self.engine = Engine.open(self.folder)
        self.asked = Asked(self.engine)

    def check(self) -> None:
        found: Stored = {}
        for name in self.asked.ok("GET", "/_all"):
            hits = self.asked.ok("POST", f"/{name}/_search", {"size": 1000})["hits"]["hits"]
            found[name] = {hit["_id"]: hit["_source"]["n"] for hit in hits}
        assert found == self.stored


def _work_in_a_child(folder: str, seed: int) -> None:
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    work = _Work(folder, seed)
    for _ in range(ROUNDS):
        with _files_no_larger_than(work.chance.choice(LIMITS)):
            work.write()
            ended = work.chance.random() < 0.2
            if ended:
                work.end()
        if ended:
            work.open_again()
        work.check()
    work.engine.close()
    assert {"bulk", "save"} <= set(work.refused)


@pytest.mark.parametrize("seed", range(2))
def test_a_disk_that_is_full_again_and_again(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "FLUSH_DOCS", 30)
    monkeypatch.setattr(index_module, "SAVE_DOCS", 25)
    assert in_child(lambda: _work_in_a_child(str(tmp_path / "data"), seed)) == 0
