"""Translates questions about the document store; the program is compared word for word."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker
from tests import tables
from tests.tables import each

from . import (
    cases_drive_conditions,
    cases_drive_everyday,
    cases_drive_numbers,
    cases_drive_office,
    cases_drive_places,
    cases_drive_readings,
    cases_drive_values,
    cases_drive_wordings,
)
from .cases_drive import CASES
from .cases_drive_wordings import BARE

NOW = "2026-03-15T12:00:00Z"

OTHER_WORDINGS = (
    cases_drive_places.CASES
    | cases_drive_conditions.CASES
    | cases_drive_everyday.CASES
    | cases_drive_numbers.CASES
    | cases_drive_office.CASES
    | cases_drive_values.CASES
    | cases_drive_wordings.CASES
)
PROGRAMS = CASES | cases_drive_readings.CASES
UNANSWERED = [
    case
    for cases in (
        cases_drive_conditions,
        cases_drive_numbers,
        cases_drive_office,
        cases_drive_readings,
        cases_drive_values,
        cases_drive_wordings,
    )
    for case in cases.UNANSWERED
]


def asked(asker: Asker, text: str, program: str) -> None:
    assert asker.ask(text, now=NOW, size=0).query == program


@pytest.mark.parametrize("about", PROGRAMS)
def test_the_programs(drive: Asker, about: str) -> None:
    each(PROGRAMS[about], lambda case: asked(drive, *case))


def test_the_programs_of_other_wordings(drive: Asker) -> None:
    each(OTHER_WORDINGS.items(), lambda case: asked(drive, *case))


def test_no_answer_is_better_than_a_wrong_one(drive: Asker) -> None:
    def check(text: str) -> None:
        assert drive.ask(text, now=NOW, size=0).kind in ("declined", "clarify", "unsupported")

    each(UNANSWERED, check)


@pytest.mark.parametrize("text", BARE, ids=range(len(BARE)))
def test_a_catalog_of_bare_names_is_enough_for_some(bare_drive: Asker, text: str) -> None:
    assert bare_drive.ask(text, now=NOW, size=0).query == BARE[text]


@pytest.mark.parametrize(
    "text",
    ["Tax documents 2024", "Grace Kim documents", "how many invoices in 2025", "last week's letters",
     "reports that are not in Spanish", "contracts in French", 'photos labeled "travel"',
     "which documents has Tom Baker commented on"],
)  # fmt: skip
def test_what_no_catalog_says_is_not_guessed(bare_drive: Asker, text: str) -> None:
    assert bare_drive.ask(text, now=NOW, size=0).kind in ("declined", "clarify")


@pytest.mark.parametrize(
    ("text", "intent"),
    tables.rows(__file__, "test_what_no_search_can_do_is_refused_with_its_intent"),
)
def test_what_no_search_can_do_is_refused_with_its_intent(drive: Asker, text: str, intent: str) -> None:
    outcome = drive.ask(text, now=NOW)
    assert (outcome.kind, getattr(outcome, "intent", "")) == ("refuse", intent)


@pytest.mark.parametrize(
    "text", ["documents shared with Omar", "files in the Deleted folder", "copies of Template_Letter.docx"]
)
def test_words_of_actions_in_a_search_are_a_search(drive: Asker, text: str) -> None:
    assert drive.ask(text, now=NOW).kind in ("hits", "not_found")


@pytest.mark.parametrize(
    "text",
    [
        "documents about the thing we discussed with the frobnicator yesterday in the glimmer",
        "the quick brown fox jumps over the lazy PDFs",
        "invoices in sympathy with Kowalski",
    ],
)
def test_words_that_find_no_use_are_never_dropped(drive: Asker, text: str) -> None:
    assert drive.ask(text, now=NOW).kind in ("declined", "unsupported", "refuse")


def test_a_question_of_misspelt_words_is_declined_rather_than_refused(drive: Asker) -> None:
    outcome = drive.ask("recaipps contrapts invoisez", now=NOW)
    assert (outcome.kind, outcome.words) == ("declined", ["recaipps", "contrapts", "invoisez"])


@pytest.mark.parametrize("text", ["do you have any invoices?", "how can I see the invoices", "how do I find invoices"])
def test_a_question_to_a_listener_is_a_search(drive: Asker, text: str) -> None:
    assert drive.ask(text, now=NOW).query == 'find documents where type = "Invoice"'


def test_a_vowel_for_another_is_fixed(drive: Asker) -> None:
    outcome = drive.ask("reciepts and invaices over 500 dollars", now=NOW)
    assert "Read 'invaices' as 'invoices'." in outcome.notes


def test_who_asks_for_all_of_them_gets_all_of_them(drive: Asker) -> None:
    def check(text: str, program: str) -> None:
        assert drive.ask(text, now=NOW, size=0).query == program

    rows = [
        ("all documents", "find all documents"), ("documents", "find all documents"),
        ("list all folders", "find all folders"), ("which documents are there?", "find all documents"),
        ("everything", "find all entries"), ("which ones?", ""), ("documents hidden", ""),
    ]  # fmt: skip
    each(rows, lambda row: check(*row))


def test_a_misspelt_word_is_fixed_and_reported(drive: Asker) -> None:
    outcome = drive.ask("recipts in Meals over 500 dollars", now=NOW)
    assert outcome.query.startswith('find documents where type = "Receipt" and folder = "Meals"')
    assert "Read 'recipts' as 'receipts'." in outcome.notes


def test_a_text_that_nothing_holds_is_a_misspelt_value_where_one_is_nearly_spelled_so(drive: Asker) -> None:
    outcome = drive.ask("Contracts with Tidewatter Marine", now=NOW)
    assert outcome.query == 'find documents where type = "Contract" and counterparty = "Tidewater Marine"'
    assert "Read 'Tidewatter' as 'tidewater'." in outcome.notes


def test_a_corrected_word_is_reported_once(drive: Asker) -> None:
    outcome = drive.ask("recepts frm Costco", now=NOW)
    assert sorted(outcome.notes) == ["Read 'frm' as 'from'.", "Read 'recepts' as 'receipts'."]


def test_a_typo_that_is_a_word_itself_is_fixed_and_reported(drive: Asker) -> None:
    outcome = drive.ask("receipts form Starbucks", now=NOW)
    assert outcome.query == 'find documents where type = "Receipt" and vendor = "Starbucks"'
    assert "Read 'form' as 'from'." in outcome.notes
    assert drive.ask("W2 form", now=NOW).query == 'find documents where type = "W2"'


def test_a_text_that_goes_on_after_a_body_is_a_name(drive: Asker) -> None:
    from qlc.pasted.recognise import recognise

    assert recognise('open the file {"query":{"match_all":{}}}.json') is None
    assert recognise('run {"query":{"match_all":{}}}.') is not None


def test_a_currency_is_asked_for_in_the_field_that_is_called_so(bare_drive: Asker) -> None:
    outcome = bare_drive.ask("invoices between 100 and 500 dollars", now=NOW, size=0)
    assert outcome.query == (
        'find documents where type = "Invoice" and amount between 100 and 500 and currency = "USD"'
    )
    assert bare_drive.ask("empty folders", now=NOW).kind == "declined"


def test_a_date_that_can_be_read_in_two_ways_is_asked_about_with_the_day_first(drive: Asker) -> None:
    asked = drive.ask("documents created on 03/04/2025", now=NOW)
    assert asked.kind == "clarify"
    assert [option.id for option in asked.options] == [
        "find documents where created = 2025-04-03", "find documents where created = 2025-03-04",
    ]  # fmt: skip


def test_what_was_added_up_is_reported(drive: Asker) -> None:
    notes = drive.ask("how much did we pay Verizon", now=NOW).notes
    assert any(one.startswith("Added up over every type: Purchase Order") for one in notes)


def test_those_that_have_none_are_reported_where_the_fewest_are_asked_for(drive: Asker) -> None:
    message = drive.ask("which month of 2025 had the fewest leases", now=NOW).message
    assert message.startswith("These have none at all: 2025-02, 2025-03")


@pytest.mark.parametrize(
    "text",
    ["how much have we spent on receipts in 2024", "documents larger than 5 MB", "total amount of invoices from Costco",
     "average amount of receipts"],
)  # fmt: skip
def test_nothing_is_noted_of_what_was_said(drive: Asker, text: str) -> None:
    assert not [one for one in drive.ask(text, now=NOW).notes if one.startswith("Added up")]
