"""What the routes share: the backend, the limits, the metrics, and the work of a request."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar, cast

from starlette.requests import Request

from qlc.outcome import Outcome

from .auth import Caller
from .backend import Backend
from .guard import unless_gone
from .limits import Admission
from .metrics import Metrics
from .settings import Settings

T = TypeVar("T")

SLACK = 5.0
"""Seconds beyond its deadline after which the work of a request is given up: the library ends it before."""


@dataclass(slots=True)
class Service:
    backend: Backend
    settings: Settings
    admission: Admission
    metrics: Metrics
    shows_requests: bool

    def caller(self, request: Request) -> Caller:
        caller: Caller = request.state.caller
        return caller

    async def work(self, request: Request, work: Awaitable[T]) -> T:
        """What the work of a request gives, when its turn has come. Raises Problem, ClientGone, TimeoutError."""
        return await unless_gone(request, self._in_turn(work))

    async def _in_turn(self, work: Awaitable[T]) -> T:
        task = asyncio.ensure_future(work) if not asyncio.iscoroutine(work) else work
        try:
            async with self.admission.turn(), asyncio.timeout(self.settings.deadline + SLACK):
                return await task
        finally:
            if asyncio.iscoroutine(task):
                task.close()  # it was not begun

    async def outcome(self, request: Request, work: Awaitable[Outcome]) -> Outcome:
        outcome = await self.work(request, work)
        self.metrics.outcome(outcome)
        return outcome


def service_of(request: Request) -> Service:
    return cast("Service", request.app.state.qlc)
