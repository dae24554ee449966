"""Selects among the results of several translators: a sure one is final; a guess stands until a surer one comes."""

from collections.abc import Generator
from typing import Any

import pytest

from qlc import Asker
from qlc.translator.protocol import AskBack, CannotSay, NotHeld, Question, Refusal, Step, Translated, Translation
from tests.tables import rows

NOW = "2026-03-15T12:00:00Z"
GUESS = Translated("count folders", ("A guess.",), sure=False)
QUESTION = AskBack("Which?", (("count folders", "folders"), ("count documents", "documents")), sure=False)
BETTER = Translated("count documents")
DID_NOT_KNOW = CannotSay(("frob",))
WAS_NOT_HEARD = CannotSay(notes=("It could not be asked.",), failed=True)


class Says:
    """A translator that always says the same."""

    def __init__(self, said: Translation) -> None:
        self.said = said
        self.asked = 0

    def translate(self, question: Question, steps: list[Step]) -> Generator[Any, Any, Translation]:
        self.asked += 1
        return self.said
        yield


@pytest.mark.parametrize(
    ("first", "second", "kind", "query"),
    [
        (GUESS, BETTER, "count", "count documents"),
        (GUESS, Refusal("delete", "No."), "refuse", ""),
        (GUESS, NotHeld("how often"), "unsupported", ""),
        (GUESS, DID_NOT_KNOW, "declined", ""),
        (GUESS, WAS_NOT_HEARD, "count", "count folders"),
        (QUESTION, BETTER, "count", "count documents"),
        (QUESTION, DID_NOT_KNOW, "clarify", ""),
        (QUESTION, WAS_NOT_HEARD, "clarify", ""),
        (DID_NOT_KNOW, GUESS, "count", "count folders"),
        (NotHeld("how often"), DID_NOT_KNOW, "unsupported", ""),
    ],
)
def test_what_counts(drive: Asker, first: Translation, second: Translation, kind: str, query: str) -> None:
    outcome = Asker(drive.compiler, (Says(first), Says(second))).ask("frob", read_as="words", now=NOW)
    assert (outcome.kind, outcome.query) == (kind, query)


def test_a_guess_that_is_says_why_nobody_was_asked(drive: Asker) -> None:
    outcome = Asker(drive.compiler, (Says(GUESS), Says(WAS_NOT_HEARD))).ask("frob", read_as="words", now=NOW)
    assert outcome.notes == ["A guess.", "It could not be asked."]


@pytest.mark.parametrize(("text", "others"), rows(__file__, "test_how_sure_the_rules_are"))
def test_how_sure_the_rules_are(drive: Asker, text: str, others: int) -> None:
    other = Says(WAS_NOT_HEARD)
    Asker(drive.compiler, (*drive.translators, other)).ask(text, now=NOW)
    assert other.asked == others
