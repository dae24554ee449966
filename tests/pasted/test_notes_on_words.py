"""Words beside a pasted request that ask for something else are not dropped without a word."""

from __future__ import annotations

import pytest

from qlc import Compiler
from qlc.pasted.entry import run_pasted
from tests import data_sets
from tests.reference.model import NOW

ALL = '{"query": {"match_all": {}}}'
UNREAD = "Only the request is read"


@pytest.fixture(scope="module")
def store() -> Compiler:
    return data_sets.drive()


@pytest.mark.parametrize("words", ["how many are invoices? {}", "{} and the unpaid ones", "show me the NDAs\n{}"])
def test_words_that_ask_for_something_stored_are_named(store: Compiler, words: str) -> None:
    (found,) = run_pasted(words.replace("{}", ALL), store, now=NOW)
    assert found.notes[0].startswith(UNREAD)


@pytest.mark.parametrize("words", ["how many does this find? {}", "run this please {}", "{} thanks!"])
def test_words_about_the_request_need_no_note(store: Compiler, words: str) -> None:
    (found,) = run_pasted(words.replace("{}", ALL), store, now=NOW)
    assert not any(one.startswith(UNREAD) for one in found.notes)
