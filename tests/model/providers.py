"""The clients of both providers before the loopback server: how each is made, called, and answered."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from qlc import Asker, Compiler
from qlc.models.anthropic_model import AnthropicModel
from qlc.models.exchange import ModelFailed, ModelReply, ModelRequest, Tool
from qlc.models.openai_model import OpenAIModel
from qlc.translator.model import ModelTranslator

from .conftest import NOW
from .messages_api import Said, Server, message

KEY = "sk-test-7263"
TOOL = Tool("submit_query", "Answer", {"type": "object", "properties": {"program": {"type": "string"}}})
REQUEST = ModelRequest(("one", "two"), ({"role": "user", "content": "hello"},), (TOOL,), 100)


def completion(given: Mapping[str, Any], stop: str = "tool_calls", **more: Any) -> Said:
    usage = {"prompt_tokens": 4120, "completion_tokens": 30, "prompt_tokens_details": {"cached_tokens": 4000}}
    choice = {"index": 0, "message": {"role": "assistant", "content": None, **given}, "finish_reason": stop}
    return Said({"id": "c1", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice],
                 "usage": usage}, **more)  # fmt: skip


def called(name: str, arguments: str, number: int = 0) -> dict[str, Any]:
    return {"id": f"t{number}", "type": "function", "function": {"name": name, "arguments": arguments}}


def _anthropic(text: str, inputs: Sequence[Any], **more: Any) -> Said:
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content += [{"type": "tool_use", "id": f"t{n}", "name": TOOL.name, "input": one} for n, one in enumerate(inputs)]
    return message(content, **more)


def _openai(text: str, inputs: Sequence[Any], **more: Any) -> Said:
    calls = [called(TOOL.name, json.dumps(one), n) for n, one in enumerate(inputs)]
    return completion({"content": text or None, "tool_calls": calls}, **more)


@dataclass(frozen=True)
class Provider:
    """`model` makes a client of a server; `answer` an answer with a text and inputs of calls of `submit_query`."""

    name: str
    model: Callable[[Server], Any]
    answer: Callable[..., Said]

    def says(self, text: str = "", inputs: Sequence[Any] = (), **more: Any) -> Said:
        return self.answer(text, inputs, **more)

    def submits(self, program: str, **more: Any) -> Said:
        return self.answer("", [{"program": program}], **more)

    def ask(self, compiler: Compiler, server: Server, text: str = "thick ones", **more: Any) -> Any:
        model = self.model(server)
        try:
            return Asker(compiler, (ModelTranslator(model, **more),)).ask(text, read_as="words", now=NOW)
        finally:
            model.close()

    def replies(
        self, server: Server, seconds: float = 20.0, request: ModelRequest = REQUEST
    ) -> Iterator[ModelReply | ModelFailed]:
        """Results of the synchronous and of the asynchronous client for the same answers."""
        model, script = self.model(server), list(server.script)
        try:
            for way in (model.reply, lambda *given: asyncio.run(model.reply_async(*given))):
                server.script[:] = script
                try:
                    found = way(request, time.monotonic() + seconds)
                except ModelFailed as problem:
                    found = problem
                yield found
        finally:
            model.close()

    def call(self, server: Server, seconds: float = 20.0, request: ModelRequest = REQUEST) -> ModelReply | ModelFailed:
        """The result of both clients, which must be the same."""
        one, other = self.replies(server, seconds, request)
        if isinstance(one, ModelFailed):
            assert isinstance(other, ModelFailed)
            assert (one.reason, one.detail) == (other.reason, other.detail)
        else:
            assert one == other
        return one

    def read(self, server: Server, **more: Any) -> ModelReply:
        found = self.call(server, **more)
        assert isinstance(found, ModelReply), found
        return found

    def fails(self, server: Server, **more: Any) -> ModelFailed:
        found = self.call(server, **more)
        assert isinstance(found, ModelFailed), found
        return found


ANTHROPIC = Provider(
    "anthropic", lambda server: AnthropicModel("claude-test", api_key=KEY, base_url=server.url), _anthropic)
OPENAI = Provider("openai", lambda server: OpenAIModel("small", base_url=f"{server.url}/v1"), _openai)
PROVIDERS = (ANTHROPIC, OPENAI)
