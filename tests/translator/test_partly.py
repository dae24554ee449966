"""A declined question reports the understood part, and a question near it that has an answer."""

import pytest

from qlc.outcome import Declined
from qlc.translator.entry import Asker

NOW = "2026-03-15T12:00:00Z"


@pytest.mark.parametrize(
    ("text", "understood", "left"),
    [
        ("contracts that the moon can bark", "contracts", "that the moon can bark"),
        ("number of documents in Legal where but why", "number of documents in Legal", "where but why"),
        ("please show me leases everybody everywhere may", "leases", "everybody everywhere may"),
    ],
)
def test_the_part_that_is_a_question_is_named_and_answered(drive: Asker, text: str, understood: str, left: str) -> None:
    said = drive.ask(text, now=NOW, size=0)
    assert isinstance(said, Declined)
    assert said.suggestions == [understood]
    assert said.words or f"'{understood}'" in said.message
    assert said.words or f"'{left}'" in said.message
    assert drive.ask(understood, now=NOW, size=0).kind in ("hits", "count")


def test_known_words_are_reported_where_no_part_is_a_question(drive: Asker) -> None:
    said = drive.ask("than contracts than notice period than", now=NOW, size=0)
    assert isinstance(said, Declined)
    assert "'contracts' and 'notice period'" in said.message
    for suggestion in said.suggestions:
        assert drive.ask(suggestion, now=NOW, size=0).kind not in ("declined", "clarify")


@pytest.mark.parametrize("text", ["documents in the folder Legal blorpish", "receipts before 1950 where but why"])
def test_neither_a_fragment_nor_a_question_without_an_answer_is_offered(drive: Asker, text: str) -> None:
    said = drive.ask(text, now=NOW, size=0)
    assert isinstance(said, Declined)
    assert said.suggestions == []
