"""The deadline of the current work, set once around it and checked wherever work can be long.

It is a context variable, so functions need not pass it on; each thread and task has its own.
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
    """Raised when the caller has cancelled the work. It says nothing about the server."""

    def __init__(self) -> None:
        super().__init__("timeout", "the work was cancelled")


class _Wait:
    """Whether the caller still waits, and functions that abort pending requests, by thread."""

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
    """Set a deadline: inside, `checkpoint` raises after `ends` (monotonic clock), or after an earlier deadline around
    it."""
    token = _ENDS.set(earlier(ends))
    try:
        yield
    finally:
        with suppress(ValueError):  # a coroutine that was given up is closed from elsewhere
            _ENDS.reset(token)


@contextmanager
def can_be_given_up() -> Iterator[Callable[[], None]]:
    """Yield a function that cancels the work inside: from then on `checkpoint` raises there."""
    wait = _Wait()
    token = _WAIT.set(wait)
    try:
        yield wait.give_up
    finally:
        with suppress(ValueError):
            _WAIT.reset(token)


def stopped_by(stop: Callable[[], None]) -> AbstractContextManager[None]:
    """Call `stop` when the work inside is cancelled. It must not wait, nor raise."""
    wait = _WAIT.get()
    return nullcontext() if wait is None else wait.stopping(stop)


def earlier(ends: float) -> float:
    """Return `ends`, or the deadline around it if earlier, for waits without a checkpoint."""
    around = _ENDS.get()
    return ends if around is None else min(ends, around)


def passed() -> bool:
    """Whether the deadline has passed, for extras that an answer can do without."""
    ends = _ENDS.get()
    return ends is not None and time.monotonic() > ends


def checkpoint() -> None:
    """Raise RequestFailed (`timeout`) after the deadline, GivenUp after a cancellation. Takes 0.2 microseconds, so
    loops can call it for each item."""
    ends, wait = _ENDS.get(), _WAIT.get()
    if wait is not None and wait.is_given_up:
        raise GivenUp
    if ends is not None and time.monotonic() > ends:
        raise RequestFailed("timeout", "the deadline has passed")


def timed(items: Iterable[T]) -> Iterator[T]:
    """Yield the items while there is time. Raises RequestFailed."""
    for item in items:
        checkpoint()
        yield item
