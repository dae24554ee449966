"""Sentences are checked against their quotes: true ones pass, and sentences with one change fail."""

from decimal import Decimal

import pytest

from qlc.answers.calculating import calculated
from qlc.answers.clauses import is_negated
from qlc.answers.grounding import unfounded
from tests.tables import rows

TRUE = rows(__file__, "TRUE")
FALSE = rows(__file__, "FALSE")


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
