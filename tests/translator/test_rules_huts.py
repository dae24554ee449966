"""Translates questions over a catalog with two people, lists, measures and currencies."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker

NOW = "2025-06-18T12:00:00Z"

ASKED = {
    "adjectives of degree speak of the number that has their meaning": [
        ("sledges faster than 20 knots", "find sledges where top_speed > 20"),
        ("sledges slower than 20", "find sledges where top_speed < 20"),
        ("the fastest sledge", "find sledges sort top_speed desc limit 1"),
        ("the slowest sledge", "find sledges sort top_speed limit 1"),
        ("sledges longer than 3 m", "find sledges where length > 3 m"),
        ("sledges wider than 1 m", "find sledges where width > 1 m"),
        ("the largest hut", "find huts sort beds desc limit 1"),
        ("stays longer than 3 days", ""),
        ("stays over 3 days", ""),
        ("sledges with a rank above 2", ""),
        ("sledges with a rank of 2", "find sledges where rank = 2"),
    ],
    "a currency that is said is asked for": [
        ("stays over 300 euros", 'find stays where price > 300 and currency = "EUR"'),
        ("stays with a price above 300 francs", 'find stays where price > 300 and currency = "CHF"'),
        ("stays over 300 yen", ""),
    ],
    "a state is not what happened on another day": [
        ("stays that run out next month", ""),
        ("stays called off last month", ""),
    ],
    "what is said of an element belongs to it": [
        ("stays with meals last month", "find stays where meals[served = last month]"),
    ],
    "people are asked for by what happened to them": [
        ("wardens over 40", ""),
        ("how many stays did Nora Lindt have?", 'count stays where guest = "Nora Lindt"'),
        ("which stays does Paolo Riva have", 'find stays where guest = "Paolo Riva"'),
    ],
    "nobody is who is missing, and so is what is unknown": [
        ("who looks after Larch Hut", 'get hut("Larch Hut").warden'),
        ("stays with an unknown deposit", "find stays where deposit missing"),
        ("stays where the room is unknown", "find stays where room missing"),
    ],
    "a noun for some things of a kind says which": [
        ("racers kept at Falcon Hut", 'find sledges where kind = "racing" and home = "Falcon Hut"'),
    ],
    "where something goes is said by the place's own field": [
        ("bookings to Larch Hut", 'find stays where hut = "Larch Hut"'),
    ],
    "what was done is not asked for in days to come": [
        ("stays departing tomorrow", ""),
        ("stays left next week", ""),
        ("stays departed yesterday", "find stays where left = yesterday"),
        ("stays due tomorrow", "find stays where due = tomorrow"),
    ],
    "what is recorded is a value, whichever it is": [
        ("stays with no deposit recorded", "find stays where deposit missing"),
        ("stays without a deposit", "find stays where deposit missing or deposit = 0"),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "program"),
    [case for cases in ASKED.values() for case in cases],
    ids=[f"{about}: {text}" for about, cases in ASKED.items() for text, _ in cases],
)
def test_the_program(huts: Asker, text: str, program: str) -> None:
    outcome = huts.ask(text, now=NOW, size=0)
    assert outcome.query == program, outcome.message


def test_nothing_is_claimed_of_what_a_text_speaks_of(huts: Asker) -> None:
    assert huts.ask("stays with a stowaway", now=NOW).kind == "declined"


def test_what_is_reported_per_a_measure_is_a_ratio(huts: Asker) -> None:
    assert huts.ask("average length of sledges by top speed", now=NOW).query == "avg(length) of sledges by top_speed"
    assert huts.ask("average length of sledges per top speed", now=NOW).kind == "declined"
