"""Replies are recorded once and replayed without a key or a server; several votes differ or agree."""

import json
from pathlib import Path
from typing import Any

import pytest

from qlc import Asker, Compiler
from qlc.base.errors import UsageError
from qlc.cli.main import main
from qlc.models.budgets import Budget
from qlc.models.doubles import ScriptedModel
from qlc.models.exchange import ModelFailed, ModelReply, ModelRequest
from qlc.models.recorded import RecordedModel
from qlc.outcome import Clarify, Hits
from qlc.translator.model import ModelTranslator
from tests.tables import table

from .conftest import NOW
from .messages_api import Said, serving, submits, uses
from .providers import ANTHROPIC, REQUEST

pytestmark = pytest.mark.usefixtures("loopback_allowed")
LONG, CHEAP = "find books where pages > 600", "find books where price < 5"


def asked(compiler: Compiler, model: Any, text: str = "thick ones", **more: Any) -> Any:
    return Asker(compiler, (ModelTranslator(model, **more),)).ask(text, read_as="words", now=NOW)


def test_what_is_recorded_is_replayed_without_a_server(compiler: Compiler, tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    with serving(submits(LONG), submits("find x"), submits(CHEAP)) as server:
        model = RecordedModel(file, ANTHROPIC.model(server))
        before = [asked(compiler, model), asked(compiler, model, "cheap thin ones")]
        again = [asked(compiler, RecordedModel(file, ANTHROPIC.model(server))) for _ in range(1)]
        assert len(server.requests) == 3
    assert again[0].ids == before[0].ids == ["B0"]
    replayed = RecordedModel(file)
    assert replayed.name == "claude-test"
    assert [asked(compiler, replayed, text).query for text in ("thick ones", "cheap thin ones")] == [
        one.query for one in before
    ]
    assert (replayed.spent.calls, replayed.spent.usage.output) == (3, 90)
    assert "3 calls of claude-test" in replayed.spent.sentence(replayed.name)
    assert asked(compiler, replayed, "never asked").kind == "declined"
    assert "thick ones" not in file.read_text()
    assert "sk-test" not in file.read_text()


def test_replies_outlive_other_instructions_and_say_so(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    RecordedModel(file, ScriptedModel([LONG])).reply(REQUEST, 1.0)
    changed = ModelRequest(("other instructions",), REQUEST.messages, REQUEST.tools, REQUEST.max_tokens)
    model = RecordedModel(file)
    assert model.reply(changed, 1.0).uses[0].input == {"program": LONG}
    assert "1 of them were recorded with other instructions" in model.spent.sentence("scripted")
    with pytest.raises(ModelFailed):  # who records asks anew
        RecordedModel(file, ScriptedModel([])).reply(changed, 1.0)


def test_the_same_request_gets_its_replies_in_order(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    recording = RecordedModel(file, ScriptedModel([LONG, CHEAP]))
    assert [recording.reply(REQUEST, 1.0).uses[0].input["program"] for _ in range(2)] == [LONG, CHEAP]
    model = RecordedModel(file)
    assert [model.reply(REQUEST, 1.0).uses[0].input["program"] for _ in range(3)] == [LONG, CHEAP, CHEAP]


async def test_replies_are_recorded_for_the_asynchronous_api(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    first: ModelReply = await RecordedModel(file, ScriptedModel([LONG])).reply_async(REQUEST, 1.0)
    assert await RecordedModel(file).reply_async(REQUEST, 1.0) == first


@pytest.mark.parametrize("text", ["", "nonsense\n{}\n", '{"qlc_replies": 2}\n', '{"qlc_replies": 1}\n[]\n'])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "replies.jsonl").write_text(text)
    with pytest.raises(UsageError):
        RecordedModel(tmp_path / "replies.jsonl")


def test_a_line_that_was_cut_is_recorded_anew(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    RecordedModel(file, ScriptedModel([LONG])).reply(REQUEST, 1.0)
    file.write_text(file.read_text() + file.read_text()[:40])
    assert RecordedModel(file).reply(REQUEST, 1.0).uses[0].input == {"program": LONG}


def test_the_command_line_records_and_replays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions, file = tmp_path / "questions.jsonl", tmp_path / "replies.jsonl"
    questions.write_text(json.dumps({"id": "q1", "text": "papers that smell of bergamot"}) + "\n")
    ask = ["eval", str(questions), "--demo", "--json"]
    with serving(submits("count documents")) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-77")
        assert main([*ask, "--model", "claude-test", "--budget", "rounds=1", "--record", str(file)]) == 0
    recorded = capsys.readouterr()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    assert main([*ask, "--budget", "rounds=1", "--replay", str(file)]) == 0
    assert capsys.readouterr().out == recorded.out == '{"count": 1}\n'
    assert "1 calls of claude-test: 4,120 tokens in (4,000 cached), 30 out" in recorded.err
    assert main([*ask, "--record", str(file)]) == 2
    assert main([*ask, "--replay", str(tmp_path / "none.jsonl")]) == 2


# --- votes -----------------------------------------------------------------------------------------------------------


def voted(compiler: Compiler, *replies: Said) -> tuple[Any, int]:
    """Return the outcome of three votes and the number of calls."""
    with serving(*replies) as server:
        outcome = ANTHROPIC.ask(compiler, server, votes=3)
        return outcome, len(server.requests)


def decline(reason: str = "not_held") -> Said:
    return uses("decline", {"reason": reason, "what": "thickness"})


def test_equal_programs_are_one_answer(compiler: Compiler) -> None:
    outcome, calls = voted(compiler, submits(LONG), submits("find volumes where 600 < page_count"), submits(LONG))
    assert (outcome.ids, calls) == (["B0"], 3)


def test_other_programs_with_the_same_answer_are_one_answer(compiler: Compiler) -> None:
    outcome, _ = voted(compiler, submits(LONG), submits("find books where long"), submits(LONG))
    assert isinstance(outcome, Hits)
    assert outcome.query == LONG


@pytest.mark.parametrize("programs", table(__file__, "FORMS"))
def test_one_answer_in_several_forms_is_one_answer(compiler: Compiler, programs: list[str]) -> None:
    outcome, _ = voted(compiler, *map(submits, programs), submits(programs[0]))
    assert outcome.query == programs[0]


@pytest.mark.parametrize("programs", table(__file__, "READINGS"))
def test_different_numbers_of_the_same_rows_become_a_question(compiler: Compiler, programs: list[str]) -> None:
    outcome, _ = voted(compiler, *map(submits, programs), submits(programs[0]))
    assert [one.id for one in outcome.options] == programs


def test_programs_with_other_answers_become_a_question(compiler: Compiler) -> None:
    outcome, calls = voted(compiler, submits(LONG), submits("find books where pages < 300"), submits(LONG))
    assert calls == 3
    assert isinstance(outcome, Clarify)
    assert [one.id for one in outcome.options] == [LONG, "find books where pages < 300"]
    assert all(one.label != one.id for one in outcome.options)
    assert outcome.token


def test_most_votes_decide_whether_there_is_a_program(compiler: Compiler) -> None:
    outcome, _ = voted(compiler, submits(LONG), decline(), decline())
    assert outcome.kind == "unsupported"
    outcome, _ = voted(compiler, submits(LONG), decline(), submits(LONG))
    assert outcome.ids == ["B0"]
    assert outcome.notes == ["1 of 3 readings of the language model found no query."]


def test_votes_stay_within_the_budget_of_a_question(compiler: Compiler) -> None:
    with serving(*[submits(LONG)] * 3) as server:
        outcome = ANTHROPIC.ask(compiler, server, votes=3, budget=Budget(tokens=12_000))
        assert len(server.requests) == 1
    assert outcome.notes == ["The language model could be asked 1 times instead of 3."]
