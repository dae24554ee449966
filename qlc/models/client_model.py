"""A model behind the official client of its provider: retries, deadlines, what a failure means.

The clients of Anthropic and of OpenAI are made by one generator: their exceptions have the same names.
"""

from __future__ import annotations

import asyncio
import email.utils
import json
import math
import os
import random
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar

from qlc.base.beside import beside
from qlc.base.errors import UsageError
from qlc.base.extras import Extra, need
from qlc.base.waiting import within
from qlc.models.bounds import MOST_USES, TooLarge, bounded, bounded_async, is_caused_by
from qlc.models.budgets import Usage
from qlc.models.exchange import ModelFailed, ModelReply, ModelRequest
from qlc.models.permission import forbidden
from qlc.store.wire import AnswerTooLarge, Unreadable

ATTEMPTS = 4
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
LONGEST_WAIT = 86_400.0
"""Seconds for one answer, where the deadline leaves more: no socket waits longer than some days."""

_REASONS = {401: "unauthorized", 403: "unauthorized", 404: "no-model", 413: "too-large", 429: "rate-limited"}
_PASSING = frozenset({408, 409, 429})


class ClientModel(ABC):
    """A reply has bounds (`qlc/models/bounds.py`); one with more in it fails as `too-large`.

    The request is tried again, with growing pauses or as long as Retry-After says, on 408, 409, 429, 5xx and lost
    connections, at most four times and inside the deadline. Safe under threads."""

    root: ClassVar[str]
    """The name of the library's own root of exceptions."""
    provider: ClassVar[str]
    """Its name in the GenAI conventions of OpenTelemetry, and in front of environment variables."""
    key_of_a_server: ClassVar[str] = ""
    """Placeholder for a key, sent to a named server if no key is given."""
    no_key: ClassVar[str]
    extra: ClassVar[Extra]
    """Extra that its library needs; also the prefix of its models' names in $QLC_MODEL."""

    def __init__(
        self,
        name: str | None = None,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        forbid: bool = False,
    ) -> None:
        variables = self.provider.upper()
        self.name = name or _setting("QLC_MODEL").removeprefix(f"{self.extra}:")
        self._base_url = base_url or _setting(f"{variables}_BASE_URL") or None
        of_a_server = self.key_of_a_server if self._base_url else ""
        self._key = api_key or _setting(f"{variables}_API_KEY") or of_a_server
        self._forbid = forbid
        if not self.name:
            raise UsageError("name a model: --model NAME, or $QLC_MODEL")
        if not self._key:
            raise UsageError(f"a model needs {self.no_key}")
        need(self.extra, "this model")
        self._client: Any = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.name!r})"

    @abstractmethod
    def _library(self) -> Any:
        """The provider's library; it is imported here, for a call and for nothing else."""

    @abstractmethod
    def _client_class(self, library: Any, *, is_async: bool) -> Any: ...

    def _client_of(self, library: Any, *, is_async: bool) -> Any:
        """A client whose replies are bounded, in encodings that are unpacked within bounds. It follows no redirect: the
        key and the prompt, with names and values of an index, are for the address that was configured."""
        http = library.DefaultAsyncHttpxClient if is_async else library.DefaultHttpxClient
        return self._client_class(library, is_async=is_async)(
            api_key=self._key, base_url=self._base_url, max_retries=0,
            default_headers={"accept-encoding": "gzip, deflate"},
            http_client=http(
                event_hooks={"response": [bounded_async if is_async else bounded]}, follow_redirects=False
            ),
        )  # fmt: skip

    @abstractmethod
    def _send(self, client: Any, request: ModelRequest, seconds: float) -> Any:
        """Send a request through the client; return its response, or an awaitable from an asynchronous client."""

    @abstractmethod
    def _read(self, found: Any) -> ModelReply:
        """The reply. Raises ModelFailed for an answer that is none of the protocol."""

    def _reply(self, found: Any) -> ModelReply:
        reply = self._read(_sendable(found))
        if len(reply.uses) > MOST_USES:
            raise ModelFailed("too-large", f"more than {MOST_USES} calls of tools")
        return reply

    def close(self) -> None:
        """Close the connections of the synchronous API."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()

    def reply(self, request: ModelRequest, deadline: float) -> ModelReply:
        self._check()
        client = self._synchronous()
        for attempt in range(1, ATTEMPTS + 1):
            seconds = _left(deadline)
            try:
                return self._reply(within(seconds, partial(self._send, client, request, seconds)))
            except Exception as problem:  # noqa: BLE001  what is no failure of the request is raised on
                time.sleep(_pause(self._failure(problem), attempt, deadline))
        raise AssertionError("the last attempt either answers or raises")

    async def reply_async(self, request: ModelRequest, deadline: float) -> ModelReply:
        self._check()
        # Connections belong to one event loop, and a question has one call: each has a client of its own.
        async with self._client_of(self._library(), is_async=True) as client:
            for attempt in range(1, ATTEMPTS + 1):
                seconds = _left(deadline)
                try:
                    async with asyncio.timeout(seconds):
                        sent: Awaitable[Any] = self._send(client, request, seconds)
                        found = await sent
                        return await beside(self._reply, found)
                except Exception as problem:  # noqa: BLE001  what is no failure of the request is raised on
                    pause = _pause(self._failure(problem), attempt, deadline)
                await asyncio.sleep(pause)
        raise AssertionError("the last attempt either answers or raises")

    def _check(self) -> None:
        if self._forbid or forbidden():
            raise ModelFailed("forbidden", "requests to models are forbidden")

    def _synchronous(self) -> Any:
        with self._lock:
            if self._client is None:
                self._client = self._client_of(self._library(), is_async=False)
            return self._client

    def _failure(self, problem: Exception) -> ModelFailed:
        """Convert an exception of the client. The server's message is left out, as it may repeat the prompt."""
        library = self._library()
        if isinstance(problem, ModelFailed):
            return problem
        if is_caused_by(problem, TooLarge, AnswerTooLarge):
            return ModelFailed("too-large", "the reply has more in it than is read")
        if is_caused_by(problem, TimeoutError, library.APITimeoutError):
            return ModelFailed("timeout", "no whole answer in time")
        if is_caused_by(problem, Unreadable):
            return garbled()
        if isinstance(problem, library.APIStatusError):
            status = problem.status_code
            reason = _REASONS.get(status, "overloaded" if status >= 500 else "rejected")
            pause = _retry_after(problem.response.headers)
            return ModelFailed(reason, f"HTTP {status}", retryable=status >= 500 or status in _PASSING, pause=pause)
        if isinstance(problem, library.APIConnectionError):
            return ModelFailed("unreachable", "the connection failed", retryable=True)
        if isinstance(problem, getattr(library, self.root) | json.JSONDecodeError):
            return ModelFailed("garbled", type(problem).__name__, retryable=True)
        raise problem


def _setting(variable: str) -> str:
    return os.environ.get(variable, "").strip()


def garbled() -> ModelFailed:
    return ModelFailed("garbled", "the answer is no message", retryable=True)


def usage(*counts: Any) -> Usage:
    """Tokens as a server counts them: nothing about them is certain."""
    return Usage(*(max(count, 0) if isinstance(count, int) else 0 for count in counts))


def _left(deadline: float) -> float:
    seconds = min(deadline - time.monotonic(), LONGEST_WAIT)
    if seconds <= 0:
        raise ModelFailed("timeout", "no time is left")
    return seconds


def _pause(problem: ModelFailed, attempt: int, deadline: float) -> float:
    """Seconds to wait before the next attempt. Raises the problem where there is none."""
    backoff: float = min(FIRST_PAUSE * 2.0 ** (attempt - 1), LONGEST_PAUSE)
    pause = max(backoff * random.uniform(0.5, 1.0), problem.pause or 0.0)
    if not problem.retryable or attempt >= ATTEMPTS or time.monotonic() + pause >= deadline:
        raise problem from None
    return pause


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds of a Retry-After, which is a number or a date."""
    said = headers.get("retry-after", "")
    try:
        seconds = float(said)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(said).timestamp() - time.time()
        except ValueError:
            return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _sendable(found: Any) -> Any:
    """An answer in which everything can be sent back: no half characters, no number that JSON does not have."""
    data = found.to_dict(warnings=False) if hasattr(found, "to_dict") else found
    text = json.dumps(data, ensure_ascii=False, default=repr).encode(errors="replace")
    return json.loads(text, parse_constant=str)
