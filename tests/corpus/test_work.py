"""Processes that read: one file that crashes, hangs or eats memory costs that file alone."""

import os
import time
from typing import Any

import pytest

from qlc.corpus.errors import Unreadable
from qlc.corpus.work import Limits, done_apart, still_working

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
        case "unreadable":
            raise Unreadable("empty", "The file is empty.")
        case "noise":
            os.write(1, b"not a result\n")
        case "large":
            return b"x" * 3_000_000
    return task


@pytest.mark.parametrize("processes", [1, 3])
def test_every_task_has_a_result(processes: int) -> None:
    tasks = ["a", "crash", "noise", "hang", "b", "memory", "defect", "unreadable", "large", "long", "c"]
    results = dict(done_apart(tasks, job, processes, LIMITS))
    assert {task: one.reason for task, one in results.items() if isinstance(one, Unreadable)} == {
        "crash": "reader_failed",
        "hang": "too_slow",
        "memory": "too_large",
        "defect": "reader_failed",
        "unreadable": "empty",
    }
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
