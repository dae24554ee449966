"""Conversations with a corpus: follow-ups edit the program of the last answer, or are declined."""

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml

import qlc
from qlc.answers.planning import Plan
from qlc.answers.topic import MOST_TOKENS, earlier_of
from qlc.base.errors import UsageError
from qlc.conversation import AsyncConversation, Conversation, MemoryStore
from qlc.evaluation.by_corpus import answers
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Answer, Outcome
from qlc.translator.protocol import Turn
from tests.answers.conftest import library
from tests.tables import holds, table

__all__ = ["library"]

NOW = "2026-03-15T12:00:00Z"
Ask = Callable[..., Outcome]


@pytest.fixture
def ask(library: qlc.Corpus) -> Ask:
    """The outcome of the last of some messages."""

    def last(*messages: str) -> Outcome:
        talk = Conversation(library, now=NOW)
        return [talk.turn(one).outcome for one in messages][-1]

    return last


NOTICE = "What is the notice period in the Borden cleaning agreement?"
SINCE = "Contracts since 2023"
TALKS = [(title, *row) for title, rows in table(__file__, "TALKS").items() for row in rows]


@pytest.mark.parametrize(("title", "messages", "wanted"), TALKS, ids=[f"{one[0]}: {one[1][-1]}" for one in TALKS])
def test_what_the_last_of_some_messages_is_answered(
    ask: Ask, title: str, messages: list[str], wanted: dict[str, Any]
) -> None:
    holds(ask(*messages), wanted)


def test_a_document_is_compared_with_another(ask: Ask) -> None:
    found = ask("How wide is the B-120?", "compare it with the B-240")
    assert isinstance(found, Answer)
    assert sorted(row.cells["width"].value for row in found.rows) == [600, 1200]


def test_a_value_in_another_unit(ask: Ask) -> None:
    found = ask(NOTICE, "in weeks?")
    assert round(found.values[0].value, 3) == 12.857
    assert "three months, taken as 12.857143 weeks" in found.message


def test_what_several_documents_say_is_a_table(ask: Ask) -> None:
    found = ask(SINCE, "and their liability caps?")
    assert isinstance(found, Answer)
    assert len(found.rows) == 4
    assert all(row.cells["liability_cap"].citations for row in found.rows)


def test_a_document_of_a_list_is_spoken_of_by_its_place(ask: Ask) -> None:
    found = ask(SINCE, "what is the notice period of the second one?")
    shown = ask(SINCE)
    assert {one.document for claim in found.claims for one in claim.citations} == {shown.ids[1]}


def test_what_is_chosen_is_answered_with_its_source(library: qlc.Corpus) -> None:
    talk = Conversation(library, now=NOW)
    asked = talk.turn("What is the notice period in the agreement with ACME Corp?").outcome
    place = next(at for at, one in enumerate(asked.options, 1) if "supply" in one.label.lower())
    reply = talk.turn(str(place))
    assert reply.origin == "choice"
    assert [one.value for one in reply.outcome.values] == [30]
    assert [one.value for one in reply.outcome.values] != []
    after = talk.turn("and the liability cap?").outcome
    assert [one.value for one in after.values] == [40_000]


def test_a_stored_conversation_goes_on_elsewhere(library: qlc.Corpus) -> None:
    store = MemoryStore()
    Conversation(library, store=store, id="17", now=NOW).turn(NOTICE)
    other = Conversation(library, store=store, id="17", now=NOW)
    found = other.turn("and the liability cap?").outcome
    assert [one.value for one in found.values] == [10_000]
    kept = json.loads(json.dumps(other.history))
    assert Conversation(library, kept, now=NOW).turn("quote it").outcome.kind == "answer"


def test_the_last_answer_is_written_to_a_file(library: qlc.Corpus) -> None:
    talk = Conversation(library, now=NOW)
    talk.turn(SINCE)
    talk.turn("and their liability caps?")
    lines = list(talk.export("csv"))
    assert len(lines) == 1 + 4
    assert "liability_cap" in lines[0]


async def test_the_asynchronous_conversation_is_the_same(library: qlc.Corpus) -> None:
    talk = AsyncConversation(qlc.AsyncCorpus(library, None), now=NOW)  # type: ignore[arg-type]
    await talk.turn(NOTICE)
    found = (await talk.turn("and the liability cap?")).outcome
    assert [one.value for one in found.values] == [10_000]


def test_a_corpus_and_an_index_are_asked_in_one_conversation(library: qlc.Corpus) -> None:
    index = "tickets"
    mapping = {"properties": {"id": {"type": "keyword"}, "subject": {"type": "keyword"}, "state": {"type": "keyword"}}}
    library.client.indices.create(index=index, mappings=mapping)
    for number, state in enumerate(("open", "open", "closed")):
        ticket = {"id": str(number), "subject": f"Ticket {number}", "state": state}
        library.client.index(index=index, id=str(number), document=ticket, refresh=True)
    fields = {name: {"path": name} for name in ("id", "subject")}
    fields["state"] = {"path": "state", "values": ["open", "closed"]}
    catalog = yaml.safe_load(library.catalog())
    catalog["entities"]["ticket"] = {"index": index, "id": "id", "names": ["subject"], "fields": fields}
    try:
        compiler = qlc.Compiler(library.client, read_catalog(yaml.safe_dump(catalog)))
        talk = Conversation(compiler, corpus=library, now=NOW)
        assert talk.turn(NOTICE).outcome.kind == "answer"
        assert talk.turn("and the liability cap?").outcome.query.endswith("show liability_cap")
        found = talk.turn("how many open tickets are there?").outcome
        assert (found.kind, found.query) == ("count", 'count tickets where state = "open"')
        assert talk.turn("and closed ones?").outcome.query == 'count tickets where state = "closed"'
        assert talk.turn(NOTICE).outcome.query.endswith("show notice")
    finally:
        library.client.indices.delete(index=index)


def test_the_rules_of_the_compiler_must_hold_for_the_corpus(library: qlc.Corpus) -> None:
    catalog = yaml.safe_load(library.catalog())
    catalog["entities"]["contract"]["access"] = "party in $parties"
    read = read_catalog(yaml.safe_dump(catalog))
    compiler = qlc.Compiler(library.client, read)
    with pytest.raises(UsageError, match="access rules"):
        Conversation(compiler, corpus=library)
    limited = qlc.Corpus(library.client, library.index, catalog=read)
    talk = Conversation(compiler, corpus=limited, now=NOW, context={"parties": ["ACME Corp"]})
    assert talk.turn(NOTICE).outcome.kind != "answer"
    found = talk.turn("how many contracts are there?").outcome
    assert found.values[0].value == 2


def test_a_plan_has_nothing_that_a_follow_up_would_drop() -> None:
    kept = {"linked", "bucket", "conditions", "names", "asked", "topic", "unused", "rest", "shown",
            "are_joined", "groups", "limit", "asked_of_it"}  # fmt: skip
    assert {one.name for one in dataclasses.fields(Plan)} == kept, "merging.py must carry or refuse what is new"


def test_what_a_model_sees_of_earlier_turns_is_bounded() -> None:
    program = "find contracts where effective >= 2023 and notice < 60 days limit 100"
    turns = [Turn(f"question {number} " + "word " * 60, program, {"kind": "hits", "message": "4 contracts."})
             for number in range(60)]  # fmt: skip
    earlier = earlier_of(turns)
    assert 300 < earlier.tokens <= MOST_TOKENS
    assert "question 59" in earlier.printed()
    assert "question 1 " not in earlier.printed()
    assert [(one.field, one.operator, one.value) for one in earlier.decomposition.constraints] == [
        ("effective", ">=", "2023"), ("notice", "<", "60 days"),
    ]  # fmt: skip
    anew = Turn("New topic: who rents it?", "", {"kind": "declined", "message": "I do not know."})
    begun = earlier_of([*turns, anew])
    assert "question" not in begun.printed()
    assert begun.decomposition is None


def test_questions_of_a_file_are_turns_of_the_conversation_that_they_name(library: qlc.Corpus) -> None:
    said = [{"role": "user", "text": "How wide is the B-120?"}, {"role": "assistant", "text": "600 mm."}]
    questions = [
        {"id": "1", "question": NOTICE, "conversation": "a"},
        {"id": "2", "question": "and the B-240?", "conversation": said},
        {"id": "3", "question": "and the liability cap?", "conversation": "a"},
        {"id": "4", "question": "and the liability cap?", "conversation": "b"},
    ]
    found = {one["id"]: one.get("values") for one in answers(questions, library, {"now": NOW})}
    assert found == {
        "1": [{"value": 90, "unit": "days"}], "2": [{"value": 1200, "unit": "mm"}],
        "3": [{"value": 10_000, "unit": "GBP"}], "4": None,
    }  # fmt: skip
