"""The way of a question is short: what it does not need is not entered."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

import qlc
from qlc.outcome import Hits
from qlc.translator.entry import Asker
from qlc.translator.rules.parse import begins, needs
from qlc.translator.rules.words.phrases import LastPlaces, phrases
from tests.reference import model

MOST_FUNCTIONS = 930
"""Functions of qlc that a question of six words enters. A rule that is entered without need adds its own."""


def functions_entered(work: Callable[[], Any]) -> set[str]:
    entered: set[str] = set()

    def note(frame: Any, event: str, _: Any) -> None:
        if event == "call" and not frame.f_code.co_name.startswith("<"):  # a comprehension is a part of its function
            entered.add(f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_qualname}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(before)
    return {name for name in entered if name.startswith("qlc.")}


def test_a_question_of_six_words_enters_few_functions(drive: Asker) -> None:
    drive.ask("starred or locked files in Legal", now=model.NOW)  # reads what is kept for all questions
    outcomes: list[Any] = []
    work = lambda: outcomes.append(drive.ask("starred or locked files in Policies", now=model.NOW))  # noqa: E731
    entered = functions_entered(work)
    assert isinstance(outcomes[0], Hits)
    assert len(entered) <= MOST_FUNCTIONS, len(entered)


def test_a_rule_is_entered_where_a_word_that_it_needs_is_said() -> None:
    entered: list[str] = []

    class Said:
        """As much of a `Parse` as a guard looks at."""

        def __init__(self, text: str) -> None:
            self.cues = tuple(text.split())
            self.last = LastPlaces(self.cues)

    def rule(parse: Any, at: int) -> list[str]:
        entered.append(" ".join(parse.cues[at:]))
        return ["read"]

    anywhere = needs(phrases("the number of | how many"), ("0",))(rule)
    assert list(anywhere(Said("list the number of them"), 0)) == ["read"]
    assert list(anywhere(Said("over 0 MB"), 0)) == ["read"]  # any number in digits
    assert list(anywhere(Said("list the most of them"), 0)) == []
    assert list(anywhere(Said("number of them"), 1)) == []  # said before its place
    here = begins(phrases("how many"))(rule)
    assert list(here(Said("how many are there"), 0)) == ["read"]
    assert list(here(Said("how many are there"), 1)) == []
    assert len(entered) == 3


@pytest.mark.parametrize("text", ["find", "what can I ask"])
def test_the_modules_of_english_are_loaded_by_the_first_words(text: str, drive: Asker) -> None:
    asker = Asker(qlc.Compiler(drive.compiler.client, "qlc/catalogs/drive.yaml"))
    assert "_first" not in vars(asker.translators[0])
    asker.ask("count documents", now=model.NOW)
    assert "_first" not in vars(asker.translators[0])
    asker.ask(text, now=model.NOW)
    assert "_first" in vars(asker.translators[0])
