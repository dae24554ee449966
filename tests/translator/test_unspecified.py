"""Questions that point at one thing, with nothing before them that names it, are asked back; others are not."""

from pathlib import Path

import pytest

import qlc
from qlc import Asker, Compiler
from qlc.outcome import Clarify
from qlc.tables.loading import load_all
from qlc.tables.typed import read_typed

NOW = "2026-03-15T12:00:00Z"
KILNS = """kiln,potter,height_cm,fired,electric
Bellows,Ann Lee,120,2024-05-01,1
Old Smoky,Bo Ek,210,2023-11-30,0
Wren,Ann Lee,95,2024-06-17,1
"""


@pytest.fixture(scope="module")
def asker(tmp_path_factory: pytest.TempPathFactory) -> Asker:
    folder: Path = tmp_path_factory.mktemp("kilns")
    (folder / "kilns.csv").write_text(KILNS, "utf-8")
    with qlc.connect(folder / "store") as client:
        load_all(client, read_typed(folder / "kilns.csv"))
    return Asker(Compiler(qlc.connect(folder / "store", read_only=True), None, "kilns"))


@pytest.mark.parametrize(
    ("question", "said"),
    [("How tall is it?", "it"), ("when did she fire?", "she"), ("What is the height of this one?", "this one"),
     ("Show me that kiln again", "that kiln"), ("Who worked there?", "there"), ("How high is the kiln?", "the kiln"),
     ("Who is its potter?", "its"),
     ("which kiln is it?", "it"), ("show me them", "them")],
)  # fmt: skip
def test_a_question_that_points_at_nothing_is_asked_back(asker: Asker, question: str, said: str) -> None:
    outcome = asker.ask(question, now=NOW)
    assert isinstance(outcome, Clarify), outcome
    assert (outcome.what, outcome.options) == ("reference", [])
    assert f"'{said}'" in outcome.message


@pytest.mark.parametrize(
    "question",
    ["How many kilns are there?", "the tallest kiln", "kilns by potter", "Which is the tallest and how high is it?",
     "height of Wren", "Who is the potter of Old Smoky and where does she work?", "is it true that kilns burn?",
     "kilns that have their own potter", "which potter had their kiln fired first?"],
)  # fmt: skip
def test_a_question_that_names_what_it_is_of_is_not_asked_back(asker: Asker, question: str) -> None:
    outcome = asker.ask(question, now=NOW)
    assert not (isinstance(outcome, Clarify) and outcome.what == "reference"), outcome
