"""Turns as people take them: a request behind an edit, what was spoken of shown, which condition is to go."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker
from qlc.translator.rules.questions.intents import NOT_AMONG_THEMSELVES, SAVE
from qlc.translator.rules.translator import REFUSALS

from .conftest import Talk

INVOICES = "overdue invoices of 2025"
RISKY = "contracts with a high risk"
GERMANY = "delayed flights to Germany cheaper than 500"
VIDEO = 'find documents where extension = "video" sort size desc limit 1'
EXPIRING = 'find documents where type = "Contract" and expires = this year'


@pytest.mark.parametrize(
    ("data", "first", "then", "query"),
    [
        # an edit and a request behind it are one wish
        ("drive", RISKY, "drop the risk, show me all contracts expiring this year instead", EXPIRING),
        ("drive", RISKY, "forget the risk, show me the ones expiring this year", EXPIRING),
        ("drive", RISKY, "ignore the risk. which ones expire this year?", EXPIRING),
        ("drive", RISKY, "drop the risk and show me only those expiring this year", EXPIRING),
        ("flights", GERMANY, "drop the price, how many are cancelled?",
         'count flights where delayed = true and dest_country = "DE" and cancelled = true'),
        ("drive", "contracts from 2023 with a high risk", "drop the date and the risk",
         'find documents where type = "Contract"'),
        ("drive", "contracts from 2023 with a high risk", "forget the risk and the year, show me the newest 3",
         'find documents where type = "Contract" sort created desc limit 3'),
        # groups and totals of what was found
        ("drive", INVOICES, "how many is that per vendor?",
         'count documents where overdue and type = "Invoice" and created = 2025 by vendor'),
        ("flights", GERMANY, "how many are there by carrier?",
         'count flights where delayed = true and dest_country = "DE" and price < 500 by carrier'),
        ("drive", "receipts from Starbucks in 2025", "what did we spend there in total?",
         'sum(amount) of documents where type = "Receipt" and vendor = "Starbucks" and created = 2025'),
        # what has nothing to do with it
        ("drive", INVOICES, "by the way, how big is Dock Permit.pdf?", 'get document("Dock Permit.pdf").size'),
        ("drive", INVOICES, "btw who owns Dock Permit.pdf", 'get document("Dock Permit.pdf").owner'),
        # a condition as a noun
        ("drive", EXPIRING, "not the copies", f"{EXPIRING} and not copy"),
        ("drive", EXPIRING, "without the copies", f"{EXPIRING} and not copy"),
        ("drive", EXPIRING, "drop the copies", f"{EXPIRING} and not copy"),
        ("drive", EXPIRING, "are there duplicates among them?", f"{EXPIRING} and copy"),
        # the one thing
        ("drive", "who owns Dock Permit.pdf?", "show it", 'find document("Dock Permit.pdf")'),
        ("drive", "who owns Dock Permit.pdf?", "open that one please", 'find document("Dock Permit.pdf")'),
        ("drive", "when was Dock Permit.pdf created?", "can you pull it up", 'find document("Dock Permit.pdf")'),
        # the one thing that was chosen by its place in an order
        ("drive", "who owns the biggest video", "where is it?", VIDEO),
        ("drive", "who owns the biggest video", "how big is it", f"get ({VIDEO}).size"),
        ("drive", "who owns the biggest video", "how many documents are in its folder",
         f"count documents where folder = ({VIDEO}).folder"),
        ("drive", "who owns the newest folder", "what's in it",
         "find entries where folder in (find folders sort created desc limit 1)"),
        # the one that the only row is about
        ("drive", "Which vendor do we pay the most?", "show me their last three invoices",
         'find documents where type = "Invoice" and vendor = "Granite Masonry" sort created desc limit 3'),
        ("drive", "vendor with the most invoices", "how many receipts do they have?",
         'count documents where type = "Receipt" and vendor = "Northwind Traders"'),
        ("drive", "vendor with the most invoices", "any contracts from them?",
         'find documents where type = "Contract" and vendor = "Northwind Traders"'),
        ("flights", "which carrier has the most delayed flights", "show me their cancelled flights",
         'find flights where cancelled = true and carrier = "Logstash Airways"'),
        ("flights", "which carrier has the most delayed flights", "list those",
         'find flights where delayed = true and carrier = "Logstash Airways"'),
        ("drive", "in which month of 2025 were most receipts created?", "list those",
         'find documents where type = "Receipt" and created = 2025-12'),
        ("drive", "which vendor sent us the most invoices last year", "show me their overdue ones",
         'find documents where type = "Invoice" and created = last year and vendor = "Summit Legal Group" and overdue'),
        ("ecommerce", "which customer has the most orders", "their last two orders",
         'find orders where customer = "Elyssa Hansen" sort ordered desc limit 2'),
    ],
)  # fmt: skip
def test_a_turn_after_another(talk: Talk, data: str, first: str, then: str, query: str) -> None:
    outcomes = talk(data, first, then)
    assert [one.query for one in outcomes[1:]] == [query]


def test_what_is_opened_is_shown_and_that_is_reported(talk: Talk) -> None:
    listed, opened = talk("flights", GERMANY, "open the second one")
    assert getattr(opened, "ids", None) == [getattr(listed, "ids", [])[1]]
    assert any("cannot be opened" in note or "can be opened" in note for note in opened.notes)


def test_the_date_of_which_things_are_in_order_is_reported(talk: Talk) -> None:
    ordered = talk("drive", "comments by Marcus Webb that aren't resolved yet", "newest first")[-1]
    assert ordered.notes == ["Sorted by 'created' of the documents, not by when the comments are from."]
    assert not talk("drive", INVOICES, "newest first")[-1].notes


def test_what_is_of_the_one_in_a_row_is_reported(talk: Talk) -> None:
    orders = talk("flights", "which carrier has the most delayed flights", "show me their cancelled flights")[-1]
    assert orders.notes[:2] == ["Left out: delayed is yes.", "Those for which carrier is 'Logstash Airways'."]


@pytest.mark.parametrize(
    ("data", "text", "query"),
    [
        ("drive", "which vendor did we spend the most on in 2024",
         "sum(amount) of documents where created = 2024 by vendor sort sum(amount) desc limit 1"),
        ("ecommerce", "what category do we spend the most on",
         "sum(total) of orders by categories sort sum(total) desc limit 1"),
    ],
)  # fmt: skip
def test_what_most_money_goes_to(talk: Talk, data: str, text: str, query: str) -> None:
    assert talk(data, text)[0].query == query


def test_after_what_is_not_compared_the_talk_goes_on(talk: Talk) -> None:
    compared = ("photos from 2024", "are any of them the same size as each other?")
    assert talk("drive", *compared, "just the ones over 5 MB")[-1].query.endswith("created = 2024 and size > 5 MB")
    assert talk("drive", *compared, "how many?")[-1].kind == "declined"


@pytest.mark.parametrize("then", ["show it", "open it", "show me that one", "just that one"])
def test_one_thing_is_not_shown_where_many_were_found(talk: Talk, then: str) -> None:
    assert talk("drive", INVOICES, then)[-1].kind == "declined"


@pytest.mark.parametrize(
    ("said", "query"),
    [
        ("the price", 'find flights where delayed = true and dest_country = "DE"'),
        ("the second", "find flights where delayed = true and price < 500"),
        ("the one about the country", "find flights where delayed = true and price < 500"),
        ("Germany", "find flights where delayed = true and price < 500"),
        ("number 3", 'find flights where delayed = true and dest_country = "DE"'),
        ("only the cancelled ones",
         'find flights where delayed = true and dest_country = "DE" and price < 500 and cancelled = true'),
    ],
)  # fmt: skip
def test_which_condition_goes(talk: Talk, said: str, query: str) -> None:
    assert talk("flights", GERMANY, "remove that condition", said)[-1].query == query


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
    assert (outcome.kind, outcome.message) == ("declined", NOT_AMONG_THEMSELVES)


@pytest.mark.parametrize(
    "then", ["are any of these templates?", "are there old clients among them?", "do any have copies?"]
)
def test_the_noun_of_a_question_is_no_name(talk: Talk, then: str) -> None:
    assert talk("drive", EXPIRING, then)[-1].kind == "declined"


def test_where_those_lie_is_asked_with_a_preposition(talk: Talk) -> None:
    assert talk("drive", EXPIRING, "are any of those in Legal?")[-1].query == f'{EXPIRING} and folder = "Legal"'


def test_both_are_asked_at_once(talk: Talk) -> None:
    asked = talk("drive", "who owns the biggest video and where is it")
    assert [one.query for one in asked] == [f"get ({VIDEO}).owner", VIDEO]


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
    [
        ("upload a file to Travel", "upload a file to Travel", "I answer questions about what is stored here."),
        ("archive the NDAs from 2019", "archive the NDAs from 2019", "To see them, ask for the NDAs from 2019."),
        ("share the W2s with Grace Kim", "share the W2s with Grace Kim", "I can show who has access to what."),
        ("please rename it to Old lease", "rename it to Old lease", "I answer questions about what is stored here."),
        ("move the overdue invoices into Archive", "move the overdue invoices into Archive",
         "I can find what you want to move; move it in the application."),
        ("upload my new lease", "upload your new lease", "Ask for a list, a number or a value."),
    ],
)  # fmt: skip
def test_a_refusal_says_what_is_not_done_and_what_can_be_asked(talk: Talk, text: str, said: str, instead: str) -> None:
    refused = talk("drive", text)[0]
    assert refused.kind == "refuse"
    assert refused.message.startswith(f"I cannot {said}. ")
    assert instead in refused.message


@pytest.mark.parametrize(
    ("data", "turns", "query"),
    [
        ("drive", ("receipts from Starbucks", "same for Costco", "both"),
         'find documents where type = "Receipt" and vendor in ["Costco", "Starbucks"]'),
        ("drive", ("how many quotes in 2023", "and 2022?", "both together"),
         'count documents where type = "Quote" and (created = 2022 or created = 2023)'),
        ("flights", ("flights to Rome", "same for Vienna", "show me both"),
         'find flights where dest_city in ["Vienna", "Rome"]'),
        # of the list before, where none is one
        ("drive", ('find documents where channel = "scanner"', "receipts only"), ""),
        ("drive", ('find documents where channel = "scanner"', "just the receipts"), ""),
        # two that are no values of one field, and three
        ("drive", ("documents in Legal", "only PDFs", "both"), ""),
        ("drive", ("quotes from 2023", "and 2022?", "and 2021?", "both"), ""),
    ],
)  # fmt: skip
def test_both_are_the_last_two(talk: Talk, data: str, turns: tuple[str, ...], query: str) -> None:
    assert talk(data, *turns)[-1].query == query
