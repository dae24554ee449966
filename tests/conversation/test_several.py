"""Messages with several questions: each is answered, those that speak of another one behind it."""

from typing import Any, ClassVar

import pytest

from qlc.base.driving import Call
from qlc.conversation import Conversation
from qlc.conversation.effects import Run, Together, Translate
from qlc.outcome import OUTCOME, Declined, ValueOut
from qlc.translator.by_rules import ByRules
from qlc.translator.entry import Asker
from qlc.translator.protocol import Question, Step, Translated, Translating

from .conftest import NOW, Talk, said


def test_one_that_speaks_of_another_waits_for_its_answer(talk: Talk) -> None:
    found, creator = talk().turn("Find Q3 Report.pdf. Who created it?").outcomes
    assert isinstance(creator, ValueOut)
    assert creator.query == f'get document("{found.ids[0]}").creator'


@pytest.mark.parametrize("message", [
    "Did somebody snarkle photos? What is the total size?", "Has anyone duplicated Q3 Report.pdf? Show me the copies.",
    "Somebody snarkled NDAs. Who?",
])  # fmt: skip
def test_one_that_speaks_of_what_was_not_understood_is_not_answered_without_it(
    message: str, drive: Asker, talk: Talk
) -> None:
    alone = drive.ask(message, now=NOW)
    for outcomes in (alone.outcomes, talk().turn(message).outcomes):
        assert [one.kind for one in outcomes] == ["declined", "declined"]


class Watched(Conversation):
    """Records the requests of a turn in order: words to translate, programs to run together."""

    def _call_for(self, options: Any, need: Any) -> Call:
        match need:
            case Translate(by_rules=False):
                self.needs.append(need.words)
            case Together():
                self.needs.append(tuple(one.program for one in need.runs))
            case Run():
                self.needs.append((need.program,))
        return super()._call_for(options, need)

    needs: ClassVar[list[Any]] = []


def test_independent_ones_are_run_together_and_dependent_ones_after_them(drive: Asker) -> None:
    Watched.needs.clear()
    conversation = Watched(drive, now=NOW)
    reply = conversation.turn(
        "Who owns Brand Assets, and what else do they own? how many of those are PDFs? How many NDAs are there?"
    )
    kinds = [one.kind for one in reply.outcomes]
    assert kinds == ["value", "hits", "count", "count"]
    owner, count = 'get folder("Brand Assets").owner', 'count documents where type = "NDA"'
    theirs = reply.outcomes[1].query
    assert Watched.needs[:3] == ["Who owns Brand Assets", "How many NDAs are there?", (owner, count)]
    # The two that speak of others are translated only when these are answered, one behind the other.
    first, *rest = (need for need in Watched.needs[3:] if need not in ((owner,), (count,)))
    assert first == "what else do they own?"
    assert rest == [(theirs,), "how many of those are PDFs?", (reply.outcomes[2].query,)]
    assert reply.outcomes[2].query.startswith("count ")
    assert reply.outcomes[2].query.endswith('and extension = "pdf"')


class Knowing:
    """A translator that understands whatever it is asked."""

    def translate(self, question: Question, steps: list[Step]) -> Translating:
        return Translated('count documents where type = "NDA"')
        yield


def test_what_is_understood_as_one_is_one(drive: Asker) -> None:
    conversation = Conversation(Asker(drive.compiler, (Knowing(),)), now=NOW)
    reply = conversation.turn("Who owns Brand Assets, and how many NDAs are there?")
    assert [one.kind for one in reply.outcomes] == ["count"]
    assert reply.history["turns"][0]["parts"][0]["words"] == "Who owns Brand Assets, and how many NDAs are there?"


@pytest.mark.parametrize("message", [
    "A colleague would love a frobnicated NDA. Which do we still have?",
    "What has Dana got to snarkle? I mean her overdue ones.",
])  # fmt: skip
def test_a_sentence_that_sets_the_scene_stays_with_its_question(message: str, drive: Asker) -> None:
    asked: list[str] = []

    class Second(Knowing):
        """Asked where the rules are not sure."""

        def translate(self, question: Question, steps: list[Step]) -> Translating:
            asked.append(question.text)
            return (yield from super().translate(question, steps))

    conversation = Conversation(Asker(drive.compiler, (ByRules(), Second())), now=NOW)
    assert [one.kind for one in conversation.turn(message).outcomes] == ["count"]
    assert asked == [message]
    assert len(conversation.turn("Who owns Brand Assets? How many frobnicated snarks are there?").outcomes) == 2


def test_outside_of_a_conversation_one_outcome_holds_the_answers(drive: Asker) -> None:
    outcome = drive.ask("Who owns Brand Assets, and how many NDAs are there?", now=NOW)
    assert [one.kind for one in outcome.outcomes] == ["value", "count"]
    assert outcome.message == "1. Mei-Ling Chen. 2. 47 documents."
    assert OUTCOME.validate_python(outcome.model_dump(mode="json")) == outcome
    said = drive.program_of("Who owns Brand Assets, and how many NDAs are there?", now=NOW)
    assert isinstance(said, Declined)
    assert said.suggestions == ["Who owns Brand Assets", "how many NDAs are there?"]


def test_outside_of_a_conversation_a_question_waits_for_what_it_speaks_of(drive: Asker) -> None:
    text = "How many documents are in Travel, and which of them are PDFs?"
    asked = drive.ask(text, now=NOW)
    assert [one.kind for one in asked.outcomes] == ["clarify", "declined"]
    first = asked.outcomes[0]
    chosen = drive.ask(text, now=NOW, choices={first.token: first.options[0].id})
    assert [one.kind for one in chosen.outcomes] == ["count", "hits"]


def test_outside_of_a_conversation_a_page_is_of_one_question(drive: Asker) -> None:
    text = "Who owns Brand Assets, and how many NDAs are there?"
    assert drive.ask(text, now=NOW, cursor="x").kind == "declined"


def test_a_number_in_a_question_does_not_hide_how_many_there_are(talk: Talk) -> None:
    conversation = talk()
    (first, rest) = said(conversation, "show me 5 NDAs", "show more")
    everything = conversation.turn("how many NDAs are there").outcome
    assert (first.outcome.total, first.outcome.matching, first.has_more) == (5, everything.value, True)
    assert f"5 of {everything.value} documents" in first.outcome.message
    assert not set(rest.outcome.ids) & set(first.outcome.ids)


@pytest.mark.parametrize("words", ["how many NDAs are there? {}", "{} and how many NDAs are there?"])
def test_a_question_beside_a_request_is_answered_too(drive: Asker, talk: Talk, words: str) -> None:
    text = words.replace("{}", '{"query": {"term": {"entityType.keyword": "FOLDER"}}, "size": 1}')
    asked = drive.ask(text, now=NOW)
    for found in (asked.outcomes, talk().turn(text).outcomes):
        assert [(one.kind, one.notes) for one in found] == [("hits", []), ("count", [])]
        assert found[1].query == 'count documents where type = "NDA"'
