"""Conversations with a corpus: follow-ups edit the program of the last answer, or are declined."""

import dataclasses
import json
from collections.abc import Callable

import pytest
import yaml

import qlc
from qlc.answers.planning import Plan
from qlc.answers.topic import MOST_TOKENS, earlier_of
from qlc.base.errors import UsageError
from qlc.conversation import AsyncConversation, Conversation, MemoryStore
from qlc.evaluation.by_corpus import answers
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Answer, Hits, Outcome
from qlc.translator.protocol import Turn
from tests.answers.conftest import library

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


@pytest.mark.parametrize(
    ("messages", "query", "value"),
    [
        ((NOTICE, "and the liability cap?"), "liability_cap", 10_000),
        ((NOTICE, "what about Corvid?"), "notice", 14),
        ((NOTICE, "and the liability cap?", "the same for Dunmore"), "liability_cap", 75_000),
        ((NOTICE, "when did it take effect?", "and Corvid?"), "effective", "2024-06-01"),
        (("How wide is the B-120?", "and the B-240?"), "width", 1200),
        (("How wide is the B-120?", "its nominal voltage?"), "voltage", 400),
        (("When was INV-1001 issued?", "and INV-1003?"), "issued", "2024-03-28"),
    ],
)
def test_a_field_or_a_name_takes_the_place_of_that_before(
    ask: Ask, messages: tuple[str, ...], query: str, value: object
) -> None:
    found = ask(*messages)
    assert [one.value for one in found.values] == [value]
    assert found.query.endswith(f"show {query}")
    assert any(note.startswith("Read as: ") for note in found.notes)


@pytest.mark.parametrize(
    ("messages", "query"),
    [
        ((SINCE, "only the ones with a notice under 60 days"), "effective >= 2023 and notice < 60 days"),
        ((SINCE, "of ACME Corp only"), 'effective >= 2023 and party contains "ACME Corp"'),
        ((SINCE, "what about since 2024?"), "effective >= 2024"),
        ((SINCE, "of ACME Corp only", "and of Corvid?"), 'effective >= 2023 and party contains "Corvid"'),
        (
            (SINCE, "only the ones with a notice under 60 days", "and over 60 days?"),
            "effective >= 2023 and notice > 60 days",
        ),
        ((SINCE, "only those that renew automatically"), "effective >= 2023 and renews"),
        ((SINCE, "how many are there?", "which ones?"), "effective >= 2023"),
    ],
)
def test_no_condition_is_dropped_that_nothing_took_the_place_of(
    ask: Ask, messages: tuple[str, ...], query: str
) -> None:
    found = ask(*messages)
    assert found.query == f"find contracts where {query} limit 100"
    assert found.total > 0


def test_a_document_is_compared_with_another(ask: Ask) -> None:
    found = ask("How wide is the B-120?", "compare it with the B-240")
    assert isinstance(found, Answer)
    assert sorted(row.cells["width"].value for row in found.rows) == [600, 1200]


def test_a_value_in_another_unit(ask: Ask) -> None:
    found = ask(NOTICE, "in weeks?")
    assert round(found.values[0].value, 3) == 12.857
    assert "three months, taken as 12.857143 weeks" in found.message


HOTELS = "What does the travel policy say about hotels?"


def test_a_question_of_its_own_is_not_about_what_was_shown(ask: Ask) -> None:
    found = ask(HOTELS, "and the liability cap of the Borden agreement?")
    assert found.values[0].value == 10_000


def test_search_results_are_no_topic(ask: Ask) -> None:
    assert ask(HOTELS).kind == "passages"
    found = ask(HOTELS, "and about parking?")
    assert found.kind in ("declined", "passages", "not_in_corpus")
    assert not found.query


def test_an_amount_keeps_its_currency(ask: Ask) -> None:
    found = ask("Invoices over EUR 500", "what about over 100?")
    assert found.query == 'find invoices where total_currency = "EUR" and total > 100 limit 100'
    assert found.total == 2


def test_what_several_documents_say_is_a_table(ask: Ask) -> None:
    found = ask(SINCE, "and their liability caps?")
    assert isinstance(found, Answer)
    assert len(found.rows) == 4
    assert all(row.cells["liability_cap"].citations for row in found.rows)


def test_a_number_is_computed_over_what_was_shown(ask: Ask) -> None:
    assert ask(SINCE, "how many are there?").query == "count contracts where effective >= 2023"
    found = ask(SINCE, "how many of them renew automatically?")
    assert found.query == "count contracts where effective >= 2023 and renews"
    assert [one.value for one in found.values] == [3]
    assert ask("What is the average width of the panels?", "and the highest?").query.startswith(
        "max(width) of datasheets"
    )


@pytest.mark.parametrize("message", ["which page is that on?", "which file?", "quote it", "where does it say so?"])
def test_the_source_of_the_last_answer_is_reported(ask: Ask, message: str) -> None:
    found = ask(NOTICE, message)
    (cited,) = found.claims[0].citations
    assert (cited.file, cited.page, cited.quote) == ("contracts/borden_cleaning.docx", 1, "Notice period: three months")
    assert "contracts/borden_cleaning.docx, page 1" in found.message


def test_after_its_source_an_answer_is_still_spoken_of(ask: Ask) -> None:
    found = ask(NOTICE, "quote it", "and the liability cap?")
    assert [one.value for one in found.values] == [10_000]


def test_a_document_of_a_list_is_spoken_of_by_its_place(ask: Ask) -> None:
    found = ask(SINCE, "what is the notice period of the second one?")
    shown = ask(SINCE)
    assert {one.document for claim in found.claims for one in claim.citations} == {shown.ids[1]}


@pytest.mark.parametrize(
    "messages",
    [
        (NOTICE, "what about Globex?"),
        (NOTICE, "what about Globex?", "and the liability cap?"),
        (NOTICE, "New topic.", "and the liability cap?"),
        (NOTICE, "and not the liability cap?"),
        (SINCE, "only the ones on recycled paper"),
        (SINCE, "only the newest"),
        (SINCE, "also the ones of 2022"),
        (SINCE, "or of Dunmore?"),
        (NOTICE, "price?"),
        ("hello there", "and the liability cap?"),
        ("hello there", "which page is that on?"),
    ],
)
def test_what_is_not_surely_about_the_last_answer_is_no_answer(ask: Ask, messages: tuple[str, ...]) -> None:
    assert ask(*messages).kind in ("declined", "passages", "not_in_corpus", "clarify")


def test_what_no_document_tells_leaves_what_is_spoken_of(ask: Ask) -> None:
    declined = ask("How wide is the B-120?", "New topic. When was invoice INV-1002 issued?", "and its total?")
    assert isinstance(declined, Answer)
    none = ask("Contracts of 2019")
    assert none.kind != "hits" or isinstance(none, Hits)
    assert ask("Contracts of 2019", "and 2024?").query == "find contracts where effective in 2024 limit 100"


def test_a_new_topic_leaves_nothing_of_the_old_one(ask: Ask) -> None:
    found = ask(SINCE, "New topic: which contracts renew automatically?")
    assert found.query == "find contracts where renews limit 100"
    assert not any("question of its own" in note for note in found.notes)


def test_a_question_that_leaves_the_conditions_says_so(ask: Ask) -> None:
    found = ask(SINCE, "Which contracts renew automatically?")
    assert found.query == "find contracts where renews limit 100"
    said = "Read as a question of its own, without effective >= 2023."
    assert found.notes[0] == said
    assert found.message.startswith(said)


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


def test_a_program_and_the_answer_to_words_are_spoken_of_alike(ask: Ask) -> None:
    found = ask("find contracts where effective >= 2024 limit 5", "only those of Corvid")
    assert found.query == 'find contracts where effective >= 2024 and party contains "Corvid" limit 100'


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
            "are_joined", "groups"}  # fmt: skip
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
