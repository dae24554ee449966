"""Questions to the corpus that ships as an example."""

import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.outcome import Answer, Declined, NotInCorpus, Passages
from tests.tables import rows

NOW = "2026-06-15T12:00:00Z"


def answer(library: qlc.Corpus, question: str) -> Answer:
    found = library.ask(question, now=NOW)
    assert isinstance(found, Answer), found
    return found


@pytest.mark.parametrize(("question", "files"), rows(__file__, "test_a_list_is_that_of_a_program"))
def test_a_list_is_that_of_a_program(library: qlc.Corpus, question: str, files: int) -> None:
    found = library.ask(question, now=NOW)
    assert found.total == files
    again = library.compiler().run(found.query, now=NOW)
    assert again.ids == found.ids


def test_a_table_has_a_citation_in_each_cell(library: qlc.Corpus) -> None:
    found = answer(library, "Compare width and voltage of B-120 and B-240")
    assert {row.file: {name: cell.value for name, cell in row.cells.items()} for row in found.rows} == {
        "datasheets/B-120.pdf": {"width": 600, "voltage": 400},
        "datasheets/B-240.pdf": {"width": 1200, "voltage": 800},
    }
    assert all(cell.citations for row in found.rows for cell in row.cells.values())


def test_a_question_is_taken_apart(library: qlc.Corpus) -> None:
    found = library.decompose("Which contracts with ACME have a notice period under 60 days?", now=NOW)
    assert found.intent == "list"
    assert found.primary_buckets == ("contracts",)
    assert [(one.name, one.role) for one in found.entities] == [("ACME", "party")]
    assert [(one.field, one.operator, one.value, one.raw_text) for one in found.constraints] == [
        ("notice", "<", "60 days", "under 60 days")
    ]


async def test_the_same_over_an_asynchronous_client(library: qlc.Corpus) -> None:
    asynchronous = qlc.AsyncCorpus(library, None)  # type: ignore[arg-type]
    found = await asynchronous.ask("How wide is the AS-330?")
    assert [one.value for one in found.values] == [992]


ODD = ["word " * 100, "x" * 2_000_000, "\ud83d"]


@pytest.mark.parametrize("question", ODD)
def test_a_question_of_any_kind_has_an_outcome(library: qlc.Corpus, question: str) -> None:
    assert isinstance(library.ask(question), Declined | Passages | NotInCorpus)


@pytest.mark.parametrize(("given", "options"), [(5, {}), ("How wide is the AS-330?", {"now": "yesterday"})])
def test_what_is_no_question_or_no_option_is_refused(library: qlc.Corpus, given: str, options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        library.ask(given, **options)  # type: ignore[misc]


def test_a_document_that_is_chosen_is_the_one_that_is_meant(library: qlc.Corpus) -> None:
    question = "What is the notice period of the contract with ACME?"
    asked = library.ask(question)
    found = [library.ask(question, choices={asked.token: option.id}) for option in asked.options]
    assert sorted(one.values[0].value for one in found if isinstance(one, Answer)) == [30, 60]


@pytest.mark.parametrize(
    "question", ["Which contract has the highest liability cap?", "What is the average liability cap?"]
)
def test_amounts_of_several_currencies_are_not_compared(library: qlc.Corpus, question: str) -> None:
    found = library.ask(question, now=NOW)
    assert isinstance(found, Declined)
    assert "Liability cap is in EUR, GBP and USD" in found.message
    for one in found.suggestions:
        assert library.compiler().run(one, now=NOW).kind == "value"
