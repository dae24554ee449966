"""Replies of a model are bounded: bytes, values, depth, calls and time, with the real clients of both providers."""

import gzip
import json
import zlib
from collections.abc import Callable
from typing import Any

import pytest

from qlc.models.bounds import DEEPEST, MOST_BYTES, MOST_USES, MOST_VALUES
from qlc.models.exchange import ModelFailed, ModelReply

from .messages_api import Said, serving
from .providers import PROVIDERS, Provider

pytestmark = [
    pytest.mark.usefixtures("loopback_allowed"),
    pytest.mark.parametrize("provider", PROVIDERS, ids=lambda one: one.name),
]


def nested(levels: int) -> Any:
    return json.loads('{"a":' * levels + "1" + "}" * levels)


def body(said: Said) -> bytes:
    return json.dumps(said.body).encode()


def packed(data: bytes, **more: Any) -> Said:
    return Said(gzip.compress(data), headers={"content-encoding": "gzip"}, **more)


DEEP = b"[" * 150_000 + b"]" * 150_000
LONG = "a" * (MOST_BYTES + 1)
TOO_MUCH: dict[str, Callable[[Callable[..., Said]], Said]] = {
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


@pytest.mark.parametrize("name", TOO_MUCH)
def test_a_reply_that_is_too_large_ends_the_call(provider: Provider, name: str) -> None:
    with serving(TOO_MUCH[name](provider.says)) as server:
        for found in provider.replies(server, 60.0):
            assert isinstance(found, ModelFailed)
            assert (found.reason, found.retryable) == ("too-large", False)
        assert len(server.requests) == 2  # it is not asked for again


@pytest.mark.parametrize("is_packed", [False, True])
def test_a_reply_at_the_bounds_is_read(provider: Provider, is_packed: bool) -> None:
    text = "a" * (MOST_BYTES - 10_000)
    inputs = [nested(DEEPEST - 10), *[{"a": 1}] * (MOST_USES - 1)]
    said = provider.says(text, inputs)
    with serving(packed(body(said)) if is_packed else said) as server:
        for found in provider.replies(server, 60.0):
            assert isinstance(found, ModelReply)
            assert (found.text, len(found.uses), found.uses[0].input) == (text, MOST_USES, inputs[0])


@pytest.mark.parametrize("status", [302, 307])
def test_a_prompt_goes_to_no_other_address(provider: Provider, status: int) -> None:
    """What is asked has names and values of an index, and the key: only the address that was configured gets it."""
    with serving(provider.says("hello")) as other, serving(
        Said(b"", status, {"location": f"{other.url}/v1/messages"})
    ) as server:
        assert all(isinstance(found, ModelFailed) for found in provider.replies(server, 2.0))
        assert (other.requests, len(server.requests) > 0) == ([], True)


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip", "gzip, gzip"])
def test_a_reply_in_another_encoding_than_it_says(provider: Provider, encoding: str) -> None:
    data = gzip.compress(b"{}") if "," in encoding else b"\x28\xb5\x2f\xfd nothing"
    with serving(Said(data, headers={"content-encoding": encoding})) as server:
        assert provider.fails(server, seconds=2.0).reason == "garbled"
        assert {one["accept-encoding"] for one in server.headers} == {"gzip, deflate"}


def test_a_reply_that_drips_is_left(provider: Provider) -> None:
    """A byte now and then is within the time of each read, and not of all of them."""
    with serving(Said(body(provider.says("x" * 10_000)), dripping=True)) as server:
        for found in provider.replies(server, 0.5):
            assert isinstance(found, ModelFailed)
            assert found.reason == "timeout"
            assert server.left.wait(20)  # nobody goes on reading
            server.left.clear()
