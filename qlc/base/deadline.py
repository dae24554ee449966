"""The deadline of what is being done: set once around it, looked at wherever work can be long.

It lies in a context variable, so that no function in between hands it down; a thread or a task has its own.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from contextvars import ContextVar
from typing import TypeVar

from qlc.base.errors import RequestFailed

T = TypeVar("T")

_ENDS: ContextVar[float | None] = ContextVar("qlc_deadline", default=None)


class GivenUp(RequestFailed):
    """Nobody waits for the work any more. It says nothing about the server."""

    def __init__(self) -> None:
        super().__init__("timeout", "the work was cancelled")


class _Wait:
    """Whether somebody waits, and what ends the requests that are on their way, by their threads."""

    def __init__(self) -> None:
        self.is_given_up = False
        self._stops: dict[int, Callable[[], None]] = {}
        self._lock = threading.Lock()

    def give_up(self) -> None:
        with self._lock:
            self.is_given_up = True
            for stop in self._stops.values():
                stop()

    @contextmanager
    def stopping(self, stop: Callable[[], None]) -> Iterator[None]:
        thread = threading.get_ident()
        with self._lock:
            self._stops[thread] = stop
        try:
            yield
        finally:
            with self._lock:
                del self._stops[thread]


_WAIT: ContextVar[_Wait | None] = ContextVar("qlc_wait", default=None)


@contextmanager
def until(ends: float) -> Iterator[None]:
    """Within, `checkpoint` raises once the monotonic clock is past `ends`, or past an earlier deadline around it."""
    token = _ENDS.set(earlier(ends))
    try:
        yield
    finally:
        with suppress(ValueError):  # a coroutine that was given up is closed from elsewhere
            _ENDS.reset(token)


@contextmanager
def can_be_given_up() -> Iterator[Callable[[], None]]:
    """Within, and in what begins within, `checkpoint` raises once the function was called: nobody waits any more."""
    wait = _Wait()
    token = _WAIT.set(wait)
    try:
        yield wait.give_up
    finally:
        with suppress(ValueError):
            _WAIT.reset(token)


def stopped_by(stop: Callable[[], None]) -> AbstractContextManager[None]:
    """Within, `stop` is called when nobody waits any more. It must not wait, nor raise."""
    wait = _WAIT.get()
    return nullcontext() if wait is None else wait.stopping(stop)


def earlier(ends: float) -> float:
    """`ends`, or the deadline around it where that is earlier: for waiting that no loop of ours goes on with."""
    around = _ENDS.get()
    return ends if around is None else min(ends, around)


def passed() -> bool:
    """Whether the deadline has passed: where there is an answer, and only its extras are left out."""
    ends = _ENDS.get()
    return ends is not None and time.monotonic() > ends


def checkpoint() -> None:
    """Raises RequestFailed (`timeout`) when the deadline has passed, GivenUp when nobody waits any more. Takes two
    tenths of a microsecond, so that loops may call it for each of their items."""
    ends, wait = _ENDS.get(), _WAIT.get()
    if wait is not None and wait.is_given_up:
        raise GivenUp
    if ends is not None and time.monotonic() > ends:
        raise RequestFailed("timeout", "the deadline has passed")


def timed(items: Iterable[T]) -> Iterator[T]:
    """The items, as long as there is time. Raises RequestFailed."""
    for item in items:
        checkpoint()
        yield item
