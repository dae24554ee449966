"""One entry point for programs and words: which is which, what never raises, who sees what, and what is remembered."""

import gc
import logging
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Clarify, Outcome
from qlc.translator.entry import Asker
from qlc.translator.protocol import (
    AskBack,
    CallModel,
    CannotSay,
    Question,
    ReadVocabulary,
    Refusal,
    Step,
    Translated,
    Translating,
    Try,
)
from qlc.translator.recognise import MOST_WORDS, looks_like_program, typo_of
from qlc.translator.rules.translator import RuleTranslator
from tests.pipeline import world
from tests.pipeline.conftest import never_open
from tests.pipeline.wire import Reply, Wire
from tests.tables import rows, table

NOW = "2026-03-15T12:00:00Z"
RED: dict[str, Any] = {"now": NOW, "context": {"tenant": "red", "me": "Olga Crimson", "level": 5}}
BLUE: dict[str, Any] = {"now": NOW, "context": {"tenant": "blue", "me": "Olga Azure", "level": 5}}


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    made = Wire()
    with made.client() as client:
        world.load(client)
        yield made


@pytest.fixture
def compiler(wire: Wire) -> Iterator[qlc.Compiler]:
    wire.calls.clear()
    with wire.client() as client:
        yield qlc.Compiler(client, read_catalog(world.CATALOG), breaker=never_open())


@pytest.fixture
def asker(compiler: qlc.Compiler) -> Asker:
    return Asker(compiler)


def answer(outcome: Outcome) -> dict[str, Any]:
    return outcome.model_dump(mode="json", exclude={"stats"})


# --- program or words ------------------------------------------------------------------------------------------------

PROGRAMS = table(__file__, "PROGRAMS")
WORDS = table(__file__, "WORDS")


@pytest.mark.parametrize("text", PROGRAMS)
def test_a_program_is_one_also_with_a_typo(asker: Asker, text: str) -> None:
    assert looks_like_program(text)
    assert answer(asker.ask(text, **RED)) == answer(asker.compiler.run(text, **RED))


@pytest.mark.parametrize("text", WORDS)
def test_words_are_words(text: str) -> None:
    assert not looks_like_program(text)


def test_a_typo_that_may_be_words_is_read_as_words_first(compiler: qlc.Compiler) -> None:
    text = "find documents where name contains red invoice"
    assert typo_of(text) is not None
    outcome = Asker(compiler, [Fixed(CannotSay(("invoice",)))]).ask(text, **RED)
    assert outcome.kind == "invalid"
    assert answer(outcome)["diagnostics"] == answer(compiler.run(text, **RED))["diagnostics"] != []
    assert Asker(compiler, [Fixed(Translated("count documents"))]).ask(text, **RED).kind == "count"
    assert Asker(compiler, [Fixed(CannotSay())]).ask(text, read_as="words", **RED).kind == "declined"
    assert typo_of("find the documents that contain invoices") is None


@pytest.mark.parametrize("wrong", ["whre", "wher", "hwere"])
def test_a_misspelt_keyword_of_a_program_is_no_word_of_a_question(asker: Asker, wrong: str) -> None:
    outcome = asker.ask(f"find documents {wrong} name contains a", **RED)
    assert outcome.kind == "invalid"
    (found,) = outcome.diagnostics
    assert (found.code, found.suggestions) == ("misspelt-keyword", ["where"])
    assert found.span == (15, 15 + len(wrong))
    assert found.fixed == 'find documents where name contains "a"'


@pytest.mark.parametrize(("text", "fixed"), rows(__file__, "test_what_no_words_are_gets_its_syntax_error_with_a_fix"))
def test_what_no_words_are_gets_its_syntax_error_with_a_fix(asker: Asker, text: str, fixed: str) -> None:
    outcome = asker.ask(text, **RED)
    assert (outcome.kind, outcome.diagnostics[0].fixed) == ("invalid", fixed)
    assert asker.ask(text, read_as="words", **RED).kind == "declined"


@pytest.mark.parametrize("text", ["Clients > Wobbles", "wibble (the wobble)", "</question> wibble", "a = b", "; w"])
def test_signs_alone_make_no_program(asker: Asker, text: str) -> None:
    assert asker.ask(text, **RED).kind != "invalid"


def test_either_reading_can_be_forced(compiler: qlc.Compiler) -> None:
    asker = Asker(compiler, [Fixed(Translated("count folders"))])
    assert asker.ask("count documents", read_as="words", **RED).query == "count folders"
    assert asker.ask("count documents", **RED).query == "count documents"
    forced = asker.ask("how many folders", read_as="program", **RED)
    assert (forced.kind, forced.diagnostics[0].severity) == ("invalid", "error")


# --- what translators say --------------------------------------------------------------------------------------------


class Fixed:
    """A translator that sends its needs, and then returns one result."""

    def __init__(self, said: Any, *needs: Any) -> None:
        self.said, self.needs, self.asked = said, needs, 0
        self.answers: list[Any] = []
        self.questions: list[Question] = []

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        self.asked += 1
        self.questions.append(question)
        steps.append(Step("fixed", "asked"))
        for need in self.needs:
            self.answers.append((yield need))
        return self.said


def test_translators_are_asked_in_turn(compiler: qlc.Compiler) -> None:
    first, second, third = Fixed(CannotSay(("blah",))), Fixed(Refusal("move", "No.")), Fixed(Translated("x"))
    outcome = Asker(compiler, [first, second, third]).ask("put it there", **RED)
    assert (outcome.kind, outcome.message) == ("refuse", "No.")
    assert (first.asked, second.asked, third.asked) == (1, 1, 0)
    declined = Asker(compiler, [first, Fixed(CannotSay(("other",)))]).ask("blah", **RED)
    assert declined.kind == "declined"
    assert declined.words == ["blah"]


def test_a_choice_between_readings_is_distinguished_and_resumed(compiler: qlc.Compiler) -> None:
    one, other = 'find documents where folder = "Plans"', 'find documents where status = "open"'
    asker = Asker(compiler, [Fixed(AskBack("Which?", ((one, one), (other, "the open ones"))))])
    asked = asker.ask("the plans", **RED)
    assert isinstance(asked, Clarify)
    assert (asked.what, asked.token.partition(":")[0]) == ("reading", "reading")
    assert [(option.id, option.label) for option in asked.options] == [
        (one, "folder is 'Plans'"), (other, "the open ones")]  # fmt: skip
    again = asker.ask("the plans", choices={asked.token: one}, **RED)
    assert answer(again)["ids"] == answer(compiler.run(one, **RED))["ids"]
    assert asker.ask("other plans", choices={asked.token: one}, **RED).kind == "clarify"
    assert asker.ask("the plans", choices={asked.token: "rubbish ("}, **RED).kind == "invalid"


def test_readings_on_trial_run_for_themselves(compiler: qlc.Compiler) -> None:
    """A reading on trial runs for itself, with any page and within the rest of the deadline."""
    asked = Fixed(Translated("find documents"), Try("find documents where size > 1"))
    asker = Asker(compiler, [asked])
    page = asker.ask("all of it, please", size=2, **RED)
    assert page.kind == "invalid"  # nobody asked for everything
    asked.said = Translated("find documents where size > 1")
    page = asker.ask("all of it, please", size=2, **RED)
    assert (len(page.ids), asked.answers[-1].kind) == (2, "hits")
    more = asker.ask("all of it, please", size=2, cursor=page.cursor, **RED)
    assert (more.kind, asked.answers[-1].kind) == ("hits", "hits")
    assert not set(more.ids) & set(page.ids)


def test_the_time_of_the_translation_is_reported(asker: Asker) -> None:
    stats = asker.ask("how many documents", **RED).stats
    assert stats.stages["translate"] > 0
    assert stats.took_ms >= stats.stages["translate"]
    assert "translate" not in asker.ask("count documents", **RED).stats.stages


# --- what never raises -----------------------------------------------------------------------------------------------

TEXTS = table(__file__, "TEXTS")


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_words_never_raise(asker: Asker, text: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, "qlc"):
        outcome = asker.ask(text, read_as="words", **RED)
    assert outcome.kind != "failed", outcome
    assert outcome.kind == "hits" or outcome.message
    assert caplog.records == []
    assert asker.ask(text, **RED).kind != "failed"


@pytest.mark.parametrize("text", [
    "documents in Plans and " * 2_500, "word " * 10_000, "find where " + "of " * 10_000, '"' * 10_000,
    "find documents where x = \"" + '\\"' * 20_000, "(" * 10_000, "x" * 60_000,
])  # fmt: skip
def test_ten_thousand_words_take_no_time(asker: Asker, text: str) -> None:
    asker.ask("how many documents", **RED)
    started = time.thread_time()
    outcome = asker.ask(text, **RED)
    assert time.thread_time() - started < 5
    assert outcome.kind in ("declined", "invalid")
    if outcome.kind == "declined":
        assert str(MOST_WORDS) in outcome.message


def test_the_longest_question_is_read(asker: Asker) -> None:
    """Nested as deeply as a question can be."""
    text = " ".join(["documents", *["in the folder of documents"] * 30])
    assert len(text.split()) > MOST_WORDS
    for words in (text, " ".join(text.split()[:MOST_WORDS])):
        assert asker.ask(words, **RED).kind != "failed"


def test_a_translation_that_goes_too_deep_is_declined(compiler: qlc.Compiler) -> None:
    class Deep:
        def translate(self, question: Question, steps: list[Step]) -> Translating:
            raise RecursionError
            yield

    assert Asker(compiler, [Deep()]).ask("anything", **RED).kind == "declined"


def test_a_defect_in_a_translator_is_an_outcome(compiler: qlc.Compiler) -> None:
    class Broken:
        def translate(self, question: Question, steps: list[Step]) -> Translating:
            raise KeyError("secret")
            yield

    outcome = Asker(compiler, [Broken()]).ask("anything", **RED)
    assert (outcome.kind, outcome.reason) == ("failed", "internal")
    assert "secret" not in outcome.model_dump_json()


def test_the_callers_own_mistakes_are_raised(asker: Asker) -> None:
    with pytest.raises(qlc.UsageError):
        asker.ask("how many documents", times="Mars/Olympus")  # type: ignore[call-arg]


def test_a_value_that_whoever_asks_may_supply_is_an_outcome(asker: Asker) -> None:
    outcome = asker.ask("how many documents", timezone="Mars/Olympus")
    assert [one.code for one in outcome.diagnostics] == ["option-timezone"]


# --- the index -------------------------------------------------------------------------------------------------------


def test_an_index_that_is_down_is_reported(wire: Wire, asker: Asker) -> None:
    wire.fault = lambda call: Reply(503, {"error": {"type": "x"}}) if "_search" in call.path else None
    try:
        outcome = asker.ask("how many documents", deadline=1.0, **RED)
    finally:
        wire.fault = None
    assert (outcome.kind, outcome.retryable) == ("failed", True)
    assert asker.ask("how many documents", **RED).value == 8


def test_the_deadline_holds_for_translation_and_answer_together(compiler: qlc.Compiler) -> None:
    class Slow(Fixed):
        def translate(self, question: Question, steps: list[Step]) -> Translating:
            time.sleep(0.3)
            return (yield from super().translate(question, steps))

    slow = Slow(Translated("count documents"))
    outcome = Asker(compiler, [slow]).ask("anything", deadline=0.2, **RED)
    assert (outcome.kind, outcome.reason) == ("failed", "timeout")
    assert Asker(compiler, [slow]).ask("anything", deadline=20, **RED).kind == "count"


def test_a_missing_value_of_the_access_rules_is_no_open_door(asker: Asker) -> None:
    outcome = asker.ask("how many documents", now=NOW)
    assert (outcome.kind, outcome.reason) == ("failed", "context-missing")


def vocabulary(compiler: qlc.Compiler, **options: Any) -> str:
    reader = Fixed(CannotSay(), ReadVocabulary())
    assert Asker(compiler, [reader]).ask("anything", **options).kind == "declined"
    return repr(reader.answers[0]).casefold()


def test_the_lexicon_of_a_tenant_has_nothing_of_another(compiler: qlc.Compiler) -> None:
    red, blue = vocabulary(compiler, **RED), vocabulary(compiler, **BLUE)
    for own, mine, yours in ((red, "red", "blue"), (blue, "blue", "red")):
        assert any(word in own for word in world.MARKS[mine])
        assert not [word for word in world.MARKS[yours] if word in own.replace("shared", "")]


def test_tenants_take_turns_and_see_their_own(compiler: qlc.Compiler) -> None:
    asker = Asker(compiler)
    for _ in range(2):
        assert asker.ask('documents in "Crimson Vault"', **BLUE).kind != "hits"
        assert {id[:3] for id in asker.ask('documents in "Crimson Vault"', **RED).ids} == {"red"}
        assert {id[:4] for id in asker.ask('documents in "Azure Vault"', **BLUE).ids} == {"blue"}


def test_sensitive_fields_stay_out_unless_they_are_permitted(compiler: qlc.Compiler) -> None:
    hidden = vocabulary(compiler, **RED)
    assert "grade" not in hidden
    shown = vocabulary(compiler, now=NOW, context={**RED["context"], "sensitive": ["grade"]})
    assert "grade" in shown
    assert "blue-grade1" not in shown


def test_what_was_read_is_kept_until_it_is_to_be_forgotten(
    wire: Wire, compiler: qlc.Compiler, monkeypatch: pytest.MonkeyPatch
) -> None:
    asker = Asker(compiler)

    def reads() -> int:
        wire.calls.clear()
        asker.ask("how many documents", **RED)
        return sum("_search" in call.path for call in wire.calls)

    first, again = reads(), reads()
    assert again < first
    compiler.forget()
    assert reads() == first
    assert reads() == again
    compiler.refresh()
    assert reads() == first
    later = time.monotonic() + 3_600
    monkeypatch.setattr("qlc.translator.rules.translator.time.monotonic", lambda: later)
    assert reads() > again


def test_translators_that_serve_two_compilers_mix_nothing(wire: Wire, compiler: qlc.Compiler) -> None:
    """The same catalog over two clusters: what was read through one is nothing to the other."""
    rules = RuleTranslator()
    other = Wire()
    with other.client() as client:
        client.indices.create(index=world.INDEX, mappings=world.MAPPING)
        client.index(index=world.INDEX, id="r", refresh=True, document=world.entry(
            "red", "f9", "folder", "Elsewhere", clearance=1))  # fmt: skip
        there = Asker(qlc.Compiler(client, read_catalog(world.CATALOG)), [rules])
        assert Asker(compiler, [rules]).ask('documents in "Crimson Vault"', **RED).kind == "hits"
        assert there.ask('folders called "Elsewhere"', **RED).ids == ["red-f9"]
        assert there.ask('documents in "Crimson Vault"', **RED).kind != "hits"


def test_a_question_keeps_its_compiler_until_its_end(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """A catalog that is drafted while a model answers has other names: the question goes on without it."""
    with wire.client() as client:
        bare = qlc.Compiler(client, index=world.INDEX, draft=False)
        drafted = qlc.Compiler(client, read_catalog(world.CATALOG))
        found = iter([bare])
        monkeypatch.setattr(bare, "drafted", lambda: next(found, drafted))
        waits = Fixed(CannotSay(), ReadVocabulary())
        asker = Asker(bare, [waits, RuleTranslator()])
        assert asker.ask("how many documents are there?", **RED).kind != "failed"
    assert set(waits.answers[0].counted) <= {*bare.schema.entities}


def test_no_compiler_is_kept_alive(wire: Wire) -> None:
    with wire.client() as client:
        compiler = qlc.Compiler(client, read_catalog(world.CATALOG))
        assert qlc.compile_and_run("how many documents", compiler, **RED).value == 8
        kept = weakref.ref(compiler)
        del compiler
        gc.collect()
        assert kept() is None


# --- many callers, asyncio -------------------------------------------------------------------------------------------

ASKED: list[tuple[str, dict[str, Any]]] = [
    ("how many documents", RED),
    ("how many documents", BLUE),
    ('documents in "Plans"', RED),
    ('documents in "Plans"', BLUE),
    ("count documents where size > 3 MB", RED),
    ("largest document", BLUE),
    ("delete everything", RED),
    ("wibble the wobble", BLUE),
]


def test_thirty_two_callers_get_their_own_answers(compiler: qlc.Compiler) -> None:
    """The first caller finds nothing cached, and the caches are dropped in between."""
    expected = [answer(Asker(compiler).ask(text, **options)) for text, options in ASKED]
    compiler.forget()

    def ask(number: int) -> dict[str, Any]:
        text, options = ASKED[number % len(ASKED)]
        if number % 37 == 36:
            compiler.forget()
        return answer(qlc.compile_and_run(text, compiler, **options))

    with ThreadPoolExecutor(32) as callers:
        found = list(callers.map(ask, range(128)))
    for number, one in enumerate(found):
        assert one == expected[number % len(ASKED)], ASKED[number % len(ASKED)]


async def test_asyncio_answers_the_same(wire: Wire, compiler: qlc.Compiler) -> None:
    client = wire.async_client()
    try:
        twin = qlc.Compiler(client, read_catalog(world.CATALOG), breaker=never_open())
        for text, options in (*ASKED, ("", RED), ("find documents where", RED), ("how many documents", {"now": NOW})):
            here, there = (
                answer(qlc.compile_and_run(text, compiler, **options)),
                answer(await qlc.compile_and_run_async(text, twin, **options)),
            )
            assert {**there, "id": ""} == {**here, "id": ""}
    finally:
        await client.close()


def test_a_translator_is_sent_what_its_service_says(compiler: qlc.Compiler) -> None:

    class Called:
        def send(self) -> str:
            return "said"

    caller = Fixed(CannotSay(), CallModel(Called()))
    Asker(compiler, [caller]).ask("anything", **RED)
    assert caller.answers == ["said"]


@pytest.mark.parametrize("things", ["documents", "folders"])
def test_who_was_not_understood_sees_what_can_be_asked(drive: Asker, things: str) -> None:
    outcome = drive.ask(f"{things} that smell", now="2026-03-15T12:00:00Z")
    assert outcome.notes[-1].startswith(f"You can ask for {things} by name, ")


@pytest.mark.parametrize("words", ["Dana Ortiz ", "invoices and receipts ", "Contracts in Legal "])
def test_the_same_words_again_and_again_hold_nobody_up(drive: Asker, words: str) -> None:
    began = time.thread_time()
    said = drive.ask(words * 33, now="2026-03-15T12:00:00Z")
    assert said.kind == "declined"
    assert said.message.startswith("There is too much in this to be one question")
    assert time.thread_time() - began < 30
