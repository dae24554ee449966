"""Questions about a query that was run: what was asked for, by which filters, why nothing came of it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from qlc.compiler.periods import Clock
from qlc.outcome import Explain
from qlc.translator.entry import Asker
from qlc.translator.explanations import asked_about, explanation
from qlc.translator.protocol import Turn
from tests.tables import holds, table
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


EXPLAINED = [(title, *row) for title, rows in table(__file__, "EXPLAINED").items() for row in rows]


@pytest.mark.parametrize(
    ("title", "program", "message", "wanted"), EXPLAINED, ids=[f"{title}: {text}" for title, _, text, _ in EXPLAINED]
)
def test_what_is_explained(drive: Asker, title: str, program: str, message: str, wanted: Any) -> None:
    found = asked_of(drive, "x", program, message)
    if wanted is None:
        assert found is None
    else:
        holds(found, wanted)


URGENT = 'find documents where owner = "Omar Haddad" and tags = "urgent"'


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


def test_after_nothing_there_is_nothing_to_explain(drive: Asker) -> None:
    about = asked_about("which filters?", [], drive.compiler.schema)
    assert about is not None
    explaining = explanation(about, drive.compiler.schema)
    with pytest.raises(StopIteration) as end:
        next(explaining)
    assert end.value.value.message.startswith("Nothing was searched for")


def test_what_fields_are_called_is_read_once_for_a_schema(drive: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands before every question, and a catalog has thousands of words."""
    from qlc.translator.explanations import reading

    asked_about("which date did you use for that?", (), drive.compiler.schema)
    read: list[str] = []
    monkeypatch.setattr(reading, "name_key", lambda text: read.append(text) or ())
    found = asked_about("which date did you use for that?", (), drive.compiler.schema)
    assert found.fields == ("date",)
    assert read == []


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
