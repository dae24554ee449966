"""Lists that show fields beside what is listed, and why a question that was understood is not answered."""

import pytest

import qlc
from qlc.outcome import Answer, Declined, Hits, Passages
from tests.tables import rows


@pytest.mark.parametrize(("question", "columns"), rows(__file__, "test_a_list_with_some_fields_is_a_table"))
def test_a_list_with_some_fields_is_a_table(question: str, columns: list[str], library: qlc.Corpus) -> None:
    found = library.ask(question)
    assert isinstance(found, Answer), found
    assert found.columns == columns
    listed = library.compiler().run(found.query)
    assert [row.document for row in found.rows] == listed.ids
    assert all(row.cells[name].citations for row in found.rows for name in columns)


def test_a_table_has_a_row_for_a_document_that_does_not_tell_the_field(library: qlc.Corpus) -> None:
    found = library.ask("list the contracts with party and notice")
    assert isinstance(found, Answer)
    assert len(found.rows) == library.status().buckets["contracts"].documents
    assert any(not row.cells for row in found.rows)
    assert "notice is known for 5 of 7." in found.notes


@pytest.mark.parametrize(
    "question", ["list the contracts with a liability cap", "list the invoices with their totals over 500 EUR"]
)
def test_a_field_that_restricts_a_list_is_no_column(question: str, library: qlc.Corpus) -> None:
    assert isinstance(library.ask(question), Hits)


def test_the_value_of_one_document_is_no_sum(library: qlc.Corpus) -> None:
    found = library.ask("What is the total of invoice INV-1001?")
    assert found.message == "Total of Invoice INV-1001: EUR 536.00."
    assert not found.computed
    assert [one.quote for one in found.values[0].citations]


@pytest.mark.parametrize(("question", "why"), rows(__file__, "test_what_is_declined_says_why"))
def test_what_is_declined_says_why(question: str, why: str, library: qlc.Corpus) -> None:
    found = library.ask(question)
    assert isinstance(found, Declined | Passages), found
    assert why in found.message
    for one in found.suggestions:
        assert library.compiler().run(one).kind == "hits"


@pytest.mark.parametrize(
    ("question", "meant"),
    [
        ("how many documnets are there", "how many documents are there"),
        ("how many contarcts are there", "how many contracts are there"),
        ("list the contarcts and invioces", "list the contracts and invoices"),
    ],
)
def test_a_word_with_a_typo_is_offered_in_the_question(question: str, meant: str, library: qlc.Corpus) -> None:
    found = library.ask(question)
    assert [one.id for one in found.options] == [meant]
    assert found.options[0].label in (meant, "documents", "contracts")
