"""The time of a request: work that can be long looks at it, and ends when it is over."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event
from typing import TypeVar

from qlc_engine.errors import EngineError

T = TypeVar("T")

_END: ContextVar[float] = ContextVar("end", default=math.inf)
_CANCELLED: ContextVar[Event | None] = ContextVar("cancelled", default=None)


class TimeOver(EngineError):
    """The time of a request, or of a search in it (`timeout`), is over."""

    def __init__(self) -> None:
        super().__init__("task_cancelled_exception", "task cancelled [the time of the request is over]")


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """Around work that may take so long (None: no longer than what is around it)."""
    if seconds is None:
        yield
        return
    token = _END.set(min(_END.get(), time.monotonic() + seconds))
    try:
        yield
    finally:
        _END.reset(token)


@contextmanager
def cancellable() -> Iterator[Callable[[], None]]:
    """Work that begins within ends as if its time were over, once the function was called."""
    event = Event()
    token = _CANCELLED.set(event)
    try:
        yield event.set
    finally:
        _CANCELLED.reset(token)


def check_time() -> None:
    """Raises TimeOver."""
    cancelled = _CANCELLED.get()
    if time.monotonic() > _END.get() or (cancelled is not None and cancelled.is_set()):
        raise TimeOver


def timed(items: Iterable[T]) -> Iterator[T]:
    """The items, as long as there is time. Raises TimeOver."""
    for item in items:
        check_time()
        yield item
