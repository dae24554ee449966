"""How much a model may send: bytes as they come and unpacked, values, depth and calls, all within the time of its call.

The clients of the providers read all that comes and build objects of it before anybody can look. A hook of theirs puts
the body of each response through here first.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from qlc.store.wire import Body

MOST_BYTES = 4 * 1024 * 1024
"""Most bytes of one reply, packed or unpacked. The longest expected replies have some hundred thousand."""
MOST_VALUES = 50_000
"""Values, keys and list items of one reply."""
MOST_SEPARATORS = 4 * MOST_VALUES
"""Commas and opening brackets, those of texts included: counted before anything is parsed."""
DEEPEST = 60
MOST_USES = 64
"""Calls of tools in one reply. Only the first is answered; the others are told so."""


class TooLarge(Exception):
    """A reply has more in it than any answer needs."""


def bounded(response: Any) -> None:
    """The hook of a synchronous client."""
    response.stream = _stream(response, is_async=False)


async def bounded_async(response: Any) -> None:
    response.stream = _stream(response, is_async=True)


def _stream(response: Any, *, is_async: bool) -> Any:
    """The body of a response, unpacked and checked, in the class of streams that the response was made with."""
    stream, headers = response.stream, response.headers
    seconds = response.request.extensions.get("timeout", {}).get("read")
    ends = time.monotonic() + seconds if seconds is not None else float("inf")
    encoding, length = headers.get("content-encoding"), headers.get("content-length")
    for name in ("content-encoding", "content-length"):  # they are of what was sent
        headers.pop(name, None)

    def taken(body: Body, piece: bytes) -> None:
        body.add(piece)
        if time.monotonic() > ends:
            raise TimeoutError

    class Whole(_base_of(stream, is_async=is_async)):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            body = Body(encoding, length, MOST_BYTES)
            for piece in stream:
                taken(body, piece)
            yield checked(body.whole())

        async def __aiter__(self) -> AsyncIterator[bytes]:
            body = Body(encoding, length, MOST_BYTES)
            async for piece in stream:
                taken(body, piece)
            yield checked(body.whole())

        def close(self) -> None:
            stream.close()

        async def aclose(self) -> None:
            await stream.aclose()

    return Whole()


def _base_of(stream: Any, *, is_async: bool) -> type:
    """`SyncByteStream` or `AsyncByteStream` of the HTTP library that the client uses: it accepts no others."""
    name = "AsyncByteStream" if is_async else "SyncByteStream"
    return next(one for one in type(stream).__mro__ if one.__name__ == name)


def checked(data: bytes) -> bytes:
    """The data. Raises TooLarge; text that is no JSON is the client's to refuse."""
    if sum(map(data.count, (b",", b"[", b"{"))) > MOST_SEPARATORS:
        raise TooLarge("values")
    try:
        parsed(data)
    except TooLarge:
        raise
    except ValueError:
        pass
    return data


def parsed(text: str | bytes, parse_constant: Callable[[str], Any] | None = None) -> Any:
    """The value of a JSON text. Raises ValueError for text that is none, TooLarge."""
    try:
        found = json.loads(text, parse_constant=parse_constant)
    except RecursionError:
        raise TooLarge("depth") from None
    level, values = [found], 1
    for _ in range(DEEPEST):
        below: list[Any] = []
        for one in level:
            if isinstance(one, dict | list):
                below += one.values() if isinstance(one, dict) else one
        values += len(below)
        if values > MOST_VALUES:
            raise TooLarge("values")
        if not below:
            return found
        level = below
    raise TooLarge("depth")


def is_caused_by(problem: BaseException | None, *kinds: type[Exception]) -> bool:
    """Whether this was raised while a reply was read; some clients wrap it."""
    return problem is not None and (isinstance(problem, kinds) or is_caused_by(problem.__cause__, *kinds))
