"""The model behind the entry points: the asynchronous API, and the command line."""

import json
from pathlib import Path
from typing import Any

import pytest

import qlc
from qlc import Asker, Compiler
from qlc.cli.main import main
from qlc.models.anthropic_model import AnthropicModel
from qlc.models.doubles import FunctionModel
from qlc.models.exchange import ModelRequest
from qlc.models.permission import SWITCH
from qlc.translator.model import ModelTranslator
from qlc.translator.protocol import Turn

from .conftest import NOW
from .messages_api import seconds_to_cancel, serving, submits


async def test_the_asynchronous_entry_point_calls_the_asynchronous_model() -> None:
    client = qlc.connect_async(":memory:")
    await client.index(index="cities", id="1", document={"name": "Rome", "people": 2_750_000}, refresh=True)
    called: list[str] = []

    async def think(request: ModelRequest) -> str:
        called.append(str(request.messages[-1]["content"]))
        return "find entries where peeple > 5" if len(called) == 1 else "find entries where people > 1000000"

    asker = Asker(Compiler(client, index="cities", draft=False), (ModelTranslator(FunctionModel(think)),))
    outcome = await asker.ask_async("big places like Rome", read_as="words", now=NOW)
    assert outcome.kind == "hits"
    assert outcome.ids == ["1"]
    assert '"Rome": value of name' in called[0]
    assert "unknown-field" in called[1]
    await client.close()


@pytest.mark.usefixtures("loopback_allowed")
async def test_a_question_can_be_cancelled_in_mid_call() -> None:
    client = qlc.connect_async(":memory:")
    await client.index(index="cities", id="1", document={"name": "Rome", "people": 2_750_000}, refresh=True)
    program = "find entries where people > 1000000"
    with serving(submits(program, slow=20), submits(program)) as server:
        model = AnthropicModel("claude-test", api_key="sk-1", base_url=server.url)
        asker = Asker(Compiler(client, index="cities", draft=False), (ModelTranslator(model),))
        assert await seconds_to_cancel(server, asker.ask_async("big places", read_as="words", now=NOW)) < 1
        assert (await asker.ask_async("big places", read_as="words", now=NOW)).kind == "hits"
    await client.close()


@pytest.mark.usefixtures("loopback_allowed")
def test_command_asks_the_model_that_it_is_given(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with qlc.connect(tmp_path / "store") as client:
        client.index(index="cities", id="1", document={"name": "Rome", "people": 2_750_000}, refresh=True)
    ask = ["ask", "entries in the frob of the harbour", "--data", str(tmp_path / "store"), "--index", "cities"]

    def asked(*arguments: str) -> dict[str, Any]:
        main([*ask, "--json", *arguments])
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    with serving(submits("count entries where people > 5")) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        # Without a key, a model in the environment is no model.
        monkeypatch.setenv("QLC_MODEL", "claude-environment")
        assert asked()["kind"] == "declined"
        assert main([*ask, "--model", "claude-argument"]) == 2
        assert "ANTHROPIC_API_KEY" in capsys.readouterr().err
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-77")
        assert asked("--rules-only")["kind"] == "declined"
        assert server.requests == []
        assert asked()["query"] == "count cities where people > 5"
        assert asked("--model", "claude-argument")["value"] == 1
        monkeypatch.setenv(SWITCH, "1")
        assert asked()["kind"] == "declined"
        assert main([*ask, "--model", "claude-argument"]) == 2
        assert SWITCH in capsys.readouterr().err
    assert [body["model"] for body in server.requests] == ["claude-environment", "claude-argument"]


def test_what_may_change_a_list_is_left_to_the_model(compiler: Compiler) -> None:
    """`drop the thin ones` is refused at the beginning of a conversation. After a list it may change the list."""
    asker = Asker(compiler)
    model = FunctionModel(lambda _: 'find books where language = "en" and pages > 100')
    talking = Asker(compiler, (*asker.translators, ModelTranslator(model)))
    history = [Turn("English books", 'find books where language = "en"', {"kind": "hits", "total": 2})]
    assert asker.ask("drop the thin ones", now=NOW, history=history).kind in ("refuse", "declined")
    assert talking.ask("drop the thin ones", now=NOW).kind == "refuse"
    assert model.requests == []
    outcome = talking.ask("drop the thin ones", now=NOW, history=history)
    assert (outcome.kind, outcome.query) == ("hits", 'find books where language = "en" and pages > 100')
