"""A writer ended before each kind of call that changes the disk, in each step of its work; and what it has synced."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import qlc_engine.index as index_module
from qlc_engine import Engine
from qlc_engine.repair import check_folder
from tests.engine import tracing
from tests.engine.asked import Asked
from tests.engine.stored import MAPPING, columns_agree, document, found_documents
from tests.engine.tracing import Call

pytestmark = pytest.mark.skipif(not tracing.is_possible(), reason="this system does not let a process be traced")
Documents = dict[str, int]
Step = Callable[[Asked], Any]

#: How the calls of a step are told apart: a kind that comes often is met at its first and last time, and, in
#: `make soak`, in between.
_TIMES = 5 if os.environ.get("QLC_FAULTS") == "all" else 2


def _bulk(first: int, last: int) -> Step:
    lines = [line for number in range(first, last) for line in ({"index": {"_id": str(number)}}, document(number))]
    return lambda asked: asked.ok("POST", "/i/_bulk", lines)


class State(NamedTuple):
    """The stored state: the documents of `i`, whether its mapping has `more`, the alias and the other index."""

    documents: Documents | None = None
    more: bool = False
    alias: bool = False
    other: Documents | None = None


_FIRST = {str(number): number for number in range(30)}
_CHANGED = {**_FIRST, "3": 103}
_LESS = {doc_id: number for doc_id, number in _CHANGED.items() if doc_id != "4"}
_MANY = {**_LESS, **{str(number): number for number in range(30, 90)}}
_LAST = {**_MANY, "5": 105}

#: Each step and what is stored after it.
STEPS: list[tuple[Step, State]] = [
    (lambda asked: asked.ok("PUT", "/i", MAPPING), State({})),
    (_bulk(0, 30), State(_FIRST)),
    (lambda asked: asked.ok("POST", "/i/_flush"), State(_FIRST)),
    (lambda asked: asked.ok("PUT", "/i/_doc/3", document(103)), State(_CHANGED)),
    (lambda asked: asked.ok("DELETE", "/i/_doc/4?refresh=true"), State(_LESS)),
    (_bulk(30, 90), State(_MANY)),
    (lambda asked: asked.ok("PUT", "/i/_mapping", {"properties": {"more": {"type": "keyword"}}}), State(_MANY, True)),
    (lambda asked: asked.ok("PUT", "/j", MAPPING), State(_MANY, True, other={})),
    (lambda asked: asked.ok("PUT", "/j/_doc/1?refresh=wait_for", document(1)), State(_MANY, True, other={"1": 1})),
    (lambda asked: asked.ok("PUT", "/i/_alias/also"), State(_MANY, True, True, {"1": 1})),
    (lambda asked: asked.ok("POST", "/j/_flush"), State(_MANY, True, True, {"1": 1})),
    (lambda asked: asked.ok("DELETE", "/j"), State(_MANY, True, True)),
    (lambda asked: asked.ok("POST", "/i/_update/5?refresh=true", {"doc": document(105)}), State(_LAST, True, True)),
    (lambda asked: asked.ok("POST", "/i/_forcemerge"), State(_LAST, True, True)),
    (lambda asked: asked.engine.close(), State(_LAST, True, True)),
]


class _Written:
    """The writer tells the step that it begins through a pipe; what is read there counts as answered before."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder)
        self._heard, self._told = os.pipe()

    def run(self) -> None:
        asked = Asked(Engine.open(self.folder))
        for step, _ in STEPS:
            step(asked)
            os.write(self._told, b".")

    def steps_done(self) -> int:
        os.close(self._told)
        with os.fdopen(self._heard, "rb") as pipe:
            return len(pipe.read())


def _kind(call: Call) -> str:
    """The call and the kind of file, whatever the name of a segment."""
    return f"{call.name} {Path(call.file).suffix or Path(call.file).name}"


@pytest.fixture(autouse=True)
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "FLUSH_DOCS", 40)
    monkeypatch.setattr(index_module, "SAVE_DOCS", 20)


def _kill_points(folder: Path) -> list[int]:
    """Numbers of calls such that each kind of call is met in each step several times."""
    written = _Written(folder)
    told = f"pipe:[{os.fstat(written._told).st_ino}]"
    times: dict[tuple[int, str], list[int]] = {}
    step = number = 0

    def look(call: Call) -> bool:
        nonlocal step, number
        if call.file == told:
            step += 1
        elif call.file.startswith(str(folder)) or not call.file:
            times.setdefault((step, _kind(call)), []).append(number)
            number += 1
        return False

    assert tracing.traced(written.run, look) == 0
    assert written.steps_done() == len(STEPS)
    chosen: set[int] = set()
    for found in times.values():
        stride = max(1, len(found) // (_TIMES - 1))
        chosen.update([*found[::stride][: _TIMES - 1], found[-1]])
    return sorted(chosen)


def test_a_writer_may_end_before_any_call(tmp_path: Path) -> None:
    points = _kill_points(tmp_path / "whole")
    assert len(points) >= 80
    for point in points:
        folder = tmp_path / f"killed{point}"
        written = _Written(folder)
        number = 0

        def ends(call: Call, folder: Path = folder, point: int = point) -> bool:
            nonlocal number
            if call.file and not call.file.startswith(str(folder)):
                return False
            number += 1
            return number > point

        assert tracing.traced(written.run, ends) is None
        _check(folder, written.steps_done())


def _check(folder: Path, done: int) -> None:
    """All answered steps are there, and of the one that was under way all or nothing."""
    possible = [STEPS[done - 1][1] if done else State(), STEPS[done][1]]
    with Engine.open(str(folder)) as engine:
        asked = Asked(engine)
        found = _state(asked)
        assert found in possible, f"{folder.name} after {done} steps"
        for name, documents in (("i", found.documents), ("j", found.other)):
            if documents is not None:
                columns_agree(asked, documents, name)
    assert check_folder(str(folder)) == []


def _state(asked: Asked) -> State:
    i, j = (found_documents(asked, name) if asked.engine.indices.get(name) is not None else None for name in "ij")
    if i is None:
        return State(other=j)
    told = asked.ok("GET", "/i")["i"]
    return State(i, "more" in told["mappings"]["properties"], "also" in told["aliases"], j)


def test_what_is_answered_is_synced(tmp_path: Path) -> None:
    """When a step is told as done, nothing that was written to the database's log waits to be synced."""
    folder = tmp_path / "data"
    written = _Written(folder)
    told = f"pipe:[{os.fstat(written._told).st_ino}]"
    unsynced: dict[str, int] = {}
    left: list[dict[str, int]] = []
    synced = 0

    def look(call: Call) -> bool:
        nonlocal synced
        if call.file == told:
            left.append(dict(unsynced))
        elif call.name in ("write", "writev", "pwrite") and call.file.endswith(("-wal", ".tmp")):
            unsynced[call.file] = unsynced.get(call.file, 0) + 1
        elif call.name in ("fsync", "fdatasync"):
            synced += 1 if unsynced.pop(call.file, 0) else 0
        return False

    assert tracing.traced(written.run, look) == 0
    assert left == [{}] * len(STEPS)
    assert synced >= len(STEPS)
