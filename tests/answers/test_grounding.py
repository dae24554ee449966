"""Sentences are checked against their quotes: true ones pass, and sentences with one change fail."""

from decimal import Decimal

import pytest

from qlc.answers.calculating import calculated
from qlc.answers.clauses import is_negated
from qlc.answers.grounding import unfounded

TRUE = {
    "number sign": ("The reference number is QX-14.", "Reference no. QX-14"),
    "number sign with a colon": ("The permit number is 88120.", "Permit No.: 88120"),
    "number sign in a title": ("Order 12 is for three pumps.", "Order No 12 covers three pumps."),
    "another clause is negated": (
        "The gate is opened at six in the morning.",
        "The gate is opened at six in the morning and is not guarded on Sundays.",
    ),
    "negated as it is": ("Visitors may not enter the yard.", "Visitors may not enter the yard; staff show a badge."),
    "said otherwise": ("Smoking is not allowed in the hall.", "In the hall smoking is prohibited."),
    "a condition beside it": ("The lease renews automatically.", "The lease renews automatically unless it is ended."),
    "a bound of a negation": ("The fine is at most EUR 50.", "The fine shall not exceed EUR 50."),
    "a bound in other words": ("At least two nurses are present.", "No fewer than two nurses are present."),
    "nobody more": ("A member pays at most EUR 30.", "No member pays more than EUR 30."),
    "a bound said plainly": ("The tank holds 40 L.", "The tank holds at most 40 L."),
    "a limit": ("Speed may not exceed 30 km/h.", "Speed limit: 30 km/h"),
    "first": ("First, the cover is removed. Then the belt is changed.", "Remove the cover, then change the belt."),
    "a unit of a label": ("The width is 1134 mm.", "Width (mm): 1134"),
    "a sign of a label": ("The share is 12 %.", "Share in %: 12"),
    "a currency of a head": ("The grease costs EUR 12.50.", "Grease | Price (EUR) | 12.50"),
    "cells of a row": ("The quantity of bolts is 8.", "Bolts 8 164.00 1,312.00"),
    "a number in words": ("The park has 240 lamps.", "The park has two hundred and forty lamps."),
    "a date in another form": ("It opens on 3 May 2025.", "Opening day: 2025-05-03"),
    "a day without its year": ("From 3 May on it opens.", "It opens on 3 May 2025."),
    "a time in parts": ("The lamp burns for 150 minutes.", "It burns for 2 h 30 min."),
    "a time of parts": ("The lamp burns for 2 hours and 30 minutes.", "Burning time: 150 min"),
    "a share in the genitive": ("The tenant gives one quarter's notice.", "The tenant gives one quarter's notice."),
    "after it": ("The sample is kept for 3 days after delivery.", "The sample is kept 3 days after delivery."),
}
FALSE = {
    "a digit": ("The tank holds 41 L.", "The tank holds 40 L."),
    "another number in words": ("The park has 241 lamps.", "The park has two hundred and forty lamps."),
    "a part of a time": ("The lamp burns for 2 h 40 min.", "Burning time: 150 min"),
    "a bound of a time in parts": ("The lamp burns for at most 150 minutes.", "It burns for 2 h 30 min."),
    "a unit": ("The width is 1134 cm.", "Width (mm): 1134"),
    "a currency": ("The grease costs USD 12.50.", "Grease | Price (EUR) | 12.50"),
    "a negation more": ("The lease does not renew automatically.", "The lease renews automatically."),
    "a negation less": ("Visitors may enter the yard.", "Visitors may not enter the yard; staff show a badge."),
    "a negation of another clause": (
        "The gate is not opened at six in the morning.",
        "The gate is opened at six in the morning and is not guarded on Sundays.",
    ),
    "allowed": ("Smoking is allowed in the hall.", "In the hall smoking is prohibited."),
    "the most for the least": ("At most two nurses are present.", "At least two nurses are present."),
    "the least for the most": ("The fine is at least EUR 50.", "The fine shall not exceed EUR 50."),
    "a negation of a bound less": ("The fine shall exceed EUR 50.", "The fine shall not exceed EUR 50."),
    "a bound of nothing": ("The tank holds more than 40 L.", "The tank holds 40 L."),
    "within for after": ("It is handed in after 30 days.", "It is handed in within 30 days."),
    "before for after": ("The sample is kept for 3 days before delivery.", "The sample is kept 3 days after delivery."),
    "a name": ("Globex is the landlord.", "Initech is the landlord."),
    "another day without its year": ("It opens on 4 May.", "It opens on 3 May 2025."),
    "another month without its year": ("It opens on 3 June.", "It opens on 3 May 2025; June is too late."),
    "a date": ("It opens on 4 May 2025.", "Opening day: 2025-05-03"),
    "without": ("It is repaired without charge.", "It is repaired."),
}


@pytest.mark.parametrize(("text", "quote"), TRUE.values(), ids=TRUE)
def test_what_a_quote_says_may_be_said(text: str, quote: str) -> None:
    assert unfounded(text, [quote], ()) == []


@pytest.mark.parametrize(("text", "quote"), FALSE.values(), ids=FALSE)
def test_what_a_quote_does_not_say_is_found(text: str, quote: str) -> None:
    assert unfounded(text, [quote], ())


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("It is not due.", True),
        ("It is not prohibited.", False),
        ("No, it is due.", False),
        ("Item no. 4 is due.", False),
    ],
)
def test_two_negations_are_none(text: str, negated: bool) -> None:
    assert is_negated(text) == negated


def test_a_calculation_may_use_numbers_in_words() -> None:
    quotes = ["The park uses two hundred cabinets.", "A cabinet stores 240 kWh."]
    assert calculated("200 * 240", quotes) == 48_000
    with pytest.raises(ValueError, match="300 is not"):
        calculated("300 * 240", quotes)


def test_a_calculation_may_convert_units_by_their_factor() -> None:
    quotes = ["Longest erosion: 62 cm", "Longest erosion: 215 mm"]
    assert calculated("62 * 10 - 215", quotes, "It is 405 mm longer.") == 405
    assert calculated("620 - 215", quotes, "It is 405 mm longer.") == 405
    assert calculated("62 - 21.5", quotes, "It is 40.5 cm longer.") == Decimal("40.5")
    for wrong, said in (("62 * 11 - 215", "467 mm"), ("215 - 62", "153 mm"), ("62 - 21.5", "40.5 mm")):
        with pytest.raises(ValueError, match=r"is not in its quotes|convert it first"):
            calculated(wrong, quotes, said)


def test_a_calculation_may_use_the_months_of_a_year() -> None:
    assert calculated("7900 * 12", ["Rent per month CHF 7,900"], "That is CHF 94,800 a year.") == 94_800
    with pytest.raises(ValueError, match="12 is not"):
        calculated("7900 * 12", ["Rent CHF 7,900"], "That is CHF 94,800.")


def test_a_sentence_over_two_lines_has_its_bound() -> None:
    said = "The notice is served no later than twenty-four months before it."
    assert not unfounded(said, ["the notice is served no later\nthan twenty-four months before it"], ())


def test_numbers_of_names_may_stand_in_titles_and_on_the_page() -> None:
    said = "Permit 4711 of EN 206:2021 ends on 3 May 2025."
    assert unfounded(said, ["Valid until 3 May 2025"], ["EN 206:2021"], None, "Permit 4712")
    said = "The permit of EN 206:2021 ends on 3 May 2025."
    assert not unfounded(said, ["Valid until 3 May 2025"], ["Permit of EN 206:2021"], None, "", "When does it end?")
    assert unfounded(said.replace("2021", "2022"), ["Valid until 3 May 2025"], ["Permit of EN 206:2021"])


def test_an_amount_of_the_question_may_be_compared_with() -> None:
    asked = "Which leases have a rent under EUR 500?"
    assert not unfounded("The rent of EUR 450 is under EUR 500.", ["Rent: EUR 450"], (), None, "", asked)
    assert unfounded("The rent of EUR 450 is over EUR 500.", ["Rent: EUR 450"], (), None, "", asked)
    assert unfounded("The rent is EUR 500.", ["Rent: EUR 450"], (), None, "", asked)
