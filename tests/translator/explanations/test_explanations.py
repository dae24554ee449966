"""Questions about a query that was run: what was asked for, by which filters, why nothing came of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from qlc.compiler.periods import Clock
from qlc.outcome import Explain
from qlc.translator.entry import Asker
from qlc.translator.explanations import asked_about, explanation
from qlc.translator.protocol import Turn
from tests.tables import rows
from tests.translator.follow_ups.dialogues import NOW, asker_of

CLOCK = Clock(datetime.fromisoformat(NOW["drive"]), UTC)


@pytest.fixture(scope="module")
def drive() -> Asker:
    return asker_of("drive")


def explained(asker: Asker, question: str, program: str, message: str) -> Explain:
    found = asked_of(asker, question, program, message)
    assert found is not None
    return found


def asked_of(asker: Asker, question: str, program: str, message: str) -> Explain | None:
    compiler = asker.compiler
    outcome = compiler.run(program, now=NOW["drive"]).model_dump(mode="json")
    about = asked_about(message, [Turn(question, outcome["query"], outcome)], compiler.schema)
    if about is None:
        return None
    explaining, answer = explanation(about, compiler.schema, CLOCK), None
    while True:
        try:
            answer = compiler.run(explaining.send(answer).program, now=NOW["drive"])
        except StopIteration as end:
            found: Explain = end.value
            return found


URGENT = 'find documents where owner = "Omar Haddad" and tags = "urgent"'


@pytest.mark.parametrize(
    "message",
    ["show the query", "your last query?", "what did you search for?", "explain that", "what does that mean?",
     "can you explain your last search please"],
)  # fmt: skip
def test_a_query_is_reported_in_words_and_as_it_is_written(drive: Asker, message: str) -> None:
    found = explained(drive, "documents Omar Haddad owns that are tagged urgent", URGENT, message)
    assert found.about == "query"
    assert found.message == "I looked for documents where owner is 'Omar Haddad' and tags is 'urgent'."
    assert any(URGENT in note for note in found.notes)


@pytest.mark.parametrize("message", ["which filters?", "what filters did you use?", "which conditions are active now"])
def test_filters_are_listed(drive: Asker, message: str) -> None:
    found = explained(drive, "x", URGENT, message)
    assert found.about == "filters"
    assert found.message == "I looked for documents. The 2 filters were: owner is 'Omar Haddad'; tags is 'urgent'."


def test_the_filter_on_a_kind_of_field_is_reported_alone(drive: Asker) -> None:
    program = 'find documents where type = "NDA" and expires = this year'
    found = explained(drive, "NDAs expiring this year", program, "which date did you use for that?")
    assert "expires is in this year" in found.message
    assert "NDA" not in found.message


def test_why_only_one_kind_of_thing_and_what_to_say_for_others(drive: Asker) -> None:
    words = "documents Omar Haddad owns that are tagged urgent"
    found = explained(drive, words, URGENT, "why did your last query look at documents only?")
    assert "because you asked for 'documents'" in found.message
    assert found.suggestions == ["include folders as well"]
    history = [Turn(words, URGENT, drive.compiler.run(URGENT, now=NOW["drive"]).model_dump(mode="json"))]
    outcome = drive.ask(found.suggestions[0], history=history, now=NOW["drive"])
    assert outcome.query == 'find entries where owner = "Omar Haddad" and tags = "urgent"'


EMPTY = 'find documents where type = "Receipt" and folder = "Meals" and amount > 100000'


@pytest.mark.parametrize("message", ["why nothing?", "why?", "why no results?", "why is it empty", "how come none?"])
def test_the_condition_that_alone_removes_all_hits_is_counted(drive: Asker, message: str) -> None:
    found = explained(drive, "x", EMPTY, message)
    left = drive.compiler.run('count documents where type = "Receipt" and folder = "Meals"', now=NOW["drive"])
    largest = drive.compiler.run('max(amount) of documents where type = "Receipt" and folder = "Meals"')
    assert found.message.startswith('One condition alone excludes everything: "amount is more than 100000".')
    assert f"Without it there are {getattr(left, 'value', None)} documents." in found.message
    assert f"{getattr(largest, 'value', 0):,.2f}".rstrip("0") in found.message
    assert found.suggestions == ["forget the amount"]


def test_what_is_suggested_for_an_empty_answer_finds_something(drive: Asker) -> None:
    found = explained(drive, "x", EMPTY, "why nothing?")
    history = [Turn("x", EMPTY, drive.compiler.run(EMPTY, now=NOW["drive"]).model_dump(mode="json"))]
    outcome = drive.ask(found.suggestions[0], history=history, now=NOW["drive"])
    assert outcome.query == 'find documents where type = "Receipt" and folder = "Meals"'
    assert getattr(outcome, "total", 0) > 0
    assert any("amount is more than 100000" in note for note in outcome.notes)


def test_the_whole_tree_is_suggested_where_it_finds_something(drive: Asker) -> None:
    program = 'find documents where folder = "Clients" and type = "NDA"'
    found = explained(drive, "x", program, "why nothing?")
    history = [Turn("x", program, drive.compiler.run(program, now=NOW["drive"]).model_dump(mode="json"))]
    outcome = drive.ask(found.suggestions[0], history=history, now=NOW["drive"])
    assert outcome.query == 'find documents where folder under "Clients" and type = "NDA"'


@pytest.mark.parametrize(("program", "told"), rows(__file__, "test_other_causes_of_an_empty_answer"))
def test_other_causes_of_an_empty_answer(drive: Asker, program: str, told: str) -> None:
    found = explained(drive, "x", program, "why nothing?")
    assert told.casefold() in found.message.casefold()


def test_why_so_few_tells_the_filter_that_keeps_out_the_most(drive: Asker) -> None:
    found = explained(drive, "x", URGENT, "why only 20?")
    assert found.about == "few"
    assert 'excludes the most is "' in found.message


def test_after_nothing_there_is_nothing_to_explain(drive: Asker) -> None:
    about = asked_about("which filters?", [], drive.compiler.schema)
    assert about is not None
    explaining = explanation(about, drive.compiler.schema)
    with pytest.raises(StopIteration) as end:
        next(explaining)
    assert end.value.value.message.startswith("Nothing was searched for")


@pytest.mark.parametrize(
    "message",
    ["show me the receipts", "why is Q3 Report.pdf locked?", "documents tagged urgent", "which type are they?",
     'why is "x" here', "my first search again", "what is the size of Q3 Report.pdf", "only the PDFs", "show more"],
)  # fmt: skip
def test_other_messages_ask_about_no_query(drive: Asker, message: str) -> None:
    history = [Turn("x", URGENT, {"kind": "hits", "query": URGENT})]
    assert asked_about(message, history, drive.compiler.schema) is None


def test_what_fields_are_called_is_read_once_for_a_schema(drive: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands before every question, and a catalog has thousands of words."""
    from qlc.translator.explanations import reading

    asked_about("which date did you use for that?", (), drive.compiler.schema)
    read: list[str] = []
    monkeypatch.setattr(reading, "name_key", lambda text: read.append(text) or ())
    found = asked_about("which date did you use for that?", (), drive.compiler.schema)
    assert found.fields == ("date",)
    assert read == []


NDAS = 'find documents where type = "NDA" and created = 2025'


@pytest.mark.parametrize(("message", "told"), rows(__file__, "test_why_something_is_not_in_the_list"))
def test_why_something_is_not_in_the_list(drive: Asker, message: str, told: str) -> None:
    found = explained(drive, "NDAs from 2025", NDAS, message)
    assert found.message.startswith(told)


def test_what_meets_all_conditions_is_reported_to_be_there(drive: Asker) -> None:
    found = explained(drive, "folders in Clients", 'find folders where folder = "Clients"', "why don't I see Acme Corp")
    assert found.message == "'Acme Corp' is in the list."
    cut = 'find folders where folder = "Clients" sort document_count limit 1'
    found = explained(drive, "the emptiest", cut, "why is Acme Corp not in the list?")
    assert "cut to a part" in found.message


@pytest.mark.parametrize("message", ["why is the owner missing?", "why is it locked?", "why are folders missing here?"])
def test_what_is_missing_of_things_is_no_question_about_the_list(drive: Asker, message: str) -> None:
    found = asked_of(drive, "NDAs from 2025", NDAS, message)
    assert found is None or "called" not in found.message


DATED = 'find documents where type = "Receipt" and created = last year and folder = "Meals"'


@pytest.mark.parametrize(
    "message",
    ["which year did you use?", "what is last year?", "what counts as last year?", "when does last year start?",
     "which year is that?", "what dates are those?"],
)  # fmt: skip
def test_the_days_of_relative_dates_are_reported(drive: Asker, message: str) -> None:
    found = explained(drive, "x", DATED, message)
    assert found.message == "Last year: from 2025-01-01 to 2025-12-31. The filter was: created is in last year."


@pytest.mark.parametrize(
    ("program", "days"),
    [
        ("find documents where created = yesterday", "Yesterday: 2026-03-14."),
        ("find documents where created = last week", "Last week: from 2026-03-02 to 2026-03-08."),
        ("find documents where created in last 2 hours", "Last 2 hours: from 2026-03-15 10:00 to 2026-03-15 12:00."),
        ("find documents where created >= 2025-03", ""),
    ],
)
def test_the_query_is_reported_with_its_days(drive: Asker, program: str, days: str) -> None:
    found = explained(drive, "x", program, "show the query")
    assert found.notes[1:-1] == ([days] if days else [])


@pytest.mark.parametrize("message", ["why created?", "did you use the created date?", "is that by created date?"])
def test_the_filter_on_a_field_that_is_spoken_of_is_reported(drive: Asker, message: str) -> None:
    found = explained(drive, "x", DATED, message)
    assert found.message.startswith("I looked for documents. The filter was: created is in last year")


def test_whose_name_was_meant_is_reported_by_the_filters(drive: Asker) -> None:
    for message in ("which Meals is that?", "which Meals did you use?"):
        found = explained(drive, "x", DATED, message)
        assert "folder is 'Meals'" in found.message
    assert asked_of(drive, "x", DATED, "which Leases is that?") is None


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (DATED, "No, only what lies directly there: folder is 'Meals'."),
        ('find documents where folder under "Business"', "Yes, all levels below: folder is below 'Business'."),
        ('find documents where type = "Lease"', "There was no filter on where things lie: all levels were searched."),
    ],
)
def test_how_deep_was_looked_is_reported(drive: Asker, program: str, told: str) -> None:
    for message in ("did you include subfolders?", "does that include everything below?"):
        found = explained(drive, "x", program, message)
        assert found.message.startswith(told)


def test_whether_that_was_all_is_reported(drive: Asker) -> None:
    whole = explained(drive, "x", DATED, "is that all?")
    assert whole.message.startswith("Yes, that is all: ")
    part = explained(drive, "x", 'find documents where type = "Lease"', "are those all of them?")
    assert part.message.startswith("No. 40 documents. 10 shown.")
    assert part.suggestions == ["show more", "the rest"]
    assert asked_of(drive, "x", 'count documents where type = "Lease"', "is that all?") is None


def test_kinds_that_were_not_looked_for_are_no_empty_answer(drive: Asker) -> None:
    for message in ("why no folders?", "are folders included?"):
        found = explained(drive, "leases", 'find documents where type = "Lease"', message)
        assert found.about == "kind"


@pytest.mark.parametrize("message", ["which year has the most?", "did you know?", "is it signed?", "which one is it?"])
def test_what_asks_about_things_is_no_question_about_the_query(drive: Asker, message: str) -> None:
    assert asked_of(drive, "x", DATED, message) is None


@pytest.mark.parametrize(
    ("program", "ways"),
    [
        ('find documents where type = "W2" and created = 1999', ["forget the created date"]),
        ("find documents where modified = 1990", []),
        ("count documents where modified = 1990", ["forget the modified date"]),
    ],
)
def test_ways_on_are_messages_that_are_understood(drive: Asker, program: str, ways: list[str]) -> None:
    found = explained(drive, "x", program, "why nothing?")
    assert found.suggestions == ways
    outcome = drive.compiler.run(program, now=NOW["drive"]).model_dump(mode="json")
    for way in ways:
        after = drive.ask(way, history=[Turn("x", outcome["query"], outcome)], now=NOW["drive"])
        assert getattr(after, "total", 0) or getattr(after, "value", 0)
