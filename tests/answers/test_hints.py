"""Each hint that is shown (an option of a question back, a suggestion) is a follow-up that works when it is chosen."""

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Answer, Clarify, Count, Hits, NotInCorpus, Outcome

NOW = "2026-06-15T12:00:00Z"
QUESTIONS = (
    "Contracts from 2030",
    "Contracts with ACME since 2029",
    "contracts before 1990",
    "contracts since 2023 with less than 3 days",
    "Dunmore contracts with renewal and notice under 5 days",
    "Contracts with a liability cap over EUR 9,000,000",
    "Contracts with a liability cap under GBP 5",
    "agreements with ACME or Borden over GBP 90,000",
    "invoices from ACME in 2019",
    "panels wider than 5 m",
    "Which datasheets have a voltage over 5000 V?",
    "battery cabinets under 10 V",
    "Which contracts have a notise period under 60 days?",
    "List contracts with Acne",
    "the Corvd agreement",
    "contracts with Bordan",
    "What is the notice period?",
    "What is the width?",
    "What is the effective date?",
    "who is the supplier?",
    "average total",
    "What is the total of the invoice?",
    "total of all invoices",
    "What is the liability cap in the agreement with ACME?",
    "What is the notice period of the ACME agreement?",
    "How wide is the panel?",
    "Which contracts renew and have over 300 days of notice?",
    "Which invoices are over EUR 90,000?",
)


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
