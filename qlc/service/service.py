"""What the routes share: the backend, the limits, the metrics, and the work of a request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from starlette.requests import Request

from qlc.outcome import Outcome

from .auth import Caller
from .backend import Backend
from .events import Streams
from .guard import until_gone
from .limits import Admission
from .metrics import Metrics
from .settings import Settings

if TYPE_CHECKING:
    from qlc.corpus.work import Processes

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
    drawing: Processes | None = None
    streams: Streams = field(init=False)

    def __post_init__(self) -> None:
        self.streams = Streams(self.settings, self.in_turn)

    def caller(self, request: Request) -> Caller:
        caller: Caller = request.state.caller
        return caller

    @asynccontextmanager
    async def in_turn(self, seconds: float | None = None) -> AsyncIterator[None]:
        """Around the work of a request, which takes so long at most (default: a deadline). Raises Problem where its
        turn does not come, TimeoutError."""
        async with self.admission.turn(), asyncio.timeout(seconds or self.settings.deadline + SLACK):
            yield

    async def work(self, request: Request, work: Coroutine[Any, Any, T]) -> T:
        """What the work of a request gives. Raises Problem, ClientGone, TimeoutError."""

        async def done() -> T:
            try:
                async with self.in_turn():
                    return await work
            finally:
                work.close()  # where it was not begun

        return await until_gone(request.receive, done())

    def count(self, *outcomes: Outcome) -> None:
        for one in outcomes:
            self.metrics.outcome(one)


def service_of(request: Request) -> Service:
    return cast("Service", request.app.state.qlc)
