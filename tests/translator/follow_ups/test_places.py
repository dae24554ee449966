"""Turns about where things lie, what a thing was copied from, and the first of those in a place."""

from __future__ import annotations

import pytest

from tests.tables import rows

from .conftest import Talk

BANKING = "documents in Business/Banking"
BELOW = "documents under Business/Banking"
COPY = "show Landlord reminder.docx"
OF_IT = 'find documents where id = document("{0}").copied_from'


@pytest.mark.parametrize(("text", "query"), rows(__file__, "test_a_path_without_quotes"))
def test_a_path_without_quotes(talk: Talk, text: str, query: str) -> None:
    assert talk("drive", text)[-1].query == query


def test_a_year_after_a_path_is_asked_about_where_both_find_something(talk: Talk) -> None:
    asked = talk("drive", "documents in Business/Payroll 2024")[-1]
    assert {one.id for one in getattr(asked, "options", ())} == {
        'find documents where folder = "Business/Payroll/2024"',
        'find documents where folder = "Business/Payroll" and created = 2024',
    }


@pytest.mark.parametrize(
    ("then", "query"),
    [
        ("which of them has the most documents", "sort document_count desc limit 1"),
        ("and the newest", "sort created desc limit 1"),
    ],
)
def test_another_order_after_the_first_of_one_is_of_them_all(talk: Talk, then: str, query: str) -> None:
    turn = talk("drive", "folders in Business/Vendors", "the oldest", then)[-1]
    assert turn.query == f'find folders where folder = "Business/Vendors" {query}'


@pytest.mark.parametrize(("text", "degree"), [("the smallest folder there", "fewest")])
def test_what_has_no_size_of_its_own(talk: Talk, text: str, degree: str) -> None:
    turn = talk("drive", "folders in Projects", text)[-1]
    assert turn.kind == "declined"
    assert turn.message == "A folder has no size of its own: what is in it is counted or summed up."
    offered = (f"the folder with the {degree} documents", "total size of documents by folder")
    assert {*offered} <= {*turn.suggestions}
    assert [talk("drive", one)[-1].kind for one in offered] == ["hits", "aggregate"]


@pytest.mark.parametrize(
    "turns",
    [
        (COPY, "where was it copied from"),
        (COPY, "what is it a copy of?"),
        ("where was Landlord reminder.docx copied from?",),
    ],
)
def test_where_a_copy_is_from(talk: Talk, turns: tuple[str, ...]) -> None:
    found = talk("drive", *turns)[-1]
    assert found.query.endswith(").copied_from")
    assert [one.name for one in getattr(found, "hits", ())] == ["Template_Letter.docx"]


@pytest.mark.parametrize("then", ["where was it copied from", "the original of that", "who owns it"])
def test_one_of_several_is_to_be_named(talk: Talk, then: str) -> None:
    turn = talk("drive", "contracts", then)[-1]
    assert turn.kind == "declined"
    assert turn.notes[0].endswith("were found. Say which one is meant, such as 'the second one'.")
