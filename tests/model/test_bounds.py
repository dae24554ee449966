"""Replies of a model are bounded: bytes, values, depth, calls and time, with the real clients of both providers."""

from __future__ import annotations

import asyncio
import gzip
import json
import time
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from qlc.models.anthropic_model import AnthropicModel
from qlc.models.bounds import DEEPEST, MOST_BYTES, MOST_USES, MOST_VALUES
from qlc.models.exchange import ModelFailed, ModelReply, ModelRequest, Tool
from qlc.models.openai_model import OpenAIModel

from . import messages_api, test_openai_model
from .messages_api import Said, Server, serving

pytestmark = pytest.mark.usefixtures("loopback_allowed")
REQUEST = ModelRequest(("one",), ({"role": "user", "content": "hello"},), (Tool("t", "d", {"type": "object"}),), 100)

Say = Callable[..., Said]
"""An answer with this text and these inputs of calls."""


def anthropic(text: str = "", inputs: Any = ()) -> Said:
    content = [{"type": "text", "text": text}] if text else []
    content += [{"type": "tool_use", "id": f"t{n}", "name": "t", "input": one} for n, one in enumerate(inputs)]
    return messages_api.message(content)


def openai(text: str = "", inputs: Any = ()) -> Said:
    calls = [
        {"id": f"t{n}", "type": "function", "function": {"name": "t", "arguments": json.dumps(one)}}
        for n, one in enumerate(inputs)
    ]
    return test_openai_model.completion({"content": text or None, "tool_calls": calls})


PROVIDERS: dict[str, tuple[Say, Callable[[Server], Any]]] = {
    "anthropic": (anthropic, lambda server: AnthropicModel("claude-test", api_key="k", base_url=server.url)),
    "openai": (openai, lambda server: OpenAIModel("small", base_url=f"{server.url}/v1")),
}


def nested(levels: int) -> Any:
    return json.loads('{"a":' * levels + "1" + "}" * levels)


def body(said: Said) -> bytes:
    return json.dumps(said.body).encode()


def packed(data: bytes, **more: Any) -> Said:
    return Said(gzip.compress(data), headers={"content-encoding": "gzip"}, **more)


DEEP = b"[" * 150_000 + b"]" * 150_000
LONG = "a" * (MOST_BYTES + 1)
TOO_MUCH: dict[str, Callable[[Say], Said]] = {
    "text": lambda say: say(LONG),
    "text in chunks": lambda say: Said(body(say(LONG)), chunked=True),
    "text that is packed": lambda say: packed(body(say(LONG))),
    "packed in chunks": lambda say: packed(body(say(LONG)), chunked=True),
    "packed very small": lambda say: packed(body(say("a" * 130_000_000))),
    "deflated": lambda say: Said(zlib.compress(body(say(LONG))), headers={"content-encoding": "deflate"}),
    "without an end": lambda say: Said(b" " * 65_536, endless=True),
    "events without an end": lambda say: Said(b"data: {}\n\n" * 6_000, headers={"content-type": "text/event-stream"},
                                              endless=True),
    "calls": lambda say: say(inputs=[{}] * 100_000),
    "a few calls": lambda say: say(inputs=[{}] * (MOST_USES + 1)),
    "values": lambda say: say(inputs=[{"a": [1] * MOST_VALUES}]),
    "empty objects": lambda say: say(inputs=[{"a": [{}] * MOST_VALUES}]),
    "keys": lambda say: say(inputs=[{f"k{n}": 1 for n in range(MOST_VALUES)}]),
    "depth": lambda say: say(inputs=[nested(DEEPEST)]),
    "depth without an end": lambda say: Said(body(say("x"))[:-1] + b',"more":' + DEEP + b"}"),
    "brackets alone": lambda say: Said(b"[" * 1_000_000),
    "an error that is long": lambda say: Said(body(say(LONG)), status=400),
}  # fmt: skip


async def both(provider: str, server: Server, seconds: float = 60.0) -> list[ModelReply | ModelFailed]:
    """Return the replies of the synchronous and the asynchronous API."""
    model = PROVIDERS[provider][1](server)
    found: list[ModelReply | ModelFailed] = []
    try:
        for is_async in (False, True):
            ends = time.monotonic() + seconds
            try:
                if is_async:
                    found.append(await model.reply_async(REQUEST, ends))
                else:
                    found.append(await asyncio.to_thread(model.reply, REQUEST, ends))
            except ModelFailed as problem:
                found.append(problem)
    finally:
        model.close()
    return found


@pytest.mark.parametrize("name", TOO_MUCH)
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_reply_that_is_too_large_ends_the_call(provider: str, name: str) -> None:
    with serving(TOO_MUCH[name](PROVIDERS[provider][0])) as server:
        for found in await both(provider, server):
            assert isinstance(found, ModelFailed)
            assert (found.reason, found.retryable) == ("too-large", False)
        assert len(server.requests) == 2  # it is not asked for again


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("is_packed", [False, True])
async def test_a_reply_at_the_bounds_is_read(provider: str, is_packed: bool) -> None:
    say = PROVIDERS[provider][0]
    text = "a" * (MOST_BYTES - 10_000)
    inputs = [nested(DEEPEST - 10), *[{"a": 1}] * (MOST_USES - 1)]
    with serving(packed(body(say(text, inputs))) if is_packed else say(text, inputs)) as server:
        for found in await both(provider, server):
            assert isinstance(found, ModelReply)
            assert (found.text, len(found.uses), found.uses[0].input) == (text, MOST_USES, inputs[0])


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("status", [302, 307])
async def test_a_prompt_goes_to_no_other_address(provider: str, status: int) -> None:
    """A prompt contains the key, and names and values of an index: redirects are not followed."""
    with serving(PROVIDERS[provider][0]("hello")) as other, serving(
        Said(b"", status, {"location": f"{other.url}/v1/messages"})
    ) as server:
        for found in await both(provider, server, seconds=2.0):
            assert isinstance(found, ModelFailed)
        assert (other.requests, len(server.requests) > 0) == ([], True)


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip", "gzip, gzip"])
async def test_a_reply_in_another_encoding_than_it_says(provider: str, encoding: str) -> None:
    data = gzip.compress(b"{}") if "," in encoding else b"\x28\xb5\x2f\xfd nothing"
    with serving(Said(data, headers={"content-encoding": encoding})) as server:
        for found in await both(provider, server, seconds=2.0):
            assert isinstance(found, ModelFailed)
            assert found.reason == "garbled"
        accepted = {one["accept-encoding"] for one in server.headers}
        assert accepted == {"gzip, deflate"}


@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_reply_that_drips_is_left(provider: str) -> None:
    """A byte now and then is within the time of each read, and not of all of them."""
    with serving(Said(body(PROVIDERS[provider][0]("x" * 10_000)), dripping=True)) as server:
        for found in await both(provider, server, seconds=0.5):
            assert isinstance(found, ModelFailed)
            assert found.reason == "timeout"
            assert await asyncio.to_thread(server.left.wait, 20)  # nobody goes on reading
            server.left.clear()
