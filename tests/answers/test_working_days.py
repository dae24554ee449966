"""Working days and days are never added up, and their numbers are not compared with each other."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import qlc
from qlc.answers import cells, searching
from qlc.answers.tools.results import Ran
from qlc.outcome import Declined
from tests.corpora import made
from tests.tables import described

WORLD = described(Path(__file__).parent / "asked/working_days.yaml")
SCHEMA, FILES = WORLD["schema"], WORLD["files"]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    with made(tmp_path_factory.mktemp("library"), FILES, SCHEMA) as corpus:
        yield corpus


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
