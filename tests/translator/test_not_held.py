"""Things missing from the data are named, but never those that it may have under another word."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker

NOW = "2026-03-15T12:00:00Z"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("files rated five stars", "rated"),
        ("docs whose owner's birthday is in May", "birthday"),
        ("invoices with a discount over 10", "discount"),
        ("photos taken with a Nikon lens", "lens"),
        ("folders that are biometrics locked", "biometrics locked"),
        ("documents that were laminated", "laminated"),
    ],
)
def test_what_the_data_does_not_hold_is_named(drive: Asker, text: str, what: str) -> None:
    outcome = drive.ask(text, now=NOW)
    assert (outcome.kind, getattr(outcome, "what", "")) == ("unsupported", what)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("who is the dentist of Ada Berg?", "dentist"),
        ("the shoe colour of Nils Holm", "colour"),
        ("how many cousins does Pia Falk have?", "cousins"),
        ("how many scratches are on lot L-003", "scratches"),
    ],
)
def test_what_is_asked_of_one_thing_is_named(auction: Asker, text: str, what: str) -> None:
    outcome = auction.ask(text, now="2025-06-18T12:00:00Z")
    assert (outcome.kind, getattr(outcome, "what", "")) == ("unsupported", what)


@pytest.mark.parametrize(
    "text",
    [
        "the address of Ada Berg", "who is the supervisor of Pia Falk", "colour of the lots of Ada Berg",
        "how many cousins do clerks have", "how many cousins does Pia Falk have in Lund",
    ],
)  # fmt: skip
def test_what_is_not_asked_of_one_thing_alone_is_not_called_missing(auction: Asker, text: str) -> None:
    assert auction.ask(text, now="2025-06-18T12:00:00Z").kind != "unsupported"


@pytest.mark.parametrize(
    "text",
    [
        # Said in passing, of a part of them.
        "documents in Legal, subfolders included", "contracts in Legal, drafts excluded",
        # Verbs and nouns for what is kept about anything at all.
        "documents that were circulated widely", "contracts ratified and cosigned", "files retitled by Tom Baker",
        "contracts whose signatory is Acme Corp", "documents whose boss is Tom Baker", "files with a timestamp in 2024",
        "files with a hashtag", "reports with a deadline next week",
        # Words made of known ones, and other forms of them.
        "files whose mimetype is PDF", "contracts whose approver is Tom Baker", "folders whose uploaders are many",
        # What was done with something need not have it.
        "documents shared with a frobnicator",
    ],
)  # fmt: skip
def test_what_it_may_hold_under_another_word_is_not_called_missing(drive: Asker, text: str) -> None:
    assert drive.ask(text, now=NOW).kind != "unsupported"


@pytest.mark.parametrize("text", ["docs in Brand Assets", "paperwork in Legal", "pics of Grace Kim"])
def test_things_under_a_word_that_nobody_knows_are_not_called_missing(bare_drive: Asker, text: str) -> None:
    assert bare_drive.ask(text, now=NOW).kind == "declined"


def test_other_data_has_other_gaps(museum: Asker) -> None:
    assert museum.ask("paintings with a horoscope").kind == "unsupported"
    assert museum.ask("paintings whose originator is a woman").kind != "unsupported"


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("contracts whose filename ends with 2024.docx",
         'find documents where type = "Contract" and name ends with "2024.docx"'),
        ("invoices sorted by duedate", 'find documents where type = "Invoice" sort due'),
        ("files with a filesize over 3 MB", "find documents where size > 3 MB"),
        ("how many documents per projectcode", "count documents by attributes.project_code"),
    ],
)  # fmt: skip
def test_what_a_field_is_called_may_be_written_as_one_word(drive: Asker, text: str, program: str) -> None:
    assert drive.ask(text, now=NOW, size=0).query == program


def test_what_a_field_is_called_may_be_written_apart(drive: Asker) -> None:
    program = 'find documents where folder = "Legal" sort path'
    assert drive.ask("documents in Legal sorted by bread crumb", now=NOW, size=0).query == program


@pytest.mark.parametrize(
    "text", ["when was the newest NDA signed", "when was the largest video shared", "when was the last invoice paid"]
)
def test_another_date_is_not_reported_for_that_of_a_deed(drive: Asker, text: str) -> None:
    assert drive.ask(text, now=NOW).kind == "declined"


def test_nothing_is_put_in_the_order_of_what_it_has_not(drive: Asker) -> None:
    assert drive.ask("how many pages does the longest report have", now=NOW).kind == "declined"
