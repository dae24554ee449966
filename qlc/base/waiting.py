"""Waiting for work no longer than it may take.

A transport bounds each read from its socket, and not all of them together: a server that sends a byte now and then, or
a name server that hangs, would hold a caller beyond every deadline. So the work is done on a thread of its own, and it
is the wait that ends in time. What was given up ends when the transport's own time-out comes.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from qlc.base.deadline import checkpoint

T = TypeVar("T")

_Answer = tuple[Any, BaseException | None]
_Inbox = SimpleQueue[tuple[Callable[[], Any], SimpleQueue[_Answer]]]

PAUSE = 0.1
"""Seconds between looks whether anybody still waits."""
MOST_IDLE = 32
_idle: list[_Inbox] = []
"""Threads that wait for work. They are daemons: one that is stuck does not hold up the end of the process."""
os.register_at_fork(after_in_child=_idle.clear)


def within(seconds: float, work: Callable[[], T]) -> T:
    """What the work gives or raises. Raises TimeoutError when that takes longer, RequestFailed when nobody waits for it
    any more."""
    answers: SimpleQueue[_Answer] = SimpleQueue()
    try:
        inbox = _idle.pop()
    except IndexError:
        inbox = SimpleQueue()
        threading.Thread(target=_serve, args=(inbox,), daemon=True, name="qlc-request").start()
    context = copy_context()
    inbox.put((lambda: context.run(work), answers))
    answer, problem = _waited(answers, time.monotonic() + seconds)
    if problem is not None:
        raise problem
    found: T = answer
    return found


def _waited(answers: SimpleQueue[_Answer], until: float) -> _Answer:
    while (left := until - time.monotonic()) > 0:
        try:
            return answers.get(timeout=min(left, PAUSE))
        except Empty:
            checkpoint()
    raise TimeoutError


def _serve(inbox: _Inbox) -> None:
    while True:
        work, answers = inbox.get()
        try:
            answer: _Answer = (work(), None)
        except BaseException as problem:  # noqa: BLE001  it is raised where the answer is waited for
            answer = (None, problem)
        waits = len(_idle) < MOST_IDLE
        if waits:
            _idle.append(inbox)
        answers.put(answer)
        del work, answers, answer
        if not waits:
            return
