"""The real client against a loopback server that speaks OpenAI's chat completions."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any

import pytest

from qlc import Asker, Compiler, UsageError
from qlc.cli.asking import model_of
from qlc.cli.main import parser
from qlc.models import client_model as module
from qlc.models.anthropic_model import AnthropicModel
from qlc.models.exchange import Tool, ToolUse, resumed
from qlc.models.openai_model import OpenAIModel
from qlc.models.permission import SWITCH
from qlc.models.providers import model_named
from qlc.translator.model import Budget, ModelFailed, ModelReply, ModelRequest, ModelTranslator, Usage

from .conftest import NOW
from .messages_api import Said, Server, fails, seconds_to_cancel, serving
from .test_translator import once_and_a_half

KEY = "sk-test-7263"
TOOL = Tool("submit_query", "Answer", {"type": "object", "properties": {"program": {"type": "string"}}})
REQUEST = ModelRequest(("one", "two"), ({"role": "user", "content": "hello"},), (TOOL,), 100)


def completion(message: Mapping[str, Any], stop: str = "tool_calls", **more: Any) -> Said:
    usage = {"prompt_tokens": 4120, "completion_tokens": 30, "prompt_tokens_details": {"cached_tokens": 4000}}
    choice = {"index": 0, "message": {"role": "assistant", "content": None, **message}, "finish_reason": stop}
    return Said({"id": "c1", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice],
                 "usage": usage}, **more)  # fmt: skip


def uses(name: str, arguments: str, stop: str = "tool_calls", **more: Any) -> Said:
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": arguments}}
    return completion({"tool_calls": [call]}, stop, **more)


def submits(program: str, **more: Any) -> Said:
    return uses("submit_query", json.dumps({"program": program}), **more)


LONG = submits("find books where long")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, loopback_allowed: None) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.02)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "QLC_MODEL"):
        monkeypatch.delenv(name, raising=False)


def model_at(server: Server) -> OpenAIModel:
    return OpenAIModel("small", base_url=f"{server.url}/v1")


def ask(compiler: Compiler, server: Server, text: str = "thick ones", **more: Any) -> Any:
    model = model_at(server)
    try:
        return Asker(compiler, (ModelTranslator(model, **more),)).ask(text, read_as="words", now=NOW)
    finally:
        model.close()


def call(server: Server, seconds: float = 20.0, request: ModelRequest = REQUEST) -> ModelReply | ModelFailed:
    """One call through the synchronous and the asynchronous client, which must agree."""
    model = model_at(server)
    script, found = list(server.script), []
    for is_async in (False, True):
        server.script[:] = script
        until = time.monotonic() + seconds
        try:
            found.append(asyncio.run(model.reply_async(request, until)) if is_async else model.reply(request, until))
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


def test_a_request_is_a_chat_completion_with_the_same_tools(compiler: Compiler) -> None:
    with serving(LONG) as server:
        assert ask(compiler, server).ids == ["B0"]
    (body,), (path,) = server.requests, server.paths
    assert path == "/v1/chat/completions"
    assert body["model"] == "small"
    assert [one["function"]["name"] for one in body["tools"]] == [
        "submit_query", "ask_user", "decline", "explain_query",
    ]  # fmt: skip
    assert all(one["function"]["parameters"]["type"] == "object" for one in body["tools"])
    assert (body["tool_choice"], body["parallel_tool_calls"], body["max_tokens"]) == ("required", False, 2000)
    assert [one["role"] for one in body["messages"]] == ["system", "user"]
    assert "<catalog>" in body["messages"][0]["content"]
    assert '<question>\n"thick ones"\n</question>' in body["messages"][1]["content"]


def test_a_wrong_program_is_fixed_in_the_second_round(compiler: Compiler) -> None:
    with serving(submits("find books where pagez > 600"), LONG) as server:
        assert ask(compiler, server).ids == ["B0"]
    first, second = server.requests
    assert second["messages"][:2] == first["messages"]
    used, result = second["messages"][2:]
    assert used["role"] == "assistant"
    assert used["tool_calls"][0]["function"]["name"] == "submit_query"
    assert json.loads(used["tool_calls"][0]["function"]["arguments"]) == {"program": "find books where pagez > 600"}
    assert (result["role"], result["tool_call_id"]) == ("tool", used["tool_calls"][0]["id"])
    assert '"fixed": "find books where pages \\u003e 600"' in result["content"]


@pytest.mark.parametrize(
    "wrong",
    [
        uses("submit_query", '{"program": "find books'),
        uses("submit_query", "[]"),
        uses("submit_query", '{"program": "find books where titel = \\"\\ud800\\""}'),
        uses("no_such_tool", "{}"),
        completion({"content": "find books where long"}, "stop"),
        completion({"tool_calls": [{"id": None, "function": None}]}),
        completion({"tool_calls": "none"}),
        completion({}, "stop"),
    ],
)
def test_what_cannot_be_used_goes_back(compiler: Compiler, wrong: Said) -> None:
    """Small models make all of these mistakes."""
    with serving(wrong, LONG) as server:
        assert ask(compiler, server).ids == ["B0"]
    assert len(server.requests) == 2


def test_the_budget_holds(compiler: Compiler) -> None:
    with serving(submits("find books where pagez > 600")) as server:
        outcome = ask(compiler, server, budget=Budget(rounds=2))
        assert (outcome.kind, len(server.requests)) == ("declined", 2)
    with serving(submits("find x")) as server:
        outcome = ask(compiler, server, budget=Budget(tokens=once_and_a_half(compiler)))
        assert (outcome.kind, len(server.requests)) == ("declined", 1)
        assert "budget" in outcome.notes[0]


def test_a_reply_is_read_with_its_usage() -> None:
    with serving(LONG) as server:
        found = call(server)
    assert isinstance(found, ModelReply)
    assert found.uses == (ToolUse("submit_query", {"program": "find books where long"}, "call_1"),)
    assert (found.usage, found.stop) == (Usage(120, 30, 4000, 0), "tool_use")


@pytest.mark.parametrize(
    ("said", "stop"),
    [
        (completion({"content": "half of"}, "length"), "max_tokens"),
        (completion({}, "content_filter"), "refusal"),
        (completion({"refusal": "I will not"}, "stop"), "refusal"),
        (completion({"content": "done"}, "stop"), "end_turn"),
        (uses("submit_query", "{}", "stop"), "tool_use"),
    ],
)
def test_why_it_ended_is_said_in_one_way(said: Said, stop: str) -> None:
    with serving(said) as server:
        found = call(server)
    assert isinstance(found, ModelReply)
    assert found.stop == stop


def test_results_of_tools_are_messages_of_their_own() -> None:
    said = ModelReply((ToolUse("a", {"n": 1}, "1"), ToolUse("b", "x", "2")), "thinking")
    with serving(LONG) as server:
        call(server, request=resumed(REQUEST, said, {"problem": "wrong"}))
    messages = server.requests[0]["messages"]
    assert [one["role"] for one in messages] == ["system", "user", "assistant", "tool", "tool"]
    assert messages[0]["content"] == "one\n\ntwo"
    assert messages[2]["content"] == "thinking"
    assert (
        [one["tool_call_id"] for one in messages[3:]] == [one["id"] for one in messages[2]["tool_calls"]] == ["1", "2"]
    )


def test_without_tools_none_is_sent() -> None:
    with serving(completion({"content": "hello"}, "stop")) as server:
        found = call(server, request=ModelRequest((), REQUEST.messages, (), 100))
    assert isinstance(found, ModelReply)
    assert found.text == "hello"
    assert {"tools", "tool_choice", "parallel_tool_calls"}.isdisjoint(server.requests[0])


@pytest.mark.parametrize(
    "failure",
    [*(fails(status, "error") for status in (408, 409, 429, 500, 502, 503, 504)), Said({}, cut=True),
     Said(b"{not json"), Said({"choices": []}), Said({"choices": [{"message": None}]}), Said({"error": "no"})],
)  # fmt: skip
def test_passing_failures_are_tried_again(failure: Said) -> None:
    with serving(failure, LONG) as server:
        assert isinstance(call(server), ModelReply)
    assert len(server.requests) == 4  # two, in either way


@pytest.mark.parametrize(
    ("status", "reason"),
    [(400, "rejected"), (401, "unauthorized"), (403, "unauthorized"), (404, "no-model"), (413, "too-large")],
)
def test_what_is_refused_stays_refused(status: int, reason: str) -> None:
    with serving(fails(status, "error")) as server:
        found = call(server)
    assert isinstance(found, ModelFailed)
    assert (found.reason, len(server.requests)) == (reason, 2)
    assert "SECRET" not in found.detail + str(found)


@pytest.mark.parametrize("said", [submits("find x", slow=20), submits("find x", dripping=True)])
def test_time_is_kept(said: Said) -> None:
    with serving(said) as server:
        began = time.monotonic()
        found = call(server, 0.4)
    assert isinstance(found, ModelFailed)
    assert found.reason == "timeout"
    assert time.monotonic() - began < 10


async def test_a_call_can_be_cancelled() -> None:
    with serving(submits("find x", slow=20)) as server:
        asked = model_at(server).reply_async(REQUEST, time.monotonic() + 20)
        assert await seconds_to_cancel(server, asked) < 1


def test_a_server_that_is_not_there() -> None:
    with serving(LONG) as server:
        pass
    found = call(server)
    assert isinstance(found, ModelFailed)
    assert found.reason == "unreachable"


# --- which server, which key -----------------------------------------------------------------------------------------


def test_the_switch_forbids_servers_of_ones_own_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SWITCH, "1")
    with serving(LONG) as server:
        found = call(server)
    assert isinstance(found, ModelFailed)
    assert (found.reason, server.requests) == ("forbidden", [])


def test_server_key_and_model_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="which model"):
        OpenAIModel()
    with pytest.raises(UsageError, match="a server or a key"):
        OpenAIModel("small")
    with serving(LONG) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("QLC_MODEL", "openai:from-environment:8b")
        model = OpenAIModel()
        model.reply(REQUEST, time.monotonic() + 20)
        model.close()
    assert server.requests[0]["model"] == "from-environment:8b"
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(model)


def test_the_provider_is_said_with_the_name() -> None:
    assert isinstance(model_named("openai:llama3.1:8b", "http://localhost:1/v1"), OpenAIModel)
    assert model_named("openai:llama3.1:8b", "http://localhost:1/v1").name == "llama3.1:8b"
    with pytest.raises(UsageError, match="ANTHROPIC_API_KEY"):
        model_named("claude-test")


def test_the_command_line_names_model_and_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def given(*options: str) -> Any:
        return model_of(parser().read(["ask", "q", *options])[1])

    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    made = given("--model", "openai:small", "--model-url", "http://localhost:1/v1")
    assert isinstance(made, OpenAIModel)
    with pytest.raises(UsageError, match="--model-url"):
        given("--model", "openai:small")
    with pytest.raises(UsageError, match="ANTHROPIC_API_KEY"):
        given("--model", "claude-test")
    monkeypatch.setenv("QLC_MODEL", "openai:small")
    assert given() is None
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1/v1")
    assert isinstance(given(), OpenAIModel)
    assert given("--rules-only") is None
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    assert isinstance(given("--model", "claude-test"), AnthropicModel)


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qlc.base.extras.find_spec", lambda _: None)
    with pytest.raises(UsageError, match=r'pip install "qlc-search\[openai\]"'):
        OpenAIModel("small", base_url="http://localhost:1/v1")


def test_the_library_is_imported_for_a_call_alone() -> None:
    program = (
        "import sys\n"
        "from qlc.models.openai_model import OpenAIModel\n"
        "OpenAIModel('small', base_url='http://localhost:1/v1')\n"
        "print('openai' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert ended.stdout.strip() == "False"
