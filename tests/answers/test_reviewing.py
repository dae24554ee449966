"""Where nothing is found, or nothing can be: each offer works when it is chosen."""

from __future__ import annotations

import pytest

import qlc
from qlc.outcome import Clarify, Hits, NotInCorpus

NOW = "2026-06-15T12:00:00Z"


@pytest.mark.parametrize(
    ("question", "what", "meant", "found"),
    [
        ("Which contracts have a notise period under 60 days?", "spelling", "notice", 2),
        ("List contracts with Acne", "spelling", "ACME", 2),
        ("Contracts with a notice period between 90 and 30 days", "range", "30 and 90", 3),
        ("Contracts with an effective date after 31 February 2024", "date", "29 February 2024", 1),
    ],
)
def test_what_is_meant_is_asked_and_never_taken(
    library: qlc.Corpus, question: str, what: str, meant: str, found: int
) -> None:
    asked = library.ask(question, now=NOW)
    assert isinstance(asked, Clarify), asked
    assert (asked.what, [one.label for one in asked.options]) == (what, [meant])
    chosen = library.ask(question, now=NOW, choices={asked.token: asked.options[0].id})
    assert isinstance(chosen, Hits), chosen
    assert chosen.total == found


@pytest.mark.parametrize("question", ["Contracts from 2030", "Contracts with ACME since 2029"])
def test_no_results_tell_what_there_is_and_each_suggestion_finds_something(library: qlc.Corpus, question: str) -> None:
    found = library.ask(question, now=NOW)
    assert isinstance(found, NotInCorpus)
    assert "'effective' goes from 20" in found.message
    assert found.suggestions
    assert [step.program for step in found.steps if step.tool == "run_query"] == [f"{found.query} limit 100"]
    for program in found.suggestions:
        again = library.ask(program, now=NOW)
        assert isinstance(again, Hits)
        assert again.total > 0


@pytest.mark.parametrize("question", ["Contracts before May 31, 2029", "Does the tenant may 40 days?", "CN-2023-02-31"])
def test_what_can_be_is_not_asked_about(library: qlc.Corpus, question: str) -> None:
    found = library.ask(question, now=NOW)
    assert not (isinstance(found, Clarify) and found.what in ("date", "range"))
