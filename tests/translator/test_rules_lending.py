"""Translates questions over loans of instruments, which are in rooms of schools."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker

NOW = "2025-06-18T12:00:00Z"

ASKED = {
    "through several references": [
        ("loans at Elm Lane this year", 'find loans where instrument.room.school = "Elm Lane" and lent = this year'),
        ("lost loans per town", 'count loans where state = "lost" by instrument.room.school.town'),
        ("how many loans does Mill Road have", 'count loans where instrument.room.school = "Mill Road"'),
    ],
    "the date of what an amount is paid for": [
        ("total return fees this year", "sum(fee) of loans where back = this year"),
        ("average fee in 2025", "avg(fee) of loans where back = 2025"),
        ("total fee of loans lent in 2024", "sum(fee) of loans where lent = 2024"),
        ("total deposit this year", "sum(deposit) of loans where lent = this year"),
        ("loans returned in March", "find loans where back = 2025-03"),
        ("loans lost in March", ""),
    ],
    "within a time is how long it took, where that is kept": [
        ("loans returned within the last 30 days", "find loans where back = last 30 days"),
    ],
    "a number of things is not the usual number": [
        ("loans with more than 3 repairs", ""),
        ("instruments with more than 2 gluings", ""),
        ("loans with a deposit over 8", "find loans where deposit > 8"),
    ],
    "of which things a date is": [
        ("heated rooms in 2024", ""),
        ("total fee of tutors this year", ""),
    ],
    "groups and amounts of what things refer to": [
        ("lost loans per kind of instrument", 'count loans where state = "lost" by instrument.family'),
    ],
    "adjectives before kinds of things": [
        ("warm strings", 'find instruments where tone = "warm" and family = "strings"'),
        ("inactive students", "find students where active = false"),
        ("no longer active students", "find students where active = false"),
        ("students who are not active any more", "find students where active = false"),
    ],
    "what belongs to something, and what nothing is in": [
        ("empty schools", ""),
    ],
    "the words of a condition in another order": [
        ("overdue checks", "find instruments where check_overdue"),
    ],
    "the words of a condition said of things": [
        ("strings with an overdue check", 'find instruments where family = "strings" and check_overdue'),
    ],
    "no word for a number is passed over": [
        ("loans total in 2024", "sum(deposit) of loans where lent = 2024"),
    ],
    "a short word of the language is no slip for a value": [
        ("wart strings", ""),
        ("lot loans", ""),
        ("instruments of strngs", 'find instruments where family = "strings"'),
        ("loans by stdent", "count loans by student"),
    ],
}  # fmt: skip


def test_what_is_confidential_is_said_to_be(lending: Asker) -> None:
    told = lending.ask("phone of the caretaker of Elm Lane", now=NOW)
    assert told.kind == "declined"
    assert told.message == "'caretaker phone' is confidential: I cannot show it."


@pytest.mark.parametrize(
    ("text", "program"),
    [case for cases in ASKED.values() for case in cases],
    ids=[f"{about}: {text}" for about, cases in ASKED.items() for text, _ in cases],
)
def test_the_program(lending: Asker, text: str, program: str) -> None:
    outcome = lending.ask(text, now=NOW, size=0)
    assert outcome.query == program, outcome.message


def test_the_date_is_reported_that_nobody_named(lending: Asker) -> None:
    assert lending.ask("total deposit this year", now=NOW).notes == ["Uses the date 'lent': no other was named."]
    assert not lending.ask("total return fees this year", now=NOW).notes
    assert not lending.ask("loans this year", now=NOW).notes
