"""How much is done at once, and how often a caller may ask."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import limits
from limits.aio.strategies import MovingWindowRateLimiter
from limits.storage import storage_from_string

from qlc.errors import UsageError

from .auth import Caller, check_rate
from .problems import Problem
from .settings import Settings


class RateLimit:
    """Requests of each caller in a moving window. Raises UsageError for a rate or a storage that cannot be read."""

    def __init__(self, settings: Settings) -> None:
        self._default = settings.rate
        try:
            self._limiter = MovingWindowRateLimiter(storage_from_string(settings.rate_storage))
            self._items = {settings.rate: check_rate(settings.rate)} if settings.rate else {}
        except (ValueError, limits.errors.ConfigurationError, AssertionError) as problem:
            raise UsageError(f"the limit of requests cannot be used: {problem}") from None

    async def check(self, name: str, rate: str | None = None) -> None:
        """Count a request. Raises Problem (429) where there were too many."""
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

    async def check_caller(self, caller: Caller) -> None:
        await self.check(f"caller:{caller.name}", caller.rate)


class Admission:
    """Bounds the requests that are worked on at once. Some wait for their turn; the others are refused at once, so that
    a slow cluster is not sent more and more."""

    def __init__(self, settings: Settings) -> None:
        self._turns = asyncio.Semaphore(settings.concurrent)
        self._settings = settings
        self.working = 0
        self.waiting = 0
        self.is_closing = False

    @asynccontextmanager
    async def turn(self, *, is_begun: bool = False) -> AsyncIterator[None]:
        """Around the work of one request. Raises Problem (503) where it would wait too long; a further turn of a
        response that has begun waits as long as it must."""
        await (self._turns.acquire() if is_begun else self._take())
        self.working += 1
        try:
            yield
        finally:
            self.working -= 1
            self._turns.release()

    async def _take(self) -> None:
        if self.is_closing:
            raise _busy("The service is stopping.")
        if self._turns.locked() and self.waiting >= self._settings.queue:
            raise _busy("The service is overloaded.")
        self.waiting += 1
        try:
            async with asyncio.timeout(self._settings.queue_time):
                await self._turns.acquire()
        except TimeoutError:
            raise _busy("The service was busy for too long.") from None
        finally:
            self.waiting -= 1

    def numbers(self) -> Mapping[str, int]:
        return {"working": self.working, "waiting": self.waiting}


def _busy(detail: str) -> Problem:
    return Problem(503, "busy", f"{detail} Try again in a moment.", headers={"Retry-After": "2"})
