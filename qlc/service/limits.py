"""How much is done at once, and how often a caller may ask."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager

import limits
from limits.aio.strategies import MovingWindowRateLimiter
from limits.storage import storage_from_string

from qlc.base.deadline import until
from qlc.base.errors import UsageError

from .auth import check_rate
from .problems import Problem
from .settings import Settings

SLACK = 1.0
"""Seconds beyond its deadline after which the work of a request is given up: the library ends it before."""
READING = 2
"""Bodies that are parsed at the same time. Others wait, and leave the threads to current requests."""


class RateLimit:
    """Requests of each caller in a moving window. Raises UsageError for a rate or a storage that cannot be read."""

    def __init__(self, settings: Settings) -> None:
        self._default = settings.rate
        try:
            self._limiter = MovingWindowRateLimiter(storage_from_string(settings.rate_storage))
            self._items = {settings.rate: check_rate(settings.rate)} if settings.rate else {}
        except (ValueError, limits.errors.ConfigurationError, AssertionError) as problem:
            where = settings.rate_storage
            raise UsageError(f"requests cannot be counted in {where!r} (async+redis://HOST): {problem}") from None

    async def check(self, name: str, rate: str | None = None) -> None:
        """Count a request. Raises Problem (429) if there were too many."""
        rate = rate or self._default
        if rate is None:
            return
        item = self._items.get(rate) or self._items.setdefault(rate, check_rate(rate))
        if await self._limiter.hit(item, name):
            return
        window = await self._limiter.get_window_stats(item, name)
        seconds = max(1, math.ceil(window.reset_time - time.time()))
        raise Problem(429, "too-many-requests", f"The limit is {item}. Try again in {seconds} s.",
                      headers={"Retry-After": str(seconds)})  # fmt: skip


@contextmanager
def in_time(ends: float) -> Iterator[float]:
    """End work at its next checkpoint after `ends`. Yields the seconds to wait for it, which are a little more."""
    with until(ends):
        yield max(ends - time.monotonic(), 0.0) + SLACK


class Turn:
    """The right of one request to be worked on, until it is released. Releasing is idempotent.

    `is_kept`: the work goes on after the response has begun, and releases the turn itself (`Streams`).
    """

    def __init__(self, admission: Admission) -> None:
        self._admission: Admission | None = admission
        self.is_kept = False

    def release(self) -> None:
        admission, self._admission = self._admission, None
        if admission is not None:
            admission.give_back()


class Admission:
    """Bounds the requests that are worked on at once. Some wait for their turn; the others are refused at once, so that
    a slow cluster is not sent more and more."""

    def __init__(self, settings: Settings) -> None:
        self._turns = asyncio.Semaphore(settings.concurrent)
        self._reading = asyncio.Semaphore(READING)
        self._settings = settings
        self.working = 0
        self.waiting = 0
        self.is_closing = False

    async def take(self, read: Callable[[], Awaitable[float]]) -> Turn:
        """Wait for the turn of a request.

        `read` reads its body and returns when its deadline ends, by the monotonic clock. Raises Problem (503) if the
        wait would be too long, TimeoutError once the deadline has passed.
        """
        if self.is_closing:
            raise _busy("The service is stopping.")
        if self.working + self.waiting >= self._settings.concurrent + self._settings.queue:
            raise _busy("The service is overloaded.")
        self.waiting += 1
        try:
            async with self._reading:
                ends = await read()
            await self._wait(ends)
        finally:
            self.waiting -= 1
        self.working += 1
        return Turn(self)

    async def _wait(self, ends: float) -> None:
        left = ends - time.monotonic()
        try:
            async with asyncio.timeout(min(self._settings.queue_time, left)):
                await self._turns.acquire()
        except TimeoutError:
            if left > self._settings.queue_time:
                raise _busy("The service was busy for too long.") from None
            raise

    @asynccontextmanager
    async def further_turn(self) -> AsyncIterator[None]:
        """Wait, without a limit, for a turn of more work for a response that has begun."""
        await self._turns.acquire()
        self.working += 1
        try:
            yield
        finally:
            self.give_back()

    def give_back(self) -> None:
        self.working -= 1
        self._turns.release()

    def numbers(self) -> Mapping[str, int]:
        return {"working": self.working, "waiting": self.waiting}


def _busy(detail: str) -> Problem:
    return Problem(503, "busy", f"{detail} Try again in a moment.", headers={"Retry-After": "2"})
