"""One exchange with a language model as data: what is sent, what comes back, what can go wrong."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from qlc import telemetry
from qlc.base.errors import QlcError
from qlc.models.budgets import CHARACTERS_PER_TOKEN, Price, Usage
from qlc.models.escaping import data_text
from qlc.models.excess import excess

log = logging.getLogger("qlc")


@dataclass(frozen=True, slots=True)
class Tool:
    """One thing that the model can do; `schema` is the JSON Schema of its input."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A request to a model.

    `system` are the parts that never change, each equal for all questions that it serves, the most general one first: a
    provider may cache up to the end of each. `messages` are in the form of Anthropic's Messages API.
    """

    system: tuple[str, ...]
    messages: tuple[Mapping[str, Any], ...]
    tools: tuple[Tool, ...]
    max_tokens: int

    def body(self) -> dict[str, Any]:
        """The request in the form of the Messages API, without the model's name."""
        return {
            "max_tokens": self.max_tokens,
            "system": [{"type": "text", "text": text, "cache_control": {"type": "ephemeral"}} for text in self.system],
            "tools": [
                {"name": tool.name, "description": tool.description, "input_schema": dict(tool.schema)}
                for tool in self.tools
            ],
            "tool_choice": {"type": "any", "disable_parallel_tool_use": True},
            "messages": [dict(message) for message in self.messages],
        }

    @property
    def characters(self) -> int:
        """About how long the prompt is, in bytes: what no Latin letter is costs more than one."""
        parts = [*self.system, *(str(message["content"]) for message in self.messages)]
        parts += [f"{tool.description}{tool.schema}" for tool in self.tools]
        return sum(len(part.encode(errors="replace")) for part in parts)


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A tool that the model used. `input` is whatever it gave: nothing about it is certain."""

    name: str
    input: Any
    id: str = "tool"


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The reply of a model. `stop`: why it ended, in the words of the Messages API (`refusal`, `max_tokens`)."""

    uses: tuple[ToolUse, ...] = ()
    text: str = ""
    stop: str = "tool_use"
    usage: Usage = field(default_factory=Usage)


class ModelFailed(QlcError):
    """The model gave no answer. `detail` is for logs and holds no secret.

    `reason`: unreachable, timeout, overloaded, rate-limited, unauthorized, no-model, too-large, rejected, garbled,
    forbidden, internal. `retryable`: the same request may succeed later; `pause`: seconds the server asked to wait.
    """

    exit_code = 5

    def __init__(self, reason: str, detail: str = "", *, retryable: bool = False, pause: float | None = None) -> None:
        super().__init__(f"the language model failed: {reason}")
        self.reason = reason
        self.detail = detail
        self.retryable = retryable
        self.pause = pause


def usage_of(reply: ModelReply | ModelFailed, request: ModelRequest) -> Usage:
    """The tokens of a call; about as many as were sent where whoever answered does not tell."""
    if isinstance(reply, ModelFailed):
        return Usage()
    return reply.usage if reply.usage.tokens else Usage(input=int(request.characters / CHARACTERS_PER_TOKEN))


def resumed(
    request: ModelRequest, reply: ModelReply, wrong: Mapping[str, Any], *, is_error: bool = True
) -> ModelRequest:
    """The request that goes on from a reply that was not right, or from a tool that gave what `wrong` says."""
    content: list[dict[str, Any]] = []
    if reply.text.strip():
        content.append({"type": "text", "text": reply.text})
    results: list[dict[str, Any]] = []
    for n, use in enumerate(reply.uses):
        given = use.input if isinstance(use.input, Mapping) and not excess(use.input) else {}
        content.append({"type": "tool_use", "id": use.id, "name": use.name, "input": dict(given)})
        text = data_text(wrong if n == 0 else {"accepted": False, "problem": "one tool at a time"})
        results.append({"type": "tool_result", "tool_use_id": use.id, "is_error": is_error or n > 0, "content": text})
    if not results:
        results.append({"type": "text", "text": data_text(wrong)})
    said = {"role": "assistant", "content": content or [{"type": "text", "text": "(nothing)"}]}
    return replace(request, messages=(*request.messages, said, {"role": "user", "content": results}))


class Model(Protocol):
    """A language model. `name` is its name in prices and logs.

    `deadline` is an instant of `time.monotonic`. Both methods raise ModelFailed; retries are theirs.
    """

    @property
    def name(self) -> str: ...

    def reply(self, request: ModelRequest, deadline: float) -> ModelReply: ...

    async def reply_async(self, request: ModelRequest, deadline: float) -> ModelReply: ...


@dataclass(frozen=True, slots=True)
class Call:
    """A call to be made by whoever drives the translator. A failure is an answer too."""

    model: Model
    request: ModelRequest
    deadline: float
    price: Price | None = None

    def send(self) -> ModelReply | ModelFailed:
        reply: ModelReply | ModelFailed
        with telemetry.model_call(self.model, self.request.max_tokens) as call:
            try:
                reply = self.model.reply(self.request, self.deadline)
            except Exception as problem:  # noqa: BLE001  a model may raise what its own library raises
                reply = _failure(problem)
            call.replied(reply, self.price)
        return reply

    async def send_async(self) -> ModelReply | ModelFailed:
        reply: ModelReply | ModelFailed
        with telemetry.model_call(self.model, self.request.max_tokens) as call:
            try:
                reply = await self.model.reply_async(self.request, self.deadline)
            except Exception as problem:  # noqa: BLE001  cancellation is no Exception, and goes through
                reply = _failure(problem)
            call.replied(reply, self.price)
        return reply


def _failure(problem: Exception) -> ModelFailed:
    if isinstance(problem, ModelFailed):
        return problem
    # What a foreign library says may repeat a key or a prompt: only its kind is reported.
    return ModelFailed("internal", type(problem).__name__)
