"""Cases to decline or to qualify: amounts that do not belong together, documents that may belong to an answer,
sentences that only look like an answer."""

from collections.abc import Iterator

import pytest

import qlc
from qlc.outcome import Answer, Clarify, Declined, NotInCorpus, Outcome, Passages
from tests.corpora import made
from tests.tables import table

SCHEMA = table(__file__, "SCHEMA")
FILES = table(__file__, "FILES")


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[qlc.Corpus]:
    with made(tmp_path_factory.mktemp("office"), FILES, SCHEMA) as corpus:
        yield corpus


def ask(office: qlc.Corpus, question: str) -> Outcome:
    return office.ask(question, now="2026-03-30T12:00:00Z")


def test_a_value_that_an_amendment_says_again_does_not_count_twice(office: qlc.Corpus) -> None:
    found = ask(office, "What is the average hire of the charters?")
    assert isinstance(found, Declined)
    assert "charters/petrel_addendum.txt changes other documents" in found.message
    without = office.compiler().run(found.suggestions[0])
    assert without.kind == "value"
    counted = ask(office, "How many charters are there?")
    assert [one.value for one in counted.values] == [3]
    assert "charters/petrel_addendum.txt changes another document, and is counted too." in counted.notes


def test_an_amount_of_another_clause_is_no_value(office: qlc.Corpus) -> None:
    found = ask(office, "What is the hire of the Arctic Tern?")
    assert not isinstance(found, Answer), found


@pytest.mark.parametrize(
    ("question", "told"),
    [("What is the period of the Arctic Tern in years?", "2 years (24 months)"),
     ("What is the period of the Arctic Tern?", "24 months"),
     ("What is the period of the Arctic Tern in months?", "24 months")],
)  # fmt: skip
def test_a_value_is_told_in_the_unit_that_is_asked_for(office: qlc.Corpus, question: str, told: str) -> None:
    found = ask(office, question)
    assert isinstance(found, Answer)
    assert found.message.endswith(f": {told}.")


def test_what_cannot_be_said_in_a_unit_is_said_to_be_so(office: qlc.Corpus) -> None:
    found = ask(office, "What is the speed of the Arctic Tern in km/h?")
    assert isinstance(found, Declined)
    assert "is 750 rpm: that cannot be converted to km/h" in found.message


@pytest.mark.parametrize("question", ["How many serious incidents are there?", "List the serious incidents"])
def test_a_document_whose_text_says_it_may_belong_to_the_answer(office: qlc.Corpus, question: str) -> None:
    found = ask(office, question)
    assert isinstance(found, Declined)
    assert "incidents/two.txt may, too" in found.message


@pytest.mark.parametrize(
    "question",
    ["Why was the crane stopped?", "What does Rowan Pike do?", "Which employees started in 2019?"],
    ids=["no cause is told", "names alone", "a date that is not that of the question"],
)
def test_what_no_field_tells_is_no_answer(office: qlc.Corpus, question: str) -> None:
    assert isinstance(ask(office, question), Declined | Passages | NotInCorpus | Clarify)
