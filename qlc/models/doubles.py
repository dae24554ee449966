"""Test doubles of models: a function, or a list of replies. They test code that is built on qlc, without a key."""

from __future__ import annotations

import inspect
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from qlc.models.exchange import ModelFailed, ModelReply, ModelRequest, ToolUse


class FunctionModel:
    """A function in place of a model: from the request to the reply, or to a program. It may be a coroutine function
    where the asynchronous API is used. `requests` are those that it got."""

    def __init__(
        self,
        function: Callable[[ModelRequest], ModelReply | str | Awaitable[ModelReply | str]],
        name: str = "function",
    ) -> None:
        self.name = name
        self.requests: list[ModelRequest] = []
        self._function = function

    def reply(self, request: ModelRequest, deadline: float) -> ModelReply:
        self.requests.append(request)
        return _reply(self._function(request))

    async def reply_async(self, request: ModelRequest, deadline: float) -> ModelReply:
        self.requests.append(request)
        said: Any = self._function(request)
        return _reply(await said if inspect.isawaitable(said) else said)


class ScriptedModel(FunctionModel):
    """Replies in order: programs, whole replies, or failures to raise. After the last one it fails."""

    def __init__(self, replies: Sequence[ModelReply | ModelFailed | str], name: str = "scripted") -> None:
        super().__init__(self._next, name)
        self._replies = list(replies)
        self._lock = threading.Lock()

    def _next(self, request: ModelRequest) -> ModelReply | str:
        with self._lock:
            if not self._replies:
                raise ModelFailed("internal", "the script has ended")
            said = self._replies.pop(0)
        if isinstance(said, ModelFailed):
            raise said
        return said


def _reply(said: Any) -> ModelReply:
    """A program stands for its submission."""
    if isinstance(said, ModelReply):
        return said
    if isinstance(said, str):
        return ModelReply((ToolUse("submit_query", {"program": said}),))
    raise TypeError(f"a model gives a ModelReply or a program, not {type(said).__name__}")
