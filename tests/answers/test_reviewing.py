"""Offers after a search without results work when they are chosen."""

import pytest

import qlc

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
