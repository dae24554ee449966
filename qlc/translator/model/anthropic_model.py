"""Anthropic's models, through the official client. The one module that imports `anthropic`, and only for a call."""

from __future__ import annotations

import asyncio
import email.utils
import json
import math
import os
import random
import threading
import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from qlc.errors import UsageError
from qlc.resolver.waiting import within
from qlc.translator.model.budget import Usage
from qlc.translator.model.exchange import ModelFailed, ModelReply, ModelRequest, ToolUse
from qlc.translator.model.permission import forbidden

if TYPE_CHECKING:
    import anthropic

ATTEMPTS = 4
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
LONGEST_WAIT = 86_400.0
"""Seconds for one answer, where the deadline leaves more: no socket waits longer than some days."""

_REASONS = {401: "unauthorized", 403: "unauthorized", 404: "no-model", 413: "too-large", 429: "rate-limited"}
_PASSING = frozenset({408, 409, 429})


class AnthropicModel:
    """A model of the Messages API. Safe under threads.

    name: the model (default: $QLC_MODEL). api_key, base_url: default $ANTHROPIC_API_KEY and $ANTHROPIC_BASE_URL.
    forbid: every call fails as `forbidden`, as with $QLC_FORBID_MODEL; nothing is sent.

    The request is tried again, with growing pauses or as long as Retry-After says, on 408, 409, 429, 5xx and lost
    connections, at most four times and inside the deadline. Raises UsageError where model or key are missing.
    """

    provider = "anthropic"
    """Its name in the GenAI conventions of OpenTelemetry."""

    def __init__(
        self,
        name: str | None = None,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        forbid: bool = False,
    ) -> None:
        self.name = name or os.environ.get("QLC_MODEL", "").strip()
        self._key = api_key or os.environ.get("ANTHROPIC_API_KEY", "").strip()
        self._base_url = base_url or os.environ.get("ANTHROPIC_BASE_URL", "").strip() or None
        self._forbid = forbid
        if not self.name:
            raise UsageError("say which model: a name, or $QLC_MODEL")
        if not self._key:
            raise UsageError("a model needs a key: api_key, or $ANTHROPIC_API_KEY")
        self._client: anthropic.Anthropic | None = None
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"AnthropicModel({self.name!r})"

    def close(self) -> None:
        """Close the connections of the synchronous API."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def reply(self, request: ModelRequest, deadline: float) -> ModelReply:
        self._check()
        client = self._synchronous()
        for attempt in range(1, ATTEMPTS + 1):
            seconds = _left(deadline)
            send = partial(client.messages.create, **self._arguments(request), timeout=seconds)
            try:
                return _read(within(seconds, send))
            except Exception as problem:  # noqa: BLE001  what is no failure of the request is raised on
                time.sleep(_pause(_failure(problem), attempt, deadline))
        raise AssertionError("the last attempt either answers or raises")

    async def reply_async(self, request: ModelRequest, deadline: float) -> ModelReply:
        self._check()
        import anthropic

        # Connections belong to one event loop, and a question has one call: each has a client of its own.
        async with anthropic.AsyncAnthropic(api_key=self._key, base_url=self._base_url, max_retries=0) as client:
            for attempt in range(1, ATTEMPTS + 1):
                seconds = _left(deadline)
                try:
                    async with asyncio.timeout(seconds):
                        return _read(await client.messages.create(**self._arguments(request), timeout=seconds))
                except Exception as problem:  # noqa: BLE001  what is no failure of the request is raised on
                    pause = _pause(_failure(problem), attempt, deadline)
                await asyncio.sleep(pause)
        raise AssertionError("the last attempt either answers or raises")

    def _check(self) -> None:
        if self._forbid or forbidden():
            raise ModelFailed("forbidden", "requests to models are forbidden")

    def _synchronous(self) -> anthropic.Anthropic:
        with self._lock:
            if self._client is None:
                import anthropic

                self._client = anthropic.Anthropic(api_key=self._key, base_url=self._base_url, max_retries=0)
            return self._client

    def _arguments(self, request: ModelRequest) -> dict[str, Any]:
        return {"model": self.name, **request.body()}


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


def _failure(problem: Exception) -> ModelFailed:
    """What the client raised, without what a server said: it may repeat the prompt."""
    import anthropic

    if isinstance(problem, ModelFailed):
        return problem
    if isinstance(problem, TimeoutError | anthropic.APITimeoutError):
        return ModelFailed("timeout", "no whole answer in time")
    if isinstance(problem, anthropic.APIStatusError):
        status = problem.status_code
        reason = _REASONS.get(status, "overloaded" if status >= 500 else "rejected")
        retryable = status >= 500 or status in _PASSING
        return ModelFailed(reason, f"HTTP {status}", retryable=retryable, pause=_retry_after(problem.response.headers))
    if isinstance(problem, anthropic.APIConnectionError):
        return ModelFailed("unreachable", "the connection failed", retryable=True)
    if isinstance(problem, anthropic.AnthropicError | json.JSONDecodeError):
        return ModelFailed("garbled", type(problem).__name__, retryable=True)
    raise problem


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


def _read(message: Any) -> ModelReply:
    """Raises ModelFailed for an answer that is none of the Messages API."""
    found = _sendable(message.to_dict(warnings=False) if hasattr(message, "to_dict") else message)
    content = found.get("content") if isinstance(found, Mapping) else None
    if not isinstance(content, list):
        raise ModelFailed("garbled", "the answer is no message", retryable=True)
    blocks = [block for block in content if isinstance(block, Mapping)]
    uses = tuple(
        ToolUse(str(block.get("name")), block.get("input"), str(block.get("id")))
        for block in blocks
        if block.get("type") == "tool_use"
    )
    text = "\n".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
    return ModelReply(uses, text, str(found.get("stop_reason")), _usage(found.get("usage")))


def _sendable(found: Any) -> Any:
    """An answer in which everything can be sent back: no half characters, no number that JSON does not have."""
    text = json.dumps(found, ensure_ascii=False, default=repr).encode(errors="replace")
    return json.loads(text, parse_constant=str)


def _usage(said: Any) -> Usage:
    counted = said if isinstance(said, Mapping) else {}
    names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    values = [counted.get(name) for name in names]
    return Usage(*(max(value, 0) if isinstance(value, int) else 0 for value in values))
