"""Questions to the corpus that ships as an example."""

import pytest

import qlc
from qlc.base.errors import UsageError
from qlc.outcome import Answer, Clarify, Declined, Failed, NotInCorpus, Passages
from tests.tables import rows

NOW = "2026-06-15T12:00:00Z"


def answer(library: qlc.Corpus, question: str) -> Answer:
    found = library.ask(question, now=NOW)
    assert isinstance(found, Answer), found
    return found


def test_days_that_were_months_are_told_as_they_were_written(library: qlc.Corpus) -> None:
    days = "three months, taken as 90 days"
    assert answer(library, "What is the notice period in the Borden cleaning agreement?").message.endswith(f": {days}.")
    months = answer(library, "What is the notice period in the Borden cleaning agreement in months?")
    assert months.message.endswith(": 3 months.")
    noted = "'three months' was taken as 90 days in contracts/borden_cleaning.docx"
    for question in ("list the contracts with party and notice", "list the contracts with notice over 60 days"):
        found = library.ask(question, now=NOW)
        assert any(note.startswith(noted) for note in found.notes), found
    exact = answer(library, "How wide is the AS-330?")
    assert "taken as" not in exact.message


@pytest.mark.parametrize(("question", "value", "unit", "file", "quote"), rows(__file__, "test_a_value_has_its_quote"))
def test_a_value_has_its_quote(
    library: qlc.Corpus, question: str, value: object, unit: str, file: str, quote: str
) -> None:
    found = answer(library, question)
    assert [(one.value, one.unit) for one in found.values] == [(value, unit)]
    assert [(one.file, one.page, one.quote) for one in found.claims[0].citations] == [(file, 1, quote)]
    assert [step for step in found.steps if not step.program] == []
    assert found.steps


@pytest.mark.parametrize(("question", "files"), rows(__file__, "test_a_list_is_that_of_a_program"))
def test_a_list_is_that_of_a_program(library: qlc.Corpus, question: str, files: int) -> None:
    found = library.ask(question, now=NOW)
    assert found.total == files
    again = library.compiler().run(found.query, now=NOW)
    assert again.ids == found.ids


def test_a_list_says_of_how_many_more_the_field_is_not_known(library: qlc.Corpus) -> None:
    found = library.ask("Which contracts renew automatically?")
    assert "Of 2 more contracts, 'renews' is not known." in found.notes


def test_a_computed_value_cites_what_it_is_computed_from(library: qlc.Corpus) -> None:
    found = answer(library, "What is the average width of the solar panels?")
    assert ([one.value for one in found.values], found.computed) == ([1063], True)
    assert {one.file for one in found.claims[0].citations} == {"datasheets/AS-330.md", "datasheets/AS-405.html"}


def test_a_table_has_a_citation_in_each_cell(library: qlc.Corpus) -> None:
    found = answer(library, "Compare width and voltage of B-120 and B-240")
    assert {row.file: {name: cell.value for name, cell in row.cells.items()} for row in found.rows} == {
        "datasheets/B-120.pdf": {"width": 600, "voltage": 400},
        "datasheets/B-240.pdf": {"width": 1200, "voltage": 800},
    }
    assert all(cell.citations for row in found.rows for cell in row.cells.values())


def test_several_documents_that_differ_are_a_question(library: qlc.Corpus) -> None:
    found = library.ask("What is the notice period of the contract with ACME?")
    assert (found.what, len(found.options)) == ("document", 2)


@pytest.mark.parametrize("question", rows(__file__, "test_what_conditions_cannot_say_is_declined"))
def test_what_conditions_cannot_say_is_declined(library: qlc.Corpus, question: str) -> None:
    found = library.ask(question, now=NOW)
    assert isinstance(found, Passages | Clarify | NotInCorpus)


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


ODD = ["", "?", "   ", "the of and", "word " * 100, "x" * 2_000_000, "\ud83d", "1 2 3", "()"]


@pytest.mark.parametrize("question", ODD)
def test_a_question_of_any_kind_has_an_outcome(library: qlc.Corpus, question: str) -> None:
    assert isinstance(library.ask(question), Declined | Passages | NotInCorpus)


def test_the_deadline_is_that_of_the_whole_answer(library: qlc.Corpus) -> None:
    found = library.ask("How wide is the AS-330?", deadline=0.0)
    assert isinstance(found, Failed)
    assert found.reason == "timeout"


@pytest.mark.parametrize(("given", "options"), [(5, {}), ("How wide is the AS-330?", {"now": "yesterday"})])
def test_what_is_no_question_or_no_option_is_refused(library: qlc.Corpus, given: str, options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        library.ask(given, **options)  # type: ignore[misc]


def test_a_document_that_is_chosen_is_the_one_that_is_meant(library: qlc.Corpus) -> None:
    question = "What is the notice period of the contract with ACME?"
    asked = library.ask(question)
    found = [library.ask(question, choices={asked.token: option.id}) for option in asked.options]
    assert sorted(one.values[0].value for one in found if isinstance(one, Answer)) == [30, 60]


def test_a_narrower_list_that_is_chosen_is_run(library: qlc.Corpus) -> None:
    found = library.ask("List all contracts", choices={"overload": 'find contracts where party = "ACME Corp"'})
    assert found.total == 2


@pytest.mark.parametrize(
    "question", ["Which contract has the highest liability cap?", "What is the average liability cap?"]
)
def test_amounts_of_several_currencies_are_not_compared(library: qlc.Corpus, question: str) -> None:
    found = library.ask(question, now=NOW)
    assert isinstance(found, Declined)
    assert "Liability cap is in EUR, GBP and USD" in found.message
    for one in found.suggestions:
        assert library.compiler().run(one, now=NOW).kind == "value"


def test_a_comparison_that_leaves_the_currency_out_says_which_there_are(library: qlc.Corpus) -> None:
    told = "'liability_cap' is in EUR, GBP and USD: the numbers were compared, not what they are worth."
    assert told in library.ask("Contracts with a liability cap over 50,000", now=NOW).notes
    assert told not in library.ask("Contracts with a liability cap over EUR 50,000", now=NOW).notes


def test_a_value_of_every_document_is_a_table(library: qlc.Corpus) -> None:
    found = answer(library, "What is the liability cap of every contract?")
    assert len(found.rows) == 7
    assert "liability cap is known for 5 of 7." in found.notes


@pytest.mark.parametrize("question", ["", "  \n"])
def test_no_question(library: qlc.Corpus, question: str) -> None:
    assert library.ask(question).message == "There is no question. Ask for a list, a number or a value."
