"""Lists that show fields beside what is listed, and why a question that was understood is not answered."""

import pytest

import qlc
from qlc.outcome import Answer, Declined, Passages
from tests.tables import rows


@pytest.mark.parametrize(("question", "columns"), rows(__file__, "test_a_list_with_some_fields_is_a_table"))
def test_a_list_with_some_fields_is_a_table(question: str, columns: list[str], library: qlc.Corpus) -> None:
    found = library.ask(question)
    assert isinstance(found, Answer), found
    assert found.columns == columns
    listed = library.compiler().run(found.query)
    assert [row.document for row in found.rows] == listed.ids
    assert all(row.cells[name].citations for row in found.rows for name in columns)


@pytest.mark.parametrize(("question", "why"), rows(__file__, "test_what_is_declined_says_why"))
def test_what_is_declined_says_why(question: str, why: str, library: qlc.Corpus) -> None:
    found = library.ask(question)
    assert isinstance(found, Declined | Passages), found
    assert why in found.message
    for one in found.suggestions:
        assert library.compiler().run(one).kind == "hits"
