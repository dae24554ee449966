"""The real clients of both providers against a loopback server: what they send, read, try again and tell nobody."""

import json
import time
from typing import Any

import pytest

from qlc import Asker, Compiler, UsageError
from qlc.cli.asking import model_of
from qlc.cli.main import parser
from qlc.models import client_model as module
from qlc.models.anthropic_model import AnthropicModel
from qlc.models.budgets import Budget, Usage
from qlc.models.exchange import ModelFailed, ModelReply, ModelRequest, ToolUse, resumed
from qlc.models.openai_model import OpenAIModel
from qlc.models.permission import SWITCH
from qlc.models.providers import model_named
from qlc.translator.model import ModelTranslator

from .conftest import NOW
from .messages_api import Said, fails, message, seconds_to_cancel, serving
from .providers import ANTHROPIC, KEY, OPENAI, PROVIDERS, REQUEST, Provider, called, completion
from .test_translator import once_and_a_half

EACH = pytest.mark.parametrize("provider", PROVIDERS, ids=lambda one: one.name)
PROGRAM = "find books where long"
OVERLOADED = fails(529, "overloaded_error")


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, loopback_allowed: None) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.02)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "QLC_MODEL"):
        monkeypatch.delenv(name, raising=False)


def key_of(headers: Any) -> str:
    """How the client shows its key depends on its version."""
    return str(headers.get("x-api-key", "") + headers.get("authorization", ""))


def body_of(compiler: Compiler, provider: Provider) -> Any:
    """The one request of a question."""
    with serving(provider.submits(PROGRAM)) as server:
        assert provider.ask(compiler, server).ids == ["B0"]
    (body,) = server.requests
    assert server.paths == ["/v1/messages" if provider is ANTHROPIC else "/v1/chat/completions"]
    assert provider is OPENAI or KEY in key_of(server.headers[0])
    return body


NAMES = ["submit_query", "ask_user", "decline"]


def test_request_is_that_of_the_messages_api(compiler: Compiler) -> None:
    body = body_of(compiler, ANTHROPIC)
    assert (body["model"], body["max_tokens"]) == ("claude-test", 2000)
    assert [tool["name"] for tool in body["tools"]] == NAMES
    assert body["tool_choice"] == {"type": "any", "disable_parallel_tool_use": True}
    assert [block["cache_control"]["type"] for block in body["system"]] == ["ephemeral"] * 3
    assert body["messages"][0]["role"] == "user"
    assert '<question>\n"thick ones"\n</question>' in body["messages"][0]["content"]


def test_request_is_a_chat_completion_with_the_same_tools(compiler: Compiler) -> None:
    body = body_of(compiler, OPENAI)
    assert (body["model"], body["max_tokens"]) == ("small", 2000)
    assert [one["function"]["name"] for one in body["tools"]] == NAMES
    assert all(one["function"]["parameters"]["type"] == "object" for one in body["tools"])
    assert (body["tool_choice"], body["parallel_tool_calls"]) == ("required", False)
    assert [one["role"] for one in body["messages"]] == ["system", "user"]
    assert "<catalog>" in body["messages"][0]["content"]
    assert '<question>\n"thick ones"\n</question>' in body["messages"][1]["content"]


def test_address_may_have_a_path(compiler: Compiler) -> None:
    with serving(ANTHROPIC.submits(PROGRAM)) as server:
        server.url += "/behind/a/gateway/"
        assert ANTHROPIC.ask(compiler, server).ids == ["B0"]
    assert server.paths == ["/behind/a/gateway/v1/messages"]


UNUSABLE = [
    *((provider, provider.submits('find books where titel = "\ud800"')) for provider in PROVIDERS),
    (ANTHROPIC, Said(json.dumps(ANTHROPIC.submits(float("nan")).body).encode())),  # type: ignore[arg-type]
    (OPENAI, completion({"tool_calls": [called("submit_query", '{"program": "find books')]})),
    (OPENAI, completion({"tool_calls": [called("submit_query", "[]")]})),
    (OPENAI, completion({"tool_calls": [called("no_such_tool", "{}")]})),
    (OPENAI, completion({"content": "find books where long"}, "stop")),
    (OPENAI, completion({"tool_calls": [{"id": None, "function": None}]})),
    (OPENAI, completion({"tool_calls": "none"})),
    (OPENAI, completion({}, "stop")),
]
"""Half characters, numbers that JSON lacks, and other mistakes of small models."""


@pytest.mark.parametrize(("provider", "wrong"), UNUSABLE)
def test_what_cannot_be_used_goes_back(compiler: Compiler, provider: Provider, wrong: Said) -> None:
    with serving(wrong, provider.submits(PROGRAM)) as server:
        assert provider.ask(compiler, server, "half \ud83d a book").ids == ["B0"]
    assert len(server.requests) == 2


@EACH
def test_wrong_program_is_fixed_in_the_second_round(compiler: Compiler, provider: Provider) -> None:
    with serving(provider.submits("find books where pagez > 600"), provider.submits(PROGRAM)) as server:
        assert provider.ask(compiler, server).ids == ["B0"]
    first, second = server.requests
    assert second.get("system") == first.get("system")
    *before, used, result = second["messages"]
    assert before == first["messages"]
    if provider is ANTHROPIC:
        (use,), (result,) = used["content"], result["content"]
        assert (use["type"], result["type"], result["is_error"]) == ("tool_use", "tool_result", True)
        assert result["tool_use_id"] == use["id"]
    else:
        (use,) = used["tool_calls"]
        assert (used["role"], use["function"]["name"]) == ("assistant", "submit_query")
        assert json.loads(use["function"]["arguments"]) == {"program": "find books where pagez > 600"}
        assert (result["role"], result["tool_call_id"]) == ("tool", use["id"])
    assert '"fixed": "find books where pages \\u003e 600"' in result["content"]


@EACH
def test_the_budget_holds(compiler: Compiler, provider: Provider) -> None:
    with serving(provider.submits("find books where pagez > 600")) as server:
        outcome = provider.ask(compiler, server, budget=Budget(rounds=2))
        assert (outcome.kind, len(server.requests)) == ("declined", 2)
    said = provider.submits("find x")
    if provider is ANTHROPIC:  # what a server says of tokens is not believed below nothing
        said = Said({**said.body, "usage": {"input_tokens": -9_000_000, "output_tokens": "many"}})
    with serving(said) as server:
        outcome = provider.ask(compiler, server, budget=Budget(tokens=once_and_a_half(compiler)))
        assert (outcome.kind, len(server.requests)) == ("declined", 1)
        assert "budget" in outcome.notes[0]


@EACH
def test_reply_is_read_with_its_usage(provider: Provider) -> None:
    with serving(provider.submits(PROGRAM)) as server:
        found = provider.read(server)
    assert found.uses == (ToolUse("submit_query", {"program": PROGRAM}, "t0"),)
    assert (found.usage, found.stop) == (Usage(120, 30, 4000, 0), "tool_use")


@pytest.mark.parametrize(("said", "stop"), [
    (completion({"content": "half of"}, "length"), "max_tokens"), (completion({}, "content_filter"), "refusal"),
    (completion({"refusal": "I will not"}, "stop"), "refusal"), (completion({"content": "done"}, "stop"), "end_turn"),
    (completion({"tool_calls": [called("submit_query", "{}")]}, "stop"), "tool_use"),
])  # fmt: skip
def test_why_it_ended_is_said_in_one_way(said: Said, stop: str) -> None:
    with serving(said) as server:
        assert OPENAI.read(server).stop == stop


def test_results_of_tools_are_messages_of_their_own() -> None:
    said = ModelReply((ToolUse("a", {"n": 1}, "1"), ToolUse("b", "x", "2")), "thinking")
    with serving(OPENAI.submits(PROGRAM)) as server:
        OPENAI.call(server, request=resumed(REQUEST, said, {"problem": "wrong"}))
    messages = server.requests[0]["messages"]
    assert [one["role"] for one in messages] == ["system", "user", "assistant", "tool", "tool"]
    assert (messages[0]["content"], messages[2]["content"]) == ("one\n\ntwo", "thinking")
    called_ids = [one["id"] for one in messages[2]["tool_calls"]]
    assert [one["tool_call_id"] for one in messages[3:]] == called_ids == ["1", "2"]


def test_without_tools_none_is_sent() -> None:
    with serving(completion({"content": "hello"}, "stop")) as server:
        assert OPENAI.read(server, request=ModelRequest((), REQUEST.messages, (), 100)).text == "hello"
    assert {"tools", "tool_choice", "parallel_tool_calls"}.isdisjoint(server.requests[0])


# --- failures --------------------------------------------------------------------------------------------------------

PASSING = {
    **{str(status): (PROVIDERS, fails(status, "error")) for status in (408, 409, 429, 500, 502, 503, 504)},
    "529": ((ANTHROPIC,), OVERLOADED), "cut at once": (PROVIDERS, Said({}, cut=True)),
    "cut inside": ((ANTHROPIC,), message([{"type": "text", "text": "long" * 500}], cut=True)),
    "no JSON": (PROVIDERS, Said(b"{not json")), "no message": ((ANTHROPIC,), Said(b'{"type": "message"}')),
    "no choice": ((OPENAI,), Said({"choices": []})), "an error": ((OPENAI,), Said({"error": "no"})),
    "nothing in it": ((OPENAI,), Said({"choices": [{"message": None}]})),
}  # fmt: skip


@pytest.mark.parametrize(("provider", "failure"), [(one, name) for name in PASSING for one in PASSING[name][0]])
def test_passing_failures_are_tried_again(provider: Provider, failure: str) -> None:
    with serving(PASSING[failure][1], provider.submits(PROGRAM)) as server:
        provider.read(server)
    assert len(server.requests) == 4  # two, in either way


def test_overload_that_lasts_is_reported(compiler: Compiler) -> None:
    with serving(OVERLOADED) as server:
        outcome = ANTHROPIC.ask(compiler, server)
    assert len(server.requests) == module.ATTEMPTS
    assert (outcome.kind, outcome.notes[0]) == ("declined", "The language model could not be asked (overloaded).")


def test_retry_after_is_waited_for() -> None:
    with serving(fails(429, "rate_limit_error", retry_after="0.3"), ANTHROPIC.submits(PROGRAM)) as server:
        ANTHROPIC.read(server)
    assert server.times[1] - server.times[0] >= 0.3
    assert server.times[3] - server.times[2] >= 0.3


def test_retry_after_beyond_the_deadline_ends_at_once() -> None:
    with serving(fails(429, "rate_limit_error", retry_after="30"), ANTHROPIC.submits(PROGRAM)) as server:
        began = time.monotonic()
        found = ANTHROPIC.fails(server, seconds=5.0)
    assert (found.reason, found.pause) == ("rate-limited", 30.0)
    assert time.monotonic() - began < 20
    assert len(server.requests) == 2


@EACH
@pytest.mark.parametrize(
    ("status", "reason"),
    [(400, "rejected"), (401, "unauthorized"), (403, "unauthorized"), (404, "no-model"), (413, "too-large")],
)
def test_what_is_refused_stays_refused(provider: Provider, status: int, reason: str) -> None:
    with serving(fails(status, "error")) as server:
        found = provider.fails(server)
    assert (found.reason, len(server.requests)) == (reason, 2)
    assert "SECRET" not in found.detail + str(found)


@EACH
@pytest.mark.parametrize("more", [{"slow": 20}, {"dripping": True}])
def test_time_is_kept(provider: Provider, more: dict[str, Any]) -> None:
    with serving(provider.submits(PROGRAM, **more)) as server:
        began = time.monotonic()
        assert provider.fails(server, seconds=0.4).reason == "timeout"
        assert time.monotonic() - began < 10


@EACH
async def test_asynchronous_call_can_be_cancelled(provider: Provider) -> None:
    with serving(provider.submits(PROGRAM, slow=20)) as server:
        asked = provider.model(server).reply_async(REQUEST, time.monotonic() + 20)
        assert await seconds_to_cancel(server, asked) < 1


@EACH
def test_server_that_is_not_there(provider: Provider) -> None:
    with serving(provider.submits(PROGRAM)) as server:
        pass
    assert provider.fails(server).reason == "unreachable"


def test_a_request_may_take_all_the_time_that_is_left() -> None:
    given: list[float] = []

    class Client:
        class messages:
            @staticmethod
            def create(*, timeout: float, **_: Any) -> Any:
                given.append(timeout)
                return {"content": [], "stop_reason": "end_turn"}

    model = AnthropicModel("claude-test", api_key="sk-test")
    model._client = Client()  # type: ignore[assignment]
    for seconds in (7_200.0, 10_000_000.0):
        model.reply(ModelRequest((), ({"role": "user", "content": "q"},), (), 10), time.monotonic() + seconds)
    assert 7_190 < given[0] <= 7_200
    assert 80_000 < given[1] <= 86_400


# --- permission, secrets, and which model ----------------------------------------------------------------------------


@EACH
def test_switch_forbids_every_request(monkeypatch: pytest.MonkeyPatch, compiler: Compiler, provider: Provider) -> None:
    monkeypatch.setenv(SWITCH, "1")
    with serving(provider.submits(PROGRAM)) as server:
        assert provider.fails(server).reason == "forbidden"
        assert provider.ask(compiler, server).kind == "declined"
    assert server.requests == []


def test_argument_forbids_every_request() -> None:
    with serving(ANTHROPIC.submits(PROGRAM)) as server:
        model = AnthropicModel("claude-test", api_key=KEY, base_url=server.url, forbid=True)
        with pytest.raises(ModelFailed, match="forbidden"):
            model.reply(REQUEST, time.monotonic() + 5)
    assert server.requests == []


def test_key_and_prompt_are_reported_nowhere(compiler: Compiler, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "qlc")
    with serving(fails(400, "invalid_request_error")) as server:
        outcome = ANTHROPIC.ask(compiler, server, "is Moby Dick long?")
        found = ANTHROPIC.fails(server)
        told = caplog.text + repr(ANTHROPIC.model(server)) + repr(found) + str(found) + outcome.model_dump_json()
    for secret in (KEY, "SECRET", "Moby"):
        assert secret not in told + found.detail


@EACH
def test_model_key_and_server_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch, compiler: Compiler, provider: Provider
) -> None:
    made: Any = AnthropicModel if provider is ANTHROPIC else OpenAIModel
    name = "claude-environment" if provider is ANTHROPIC else "from-environment:8b"
    with pytest.raises(UsageError, match="name a model"):
        made()
    monkeypatch.setenv("QLC_MODEL", name if provider is ANTHROPIC else f"openai:{name}")
    with pytest.raises(UsageError, match="key" if provider is ANTHROPIC else "a server or a key"):
        made()
    with serving(provider.submits(PROGRAM)) as server:
        monkeypatch.setenv(f"{provider.name.upper()}_API_KEY", KEY)
        monkeypatch.setenv(f"{provider.name.upper()}_BASE_URL", server.url + "/v1" * (provider is OPENAI))
        model = made()
        assert Asker(compiler, (ModelTranslator(model),)).ask("thick", read_as="words", now=NOW).ids == ["B0"]
        model.close()
    assert server.requests[0]["model"] == name
    assert KEY in key_of(server.headers[0])
    assert KEY not in repr(model)


def test_the_provider_is_said_with_the_name() -> None:
    assert isinstance(model_named("openai:llama3.1:8b", "http://localhost:1/v1"), OpenAIModel)
    assert model_named("openai:llama3.1:8b", "http://localhost:1/v1").name == "llama3.1:8b"
    with pytest.raises(UsageError, match="ANTHROPIC_API_KEY"):
        model_named("claude-test")


def test_the_command_line_names_model_and_server(monkeypatch: pytest.MonkeyPatch) -> None:
    def given(*options: str) -> Any:
        return model_of(parser().read(["ask", "q", *options])[1])

    assert isinstance(given("--model", "openai:small", "--model-url", "http://localhost:1/v1"), OpenAIModel)
    for name, missing in (("openai:small", "--model-url"), ("claude-test", "ANTHROPIC_API_KEY")):
        with pytest.raises(UsageError, match=missing):
            given("--model", name)
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
