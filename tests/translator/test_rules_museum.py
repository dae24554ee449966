"""Translates questions over a catalog with years as numbers, and with several references to one kind."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker

NOW = "2025-06-18T12:00:00Z"

ASKED = {
    "years that are numbers make things old": [
        ("the oldest piece", "find pieces sort made limit 1"),
        ("newest sculpture", 'find pieces where kind = "sculpture" sort made desc limit 1'),
        ("works older than 1800", "find pieces where made < 1800"),
        ("the latest piece", "find pieces sort acquired desc limit 1"),
        ("youngest artist", "find artists sort born desc limit 1"),
        ("pieces made before 1700", "find pieces where made < 1700"),
        ("pieces bought before 2005", "find pieces where acquired < 2005"),
        ("artists born since 1740", "find artists where born >= 1740"),
    ],
    "the age of people with a date of birth": [
        ("restorers over 60", "find restorers where born < last 60 years"),
        ("the oldest restorer", "find restorers sort born limit 1"),
    ],
    "materials are said before what is made of them": [
        ("marble sculptures", 'find pieces where material = "marble" and kind = "sculpture"'),
        ("gold vases", 'find pieces where material = "gold" and kind = "vase"'),
    ],
    "of several references the one that a preposition speaks for": [
        ("loans to Harbour House", 'find loans where receiver = "Harbour House"'),
        ("loans from Harbour House", 'find loans where sender = "Harbour House"'),
    ],
    "the most of a number": [
        ("which museum had the most visitors", "find lenders sort visitors desc limit 1"),
        ("the two most valuable vases", 'find pieces where kind = "vase" sort value desc limit 2'),
    ],
    "an amount alone is of money where only one number is": [
        ("loans over 200", "find loans where price > 200"),
        ("loans over 100 euros", 'find loans where price > 100 and currency = "EUR"'),
        ("the most expensive loan", "find loans sort price desc limit 1"),
        ("loans with a fee over 10", "find loans where fee > 10"),
    ],
    "the plural of a short last word": [
        ("how many show-ups", 'count loans where reason = "show-up"'),
    ],
    "rows above a bound, and their order": [
        ("number of pieces per material, most common first", "count pieces by material sort count desc"),
        ("share of loans that are insured per state", "share(insured = true) of loans by state"),
    ],
    "a scale that is said once": [
        ("pieces worth between 2 and 4 thousand", "find pieces where value between 2000 and 4000"),
    ],
    "countries by their other names": [
        ("artists from Sweden", 'find artists where nationality = "Swedish"'),
        ("French museums", 'find lenders where country = "FR"'),
        ("works by Italian artists", 'find pieces where artist in (find artists where nationality = "Italian")'),
    ],
    "ids that have marks in them": [
        ("loans of P-004", 'find loans where piece = "P-004"'),
        ("total fee of P-004 in 2025", 'sum(fee) of loans where piece = "P-004" and sent = 2025'),
    ],
    "groups by what is referred to": [
        ("loans per artwork", "count loans by piece"),
        ("which keeper has the most pieces", "count pieces by keeper sort count desc limit 1"),
    ],
    "said of those that refer to it": [
        ("the oldest sculpture in the collection", 'find pieces where kind = "sculpture" sort made limit 1'),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "program"),
    [case for cases in ASKED.values() for case in cases],
    ids=[f"{about}: {text}" for about, cases in ASKED.items() for text, _ in cases],
)
def test_the_program(museum: Asker, text: str, program: str) -> None:
    outcome = museum.ask(text, now=NOW, size=0)
    assert outcome.query == program, outcome.message
