"""Turns as people take them: a request behind an edit, what was spoken of shown, which condition is to go."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker
from qlc.translator.rules.questions.courtesies import SAVE
from qlc.translator.rules.translator import REFUSALS
from tests.tables import rows

from .conftest import Talk

INVOICES = "overdue invoices of 2025"
RISKY = "contracts with a high risk"
GERMANY = "delayed flights to Germany cheaper than 500"
VIDEO = 'find documents where extension = "video" sort size desc limit 1'
EXPIRING = 'find documents where type = "Contract" and expires = this year'


@pytest.mark.parametrize("then", ["show it", "open it", "show me that one", "just that one"])
def test_one_thing_is_not_shown_where_many_were_found(talk: Talk, then: str) -> None:
    assert talk("drive", INVOICES, then)[-1].kind == "declined"


@pytest.mark.parametrize(
    "text",
    [
        "put that in a csv", "export as csv please", "can I get this as a spreadsheet", "save this", "as csv please",
        "export all flights to excel", "how do I export this?", "download the list", "csv export please", "export",
        "I need this in Excel", "can this be exported?", "make a spreadsheet of these", "write the list to a file",
    ],
)  # fmt: skip
def test_what_is_to_be_saved_is_refused_with_how_it_is_done(talk: Talk, text: str) -> None:
    for data, first in (("flights", GERMANY), ("drive", INVOICES)):
        outcome = talk(data, first, text)[-1]
        assert (outcome.kind, outcome.message) == ("refuse", REFUSALS[SAVE])


def test_after_a_refusal_the_talk_goes_on(talk: Talk) -> None:
    last = talk("flights", GERMANY, "export that to excel", "only the cancelled ones")[-1]
    assert last.query.endswith("price < 500 and cancelled = true")


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


@pytest.mark.parametrize(
    ("data", "first", "then"),
    [
        ("drive", EXPIRING, "are any of those duplicates of each other?"),
        ("drive", EXPIRING, "do they overlap one another?"),
        ("flights", GERMANY, "are any of them connections of each other"),
    ],
)
def test_things_are_not_compared_with_each_other(talk: Talk, data: str, first: str, then: str) -> None:
    outcome = talk(data, first, then)[-1]
    assert outcome.kind == "declined"


def test_where_those_lie_is_asked_with_a_preposition(talk: Talk) -> None:
    assert talk("drive", EXPIRING, "are any of those in Legal?")[-1].query == f'{EXPIRING} and folder = "Legal"'


@pytest.mark.parametrize(
    ("data", "first", "object", "target", "query"),
    [
        ("drive", "delete all drafts", "all drafts", "", 'find documents where review_status = "draft"'),
        ("drive", "please move the W2s to Archive", "the W2s", "Archive", 'find documents where type = "W2"'),
        ("flights", "cancel the delayed flights to Rome", "the delayed flights to Rome", "",
         'find flights where delayed = true and dest_city = "Rome"'),
    ],
)  # fmt: skip
def test_what_is_not_done_to_things_says_what_they_are(
    talk: Talk, data: str, first: str, object: str, target: str, query: str
) -> None:
    refused, listed, counted = talk(data, first, "list them", "how many are there")
    assert (refused.kind, refused.object, refused.target, refused.query) == ("refuse", object, target, query)
    assert (listed.kind, listed.query) == ("hits", query)
    assert counted.query == query.replace("find", "count")


def test_what_names_nothing_leaves_what_was_spoken_of(talk: Talk) -> None:
    before, refused, listed = talk("drive", "NDAs from 2023", "delete them", "list them")
    assert (refused.kind, refused.query) == ("refuse", "")
    assert listed.query == before.query
    assert talk("drive", "delete it", "list them")[-1].kind == "declined"


@pytest.mark.parametrize(
    ("text", "said", "instead"),
    rows(__file__, "test_a_refusal_says_what_is_not_done_and_what_can_be_asked"),
)
def test_a_refusal_says_what_is_not_done_and_what_can_be_asked(talk: Talk, text: str, said: str, instead: str) -> None:
    refused = talk("drive", text)[0]
    assert refused.kind == "refuse"
    assert refused.message.startswith(f"I cannot {said}. ")
    assert instead in refused.message
