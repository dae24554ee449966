"""The model as a translator, with scripted models: what is asked, checked, mended, and when it ends."""

import json
import logging
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from qlc import Asker, Compiler
from qlc.base.errors import ConfigurationError
from qlc.cli.prompt import first_request
from qlc.models.budgets import CHARACTERS_PER_TOKEN, Budget, Price, Usage
from qlc.models.doubles import FunctionModel, ScriptedModel
from qlc.models.exchange import ModelFailed, ModelReply, ModelRequest, ToolUse
from qlc.translator.by_rules import ByRules
from qlc.translator.model import ModelTranslator
from qlc.translator.model.translator import MAX_TOKENS
from qlc.translator.protocol import Question, Refusal, Step, Translating, Turn
from qlc.translator.rules.translator import RuleTranslator
from tests.pairs import Case, check_beside, pairs, readable, report

from .conftest import NOW


def ask(compiler: Compiler, model: ScriptedModel | FunctionModel, text: str = "thick ones", **more: Any) -> Any:
    translator = ModelTranslator(model, **more)
    return Asker(compiler, (translator,)).ask(text, read_as="words", now=NOW)


def uses(name: str, given: Any, usage: Usage | None = None) -> ModelReply:
    return ModelReply((ToolUse(name, given, "id1"),), usage=usage or Usage())


def sent_back(request: ModelRequest) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(request.messages[-1]["content"][0]["content"])
    return found


def test_the_prompt_has_the_parameters_that_are_given(compiler: Compiler) -> None:
    model = ScriptedModel(["find books where genre = $favourite"])
    asker = Asker(compiler, (ModelTranslator(model),))
    assert asker.ask("what I like", read_as="words", now=NOW, params={"favourite": "Fantasy"}).ids == ["B1"]
    assert "<given>\n$favourite\n</given>" in str(model.requests[0].messages[0]["content"])


EARLIER = (
    Turn("thick ones", "find books where pages > 600", {"kind": "hits", "total": 1}, number=1),
    Turn("and shelves", 'find shelves where title = "Nowhere"', {"kind": "hits", "total": 0}, number=2),
    Turn("hm", "", {"kind": "declined"}, number=3),
)
SHOWN = ("kind", "ids", "value", "query", "reason", "intent", "what", "words", "message", "notes")


def replied(line: str) -> ModelReply | ModelFailed | str:
    """A program, or as JSON the use of a tool, an end without one, or a failure."""
    if not line.startswith("{"):
        return line
    said = json.loads(line.replace("<dashes>", "-" * 30_000))
    if "failed" in said:
        return ModelFailed(said["failed"], "HTTP 529")
    return ModelReply(**said) if "stop" in said else uses(*said.popitem())


def summary(outcome: Any) -> str:
    shown = {name: found for name in SHOWN if (found := getattr(outcome, name, None))}
    if outcome.kind == "clarify":
        shown["options"] = {one.id: one.label for one in outcome.options}
    return readable(shown)


@pairs(Path(__file__).parent / "exchanges", "exchange")
def test_exchanges_go_as_written_beside_them(compiler: Compiler, path: Path, snapshot: SnapshotAssertion) -> None:
    """Below the replies of a model: what was sent back to it after each of them, and the outcome."""

    def exchanged(case: Case) -> str:
        rules, model = RuleTranslator(), ScriptedModel([replied(line.strip()) for line in case.source.split("\n")])
        by_model = ModelTranslator(model) if case.world == "model" else ModelTranslator(model, rules=rules)
        asker = Asker(compiler, {"model": (by_model,), "rules": (rules, by_model), "alone": (rules,)}[case.world])
        text, more = case.options.get("asks", "thick ones"), {"now": NOW, "params": case.options.get("params", {})}
        read_as = "words" if case.world == "model" else "auto"
        history = EARLIER if "history" in case.options else ()
        outcome = asker.ask(text, read_as=read_as, history=history, **more)
        shown = []
        for request in model.requests[1:]:
            first, *rest = request.messages
            assert [first] == list(model.requests[0].messages)
            assert [one["role"] for one in rest] == ["assistant", "user"] * (len(rest) // 2)
            assert all(one["content"] for one in request.messages)
            sent = [block for block in rest[-2]["content"] if block["type"] == "tool_use"]
            assert all(isinstance(block["input"], dict) for block in sent)
            (told,) = rest[-1]["content"]
            shown.append(readable([block["input"] for block in sent]).replace("-" * 30_000, "<dashes>"))
            shown.append(f"sent back: {readable(json.loads(told.get('content') or told['text']))}")
        shown += [f"requests: {len(model.requests)}", summary(outcome)]
        if "choose" in case.options:
            chosen = {outcome.token: outcome.options[case.options["choose"]].id}
            shown.append(summary(asker.ask(text, choices=chosen, **more)))
        return "\n".join(shown)

    check_beside(path, report(path, exchanged), snapshot)


def test_exceptions_of_foreign_models_tell_no_secret(compiler: Compiler, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: ModelRequest) -> str:
        raise ValueError("key sk-12345 is wrong")

    outcome = ask(compiler, FunctionModel(broken))
    assert outcome.kind == "declined"
    assert "sk-12345" not in caplog.text + outcome.model_dump_json()


@pytest.mark.parametrize(
    "program",
    ['find books where secret_code = "gamma"', "find books where borrower > 5", "find books where lent and pagez = 1"],
)
def test_a_wrong_program_over_sensitive_fields_is_reported_as_to_anybody(compiler: Compiler, program: str) -> None:
    """The caller may see the fields; the model learns neither their values nor their correction."""
    model = ScriptedModel([program, "find books where long"])
    asker = Asker(compiler, (ModelTranslator(model),))
    assert asker.ask("secrets", read_as="words", now=NOW, context={"sensitive": True}).ids == ["B0"]
    told = sent_back(model.requests[1])["diagnostics"]
    assert told[0]["code"] == "not-permitted"
    assert not {"fixed"} & set(told[0])
    for secret in ("alpha", "beta", "borrower", "secret_code"):
        assert secret not in json.dumps(told).replace(json.dumps(told[0]["at"]), "")


@pytest.mark.parametrize(
    ("text", "asked"), [("books by coin, the ones that Ann likes", 0), ("books of likeable authors", 1)]
)
def test_no_model_is_asked_for_what_only_a_confidential_field_says(compiler: Compiler, text: str, asked: int) -> None:
    """It would not see the field, and might take another one for it."""
    model = ScriptedModel(["find books where long"])
    outcome = Asker(compiler, (ByRules(), ModelTranslator(model))).ask(text, now=NOW)
    assert len(model.requests) == asked
    assert ("'coin' is confidential" in outcome.message) is not bool(asked)


# --- budgets ---------------------------------------------------------------------------------------------------------


def test_tokens_are_counted_and_bounded(compiler: Compiler) -> None:
    spent = Usage(input=90_000, output=500)
    model = ScriptedModel([uses("submit_query", {"program": "find x"}, spent), "find books where long"])
    outcome = ask(compiler, model, budget=Budget(tokens=95_000))
    assert (outcome.kind, len(model.requests)) == ("declined", 1)
    assert "budget" in outcome.notes[0]


def test_call_that_could_cost_too_much_is_not_made(compiler: Compiler) -> None:
    prices = {"scripted": Price(3, 15)}
    model = ScriptedModel(["find books where long"])
    assert ask(compiler, model, budget=Budget(cost=0.01, prices=prices)).kind == "declined"
    assert model.requests == []
    assert ask(compiler, model, budget=Budget(cost=0.5, prices=prices)).ids == ["B0"]


def test_cost_of_a_model_without_a_price_cannot_be_kept() -> None:
    with pytest.raises(ConfigurationError, match="no price"):
        ModelTranslator(ScriptedModel([]), budget=Budget(cost=1.0))


@pytest.mark.parametrize("budget", [Budget(rounds=0), Budget(seconds=0), Budget(tokens=0), Budget(cost=0.0)])
def test_nothing_is_sent_where_nothing_may_be_spent(compiler: Compiler, budget: Budget) -> None:
    model = ScriptedModel(["find books where long"], name="claude-haiku-4")
    outcome = ask(compiler, model, budget=budget)
    assert (outcome.kind, model.requests) == ("declined", [])
    assert outcome.notes[0] == "The budget of this question for the language model is used up."


def once_and_a_half(compiler: Compiler) -> int:
    """Tokens for one call, and not for two."""
    return int(1.5 * first_request(compiler, "thick ones", now=NOW).characters / CHARACTERS_PER_TOKEN) + MAX_TOKENS


def test_a_model_that_tells_no_tokens_is_counted_all_the_same(compiler: Compiler) -> None:
    assert ModelRequest(("a" * 300,), (), (), 10).characters == 300
    assert ModelRequest(("\u65e5" * 100,), (), (), 10).characters == 300
    model = ScriptedModel(["find x", "find books where long"])
    translator = ModelTranslator(model, budget=Budget(tokens=once_and_a_half(compiler)))
    outcome = Asker(compiler, (translator,)).ask("thick ones", read_as="words", now=NOW)
    assert (outcome.kind, len(model.requests)) == ("declined", 1)
    assert "budget" in outcome.notes[0]


def test_price_counts_the_cache() -> None:
    assert math.isclose(Price(3, 15).of(Usage(1_000_000, 100_000, 1_000_000, 1_000_000)), 3 + 1.5 + 0.3 + 3.75)


def test_usage_of_all_questions_is_summed(compiler: Compiler) -> None:
    reply = uses("submit_query", {"program": "find books where long"}, Usage(100, 20, 3_000))
    translator = ModelTranslator(ScriptedModel([reply, reply]))
    for _ in range(2):
        Asker(compiler, (translator,)).ask("long ones", read_as="words", now=NOW)
    assert translator.spent == Usage(200, 40, 6_000)


def test_deadline_of_the_question_reaches_the_model(compiler: Compiler) -> None:
    import time

    deadlines: list[float] = []

    class Clock(FunctionModel):
        def reply(self, request: ModelRequest, deadline: float) -> ModelReply:
            deadlines.append(deadline - time.monotonic())
            return super().reply(request, deadline)

    model = Clock(lambda _: "find books where long")
    translator = ModelTranslator(model, budget=Budget(seconds=9))
    asker = Asker(compiler, (translator,))
    asker.ask("long ones", read_as="words", now=NOW)
    asker.ask("long ones", read_as="words", now=NOW, deadline=4)
    assert 8 < deadlines[0] <= 9
    assert 3 < deadlines[1] <= 4


# --- what is logged --------------------------------------------------------------------------------------------------


def test_logs_hold_no_words_of_users_or_of_the_index(compiler: Compiler, caplog: pytest.LogCaptureFixture) -> None:
    program = 'find books where title = "Moby Dick"'
    with caplog.at_level(logging.DEBUG, "qlc"):
        ask(compiler, ScriptedModel([program]), "Who wrote Moby Dick?")
        quiet = caplog.text
        ask(compiler, ScriptedModel([program]), "Who wrote Moby Dick?", logged="redacted")
    assert "round 1" in quiet
    assert "<question>" not in quiet
    assert '<question>\n"..."' in caplog.text
    assert 'title = "..."' in caplog.text
    assert "Moby" not in caplog.text


@pytest.mark.parametrize(
    "program",
    ['find books where titel = "Moby Dick"', 'find books where title = "Moby Dick', "find books of Moby"],
)
def test_logs_of_what_is_sent_back_hold_no_words_either(
    compiler: Compiler, caplog: pytest.LogCaptureFixture, program: str
) -> None:
    """Programs stand in JSON there, their quotes escaped."""
    again = ModelReply(text="It is Moby Dick.", stop="end_turn")
    with caplog.at_level(logging.DEBUG, "qlc"):
        ask(compiler, ScriptedModel([program, again, "find books where long"]), "Who's Moby?", logged="redacted")
    assert "wrong program: " in caplog.text
    assert "no usable answer" in caplog.text
    assert "Moby" not in caplog.text


def test_logs_of_long_conversations_hold_no_words_either(compiler: Compiler, caplog: pytest.LogCaptureFixture) -> None:
    names = ", ".join(f'"Moby {number}"' for number in range(500))
    history = [Turn("whales", f"find books where title in [{names}]"), Turn("Moby's", "count books")]
    translator = ModelTranslator(ScriptedModel(["count books"]), logged="redacted")
    with caplog.at_level(logging.DEBUG, "qlc"):
        Asker(compiler, (translator,)).ask("Moby?", read_as="words", now=NOW, history=history)
    assert '<question>\n"..."' in caplog.text
    assert "Moby" not in caplog.text


def test_what_only_seems_to_be_no_search_goes_on_to_the_model(compiler: Compiler) -> None:
    class Doubtful:
        def translate(self, question: Question, steps: list[Step]) -> Translating:
            return Refusal("other", "Nothing is known of this.", sure=False)
            yield

    model = ScriptedModel(["find books where long", ModelFailed("unreachable")])
    asker = Asker(compiler, (Doubtful(), ModelTranslator(model)))
    assert asker.ask("whales", read_as="words", now=NOW).ids == ["B0"]
    assert asker.ask("whales", read_as="words", now=NOW).kind == "refuse"
