"""Offers after a search without results work when they are chosen."""

import pytest

import qlc
from qlc.outcome import NotInCorpus

NOW = "2026-06-15T12:00:00Z"


@pytest.mark.parametrize(
    ("question", "what", "meant", "found"),
    [
        ("Which contracts have a notise period under 60 days?", "spelling", "notice", 2),
        ("List contracts with Acne", "spelling", "ACME", 2),
    ],
)
def test_what_is_meant_is_asked_and_never_taken(
    library: qlc.Corpus, question: str, what: str, meant: str, found: int
) -> None:
    asked = library.ask(question, now=NOW)
    assert (asked.what, [one.label for one in asked.options]) == (what, [meant])
    chosen = library.ask(question, now=NOW, choices={asked.token: asked.options[0].id})
    assert chosen.total == found


@pytest.mark.parametrize("question", ["Contracts from 2030", "Contracts with ACME since 2029"])
def test_each_suggestion_of_no_results_finds_something(library: qlc.Corpus, question: str) -> None:
    found = library.ask(question, now=NOW)
    assert isinstance(found, NotInCorpus)
    assert found.suggestions
    assert [step.program for step in found.steps if step.tool == "run_query"] == [f"{found.query} limit 100"]
    for program in found.suggestions:
        again = library.ask(program, now=NOW)
        assert again.total > 0
