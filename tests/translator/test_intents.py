"""Distinguishes actions from searches with much the same words."""

import pytest

from qlc.translator.entry import Asker
from tests.tables import rows

NOW = "2026-03-15T12:00:00Z"


@pytest.mark.parametrize(("text", "intent"), rows(__file__, "test_who_wants_something_done_reads_that_nothing_is"))
def test_who_wants_something_done_reads_that_nothing_is(drive: Asker, text: str, intent: str) -> None:
    outcome = drive.ask(text, now=NOW)
    assert (outcome.kind, getattr(outcome, "intent", "")) == ("refuse", intent)


@pytest.mark.parametrize(("text", "program"), rows(__file__, "test_a_list_that_is_to_be_sent_or_made_is_a_search"))
def test_a_list_that_is_to_be_sent_or_made_is_a_search(drive: Asker, text: str, program: str) -> None:
    assert drive.ask(text, now=NOW, size=0).query == program


@pytest.mark.parametrize("text", rows(__file__, "test_what_may_be_a_search_is_not_refused"))
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
