"""The model as a translator, with scripted models: what is asked, checked, mended, and when it ends."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Mapping
from typing import Any

import pytest

from qlc import Asker, Compiler
from qlc.base.errors import ConfigurationError
from qlc.cli.prompt import first_request
from qlc.models.budgets import CHARACTERS_PER_TOKEN, Budget, Price, Usage
from qlc.models.doubles import FunctionModel, ScriptedModel
from qlc.models.exchange import ModelFailed, ModelReply, ModelRequest, ToolUse
from qlc.translator.entry import ByRules
from qlc.translator.model import ModelTranslator
from qlc.translator.model.translator import MAX_TOKENS
from qlc.translator.protocol import Question, Refusal, Step, Translating, Turn
from qlc.translator.rules.translator import RuleTranslator
from tests.tables import rows

from .conftest import NOW


def ask(compiler: Compiler, model: ScriptedModel | FunctionModel, text: str = "thick ones", **more: Any) -> Any:
    translator = ModelTranslator(model, **more)
    return Asker(compiler, (translator,)).ask(text, read_as="words", now=NOW)


def uses(name: str, given: Any, usage: Usage | None = None) -> ModelReply:
    return ModelReply((ToolUse(name, given, "id1"),), usage=usage or Usage())


def sent_back(request: ModelRequest) -> Mapping[str, Any]:
    found: Mapping[str, Any] = json.loads(request.messages[-1]["content"][0]["content"])
    return found


def test_program_is_run_and_reported_canonically(compiler: Compiler) -> None:
    model = ScriptedModel(["find volumes where page_count > 600"])
    outcome = ask(compiler, model)
    assert (outcome.kind, outcome.ids, outcome.query) == ("hits", ["B0"], "find books where pages > 600")
    assert len(model.requests) == 1


def test_wrong_program_comes_back_with_its_diagnostics_as_data(compiler: Compiler) -> None:
    model = ScriptedModel(["find books where pagez > 600", "find books where pages > 600"])
    assert ask(compiler, model).ids == ["B0"]
    told = sent_back(model.requests[1])
    assert told["accepted"] is False
    (one,) = told["diagnostics"]
    assert (one["code"], one["span"], one["at"]) == ("unknown-field", [17, 22], "pagez")
    assert one["nearest"][0] == "pages"
    assert one["fixed"] == "find books where pages > 600"
    assert model.requests[1].messages[1]["content"] == [
        {"type": "tool_use", "id": "tool", "name": "submit_query", "input": {"program": "find books where pagez > 600"}}
    ]
    assert model.requests[1].messages[:1] == model.requests[0].messages


def test_three_wrong_rounds_are_the_end(compiler: Compiler) -> None:
    model = ScriptedModel(["find books where a = 1", "SELECT 1", "find nothing", "find books where long"])
    outcome = ask(compiler, model)
    assert (outcome.kind, len(model.requests)) == ("declined", 3)
    assert "no correct query" in outcome.notes[0]


@pytest.mark.parametrize("program", ["find books where pages > 9000", 'find books where shelf = "Cellar"'])
def test_what_finds_nothing_is_not_fixed(compiler: Compiler, program: str) -> None:
    model = ScriptedModel([program, "find books where long"])
    outcome = ask(compiler, model)
    assert outcome.kind in ("hits", "not_found")
    assert len(model.requests) == 1


def test_question_back_offers_programs(compiler: Compiler) -> None:
    options = [
        {"program": "find books where long", "label": "Books of\nmany pages"},
        {"program": "find books where price > 5", "label": "Expensive ones"},
    ]
    asker = Asker(
        compiler, (ModelTranslator(ScriptedModel([uses("ask_user", {"question": "?", "options": options})])),)
    )
    asked = asker.ask("big books", read_as="words", now=NOW)
    assert asked.kind == "clarify"
    assert [(one.id, one.label) for one in asked.options] == [
        ("find books where long", "Books of many pages"),
        ("find books where price > 5", "Expensive ones"),
    ]
    again = asker.ask("big books", choices={asked.token: asked.options[0].id}, now=NOW)
    assert again.ids == ["B0"]


def test_question_back_with_a_wrong_program_is_fixed(compiler: Compiler) -> None:
    good = {"program": "find books where long", "label": "Long"}
    wrong = {"program": "find books where tall", "label": "Tall"}
    model = ScriptedModel([uses("ask_user", {"question": "?", "options": [good, wrong]}), "find books where long"])
    assert ask(compiler, model).ids == ["B0"]
    assert sent_back(model.requests[1])["diagnostics"][0]["code"] == "unknown-field"


def test_readings_that_are_one_are_no_question(compiler: Compiler) -> None:
    options = [
        {"program": "find books where long", "label": "a"},
        {"program": "find volumes where long", "label": "b"},
    ]
    assert ask(compiler, ScriptedModel([uses("ask_user", {"question": "?", "options": options})])).ids == ["B0"]


@pytest.mark.parametrize(("given", "kind", "more"), rows(__file__, "test_declining"))
def test_declining(compiler: Compiler, given: Any, kind: str, more: Any) -> None:
    outcome = ask(compiler, ScriptedModel([uses("decline", given)]))
    assert outcome.kind == kind
    assert {name: getattr(outcome, name) for name in more} == more


@pytest.mark.parametrize(
    "reply",
    [
        ModelReply(text="It is Moby Dick.", stop="end_turn"),
        ModelReply(stop="max_tokens"),
        uses("submit_query", {"program": 7}),
        uses("submit_query", "find books"),
        uses("submit_query", None),
        uses("submit_query", {"program": "find books where long " + "-" * 30_000}),
        uses("run_shell", {"command": "ls"}),
        uses("decline", {"reason": ["action"]}),
        uses("decline", {"reason": "action", "intent": "obey"}),
        uses("find_fields", {"words": "of a small catalog, which has all fields described"}),
        uses("ask_user", {"question": "?", "options": [{"program": "find books where long", "label": "one"}]}),
        uses("ask_user", {"question": 1, "options": "none"}),
        uses("ask_user", {"question": "?", "options": [1, 2]}),
    ],
)
def test_unusable_answers_are_reported_and_asked_again(compiler: Compiler, reply: ModelReply) -> None:
    model = ScriptedModel([reply, "find books where long"])
    assert ask(compiler, model).ids == ["B0"]
    roles = [message["role"] for message in model.requests[1].messages]
    assert roles == ["user", "assistant", "user"]
    assert all(message["content"] for message in model.requests[1].messages)
    sent = [block for block in model.requests[1].messages[1]["content"] if block["type"] == "tool_use"]
    assert all(isinstance(block["input"], dict) for block in sent)
    assert '"accepted": false' in str(model.requests[1].messages[-1]["content"])


def test_refusal_of_the_model_is_the_end(compiler: Compiler) -> None:
    model = ScriptedModel([ModelReply(stop="refusal"), "find books where long"])
    outcome = ask(compiler, model)
    assert (outcome.kind, len(model.requests)) == ("declined", 1)


def test_failure_of_the_model_is_reported_beside_the_words_of_the_rules(compiler: Compiler) -> None:
    rules = RuleTranslator()
    model = ScriptedModel([ModelFailed("overloaded", "HTTP 529")])
    asker = Asker(compiler, (rules, ModelTranslator(model, rules=rules)))
    outcome = asker.ask("books in the frob", now=NOW)
    assert outcome.kind == "declined"
    assert outcome.words
    assert outcome.notes[0] == "The language model could not be asked (overloaded)."


def test_exceptions_of_foreign_models_tell_no_secret(compiler: Compiler, caplog: pytest.LogCaptureFixture) -> None:
    def broken(_: ModelRequest) -> str:
        raise ValueError("key sk-12345 is wrong")

    outcome = ask(compiler, FunctionModel(broken))
    assert outcome.kind == "declined"
    assert "sk-12345" not in caplog.text + outcome.model_dump_json()


def test_no_model_is_called_where_the_rules_are_sure(compiler: Compiler) -> None:
    rules, model = RuleTranslator(), ScriptedModel([])
    outcome = Asker(compiler, (rules, ModelTranslator(model, rules=rules))).ask("how many German books?", now=NOW)
    assert (outcome.kind, outcome.value, model.requests) == ("count", 1, [])


def test_what_the_rules_know_nothing_of_the_model_may_know(compiler: Compiler) -> None:
    rules = RuleTranslator()
    text = "books frobnicated sideways"
    assert Asker(compiler, (rules,)).ask(text, now=NOW).kind == "unsupported"
    model = ScriptedModel(["find books where long", ModelFailed("unreachable")])
    asker = Asker(compiler, (rules, ModelTranslator(model, rules=rules)))
    assert asker.ask(text, now=NOW).ids == ["B0"]
    assert asker.ask(text, now=NOW).kind == "unsupported"


def test_the_model_says_what_is_not_held_where_the_rules_cannot_say(compiler: Compiler) -> None:
    rules = RuleTranslator()
    model = ScriptedModel([uses("decline", {"reason": "not_held", "what": "how often they were printed"})])
    asker = Asker(compiler, (rules, ModelTranslator(model, rules=rules)))
    text = "books in the frob"
    assert Asker(compiler, (rules,)).ask(text, now=NOW).kind == "declined"
    outcome = asker.ask(text, now=NOW)
    assert (outcome.kind, outcome.what) == ("unsupported", "how often they were printed")


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        (ModelFailed("overloaded"), "The language model could not be asked (overloaded)."),
        (ModelReply(stop="refusal"), "The language model would not answer this."),
    ],
)
def test_what_became_of_the_model_is_reported_with_the_verdict_of_the_rules(
    compiler: Compiler, reply: ModelReply | ModelFailed, note: str
) -> None:
    rules = RuleTranslator()
    asker = Asker(compiler, (rules, ModelTranslator(ScriptedModel([reply]), rules=rules)))
    outcome = asker.ask("books frobnicated sideways", now=NOW)
    assert (outcome.kind, outcome.notes) == ("unsupported", [note])


@pytest.mark.parametrize(
    "program",
    ['find books where secret_code = "gamma"', "find books where borrower > 5", "find books where lent and pagez = 1"],
)
def test_a_wrong_program_over_sensitive_fields_is_reported_as_to_anybody(compiler: Compiler, program: str) -> None:
    """Who asks may see them; the model learns neither their values nor what rests on them."""
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


@pytest.mark.parametrize("program", ["find books where chosen", "find books where genre = $favourite"])
def test_parameters_without_a_value_come_back(compiler: Compiler, program: str) -> None:
    model = ScriptedModel([program, 'find books where genre = "$favourite" or long', program])
    asker = Asker(compiler, (ModelTranslator(model),))
    assert asker.ask("what I like", read_as="words", now=NOW).ids == ["B0"]
    assert sent_back(model.requests[1])["diagnostics"][0]["code"] == "missing-parameter"
    given = asker.ask("what I like", read_as="words", now=NOW, params={"favourite": "Fantasy"})
    assert given.ids == ["B1"]
    assert "<given>\n$favourite\n</given>" in str(model.requests[2].messages[0]["content"])


EARLIER = (
    Turn("thick ones", "find books where pages > 600", {"kind": "hits", "total": 1}, number=1),
    Turn("and shelves", 'find shelves where title = "Nowhere"', {"kind": "hits", "total": 0}, number=2),
    Turn("hm", "", {"kind": "declined"}, number=3),
)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"about": "query"}, "shelves where title is 'Nowhere'"),
        ({"about": "filters", "turn": 1}, "pages is more than 600"),
        ({"about": "nothing", "turn": 2}, "Nowhere"),
    ],
)
def test_earlier_queries_are_explained_without_words_of_the_model(
    compiler: Compiler, given: dict[str, Any], told: str
) -> None:
    model = ScriptedModel([uses("explain_query", given)])
    asker = Asker(compiler, (ModelTranslator(model),))
    outcome = asker.ask("what was that about?", read_as="words", now=NOW, history=EARLIER)
    assert outcome.kind == "explain"
    assert told in " ".join((outcome.message, *outcome.notes))


@pytest.mark.parametrize("given", [{"about": "weather"}, {"about": "query", "turn": 3}, {}])
def test_what_cannot_be_explained_comes_back(compiler: Compiler, given: dict[str, Any]) -> None:
    model = ScriptedModel([uses("explain_query", given), "count books"])
    asker = Asker(compiler, (ModelTranslator(model),))
    assert asker.ask("what was that?", read_as="words", now=NOW, history=EARLIER).kind == "count"
    assert sent_back(model.requests[1])["accepted"] is False
