"""Waits for work with a time limit.

A transport limits each read from its socket, but not their sum: a server that sends a byte now and then, or a hanging
name server, would hold a caller beyond every deadline. So the work runs in a thread of its own, and the wait ends in
time. Abandoned work ends by the transport's own time-out.
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
"""Seconds between checks for cancellation."""
MOST_IDLE = 32
_idle: list[_Inbox] = []
"""Idle threads. They are daemons, so that a stuck one does not delay the end of the process."""
os.register_at_fork(after_in_child=_idle.clear)


def within(seconds: float, work: Callable[[], T]) -> T:
    """Run the work in a thread; return its result or raise its error. Raises TimeoutError after `seconds`,
    RequestFailed when the caller has cancelled."""
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
