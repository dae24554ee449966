"""Models behind a server that speaks OpenAI's chat completions: vLLM, Ollama, llama.cpp, gateways, OpenAI itself.

The one module that imports `openai`, and only for a call. Needs the extra `openai`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, ClassVar

from qlc.base.texts import whole_data
from qlc.models.bounds import parsed
from qlc.models.client_model import ClientModel, garbled, usage
from qlc.models.exchange import ModelReply, ModelRequest, ToolUse

_STOPS: Mapping[str, str] = {
    "length": "max_tokens",
    "content_filter": "refusal",
    "stop": "end_turn",
    "tool_calls": "tool_use",
}
"""Why it ended, in the words of the Messages API."""


class OpenAIModel(ClientModel):
    """A model of an OpenAI-compatible server. Safe under threads.

    name: the model (default: $QLC_MODEL). base_url: the server, such as http://localhost:11434/v1 (default:
    $OPENAI_BASE_URL, else OpenAI's own). api_key: default $OPENAI_API_KEY; a server of your own may need none. forbid:
    every call fails as `forbidden`, as with $QLC_FORBID_MODEL; nothing is sent.

    Retries and deadlines are those of AnthropicModel. Raises UsageError where the model, the key or the extra is
    missing.
    """

    root: ClassVar[str] = "OpenAIError"
    provider = extra = "openai"
    # The client refuses to be made without one, and a server that wants none does not look at it.
    key_of_a_server = "none"
    no_key = "a server or a key: $OPENAI_BASE_URL or $OPENAI_API_KEY (in Python: base_url=, api_key=)"

    def _library(self) -> Any:
        import openai

        return openai

    def _client_class(self, library: Any, *, is_async: bool) -> Any:
        return library.AsyncOpenAI if is_async else library.OpenAI

    def _send(self, client: Any, request: ModelRequest, seconds: float) -> Any:
        return client.chat.completions.create(**self._body(request), timeout=seconds)

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        """The request as a chat completion."""
        # OpenAI's own newer models refuse the older name of the limit, other servers know no other.
        limit = "max_tokens" if self._base_url else "max_completion_tokens"
        body: dict[str, Any] = {"model": self.name, "messages": [*_messages(request)], limit: request.max_tokens}
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": one.name, "description": one.description, "parameters": dict(one.schema)},
                }
                for one in request.tools
            ]
            body |= {"tool_choice": "required", "parallel_tool_calls": False}
        return body

    def _read(self, found: Any) -> ModelReply:
        choices = found.get("choices") if isinstance(found, Mapping) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, Mapping) else None
        if not isinstance(first, Mapping) or not isinstance(message, Mapping):
            raise garbled()
        calls = message.get("tool_calls")
        uses = tuple(_use(one, n) for n, one in enumerate(calls if isinstance(calls, list) else ()))
        stop = "refusal" if message.get("refusal") else str(first.get("finish_reason"))
        if uses and stop == "stop":  # so some servers say it
            stop = "tool_calls"
        counted = found.get("usage")
        counted = counted if isinstance(counted, Mapping) else {}
        prompt, details = counted.get("prompt_tokens"), counted.get("prompt_tokens_details")
        cached = details.get("cached_tokens") if isinstance(details, Mapping) else 0
        if isinstance(prompt, int) and isinstance(cached, int):
            prompt -= cached
        text = message.get("content")
        return ModelReply(
            uses,
            text if isinstance(text, str) else "",
            _STOPS.get(stop, stop),
            usage(prompt, counted.get("completion_tokens"), cached),
        )


def _messages(request: ModelRequest) -> Iterator[dict[str, Any]]:
    """The messages of the Messages API as those of chat completions: a result of a tool is a message of its own."""
    if request.system:
        yield {"role": "system", "content": "\n\n".join(request.system)}
    for one in request.messages:
        content = one["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
        uses = [block for block in blocks if block["type"] == "tool_use"]
        for block in blocks:
            if block["type"] == "tool_result":
                yield {"role": "tool", "tool_call_id": block["tool_use_id"], "content": block["content"]}
        if uses:
            calls = [
                {
                    "id": use["id"],
                    "type": "function",
                    "function": {"name": use["name"], "arguments": json.dumps(use["input"], ensure_ascii=False)},
                }
                for use in uses
            ]
            yield {"role": "assistant", "content": text or None, "tool_calls": calls}
        elif text:
            yield {"role": one["role"], "content": text}


def _use(call: Any, number: int) -> ToolUse:
    """A call of a tool. Arguments that are no JSON stay the text that they are: it goes back as wrong."""
    function = call.get("function") if isinstance(call, Mapping) else None
    named = function if isinstance(function, Mapping) else {}
    given = named.get("arguments")
    if isinstance(given, str):
        with suppress(ValueError):
            given = whole_data(parsed(given, parse_constant=str))
    id = call.get("id") if isinstance(call, Mapping) else None
    return ToolUse(str(named.get("name")), given, str(id or f"call_{number}"))
