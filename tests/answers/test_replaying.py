"""`Corpus.replay`: whether an answer that was kept is the same, or what changed: the data, the program, the model."""

import shutil
from pathlib import Path

import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.outcome import OUTCOME, Answer, Outcome
from tests.tables import table

from .conftest import ROOT
from .model.conftest import Scripted, plans, scripted, writes

__all__ = ["scripted"]

QUESTIONS = table(__file__, "QUESTIONS")
ROOMS = "Which sort of rooms may staff take, and what are they paid?"
HOTEL = "A hotel costs at most EUR 140 a night"
TO_WRITE = (plans(topic_terms=["hotel", "travel policy", "receipts"]),)
"""The model's reply before it is shown passages."""


def stored(outcome: Outcome) -> Outcome:
    """An outcome as it is read back from a file."""
    return OUTCOME.validate_json(outcome.model_dump_json())


@pytest.fixture
def copied(tmp_path: Path) -> tuple[qlc.Corpus, Path]:
    """A corpus that a test may change, and the folder of its files."""
    files = Path(shutil.copytree(ROOT / "examples/library", tmp_path / "files"))
    corpus = qlc.Corpus.create(tmp_path / "corpus", ROOT / "examples/library.yaml")
    corpus.add(files, processes=1)
    return corpus, files


def edited(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new), "utf-8")


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_same_where_nothing_changed(library: qlc.Corpus, question: str) -> None:
    replayed = library.replay(stored(library.ask(question)))
    assert (replayed.changed, replayed.question) == ([], question)
    assert replayed.is_same
    assert replayed.matches == []
    assert replayed.searches + replayed.checked > 0 or question.startswith("What is the total")


def test_relative_dates_go_by_the_time_of_the_answer(library: qlc.Corpus) -> None:
    outcome = library.ask("contracts effective this year", now="2023-06-01T00:00:00Z")
    assert outcome.total > 0
    assert library.replay(stored(outcome)).is_same
    assert not library.replay(stored(outcome), now="2030-06-01T00:00:00Z").is_same


def test_an_answer_to_what_was_chosen(library: qlc.Corpus) -> None:
    asked = library.ask("What is the notice period?")
    outcome = library.ask("What is the notice period?", choices={asked.token: asked.options[1].id})
    assert isinstance(outcome, Answer)
    assert library.replay(stored(outcome)).is_same


def test_changed_data_is_told_by_document_and_value(copied: tuple[qlc.Corpus, Path]) -> None:
    corpus, files = copied
    kept = {question: stored(corpus.ask(question)) for question in QUESTIONS}
    edited(files / "contracts/acme_supply.md", "Notice period: 30 days", "Notice period: 45 days")
    edited(files / "notes/travel_policy.md", "at most EUR 140", "at most EUR 150")
    text = (files / "contracts/acme_supply.md").read_text("utf-8").replace("Spare Parts", "Second Parts")
    (files / "contracts/acme_new.md").write_text(text, "utf-8")
    (files / "notes/acme_supply_copy.md").unlink()
    (files / "datasheets/B-240.pdf").unlink()
    corpus.add(files, processes=1, prune=True)

    counted, listed, hotels, borden, _, compared, *_ = (corpus.replay(one) for one in kept.values())
    assert counted.changed == ["data"]
    assert {(one.file, one.change) for one in counted.documents} == {
        ("contracts/acme_supply.md", "replaced"), ("contracts/acme_new.md", "added"),
    }  # fmt: skip
    assert [(one.was, one.now) for one in counted.values] == [("2", "3")]
    assert ("contracts/acme_supply.md: notice", "30 days", "45 days") in [
        (one.what, one.was, one.now) for one in listed.values
    ]
    assert any(HOTEL in one.quote for one in hotels.citations)
    assert borden.is_same  # another answer is not changed by it
    assert ("datasheets/B-240.pdf", "removed") in [(one.file, one.change) for one in compared.documents]


def test_a_document_that_no_longer_meets_the_conditions(copied: tuple[qlc.Corpus, Path]) -> None:
    """Its values were given by a person beside it, so its content is the same."""
    corpus, files = copied
    outcome = stored(corpus.ask("Which contracts have a notice period under 60 days?"))
    (files / "metadata.csv").write_text("file,notice\ncontracts/corvid_hosting.html,300 days\n", "utf-8")
    corpus.add(files, processes=1)
    replayed = corpus.replay(outcome)
    assert replayed.changed == ["data"]
    assert [(one.file, one.change) for one in replayed.documents] == [("contracts/corvid_hosting.html", "excluded")]


def test_another_reading_is_a_change_of_the_program(copied: tuple[qlc.Corpus, Path], tmp_path: Path) -> None:
    corpus, files = copied
    outcome = stored(corpus.ask("Which contracts have a notice period under 60 days?"))
    schema = (ROOT / "examples/library.yaml").read_text("utf-8").replace("      notice: {", "      walk_away: {")
    (tmp_path / "other.yaml").write_text(schema, "utf-8")
    corpus.set_schema(tmp_path / "other.yaml")
    corpus.add(files, processes=1)
    replayed = corpus.replay(outcome)
    assert "program" in replayed.changed
    assert replayed.program.now is not None
    assert "walk_away" in replayed.program.now


def test_what_a_model_wrote_is_checked_without_it(copied: tuple[qlc.Corpus, Path], scripted: Scripted) -> None:
    corpus, files = copied
    reader, server = scripted(*TO_WRITE, writes(("Hotels may cost up to EUR 140 a night.", [("p1", HOTEL)])))
    outcome = stored(corpus.ask(ROOMS, reader=reader))
    assert isinstance(outcome, Answer)
    asked = len(server.requests)
    replayed = corpus.replay(outcome)
    assert (replayed.is_same, replayed.now, replayed.checked) == (True, None, 1)
    assert any("was not asked again" in note for note in replayed.notes)
    edited(files / "notes/travel_policy.md", "at most EUR 140", "at most EUR 150")
    corpus.add(files, processes=1)
    replayed = corpus.replay(outcome)
    assert replayed.changed == ["data"]
    assert [(one.claim, one.quote) for one in replayed.citations] == [(outcome.claims[0].text, HOTEL)]
    assert len(server.requests) == asked


def test_a_model_that_is_asked_again_can_say_something_else(library: qlc.Corpus, scripted: Scripted) -> None:
    first = "Hotels may cost up to EUR 140 a night."
    reader, _ = scripted(*TO_WRITE, writes((first, [("p1", HOTEL)])))
    outcome = stored(library.ask(ROOMS, reader=reader))
    again, _ = scripted(*TO_WRITE, writes((first, [("p1", HOTEL)])))
    assert library.replay(outcome, reader=again).is_same
    other, _ = scripted(*TO_WRITE, writes(("A hotel costs EUR 140 a night at most.", [("p1", HOTEL)])))
    replayed = library.replay(outcome, reader=other)
    assert replayed.changed == ["model"]
    assert [one.was for one in replayed.text if one.was] == [first]


def test_who_may_not_see_a_document_does_not_see_it_in_a_replay(library: qlc.Corpus, tmp_path: Path) -> None:
    from .test_access import changed

    outcome = stored(library.ask("Which contracts have a notice period under 60 days?"))
    catalog = changed(library, tmp_path, contract={"access": "party in $parties"})
    limited = qlc.Corpus(library.client, library.index, catalog=catalog)
    replayed = limited.replay(outcome, context={"parties": ["ACME Corp"]})
    assert [(one.file, one.change) for one in replayed.documents] == [("contracts/corvid_hosting.html", "removed")]
    assert replayed.now.total == 1
    with pytest.raises(UsageError, match="parties"):
        limited.replay(outcome)


def test_an_outcome_that_is_no_answer(library: qlc.Corpus) -> None:
    kept = library.ask("").model_dump()
    del kept["stats"]["asked"]
    with pytest.raises(UsageError, match="nothing to replay"):
        library.replay(OUTCOME.validate_python(kept))


async def test_the_asynchronous_corpus(copied: tuple[qlc.Corpus, Path], tmp_path: Path) -> None:
    corpus, _ = copied
    outcome = corpus.ask(QUESTIONS[0])
    async with await qlc.AsyncCorpus.open(tmp_path / "corpus", read_only=True) as other:
        assert (await other.replay(outcome)).is_same
