"""Distinguishes actions from searches with much the same words."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker

NOW = "2026-03-15T12:00:00Z"


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("please stop sharing Tax Documents with Tom Baker", "share"),
        ("make the Legal folder public", "share"),
        ("register a folder for taxes", "create"),
        ("scrub all receipts", "delete"),
        ("clear out Travel", "delete"),
        ("send me a reminder about the overdue invoices", "other"),
        ("send me a copy of Dock Permit.pdf", "other"),
        ("email me the list of unsigned NDAs", "other"),
        ("send me the unsigned NDAs by mail", "other"),
        ("text Dana Whitfield the contract", "other"),
        ("plan a folder for taxes", "other"),
        ("remind me to call Dana", "other"),
        ("thanks, that's brilliant", "other"),
        ("thanks, you're a star!", "other"),
        ("you are a legend", "other"),
        ("cheers mate, that's all for today", "other"),
        ("what's the capital of France", "other"),
        ("what's the weather today", "other"),
    ],
)
def test_who_wants_something_done_reads_that_nothing_is(drive: Asker, text: str, intent: str) -> None:
    outcome = drive.ask(text, now=NOW)
    assert (outcome.kind, getattr(outcome, "intent", "")) == ("refuse", intent)


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("send me the list of unsigned NDAs", 'find documents where unsigned and type = "NDA"'),
        ("send over the overdue invoices", 'find documents where overdue and type = "Invoice"'),
        ("forward me the five largest files", "find documents sort size desc limit 5"),
        ("make me a list of unsigned NDAs", 'find documents where unsigned and type = "NDA"'),
        ("create a list of all contracts in Legal", 'find documents where type = "Contract" and folder = "Legal"'),
        ("calculate the total amount of invoices", 'sum(amount) of documents where type = "Invoice"'),
        ("work out how many receipts there are", 'count documents where type = "Receipt"'),
        ("remind me how many receipts we have", 'count documents where type = "Receipt"'),
        ("explain which documents are overdue", "find documents where overdue"),
        ("run a search for unsigned NDAs", 'find documents where unsigned and type = "NDA"'),
        ("can I get shared documents", "find documents where shared"),
        ("text files in Legal", 'find documents where extension = "text files" and folder = "Legal"'),
    ],
)
def test_a_list_that_is_to_be_sent_or_made_is_a_search(drive: Asker, text: str, program: str) -> None:
    assert drive.ask(text, now=NOW, size=0).query == program


@pytest.mark.parametrize(
    "text",
    [
        "can you list invoices to be approved",
        "I need contracts to be signed",
        "log files",
        "plan documents",
        "add up what Dana was billed",
        "order the receipts by size",
    ],
)
def test_what_may_be_a_search_is_not_refused(drive: Asker, text: str) -> None:
    assert drive.ask(text, now=NOW).kind == "declined"


@pytest.mark.parametrize("text", ["invoices still to be paid", "invoices to be paid", "invoices waiting to be paid"])
def test_what_is_to_be_done_is_not_done(drive: Asker, text: str) -> None:
    assert drive.ask(text, now=NOW).kind == "declined"


def test_what_was_archived_is_no_archive(drive: Asker) -> None:
    assert drive.ask("archives", now=NOW, size=0).kind == "hits"
    assert drive.ask("archived documents", now=NOW).kind == "declined"


@pytest.mark.parametrize("text", ["percentage of invoices that are overdue, per vendor, only vendors with at least 10"])
def test_no_share_is_larger_than_the_whole(drive: Asker, text: str) -> None:
    """The number is one of invoices, and not of shares."""
    assert "having share" not in drive.ask(text, now=NOW).query


def test_what_is_tagged_has_a_tag(drive: Asker) -> None:
    """Things that are archives, or of a vendor, are not tagged so."""
    assert drive.ask("documents tagged travel", now=NOW, size=0).query == 'find documents where tags = "travel"'
    for text in ("everything tagged archive", "documents tagged pdf", "invoices tagged paid"):
        assert drive.ask(text, now=NOW).kind == "declined"
