"""The real client against a loopback server that speaks the Messages API."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Mapping
from typing import Any

import pytest

from qlc import Asker, Compiler, UsageError
from qlc.models import client_model as module
from qlc.models.anthropic_model import AnthropicModel
from qlc.models.budgets import Budget, Usage
from qlc.models.exchange import ModelFailed, ModelReply, ModelRequest
from qlc.models.permission import SWITCH
from qlc.translator.model import ModelTranslator

from .conftest import NOW
from .messages_api import Said, Server, fails, message, seconds_to_cancel, serving, submits, uses
from .test_translator import once_and_a_half

KEY = "sk-test-7263"
LONG = submits("find books where long")
REQUEST = ModelRequest(("system",), ({"role": "user", "content": "hello"},), (), 100)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, loopback_allowed: None) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.02)


def key_of(headers: Mapping[str, str]) -> str:
    """How the client shows its key depends on its version."""
    return headers.get("x-api-key", "") + headers.get("authorization", "")


def model_of(server: Server) -> AnthropicModel:
    return AnthropicModel("claude-test", api_key=KEY, base_url=server.url)


def ask(compiler: Compiler, server: Server, text: str = "thick ones", **more: Any) -> Any:
    model = model_of(server)
    try:
        return Asker(compiler, (ModelTranslator(model, **more),)).ask(text, read_as="words", now=NOW)
    finally:
        model.close()


def call(server: Server, seconds: float = 20.0) -> ModelReply | ModelFailed:
    """One call through the synchronous and the asynchronous client, which must agree."""
    model = model_of(server)
    script, found = list(server.script), []
    for way in ("synchronous", "asynchronous"):
        server.script[:] = script
        deadline = time.monotonic() + seconds
        try:
            if way == "synchronous":
                found.append(model.reply(REQUEST, deadline))
            else:
                found.append(asyncio.run(model.reply_async(REQUEST, deadline)))
        except ModelFailed as problem:
            found.append(problem)
    model.close()
    one, other = found
    if isinstance(one, ModelFailed):
        assert isinstance(other, ModelFailed)
        assert (one.reason, one.detail) == (other.reason, other.detail)
    else:
        assert one == other
    return one


def test_request_is_that_of_the_messages_api(compiler: Compiler) -> None:
    with serving(LONG) as server:
        assert ask(compiler, server).ids == ["B0"]
    (body,), (headers,) = server.requests, server.headers
    assert KEY in key_of(headers)
    assert body["model"] == "claude-test"
    assert [tool["name"] for tool in body["tools"]] == ["submit_query", "ask_user", "decline", "explain_query"]
    assert body["tool_choice"] == {"type": "any", "disable_parallel_tool_use": True}
    assert [block["cache_control"]["type"] for block in body["system"]] == ["ephemeral", "ephemeral"]
    assert body["messages"][0]["role"] == "user"
    assert '<question>\n"thick ones"\n</question>' in body["messages"][0]["content"]
    assert body["max_tokens"] == 2000


def test_address_may_have_a_path(compiler: Compiler) -> None:
    with serving(LONG) as server:
        server.url += "/behind/a/gateway/"
        assert ask(compiler, server).ids == ["B0"]
    assert server.paths == ["/behind/a/gateway/v1/messages"]


@pytest.mark.parametrize("given", [{"program": 'find books where titel = "\ud800"'}, {"program": float("nan")}])
def test_what_cannot_be_sent_back_unchanged_is_fixed(compiler: Compiler, given: Any) -> None:
    """Half a surrogate pair, and a number that JSON does not have."""
    wrong = Said(json.dumps(uses("submit_query", given).body).encode())
    with serving(wrong, LONG) as server:
        assert ask(compiler, server, "half \ud83d a book").ids == ["B0"]
    assert len(server.requests) == 2


def test_what_a_server_says_of_tokens_is_not_believed_below_nothing(compiler: Compiler) -> None:
    body = {**submits("find x").body, "usage": {"input_tokens": -9_000_000, "output_tokens": "many"}}
    with serving(Said(body)) as server:
        outcome = ask(compiler, server, budget=Budget(tokens=once_and_a_half(compiler)))
    assert (outcome.kind, len(server.requests)) == ("declined", 1)
    assert "budget" in outcome.notes[0]


def test_reply_is_read_with_its_usage() -> None:
    with serving(LONG) as server:
        found = call(server)
    assert isinstance(found, ModelReply)
    assert found.uses[0].input == {"program": "find books where long"}
    assert found.usage == Usage(120, 30, 4000, 0)


def test_wrong_program_is_fixed_in_the_second_round(compiler: Compiler) -> None:
    with serving(submits("find books where pagez > 600"), LONG) as server:
        assert ask(compiler, server).ids == ["B0"]
    first, second = server.requests
    assert second["system"] == first["system"]
    assert second["messages"][0] == first["messages"][0]
    (use,), (result,) = (one["content"] for one in second["messages"][1:])
    assert (use["type"], result["type"], result["is_error"]) == ("tool_use", "tool_result", True)
    assert result["tool_use_id"] == use["id"]
    assert '"fixed": "find books where pages \\u003e 600"' in result["content"]


@pytest.mark.parametrize(
    "failure",
    [
        fails(529, "overloaded_error"),
        fails(500, "api_error"),
        fails(503, "api_error"),
        fails(502, "api_error"),
        fails(504, "timeout_error"),
        fails(408, "api_error"),
        fails(409, "api_error"),
        fails(429, "rate_limit_error"),
        Said({}, cut=True),
        message([{"type": "text", "text": "long" * 500}], cut=True),
        Said(b"{not json"),
        Said(b'{"type": "message"}'),
    ],
    ids=["529", "500", "503", "502", "504", "408", "409", "429", "cut at once", "cut inside", "no JSON", "no message"],
)
def test_passing_failures_are_tried_again(failure: Said) -> None:
    with serving(failure, LONG) as server:
        assert isinstance(call(server), ModelReply)
    assert len(server.requests) == 4  # two, in either way


def test_overload_that_lasts_is_reported(compiler: Compiler) -> None:
    with serving(fails(529, "overloaded_error")) as server:
        outcome = ask(compiler, server)
    assert len(server.requests) == module.ATTEMPTS
    assert (outcome.kind, outcome.notes[0]) == ("declined", "The language model could not be asked (overloaded).")


def test_retry_after_is_waited_for() -> None:
    with serving(fails(429, "rate_limit_error", retry_after="0.3"), LONG) as server:
        assert isinstance(call(server), ModelReply)
    assert server.times[1] - server.times[0] >= 0.3
    assert server.times[3] - server.times[2] >= 0.3


def test_retry_after_beyond_the_deadline_ends_at_once() -> None:
    with serving(fails(429, "rate_limit_error", retry_after="30"), LONG) as server:
        began = time.monotonic()
        found = call(server, 5.0)
    assert isinstance(found, ModelFailed)
    assert (found.reason, found.pause) == ("rate-limited", 30.0)
    assert time.monotonic() - began < 20
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("status", "reason"),
    [(400, "rejected"), (401, "unauthorized"), (403, "unauthorized"), (404, "no-model"), (413, "too-large")],
)
def test_what_is_refused_stays_refused(status: int, reason: str) -> None:
    with serving(fails(status, "error")) as server:
        found = call(server)
    assert isinstance(found, ModelFailed)
    assert (found.reason, len(server.requests)) == (reason, 2)


@pytest.mark.parametrize(
    "said", [submits("find books where long", slow=20), submits("find books where long", dripping=True)]
)
def test_time_is_kept(said: Said) -> None:
    with serving(said) as server:
        began = time.monotonic()
        found = call(server, 0.4)
        took = time.monotonic() - began
    assert isinstance(found, ModelFailed)
    assert found.reason == "timeout"
    assert took < 10


async def test_asynchronous_call_can_be_cancelled() -> None:
    with serving(submits("find books where long", slow=20)) as server:
        asked = model_of(server).reply_async(REQUEST, time.monotonic() + 20)
        assert await seconds_to_cancel(server, asked) < 1


def test_server_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(LONG) as server:
        pass
    found = call(server)
    assert isinstance(found, ModelFailed)
    assert found.reason == "unreachable"


# --- permission and secrets ------------------------------------------------------------------------------------------


def test_switch_forbids_every_request(monkeypatch: pytest.MonkeyPatch, compiler: Compiler) -> None:
    monkeypatch.setenv(SWITCH, "1")
    with serving(LONG) as server:
        found = call(server)
        outcome = ask(compiler, server)
    assert isinstance(found, ModelFailed)
    assert (found.reason, server.requests) == ("forbidden", [])
    assert outcome.kind == "declined"


def test_argument_forbids_every_request() -> None:
    with serving(LONG) as server:
        model = AnthropicModel("claude-test", api_key=KEY, base_url=server.url, forbid=True)
        with pytest.raises(ModelFailed, match="forbidden"):
            model.reply(REQUEST, time.monotonic() + 5)
    assert server.requests == []


def test_key_and_prompt_are_reported_nowhere(compiler: Compiler, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "qlc")
    with serving(fails(400, "invalid_request_error")) as server:
        outcome = ask(compiler, server, "is Moby Dick long?")
        found = call(server)
        told = caplog.text + repr(model_of(server)) + repr(found) + str(found) + outcome.model_dump_json()
    assert isinstance(found, ModelFailed)
    for secret in (KEY, "SECRET", "Moby"):
        assert secret not in told + found.detail


def test_model_and_key_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, compiler: Compiler) -> None:
    with pytest.raises(UsageError, match="which model"):
        AnthropicModel()
    monkeypatch.setenv("QLC_MODEL", "claude-from-environment")
    with pytest.raises(UsageError, match="key"):
        AnthropicModel()
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with serving(LONG) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        model = AnthropicModel()
        assert Asker(compiler, (ModelTranslator(model),)).ask("thick", read_as="words", now=NOW).ids == ["B0"]
        model.close()
    assert server.requests[0]["model"] == "claude-from-environment"
    assert KEY in key_of(server.headers[0])


def test_a_request_may_take_all_the_time_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QLC_FORBID_MODEL", raising=False)
    given: list[float] = []

    class Client:
        class messages:
            @staticmethod
            def create(*, timeout: float, **_: Any) -> Any:
                given.append(timeout)
                return {"content": [], "stop_reason": "end_turn"}

    model = AnthropicModel("claude-test", api_key="sk-test")
    model._client = Client()  # type: ignore[assignment]
    request = ModelRequest((), ({"role": "user", "content": "q"},), (), 10)
    for seconds in (7_200.0, 10_000_000.0):
        model.reply(request, time.monotonic() + seconds)
    assert 7_190 < given[0] <= 7_200
    assert 80_000 < given[1] <= 86_400
