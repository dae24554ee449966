"""The guard of all requests: authentication, addresses, rates, turns, times for reading and writing, and metrics."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qlc.base.beside import beside
from qlc.base.options import LONGEST_DEADLINE

from .auth import Authenticator, Caller, caller_of
from .bodies import parsed
from .limits import RateLimit, Turn
from .problems import Problem, defect, problem_of
from .settings import Settings

if TYPE_CHECKING:
    from .service import Service

T = TypeVar("T")

FILES = "/static/"
OPEN = frozenset({"/healthz", "/readyz", "/openapi.json", "/"})
"""The addresses that need no credentials, with the files of the page."""
WATCHED = frozenset({"/healthz", "/readyz", "/metrics", "/"})
"""Addresses that load balancers and monitors watch. HEAD is answered as GET, without the body."""
IN_LOOP = OPEN | {"/metrics"}
"""Addresses that are answered without a turn, with the files of the page: stored bytes, some counters, and one check of
readiness that simultaneous requests share. Every other request takes a turn, and its computations run on a thread
(`Service.work`, `beside`)."""
READS = frozenset({"GET", "HEAD", "OPTIONS"})
"""The methods by which nothing is changed or begun."""
MOST_DIGITS = 18
"""Most digits of a body's length: Python refuses to read very long numbers."""
CLIENT_GONE = 499
"""The status in the metrics where the client left before there was an answer."""


class ClientGone(Exception):
    """The client closed its connection, so the answer is not needed."""


class CutOff(Exception):
    """A response that has begun cannot be completed: the connection is closed, and the client sees that."""


class Guard:
    """Around the application, as ASGI middleware: nothing of a request is read before its caller is known, and none is
    worked on before its turn."""

    def __init__(
        self, app: ASGIApp, service: Service, authenticators: Sequence[Authenticator], rates: RateLimit
    ) -> None:
        self._app, self._service, self._settings = app, service, service.settings
        self._authenticators, self._rates = authenticators, rates

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["method"] == "HEAD" and _path(scope) in WATCHED:
            scope, send = {**scope, "method": "GET"}, _without_body(send)
        exchange = _Exchange(receive, send, self._settings)
        started = time.perf_counter()
        try:
            exchange.check_length(Headers(scope=scope))
            await self._admit(scope)
            if is_in_loop(_path(scope)):
                await self._app(scope, exchange.receive, exchange.send)
            else:
                body = await exchange.body()
                await until_gone(receive, self._in_turn(scope, exchange, body))
        except ClientGone:
            exchange.status = exchange.status or CLIENT_GONE
        except Exception as problem:
            if exchange.status:  # the log of the server has the cause
                raise CutOff("a response broke off") from problem
            await (problem_of(problem) or defect(problem)).response()(scope, receive, exchange.send)
        finally:
            exchange.release()
            route = getattr(scope.get("route"), "path", "unknown")
            self._service.metrics.request(route, exchange.status or CLIENT_GONE, time.perf_counter() - started)

    async def _in_turn(self, scope: Scope, exchange: _Exchange, body: bytes) -> None:
        """Call the application within a turn, except for who reads on in a stream, which has a turn of its own.

        Sets in the state of the request: `json`, the parsed body; `ends`, the monotonic time of its deadline, which
        counts from now; `turn`; `stream`, the stream that goes on.
        """
        state, headers = scope["state"], Headers(scope=scope)
        arrived = time.monotonic()
        state["ends"] = arrived + self._settings.deadline
        state["stream"] = self._service.streams.continued(headers, state["caller"], _path(scope), body)

        async def read() -> float:
            if "json" in headers.get("content-type", "").lower() and body:
                state["json"] = found = await beside(parsed, body)
                state["ends"] = arrived + min(_deadline_in(found), self._settings.deadline)
            return float(state["ends"])

        if state["stream"] is not None:
            await read()
        else:
            state["turn"] = exchange.turn = await self._service.admission.take(read)
        await self._app(scope, exchange.again(body), exchange.send)

    async def _admit(self, scope: Scope) -> None:
        path = _path(scope)
        headers = Headers(scope=scope)
        named = re.sub(r":\d+$", "", headers.get("host", "")).lower()
        if self._settings.hosts and named not in self._settings.hosts:
            raise Problem(421, "other-host", f"This service answers as {' and '.join(sorted(self._settings.hosts))}.")
        if scope["method"] not in READS:
            self._check_page(headers)
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
        await self._rates.check(f"caller:{caller.name}", caller.rate)

    def _check_page(self, headers: Headers) -> None:
        """Refuse requests that a page of another site makes a browser send. Raises Problem.

        Browsers send the origin of a page; other clients send neither header.
        """
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if origin in self._settings.origins:
            return
        host = headers.get("host", "").lower()
        is_at_host = origin is None or origin.lower().partition("://")[2] == host != ""
        if not (site in ("same-origin", "none") if site else is_at_host):
            raise Problem(403, "other-origin", "A page of another site may not ask here.")


def is_in_loop(path: str) -> bool:
    """Whether requests to an address are answered without a turn. This is the one place that decides it."""
    return path in IN_LOOP or path.startswith(FILES)


def _deadline_in(found: Any) -> float:
    """Return the seconds that a request gives itself, if its value will be accepted."""
    wanted: Any = found.get("deadline") if isinstance(found, dict) else None
    is_time = isinstance(wanted, int | float) and not isinstance(wanted, bool) and wanted > 0
    return float(min(wanted, LONGEST_DEADLINE)) if is_time else float("inf")


def _path(scope: Scope) -> str:
    """Return the path of a request, without the prefix below which the service is mounted."""
    return str(scope["path"].removeprefix(scope.get("root_path", "")))


def _without_body(send: Send) -> Send:
    async def sent(message: Message) -> None:
        await send({**message, "body": b""} if message["type"] == "http.response.body" else message)

    return sent


class _Exchange:
    """The messages of one request, each within a time; `status` is that of the response, once it has begun.

    Its turn ends there, so that sending to a slow client does not block others.
    """

    def __init__(self, receive: Receive, send: Send, settings: Settings) -> None:
        self._receive, self._send = receive, send
        self._seconds, self._most, self._left = settings.io_time, settings.max_body, settings.max_body
        self._body_until = time.monotonic() + settings.io_time
        self._is_read = False
        self.status = 0
        self.turn: Turn | None = None

    def check_length(self, headers: Headers) -> None:
        """Check the length of a body before reading it. Raises Problem if the body is too large, or if its end is
        unclear.

        Another server could see an unclear end elsewhere.
        """
        lengths, codings = headers.getlist("content-length"), headers.getlist("transfer-encoding")
        if len(lengths) + len(codings) > 1:
            raise Problem(400, "unclear-length", "A request has one header that says where its body ends: either "
                          "Content-Length or Transfer-Encoding.", headers={"Connection": "close"})  # fmt: skip
        length = (lengths or ["0"])[0]
        if not (length.isascii() and length.isdecimal()) or len(length) > MOST_DIGITS or int(length) > self._left:
            raise self._too_large()

    def _too_large(self) -> Problem:
        return Problem(413, "body-too-large", f"The body is larger than the {self._most:,} bytes that are read of one.")

    async def body(self) -> bytes:
        """Read the whole body. Raises Problem, ClientGone."""
        parts: list[bytes] = []
        while not self._is_read:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            parts.append(message.get("body", b""))
        return b"".join(parts)

    def again(self, body: bytes) -> Receive:
        """Return the channel of a body that was read; `until_gone` notices if the client leaves."""
        messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            return messages.pop() if messages else await asyncio.Future()

        return receive

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
            self.release()
            headers = MutableHeaders(raw=[*message.get("headers", ())])
            headers.setdefault("X-Content-Type-Options", "nosniff")
            headers.setdefault("Cache-Control", "no-store")
            message = {**message, "headers": headers.raw}
        try:
            async with asyncio.timeout(self._seconds):
                await self._send(message)
        except TimeoutError:
            raise ClientGone from None

    def release(self) -> None:
        if self.turn is not None and not self.turn.is_kept:
            self.turn.release()


async def until_gone(receive: Receive, work: Awaitable[T]) -> T:
    """Return the result of some work. If the client leaves, the work is cancelled with its searches. Raises
    ClientGone."""
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
