"""The shared state of the routes: the backend, the limits, the metrics, and the running of requests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar, cast

from starlette.requests import Request
from starlette.responses import Response

from qlc.base.beside import beside
from qlc.base.errors import QlcError, RequestFailed
from qlc.outcome import Outcome

from .auth import Caller
from .backend import Backend
from .events import Streams
from .limits import Admission, in_time
from .metrics import Metrics
from .problems import defect
from .schemas import RunRequest, TurnRequest
from .settings import Settings

if TYPE_CHECKING:
    from qlc.corpus.work import Processes

T = TypeVar("T")

READY_FOR = 1.0
"""Seconds for which a check of readiness counts: anybody may ask for it."""


@dataclass(slots=True)
class Service:
    backend: Backend
    settings: Settings
    admission: Admission
    metrics: Metrics
    shows_requests: bool
    drawing: Processes | None = None
    streams: Streams = field(init=False)
    _readiness: asyncio.Task[str] | None = None
    _ready_until: float = 0.0

    def __post_init__(self) -> None:
        self.streams = Streams(self.settings)

    def caller(self, request: Request) -> Caller:
        caller: Caller = request.state.caller
        return caller

    def options(self, given: RunRequest | TurnRequest, request: Request) -> dict[str, Any]:
        """Return the options of a run for a request, with the access of its caller and the remaining time."""
        return self.backend.options(given, self.caller(request), request.state.ends)

    async def work(self, request: Request, work: Coroutine[Any, Any, T]) -> T:
        """Run the work of a request until its deadline, and return the result. Raises TimeoutError, RequestFailed."""
        try:
            with in_time(request.state.ends) as seconds:
                async with asyncio.timeout(seconds):
                    return await work
        finally:
            work.close()  # where it was not begun

    async def answer(self, request: Request, work: Coroutine[Any, Any, T], render: Callable[[T], Response]) -> Response:
        """Return the response to a request. `render` makes it from the result, on a thread: answers can be long."""

        async def answered() -> Response:
            return await beside(render, await work)

        return await self.work(request, answered())

    def count(self, *outcomes: Outcome) -> None:
        for one in outcomes:
            self.metrics.outcome(one)

    async def unreadiness(self) -> str:
        """Return why requests cannot be answered; empty if they can. Simultaneous checks share one result."""
        if self.admission.is_closing:
            return "the service is stopping"
        if self._readiness is None or (self._readiness.done() and time.monotonic() > self._ready_until):
            self._readiness = asyncio.create_task(self._check())
        return await asyncio.shield(self._readiness)

    async def _check(self) -> str:
        try:
            with in_time(time.monotonic() + self.settings.deadline) as seconds:
                async with asyncio.timeout(seconds):
                    await self.backend.ready()
            return ""
        except (QlcError, TimeoutError) as problem:
            return problem.reason if isinstance(problem, RequestFailed) else type(problem).__name__
        except Exception as problem:  # noqa: BLE001  whatever it is, requests would meet it, too
            defect(problem)
            return "internal"
        finally:
            self._ready_until = time.monotonic() + READY_FOR


def service_of(request: Request) -> Service:
    return cast("Service", request.app.state.qlc)
