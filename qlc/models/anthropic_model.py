"""Anthropic's models, through the official client. The one module that imports `anthropic`, and only for a call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from qlc.models.client_model import ClientModel, garbled, usage
from qlc.models.exchange import ModelReply, ModelRequest, ToolUse


class AnthropicModel(ClientModel):
    """A model of the Messages API. Safe under threads.

    name: the model (default: $QLC_MODEL). api_key, base_url: default $ANTHROPIC_API_KEY and $ANTHROPIC_BASE_URL.
    forbid: every call fails as `forbidden`, as with $QLC_FORBID_MODEL; nothing is sent.

    The request is tried again, with growing pauses or as long as Retry-After says, on 408, 409, 429, 5xx and lost
    connections, at most four times and inside the deadline. Raises UsageError where the model, the
    key or the extra is missing.
    """

    root: ClassVar[str] = "AnthropicError"
    provider = extra = "anthropic"
    no_key = "a key: $ANTHROPIC_API_KEY (in Python: api_key=)"

    def _library(self) -> Any:
        import anthropic

        return anthropic

    def _client_class(self, library: Any, *, is_async: bool) -> Any:
        return library.AsyncAnthropic if is_async else library.Anthropic

    def _send(self, client: Any, request: ModelRequest, seconds: float) -> Any:
        return client.messages.create(model=self.name, **request.body(), timeout=seconds)

    def _read(self, found: Any) -> ModelReply:
        content = found.get("content") if isinstance(found, Mapping) else None
        if not isinstance(content, list):
            raise garbled()
        blocks = [block for block in content if isinstance(block, Mapping)]
        uses = tuple(
            ToolUse(str(block.get("name")), block.get("input"), str(block.get("id")))
            for block in blocks
            if block.get("type") == "tool_use"
        )
        text = "\n".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text")
        counted = found.get("usage")
        counted = counted if isinstance(counted, Mapping) else {}
        names = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
        return ModelReply(uses, text, str(found.get("stop_reason")), usage(*map(counted.get, names)))
