"""Each hint that is shown (an option of a question back, a suggestion) is a follow-up that works when it is chosen."""

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Answer, Clarify, Count, Hits, NotInCorpus, Outcome
from tests.tables import table

NOW = "2026-06-15T12:00:00Z"
QUESTIONS = table(__file__, "QUESTIONS")


def hints(outcome: Outcome) -> Iterator[str]:
    """Yield the inputs that an outcome offers: the numbers of options, or the texts of suggestions."""
    if isinstance(outcome, Clarify):
        yield from map(str, range(1, len(outcome.options) + 1))
    yield from getattr(outcome, "suggestions", ())


def works(outcome: Outcome) -> bool:
    """Whether something was found. Of a number that is chosen there can be one more question."""
    if isinstance(outcome, Hits):
        return outcome.total > 0
    return isinstance(outcome, Answer | Count) or outcome.kind in ("aggregate", "value")


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_hint_works_when_it_is_chosen(library: qlc.Corpus, question: str) -> None:
    asked = library.ask(question, now=NOW)
    shown = [*hints(asked)]
    assert shown, f"{asked.kind}: {asked.message}"
    for hint in shown:
        talk = qlc.Conversation(library, now=NOW)
        first = talk.turn(question).outcome
        assert [*hints(first)] == shown
        found = talk.turn(hint).outcome
        assert works(found) or found.kind == "clarify", (hint, found.kind, found.message)
        if isinstance(asked, Clarify) and hint.isdecimal():
            chosen = library.ask(question, now=NOW, choices={asked.token: asked.options[int(hint) - 1].id})
        else:
            chosen = library.ask(hint, now=NOW)
        assert works(chosen) or chosen.kind == "clarify", (hint, chosen.kind, chosen.message)


def test_the_questions_lead_to_hints_of_every_kind(library: qlc.Corpus) -> None:
    outcomes = [library.ask(question, now=NOW) for question in QUESTIONS]
    asked_back = {one.what for one in outcomes if isinstance(one, Clarify)}
    assert asked_back >= {"spelling", "document"}
    assert any(isinstance(one, NotInCorpus) and one.suggestions for one in outcomes)
    assert any(one.kind == "declined" and getattr(one, "suggestions", ()) for one in outcomes)
