"""Conversations as people have them: what their last turns are answered, in a table, and what no table says."""

from typing import Any

import pytest

from qlc.translator.entry import Asker
from qlc.translator.rules.questions.deeds import SAVE
from qlc.translator.rules.translator import REFUSALS
from tests.tables import holds, table

from .conftest import Talk

TOGETHER = "list all NDAs. And list all leases"
TALKS = [(title, *row) for title, rows in table(__file__, "TALKS").items() for row in rows]
"""A title, a data set, turns, and the expected last outcome, or a list of the last ones."""


@pytest.mark.parametrize(("title", "data", "turns", "wanted"), TALKS, ids=[f"{one[0]}: {one[2][-1]}" for one in TALKS])
def test_what_a_talk_comes_to(talk: Talk, title: str, data: str, turns: list[str], wanted: Any) -> None:
    last = wanted if isinstance(wanted, list) else [wanted]
    for outcome, one in zip(talk(data, *turns)[-len(last) :], last, strict=True):
        holds(outcome, one)


def test_each_list_goes_on_where_it_was_left(talk: Talk) -> None:
    turns = (TOGETHER, "show more of the first", "show more of the second", "show more of the first")
    ids = [getattr(one, "ids", []) for one in talk("drive", *turns)]
    assert len({id for page in (ids[0], ids[2], ids[4]) for id in page}) == 30
    assert len({id for page in (ids[1], ids[3]) for id in page}) == 20


def test_a_list_beside_a_question_back_is_read_on_and_the_question_stays_open(talk: Talk) -> None:
    asked, listed, more, chosen = talk("drive", "documents of Dana. And list all leases", "show more", "1")
    assert asked.kind == "clarify"
    assert (more.kind, more.query) == ("hits", listed.query)
    assert (chosen.kind, chosen.query) == ("hits", asked.query)


@pytest.mark.parametrize("whole", ["what can Ann edit?", "who frobnicated the scan of the lease, and when"])
def test_a_whole_question_is_declined_as_if_it_were_the_first(talk: Talk, whole: str) -> None:
    (alone,) = talk("drive", whole)
    after = talk("drive", "how many pages did Omar Haddad frobnicate?", whole)[-1]
    assert (after.kind, after.message) == ("declined", alone.message)


@pytest.mark.parametrize(
    "text",
    [
        "put that in a csv", "export as csv please", "can I get this as a spreadsheet", "save this", "as csv please",
        "export all flights to excel", "how do I export this?", "download the list", "csv export please", "export",
        "I need this in Excel", "can this be exported?", "make a spreadsheet of these", "write the list to a file",
    ],
)  # fmt: skip
def test_what_is_to_be_saved_is_refused_with_how_it_is_done(talk: Talk, text: str) -> None:
    for data, first in (("flights", "delayed flights to Germany"), ("drive", "overdue invoices of 2025")):
        outcome = talk(data, first, text)[-1]
        assert (outcome.kind, outcome.message) == ("refuse", REFUSALS[SAVE])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("files saved as csv", "hits"), ("excel files", "hits"), ("show all invoices in excel format", "hits"),
        ("find everything that is stored as csv", "hits"), ("list the entries in excel", "hits"),
        ("export control agreements", "declined"), ("save the date", "declined"),
    ],
)  # fmt: skip
def test_forms_of_what_is_stored_are_no_wish_to_save(drive: Asker, text: str, kind: str) -> None:
    assert drive.ask(text, now="2026-03-15T12:00:00Z").kind == kind
