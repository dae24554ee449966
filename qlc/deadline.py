"""The deadline of what is being done: set once around it, looked at wherever work can be long.

It lies in a context variable, so that no function in between hands it down; a thread or a task has its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from threading import Event
from typing import TypeVar

from qlc.errors import RequestFailed

T = TypeVar("T")

_ENDS: ContextVar[float | None] = ContextVar("qlc_deadline", default=None)
_GIVEN_UP: ContextVar[Event | None] = ContextVar("qlc_given_up", default=None)


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
    event = Event()
    token = _GIVEN_UP.set(event)
    try:
        yield event.set
    finally:
        with suppress(ValueError):
            _GIVEN_UP.reset(token)


def earlier(ends: float) -> float:
    """`ends`, or the deadline around it where that is earlier: for waiting that no loop of ours goes on with."""
    around = _ENDS.get()
    return ends if around is None else min(ends, around)


def passed() -> bool:
    """Whether the deadline has passed: where there is an answer, and only its extras are left out."""
    ends = _ENDS.get()
    return ends is not None and time.monotonic() > ends


def checkpoint() -> None:
    """Raises RequestFailed (`timeout`) when the deadline has passed, or nobody waits any more. Takes two tenths of a
    microsecond, so that loops may call it for each of their items."""
    ends, given_up = _ENDS.get(), _GIVEN_UP.get()
    if given_up is not None and given_up.is_set():
        raise RequestFailed("timeout", "the work was given up")
    if ends is not None and time.monotonic() > ends:
        raise RequestFailed("timeout", "the deadline has passed")


def timed(items: Iterable[T]) -> Iterator[T]:
    """The items, as long as there is time. Raises RequestFailed."""
    for item in items:
        checkpoint()
        yield item
