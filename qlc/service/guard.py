"""What every request passes: who is asking, how often, how long reading and writing may take, and the metrics."""

from __future__ import annotations

import asyncio
import logging
import re
import time
import uuid
from collections.abc import Awaitable, Sequence
from typing import TypeVar

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .auth import Authenticator, Caller, caller_of
from .limits import RateLimit
from .metrics import Metrics
from .problems import Problem, problem_of
from .settings import Settings

log = logging.getLogger("qlc.service")

T = TypeVar("T")

OPEN = frozenset({"/healthz", "/readyz", "/openapi.json", "/"})
"""What needs no credentials, with the files of the page."""
FILES = "/static/"
WATCHED = frozenset({"/healthz", "/readyz", "/metrics", "/"})
"""Where load balancers and monitors look, often with HEAD: the answer to GET without its body."""
MOST_DIGITS = 18
"""Of the length of a body: Python refuses to read very long numbers."""
CLIENT_GONE = 499
"""The status in the metrics where the client left before there was an answer."""


class ClientGone(Exception):
    """The client closed its connection: nobody waits for the answer."""


class CutOff(Exception):
    """A response that has begun cannot be completed: the connection is closed, and the client sees that."""


class Guard:
    """Around the application, as ASGI middleware: nothing of a request is read before its caller is known."""

    def __init__(
        self, app: ASGIApp, settings: Settings, authenticators: Sequence[Authenticator], rates: RateLimit,
        metrics: Metrics,
    ) -> None:  # fmt: skip
        self._app, self._settings, self._authenticators = app, settings, authenticators
        self._rates, self._metrics = rates, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD" and _path(scope) in WATCHED:
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        exchange = _Exchange(receive, send, self._settings)
        started = time.perf_counter()
        try:
            await self._admit(scope)
            exchange.check_length(Headers(scope=scope))
            await self._app(scope, exchange.receive, exchange.send)
        except ClientGone:
            exchange.status = exchange.status or CLIENT_GONE
        except Exception as problem:
            if isinstance(problem, CutOff):
                raise
            await exchange.fail(problem_of(problem) or defect(problem), problem, scope)
        finally:
            route = getattr(scope.get("route"), "path", "unknown")
            self._metrics.request(route, exchange.status or CLIENT_GONE, time.perf_counter() - started)

    async def _admit(self, scope: Scope) -> None:
        path = _path(scope)
        headers = Headers(scope=scope)
        self._check_host(headers)
        state = scope.setdefault("state", {})
        host = (scope.get("client") or ("unknown",))[0]
        state["caller"] = Caller("anonymous")
        if path in OPEN or path.startswith(FILES):
            return
        try:
            caller = await caller_of(headers, self._authenticators)
        except Problem as problem:
            if problem.status_code == 401:
                await self._rates.check(f"refused:{host}")
            raise
        if caller is None:
            await self._rates.check(f"host:{host}")
            return
        state["caller"] = caller
        await self._rates.check_caller(caller)

    def _check_host(self, headers: Headers) -> None:
        host = re.sub(r":\d+$", "", headers.get("host", "")).lower()
        if self._settings.hosts and host not in self._settings.hosts:
            raise Problem(421, "other-host", f"This service answers as {' and '.join(sorted(self._settings.hosts))}.")


def _path(scope: Scope) -> str:
    """Without what the service is mounted below."""
    return str(scope["path"].removeprefix(scope.get("root_path", "")))


def _without_body(send: Send) -> Send:
    async def sent(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return sent


class _Exchange:
    """The messages of one request, each within a time; `status` is that of the response, once it has begun."""

    def __init__(self, receive: Receive, send: Send, settings: Settings) -> None:
        self._receive, self._send = receive, send
        self._seconds, self._most, self._left = settings.io_time, settings.max_body, settings.max_body
        self._body_until = time.monotonic() + settings.io_time
        self._is_read = False
        self.status = 0

    def check_length(self, headers: Headers) -> None:
        """Raises Problem for a body that says that it is too large, before any of it is read."""
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > MOST_DIGITS or int(length) > self._left:
            raise self._too_large()

    def _too_large(self) -> Problem:
        return Problem(413, "body-too-large", f"The body is larger than the {self._most:,} bytes that are read of one.")

    async def receive(self) -> Message:
        if self._is_read:  # what comes now is that the client left
            return await self._receive()
        try:
            async with asyncio.timeout(self._body_until - time.monotonic()):
                message = await self._receive()
        except TimeoutError:
            raise Problem(408, "body-too-slow", "The body was not sent in time.") from None
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise self._too_large()
        self._is_read = message["type"] != "http.request" or not message.get("more_body", False)
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        try:
            async with asyncio.timeout(self._seconds):
                await self._send(message)
        except TimeoutError:
            raise ClientGone from None

    async def fail(self, known: Problem, cause: Exception, scope: Scope) -> None:
        """Answer with a problem; a response that has begun is cut off."""
        if self.status:
            raise CutOff(known.detail) from cause
        await known.response()(scope, self._receive, self.send)


def defect(problem: Exception) -> Problem:
    """What is answered in place of an exception that nobody expects: the log has it, under the same id."""
    id = uuid.uuid4().hex
    log.error("request %s failed", id, exc_info=problem)
    return Problem(500, "internal", "Something went wrong. The log of the service has the details.", id=id)


async def until_gone(receive: Receive, work: Awaitable[T]) -> T:
    """What the work gives; it is cancelled, down to its searches, when the client leaves. Raises ClientGone."""
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_gone(receive))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            return task.result()
        raise ClientGone
    finally:
        leaving.cancel()
        if not task.done():
            task.cancel()
            await asyncio.wait({task})


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
