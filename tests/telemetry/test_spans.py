"""Spans: which stages have one, within which, and that nothing that a user wrote is in them."""

import json
import threading

import pytest
from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
from opentelemetry.trace import StatusCode

import qlc
from qlc.models.budgets import Budget, Usage
from qlc.models.exchange import Call, ModelFailed, ModelReply, ModelRequest
from qlc.telemetry import names
from tests import data_sets
from tests.answers.model.conftest import Scripted, plans, routes
from tests.pipeline.wire import Wire
from tests.telemetry.conftest import NOW, PROGRAM, WORDS, Heard

REQUEST = ModelRequest(("be brief",), ({"role": "user", "content": "secret words"},), (), 100)


class Model:
    """Says the same each time; `provider` is none of its attributes."""

    name = "claude-haiku-4-5"

    def __init__(self, reply: ModelReply | ModelFailed) -> None:
        self._reply = reply

    def reply(self, request: ModelRequest, deadline: float) -> ModelReply:
        if isinstance(self._reply, ModelFailed):
            raise self._reply
        return self._reply

    async def reply_async(self, request: ModelRequest, deadline: float) -> ModelReply:
        return self.reply(request, deadline)


def test_a_question_in_words_has_spans_for_its_stages(heard: Heard) -> None:
    compiler = data_sets.drive()
    compiler.forget()
    outcome = qlc.Asker(compiler).ask(WORDS, now=NOW)
    (asked,) = heard.named(names.ASK)
    attributes = dict(asked.attributes or {})
    assert attributes == {names.KIND: outcome.kind, names.ROUTE: "words", names.TRANSLATOR: "rules"}
    assert {heard.parent(one) for one in heard.named(names.TRANSLATE)} == {names.ASK}
    assert {heard.parent(one) for one in heard.named(names.SEARCH)} <= {names.TRANSLATE, names.RUN}
    searches = heard.named("search") + heard.named("msearch")
    assert {heard.parent(one) for one in searches} == {names.SEARCH}
    assert all((one.attributes or {})["db.operation"] == one.name for one in searches)
    assert {one.context.trace_id for one in searches} == {asked.context.trace_id}


def test_compiling_has_a_span_only_when_it_is_done(heard: Heard) -> None:
    compiler = data_sets.drive()
    program = "count documents where size > 12345 B"
    for _ in range(2):
        compiler.run(program, now=NOW)
    assert len(heard.named(names.RUN)) == 2
    assert len(heard.named(names.COMPILE)) == 1


async def test_the_asynchronous_api_has_the_same_spans(heard: Heard, store: tuple[Wire, qlc.Compiler]) -> None:
    wire, catalog = store[0], store[1].catalog
    async with wire.async_client() as client:
        outcome = await qlc.Asker(qlc.Compiler(client, catalog)).ask_async(WORDS, now=NOW)
        talk = qlc.AsyncConversation(qlc.Asker(qlc.Compiler(client, catalog)), now=NOW)
        reply = await talk.turn(WORDS)
    assert outcome.kind == reply.outcome.kind == "count"
    asked, turned = heard.named(names.ASK), heard.named(names.TURN)
    assert [heard.parent(one) for one in asked + turned] == ["", ""]
    assert {heard.parent(one) for one in heard.named(names.TRANSLATE)} == {names.ASK, names.TURN}
    assert {heard.parent(one) for one in heard.named("search")} == {names.SEARCH}
    assert {one.context.trace_id for one in heard.named("search")} == {one.context.trace_id for one in asked + turned}


def test_a_call_of_a_model_is_named_by_the_conventions(heard: Heard) -> None:
    used = Usage(input=10, output=20, read=30, written=5)
    price = Budget().price(Model.name)
    Call(Model(ModelReply(stop="tool_use", usage=used)), REQUEST, 1e9, price).send()
    (span,) = heard.spans
    assert (span.name, span.kind.name) == (f"chat {Model.name}", "CLIENT")
    assert dict(span.attributes or {}) == {
        "gen_ai.operation.name": "chat", "gen_ai.provider.name": "unknown", "gen_ai.request.model": Model.name,
        "gen_ai.request.max_tokens": 100, "gen_ai.response.finish_reasons": ("tool_use",),
        "gen_ai.usage.input_tokens": 45, "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 30, "gen_ai.usage.cache_write.input_tokens": 5,
        "qlc.model.cost": price.of(used),
    }  # fmt: skip


async def test_a_call_that_fails_says_why(heard: Heard) -> None:
    failed = Model(ModelFailed("rate-limited", "secret words"))
    reply = await Call(failed, REQUEST, 1e9).send_async()
    assert isinstance(reply, ModelFailed)
    (span,) = heard.spans
    assert (span.attributes or {})["error.type"] == "rate-limited"
    assert heard.points(names.MODEL_DURATION)[0][0]["error.type"] == "rate-limited"


def test_an_answer_from_documents_has_its_stages(heard: Heard, library: qlc.Corpus, scripted: Scripted) -> None:
    reader, _ = scripted(routes("contract"), plans("contract"))
    outcome = library.ask("Which sort of rooms may staff take, and what are they paid?", reader=reader)
    (asked,) = heard.named(names.ASK)
    assert (asked.attributes or {})[names.ROUTE] == "model"
    assert (asked.attributes or {})[names.KIND] == outcome.kind
    assert heard.parent(heard.named(names.LINK)[0]) == names.ASK
    assert heard.parent(heard.named(names.MODEL_ANSWER)[0]) == names.COMPOSE
    assert heard.named(names.VERIFY)
    calls = heard.named("chat claude-haiku-4-5")
    assert calls
    assert {(one.attributes or {})["gen_ai.provider.name"] for one in calls} == {"anthropic"}
    (retrieval, *_) = [one for one in heard.spans if one.name.startswith("retrieval ")]
    assert (retrieval.attributes or {})["gen_ai.data_source.id"] == library.index


def test_an_error_that_is_raised_marks_the_span_and_keeps_its_text_out(heard: Heard) -> None:
    with pytest.raises(qlc.UsageError):
        data_sets.drive().run(PROGRAM, context="secret words")  # type: ignore[arg-type]
    with pytest.raises(qlc.UsageError):
        qlc.Asker(data_sets.drive()).ask(PROGRAM, read_as="secret words")  # type: ignore[arg-type]
    raised = [one for one in heard.spans if one.status.status_code is StatusCode.ERROR]
    assert raised
    assert {(one.attributes or {})["error.type"] for one in raised} == {"UsageError"}
    assert "secret words" not in "".join(one.to_json() for one in heard.spans)


def test_no_value_and_no_word_of_a_user_is_in_a_span(heard: Heard) -> None:
    compiler = data_sets.drive()
    compiler.run(PROGRAM, now=NOW)
    qlc.Asker(compiler).ask(WORDS, now=NOW)
    qlc.Asker(compiler).ask("how many zorkmids does Gandalf have", now=NOW)
    told = json.dumps([json.loads(one.to_json())["attributes"] for one in heard.spans])
    for word in ("W2", "Tax", "zorkmid", "Gandalf"):
        assert word not in told


def test_threads_do_not_mix_their_traces(heard: Heard) -> None:
    compiler = data_sets.drive()
    threads = [threading.Thread(target=compiler.run, args=(PROGRAM,)) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    runs = heard.named(names.RUN)
    assert len({one.context.trace_id for one in runs}) == len(runs) == 8


def test_the_names_are_those_of_the_conventions() -> None:
    """The package still has the names of before they moved to a repository of their own; what is newer is listed."""
    known = {value for name, value in vars(gen_ai_attributes).items() if name.startswith("GEN_AI_")}
    newer = {"gen_ai.usage.cache_write.input_tokens", "gen_ai.evaluation.result"}
    written = {value for name, value in vars(names).items() if isinstance(value, str) and value.startswith("gen_ai.")}
    attributes = {one for one in written if not one.startswith("gen_ai.client.")}
    assert attributes - known == newer
