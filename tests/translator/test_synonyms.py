"""Verbs for one deed, told apart by what a catalog has."""

from __future__ import annotations

import pytest

from qlc.translator.rules.words.tokens import same_deeds, tokenize

LENDING = {"borrowed": "loaned", "returned": "back", "expires": "until", "expire": "until"}
TWO_DEEDS = {"edited": "written", "changed": "swapped"}


def said(text: str, catalog: dict[str, str]) -> str:
    fields = {word: frozenset({field}) for word, field in catalog.items()}
    found = same_deeds(tokenize(text), catalog.__contains__, lambda word: fields.get(word, frozenset()))
    return " ".join(token.text for token in found)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("books checked out in May", "books borrowed in may"),
        ("books handed back late", "books returned late"),
        ("cards that run out soon", "cards that expire soon"),
        ("a card which lapses today", "a card which expires today"),
        ("who amended it", "who amended it"),
        ("books used by Ann", "books used by ann"),
    ],
)
def test_a_verb_is_read_as_the_one_that_the_catalog_has(text: str, read: str) -> None:
    assert said(text, LENDING) == read


def test_a_verb_stays_where_the_catalog_has_several_deeds_for_it() -> None:
    assert said("what was altered", TWO_DEEDS) == "what was altered"


def test_unused_is_not_used() -> None:
    assert said("files unused since May", {"opened": "seen"}) == "files not opened since may"
