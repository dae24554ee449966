"""Working days and days are never added up, and their numbers are not compared with each other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import qlc
from qlc.answers import cells, searching
from qlc.answers.tools.results import Ran
from qlc.outcome import AggregateOut, Answer, Declined, ValueOut
from tests.corpora import made
from tests.tables import table

SCHEMA = table(__file__, "SCHEMA")
NOTICES = {"chains": "20 working days", "bolts": "30 days", "nuts": "2 weeks"}


FILES = {f"contracts/{name}.md": f"# Supply of {name}\n\nKind: supply\n\nNotice period: {notice}\n"
         for name, notice in NOTICES.items()}  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    with made(tmp_path_factory.mktemp("library"), FILES, SCHEMA) as corpus:
        yield corpus


@pytest.mark.parametrize("question", [
    "What is the average notice period of contracts?",
    "Which contract has the longest notice period?",
    "What is the average notice period by kind of contracts?",
])  # fmt: skip
def test_both_kinds_of_days_are_not_put_together(library: qlc.Corpus, question: str) -> None:
    found = library.ask(question)
    assert isinstance(found, Declined), found
    assert "in working days in contracts/chains.md" in found.message


def test_the_shortest_may_count_days(library: qlc.Corpus) -> None:
    found = library.ask("Which contract has the shortest notice period?")
    assert isinstance(found, Answer)
    assert [row.cells["notice_period"].value for row in found.rows] == [14]
    told = library.ask("What is the shortest notice period of the contracts?")
    assert (told.values[0].value, told.values[0].unit) == (14, "days")


@pytest.mark.parametrize("program", ["sum(notice_period) of contracts", "avg(notice_period) of contracts by kind"])
def test_a_program_says_that_it_may_mix_them(library: qlc.Corpus, program: str) -> None:
    found = library.ask(program)
    assert isinstance(found, ValueOut | AggregateOut)
    assert "Of the contracts that have 'notice_period', some speak of working days" in found.notes[-1]


def test_days_alone_have_a_sum(tmp_path: Path) -> None:
    with made(tmp_path, {name: text for name, text in FILES.items() if "working" not in text}, SCHEMA) as corpus:
        found = corpus.ask("What is the average notice period of contracts?")
        assert (found.values[0].value, found.values[0].unit) == (22, "days")
        assert not corpus.ask("sum(notice_period) of contracts").notes


def test_a_tool_of_a_model_is_told_so_too(library: qlc.Corpus) -> None:
    asked = {"measure": "sum", "field": "notice_period", "bucket": "contracts"}
    found = library.call_tool("annotations_aggregate", asked)
    assert isinstance(found, Ran)
    assert "some speak of working days" in found.outcome["notes"][-1]


def test_of_more_documents_than_are_read_the_words_count(library: qlc.Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "MOST_DOCUMENTS", 1)
    monkeypatch.setattr(searching, "MOST_DOCUMENTS", 1)
    found = library.ask("What is the average notice period of contracts?")
    assert isinstance(found, Declined)
    assert "may be in working days there" in found.message
