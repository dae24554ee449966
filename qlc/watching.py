"""How long pure computing may go on: whoever waits for it says until when, and every loop that can be long looks.

Nothing of it is handed from rule to rule: the watch is kept by the context of the call, which `beside` takes along.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

from qlc.errors import RequestFailed

P = ParamSpec("P")
T = TypeVar("T")


class Watch:
    """`until` is the instant of `time.monotonic` at which nobody waits any more."""

    __slots__ = ("until",)

    def __init__(self, until: float = math.inf) -> None:
        self.until = until


_watch: ContextVar[Watch] = ContextVar("qlc-watch", default=Watch())  # noqa: B039  never written to


@contextmanager
def watched(until: float) -> Iterator[Watch]:
    """What is computed within ends at this instant, or earlier where it is a part of what ends earlier."""
    watch = Watch(min(until, _watch.get().until))
    token = _watch.set(watch)
    try:
        yield watch
    finally:
        _watch.reset(token)


def watched_until() -> float:
    """The instant of `time.monotonic` at which nobody waits any more."""
    return _watch.get().until


def look() -> None:
    """Raises RequestFailed (timeout) where nobody waits any more."""
    if time.monotonic() >= _watch.get().until:
        raise RequestFailed("timeout", "the deadline has passed")


async def beside(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """What the work gives or raises, done on a thread beside the event loop, which goes on meanwhile.

    Work that nobody waits for any more, because the task was cancelled, ends at its next look.
    """
    with watched(math.inf) as watch:
        try:
            return await asyncio.to_thread(work, *given, **named)
        except asyncio.CancelledError:
            watch.until = -math.inf
            raise
