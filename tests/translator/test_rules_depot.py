"""Translates questions over vehicles, services in a list, and trips."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker

NOW = "2025-06-18T12:00:00Z"

ASKED = {
    "words of one phrase that stand apart are not read": [
        ("vehicles whose inspection is due next month", ""),
        ("vehicles whose deposit is paid", ""),
        ("vehicles whose deposit is not paid", ""),
    ],
    "a condition by a word that mostly says nothing": [
        ("oldest vehicle still available", 'find vehicles where status = "available" sort built limit 1'),
        ("vehicles available with a permit", 'find vehicles where status = "available" and needs_permit = true'),
        ("how many vehicles are still available", 'count vehicles where status = "available"'),
    ],
    "values that marks belong to": [
        ("vehicles of class A+", 'find vehicles where class = "A+"'),
        ("vehicles of emission class A or b-", 'find vehicles where class in ["A", "B-"]'),
        ("how many vehicles have class B-", 'count vehicles where class = "B-"'),
    ],
    "a shorter name that only other things have": [
        ("vehicles without a driver", "find vehicles where assigned_driver missing"),
        ("trips without a driver", "find trips where driver missing"),
    ],
    "who did it, although things are called so": [
        ("trips cancelled by customers", 'find trips where cancelled_by = "customer"'),
        (
            "how many trips were cancelled by customers in May",
            'count trips where cancelled_by = "customer" and started = 2025-05',
        ),
    ],
    "a number of the elements": [
        ("trips over 40 minutes", "find trips where minutes > 40"),
    ],
    "what is answered with yes or no": [
        ("vehicles with a tow bar", 'find vehicles where answers.`tow bar` = "yes"'),
        ("vehicles without a tow bar", 'find vehicles where answers.`tow bar` != "yes"'),
    ],
    "the first by a number": [
        ("best rated vehicle", "find vehicles sort comfort desc limit 1"),
        ("the two worst rated vehicles", "find vehicles sort comfort limit 2"),
    ],
    "regularly": [
        ("monthly reports", ""),
    ],
    "flags as nouns": [
        ("trips with an incident", "find trips where incident = true"),
    ],
    "what nobody did yet": [
        ("unsold vehicles", ""),
    ],
    "what is over by itself": [
        ("vehicles not yet expired", "find vehicles where warranty_expires >= today"),
    ],
    "causes and orders": [
        ("vehicles on the road because of a dent", ""),
    ],
    "more of elements": [
        ("vehicles by garage", "count vehicles by services.garage"),
        ("vehicles per liquid", "count vehicles by refills.liquid"),
    ],
    "a beginning that is said once": [
        ("vehicles with summer tyres or winter ones", ""),
        ("vehicles with a front mirror or door", 'find vehicles where faulty has any ["front mirror", "front door"]'),
    ],
    "a bound that is said once is not guessed": [
        ("vehicles with more than 2 seats and 1 stock", ""),
        ("vehicles whose lease ends before 2025 and 3 seats", "find vehicles where lease_ends < 2025 and seats = 3"),
        ("trips over 40 minutes and exactly 205 km", "find trips where minutes > 40 and distance = 205 km"),
    ],
    "things by their texts": [
        ("remarks mentioning a scratch", 'find vehicles where remarks mentions "scratch"'),
    ],
    "how many different ones": [
        ("how many drivers do trips have", "distinct(driver) of trips"),
        ("how many colours are there", "distinct(colours) of vehicles"),
    ],
    "two fields of one thing": [
        ("vehicles whose seats and deck are the same", ""),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "program"),
    [case for cases in ASKED.values() for case in cases],
    ids=[f"{about}: {text}" for about, cases in ASKED.items() for text, _ in cases],
)
def test_the_program(depot: Asker, text: str, program: str) -> None:
    outcome = depot.ask(text, now=NOW, size=0)
    assert outcome.query == program, outcome.message
