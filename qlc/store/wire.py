"""Limits the size of responses: nodes of the official client that read a body in pieces.

The client's own nodes read and unpack the whole body before it can be checked. Here both sizes are counted: the bytes
received and the bytes unpacked. Only requested encodings are unpacked (gzip, deflate).
"""

from __future__ import annotations

import threading
import time
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from http.client import HTTPException, HTTPResponse
from socket import SHUT_RDWR
from types import SimpleNamespace, TracebackType
from typing import Any

from elastic_transport import (
    AiohttpHttpNode,
    BaseAsyncNode,
    BaseNode,
    NodeConfig,
    SerializationError,
    Serializer,
    TransportError,
    Urllib3HttpNode,
)
from elastic_transport import ConnectionError as Unreachable
from elasticsearch.serializer import CompatibilityModeJsonSerializer, JsonSerializer
from urllib3.exceptions import ReadTimeoutError

from qlc.base.deadline import stopped_by

_PIECE = 64 * 1024
_MOST_INTERIM = 16
"""Most interim responses (1xx) before the response."""


class AnswerTooLarge(TransportError):
    """Raised for a response with more bytes than allowed, received or unpacked."""


class Unreadable(SerializationError):
    """Raised for a response that is not in its declared encoding, or in one that was not requested."""


class Body:
    """The pieces of one body, unpacked, counted and joined."""

    def __init__(self, encoding: str | None, length: str | None, most: int) -> None:
        """Raises AnswerTooLarge if the declared length is too large, Unreadable for an encoding that was not
        requested."""
        self._most = most
        self._came = 0
        self._size = 0
        self._pieces: list[bytes] = []
        self._encoding = (encoding or "identity").strip().lower()
        if self._encoding not in ("identity", "gzip", "x-gzip", "deflate"):
            raise Unreadable("the answer is in an encoding that was not asked for")
        self._decoder: Any = None
        if length is not None and length.isascii() and length.isdecimal() and int(length[:20]) > most:
            raise self._too_large()

    def add(self, piece: bytes) -> None:
        """Add a piece. Raises AnswerTooLarge, Unreadable."""
        self._came += len(piece)
        if self._came > self._most:
            raise self._too_large()
        if self._encoding == "identity":
            self._keep(piece)
        else:
            self._unpack(piece)

    def whole(self) -> bytes:
        """Return the whole body. Raises Unreadable if a compressed body is truncated."""
        if self._decoder is not None and not self._decoder.eof:
            raise Unreadable("the compressed answer is cut")
        return b"".join(self._pieces)

    def _unpack(self, piece: bytes) -> None:
        while piece:
            if self._decoder is None or self._decoder.eof:
                # more than one packed part may follow one another
                self._decoder = zlib.decompressobj(self._window(piece))
            try:
                # one byte more than may be, so that what is too much is seen and never made
                self._keep(self._decoder.decompress(piece, self._most - self._size + 1))
            except zlib.error:
                raise Unreadable("the answer is not compressed as it says") from None
            piece = self._decoder.unconsumed_tail or self._decoder.unused_data

    def _window(self, piece: bytes) -> int:
        if self._encoding != "deflate":
            return 16 + zlib.MAX_WBITS
        # what is called so comes with and without the header of zlib
        return zlib.MAX_WBITS if piece[0] & 0x0F == 8 else -zlib.MAX_WBITS

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size > self._most:
            raise self._too_large()
        self._pieces.append(piece)

    def _too_large(self) -> AnswerTooLarge:
        return AnswerTooLarge(f"the answer has more than the {self._most} bytes that are allowed")


class _NotNested:
    """A serializer that reports responses nested deeper than Python's stack as unreadable."""

    def loads(self, data: bytes) -> Any:
        try:
            return super().loads(data)  # type: ignore[misc]
        except RecursionError:
            raise Unreadable("the answer is nested too deeply to be read") from None


def serializers() -> dict[str, Serializer]:
    """Return the client's JSON serializers by media type, for `Elasticsearch(..., serializers=...)`."""
    kinds = (JsonSerializer, CompatibilityModeJsonSerializer)
    return {kind.mimetype: type(kind.__name__, (_NotNested, kind), {})() for kind in kinds}


_OWN = (AnswerTooLarge, Unreadable)


def _own(problem: Unreachable) -> TransportError:
    """Return the error of our own below the client's node, which wraps every error as a lost connection."""
    return next((cause for cause in problem.errors if isinstance(cause, _OWN)), problem)


# --- threads ----------------------------------------------------------------------------------------------------------


class _Interim(HTTPResponse):
    """A response that limits interim responses, which its base would read for ever."""

    _seen = 0

    def _read_status(self) -> tuple[str, int, str]:
        self._seen += 1
        if self._seen > _MOST_INTERIM:
            raise HTTPException("interim answers without end")
        read: tuple[str, int, str] = super()._read_status()  # type: ignore[misc]
        return read


_CONNECTIONS: dict[int, Any] = {}
"""The connection that each thread waits for."""


class _Stoppable:
    """A connection whose request another thread can abort by closing it."""

    def request(self, *given: Any, **options: Any) -> Any:
        sent = super().request(*given, **options)  # type: ignore[misc]
        _CONNECTIONS[threading.get_ident()] = self
        return sent


def _stop(thread: int) -> None:
    socket = getattr(_CONNECTIONS.get(thread), "sock", None)
    if socket is not None:
        with suppress(OSError):
            socket.shutdown(SHUT_RDWR)


class _Pool:
    """A pool of urllib3 whose responses are read in pieces, each before the deadline."""

    def __init__(self, pool: Any, most: int, seconds: float | None) -> None:
        self._pool = pool
        self._most = most
        self._seconds = seconds
        pool.ConnectionCls = type("Connection", (_Stoppable, pool.ConnectionCls), {"response_class": _Interim})

    def urlopen(self, method: str, target: str, **options: Any) -> SimpleNamespace:
        with stopped_by(partial(_stop, threading.get_ident())):
            try:
                return self._answered(method, target, options)
            finally:
                _CONNECTIONS.pop(threading.get_ident(), None)

    def _answered(self, method: str, target: str, options: dict[str, Any]) -> SimpleNamespace:
        seconds = options.get("timeout", self._seconds)
        until = None if seconds is None else time.monotonic() + seconds
        response = self._pool.urlopen(method, target, preload_content=False, **options)
        try:
            data = self._read(response, target, until)
        except BaseException:
            response.close()
            raise
        response.release_conn()
        # what the client's node reads
        return SimpleNamespace(status=response.status, headers=response.headers, data=data)

    def _read(self, response: Any, target: str, until: float | None) -> bytes:
        headers = response.headers
        body = Body(headers.get("content-encoding"), headers.get("content-length"), self._most)
        # urllib3 1 has no way to read what is there already; its `read` waits for a whole piece
        read: Callable[..., bytes] = getattr(response, "read1", response.read)
        while piece := read(_PIECE, decode_content=False):
            body.add(piece)
            if until is not None and time.monotonic() > until:
                raise ReadTimeoutError(self._pool, target, "no whole answer in time")
        return body.whole()

    def close(self) -> None:
        self._pool.close()


def bounded_node(max_answer_bytes: int) -> type[BaseNode]:
    """Return a class for `Elasticsearch(..., node_class=...)` that limits the bytes of responses, received and
    unpacked."""

    class BoundedNode(Urllib3HttpNode):
        def __init__(self, config: NodeConfig) -> None:
            super().__init__(config)
            self.pool: Any = _Pool(self.pool, max_answer_bytes, config.request_timeout)

        def perform_request(self, *args: Any, **options: Any) -> Any:
            try:
                return super().perform_request(*args, **options)
            except Unreachable as problem:
                raise _own(problem) from None

    return BoundedNode


# --- asyncio ----------------------------------------------------------------------------------------------------------


class _Exchange:
    """A request of aiohttp whose response is read in pieces: `async with` it, then `await read()`."""

    def __init__(self, request: Any, most: int) -> None:
        self._request = request
        self._most = most

    async def __aenter__(self) -> _Exchange:
        self._response = await self._request.__aenter__()
        self.status: int = self._response.status
        self.headers: Mapping[str, str] = self._response.headers
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:
            self._response.close()
        await self._request.__aexit__(kind, problem, trace)

    async def release(self) -> None:
        self._response.release()

    async def read(self) -> bytes:
        headers = self.headers
        body = Body(headers.get("content-encoding"), headers.get("content-length"), self._most)
        async for piece in self._response.content.iter_any():
            body.add(piece)
        return body.whole()


class _Session:
    """A session of aiohttp that does not unpack, and does not follow redirects."""

    def __init__(self, session: Any, most: int) -> None:
        self._session = session
        self._most = most

    def request(self, method: str, url: str, **options: Any) -> _Exchange:
        headers = {"accept-encoding": "gzip, deflate", **dict(options.pop("headers", None) or {})}
        asked = self._session.request(
            method, url, headers=headers, auto_decompress=False, allow_redirects=False, **options)  # fmt: skip
        return _Exchange(asked, self._most)

    async def close(self) -> None:
        await self._session.close()


def bounded_async_node(max_answer_bytes: int) -> type[BaseAsyncNode]:
    """Return the class of `bounded_node` for `AsyncElasticsearch`."""

    class BoundedAsyncNode(AiohttpHttpNode):
        def _create_aiohttp_session(self) -> None:
            super()._create_aiohttp_session()
            self.session: Any = _Session(self.session, max_answer_bytes)

        async def perform_request(self, *args: Any, **options: Any) -> Any:  # type: ignore[override]
            try:
                return await super().perform_request(*args, **options)
            except Unreachable as problem:
                raise _own(problem) from None

    return BoundedAsyncNode
