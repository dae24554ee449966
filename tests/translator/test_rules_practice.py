"""Translates questions over house calls in the past and in the future."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker

NOW = "2026-06-03T12:00:00Z"  # a Wednesday

ASKED = {
    "what a day is said of by a preposition": [
        ("visits booked on 22 May", "find visits where booked_on = 2026-05-22"),
        ("visits booked last week", "find visits where booked_on = last week"),
    ],
    "a weekday that lies ahead": [
        ("visits for next Monday", "find visits where start = 2026-06-08"),
        ("visits last Friday", "find visits where start = 2026-05-29"),
        ("visits booked on Friday", "find visits where booked_on = 2026-05-29"),
    ],
    "the last one so far": [
        ("the most recent visit", "find visits where start <= now sort start desc limit 1"),
        ("last 3 visits to Ashford", 'find visits where town = "Ashford" and start <= now sort start desc limit 3'),
        ("the latest cancelled visit", 'find visits where status = "cancelled" sort start desc limit 1'),
        ("the next visit", "find visits where start > now sort start limit 1"),
        ("the newest visit", "find visits sort start desc limit 1"),
    ],
    "what the catalog calls long": [
        ("the longest trip", "find visits sort distance desc limit 1"),
        ("trips to Kirkby, shortest first", 'find visits where town = "Kirkby" sort distance'),
        ("trips longer than 40 minutes", "find visits where duration > 40 minutes"),
        ("trips longer than 12 km", "find visits where distance > 12 km"),
    ],
    "a date behind what is in an element": [
        ("visits with Meloxicam in May", 'find visits where treatments.drug = "Meloxicam" and start = 2026-05'),
    ],
    "no money of the things for groups of their elements": [
        ("total fee by drug", ""),
    ],
    "what is done by now, where some is still to come": [
        ("visits not yet checked", "find visits where not checked_on <= today"),
        ("visits that have been checked", "find visits where checked_on <= today"),
    ],
    "the largest, whatever was done with it": [
        ("the trip with the highest fee booked", 'find visits where status = "booked" sort fee desc limit 1'),
    ],
    "days that come back every year": [
        ("vets with a birthday in July", ""),
        ("whose birthday is next week?", ""),
        ("vets with a birthday in 1980", "find vets where birthday = 1980"),
    ],
    "limited behind the question": [
        ("how many visits per vet, but only in May", "count visits where start = 2026-05 by vet"),
    ],
    "two names as one subject": [
        (
            "have Sherlock and Olive been in Kirkby?",
            'find visits where patient in ["Sherlock", "Olive"] and town = "Kirkby"',
        ),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "program"),
    [case for cases in ASKED.values() for case in cases],
    ids=[f"{about}: {text}" for about, cases in ASKED.items() for text, _ in cases],
)
def test_the_program(practice: Asker, text: str, program: str) -> None:
    outcome = practice.ask(text, now=NOW, size=0)
    assert outcome.query == program, outcome.message


def test_what_is_still_to_come_is_reported(practice: Asker) -> None:
    told = practice.ask("the most recent visit", now=NOW).notes
    assert told == ["Up to now: there are others whose 'start' is still to come."]
    assert not practice.ask("the most recent visit", now="2026-07-01T12:00:00Z").notes
