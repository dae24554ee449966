"""Processes that read: one file that crashes, hangs or eats memory costs that file alone."""

import errno
import logging
import os
import time
from mmap import mmap
from pathlib import Path
from typing import Any

import pytest

from qlc.corpus.errors import Unreadable
from qlc.corpus.limits import Limits
from qlc.corpus.work import done_apart, own_needs, still_working

pytestmark = pytest.mark.usefixtures("files_are_read_apart")

LIMITS = Limits(seconds=2.0, memory_bytes=1024 * 1024 * 1024)


def job(task: str, limits: Limits) -> Any:
    match task:
        case "crash":
            os._exit(3)
        case "hang":
            time.sleep(60)
        case "long":
            for _ in range(3):
                still_working()
                time.sleep(0.9)
        case "memory":
            return len(bytearray(2 * limits.memory_bytes))
        case "defect":
            raise IndexError(task)
        case "closed":
            raise PermissionError(errno.EACCES, "Permission denied")
        case "full":
            raise OSError(errno.ENOSPC, "No space left on device")
        case "no picture":
            raise OSError("a library cannot identify the image")
        case "unreadable":
            raise Unreadable("empty", "The file is empty.")
        case "library":
            with own_needs():
                raise OSError("no such library")
        case str() if task.startswith("weak "):  # fails in the first process, as one that has no memory left
            marker = Path(task.removeprefix("weak "))
            if not marker.exists():
                marker.touch()
                raise MemoryError
        case "needs":
            with own_needs():
                model = mmap(-1, 2 * limits.memory_bytes)
            return len(model) + len(mmap(-1, limits.memory_bytes // 2))
        case "noise":
            os.write(1, b"not a result\n")
        case "large":
            return b"x" * 3_000_000
    return task


@pytest.mark.parametrize("processes", [1, 3])
def test_every_task_has_a_result(processes: int) -> None:
    tasks = ["a", "crash", "noise", "hang", "b", "memory", "defect", "unreadable", "large", "long", "c",
             "closed", "full", "no picture"]  # fmt: skip
    results = dict(done_apart(tasks, job, processes, LIMITS))
    assert {task: one.reason for task, one in results.items() if isinstance(one, Unreadable)} == {
        "crash": "reader_failed",
        "hang": "too_slow",
        "memory": "too_large",
        "defect": "reader_failed",
        "unreadable": "empty",
        "closed": "not_opened",
        "full": "reader_broken",
        "no picture": "reader_failed",
    }
    assert results["closed"].message == "The file cannot be opened: its permissions forbid it."
    assert {task: results[task] for task in ("a", "b", "c", "noise", "long")} == {
        "a": "a",
        "b": "b",
        "c": "c",
        "noise": "noise",
        "long": "long",
    }
    assert len(results["large"]) == 3_000_000


def test_what_is_not_wanted_any_more_is_not_begun() -> None:
    begun = []

    def tasks() -> Any:
        for number in range(1000):
            begun.append(number)
            yield str(number)

    results = done_apart(tasks(), job, 2, LIMITS)
    next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(begun) < 20


def test_what_a_reader_needs_for_itself_is_not_the_files(caplog: pytest.LogCaptureFixture) -> None:
    ((_, found),) = done_apart(["needs"], job, 1, LIMITS)
    assert found == LIMITS.memory_bytes * 5 // 2
    with caplog.at_level(logging.WARNING, "qlc.corpus"):
        ((_, broken),) = done_apart(["library"], job, 1, LIMITS)
    assert (broken.reason, "no such library" in broken.message) == ("reader_broken", True)
    assert len(caplog.records) == 2  # for each of two processes


def test_a_process_without_memory_is_replaced(tmp_path: Path) -> None:
    task = f"weak {tmp_path / 'tried'}"
    assert dict(done_apart([task], job, 1, LIMITS)) == {task: task}


def test_a_file_for_which_no_process_starts_is_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    found = dict(done_apart(["a", "b"], job, 2, LIMITS))
    assert {task: one.reason for task, one in found.items()} == {"a": "reader_broken", "b": "reader_broken"}
