"""Numbers, dates, units and quantities as documents write them."""

import re
from datetime import date
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc.language.dates import DateStyle, date_style, dates
from qlc.language.numbers import CARDINALS, NUMBER_IN_WORDS, NumberStyle, number_style, parse_number, parse_words
from qlc.language.quantities import Style, quantities, style_of, unit_as_written
from qlc.language.units import convert, unit_of
from tests.tables import rows

POINT, COMMA = NumberStyle(False), NumberStyle(True)


@pytest.mark.parametrize(
    ("text", "style", "value"),
    [
        ("1,237.00", POINT, "1237.00"),
        ("1.237,00", POINT, "1237.00"),
        ("1,237", POINT, "1237"),
        ("1,237", COMMA, "1.237"),
        ("1.237", POINT, "1.237"),
        ("1.237", COMMA, "1237"),
        ("0.115", COMMA, "0.115"),
        ("12,5", POINT, "12.5"),
        ("1 234,50", POINT, "1234.50"),
        ("1'234.50", POINT, "1234.50"),
        ("1,234,567", COMMA, "1234567"),
        ("1.234.567,8", POINT, "1234567.8"),
        ("−18", POINT, "-18"),
    ],
)
def test_a_number_in_digits(text: str, style: NumberStyle, value: str) -> None:
    assert parse_number(text, style) == Decimal(value)


@given(st.integers(0, 10**9), st.integers(0, 99), st.sampled_from([(",", "."), (".", ","), (" ", ","), ("'", ".")]))
def test_a_number_with_thousands_and_decimals_is_read_in_any_style(
    whole: int, cents: int, marks: tuple[str, str]
) -> None:
    text = f"{whole:,}".replace(",", marks[0]) + f"{marks[1]}{cents:02}"
    for style in (POINT, COMMA):
        assert parse_number(text, style) == Decimal(f"{whole}.{cents:02}")


@pytest.mark.parametrize(
    ("text", "value"),
    [("twenty-one", 21), ("sixtieth", 60), ("twenty-eighth", 28), ("one hundred and twenty", 120), ("nine thousand",
    9000),
     ("two million five hundred thousand", 2_500_000), ("twelfth", 12), ("two dozen", 24), ("a hundred", 100),
     ("five hundred and sixty-three thousand two hundred", 563_200)],
)  # fmt: skip
def test_a_number_in_words(text: str, value: int) -> None:
    assert [one.value for one in parse_words(text)] == [value]


def test_words_of_several_numbers_are_not_added_up() -> None:
    assert [one.value for one in parse_words("two and five")] == [2, 5]
    assert [(one.value, one.is_ordinal) for one in parse_words("one second")] == [(1, False), (2, True)]
    found = quantities("between two and five days", Style())
    assert [(one.kind, one.number, one.start) for one in found] == [("number", 2, 8), ("measure", 5, 16)]


@given(st.integers(1, 10**9 - 1))
def test_a_number_written_out_is_read_back(number: int) -> None:
    text = in_english(number)
    assert re.fullmatch(NUMBER_IN_WORDS, text)
    assert [(one.value, text[one.start : one.end]) for one in parse_words(text)] == [(number, text)]


def in_english(number: int) -> str:
    """`1_205` -> `one thousand two hundred and five`"""
    by_value = {value: word for word, value in CARDINALS.items()}
    for scale, word in ((10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= scale:
            many, rest = divmod(number, scale)
            joint = " and " if rest < 100 else " "
            return f"{in_english(many)} {word}" + (f"{joint}{in_english(rest)}" if rest else "")
    if number in by_value:
        return by_value[number]
    return f"{by_value[number // 10 * 10]}-{by_value[number % 10]}"


def test_the_style_of_a_document_is_told_by_its_clear_numbers() -> None:
    assert number_style(["Summe 1.234,50 EUR am 04.02.2024", "3.1 Zahlung: 12,5 %"]) == COMMA
    assert number_style(["Total 1,234.50", "2.5 V"]) == POINT
    assert date_style(["paid on 03/25/2024"]) == DateStyle(True)
    assert date_style(["paid on 25/03/2024"]) == DateStyle(False)
    assert date_style(["paid on 03/05/2024"]) == DateStyle(None)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("4 February 2024", date(2024, 2, 4)),
        ("February 4th, 2024", date(2024, 2, 4)),
        ("the 15th day of March 2024", date(2024, 3, 15)),
        ("2023-02-17", date(2023, 2, 17)),
        ("4. Februar 2024", date(2024, 2, 4)),
        ("04.02.2024", date(2024, 2, 4)),
        ("21.4.26", date(2026, 4, 21)),
        ("1er mars 2024", date(2024, 3, 1)),
        ("3 de marzo de 2024", date(2024, 3, 3)),
        ("20-FEB-2024", date(2024, 2, 20)),
        ("25/03/2024", date(2024, 3, 25)),
        ("03/03/2024", date(2024, 3, 3)),
    ],
)
def test_a_date(text: str, day: date) -> None:
    assert [found.value for found in dates(text, DateStyle())] == [day]


def test_a_date_that_can_be_read_in_two_ways_is_none_unless_the_document_tells() -> None:
    assert list(dates("03/05/2024", DateStyle())) == []
    assert [found.value for found in dates("03/05/2024", DateStyle(True))] == [date(2024, 3, 5)]
    assert list(dates("31.02.2024 and 2024-13-01", DateStyle())) == []


@pytest.mark.parametrize(("text", "expected"), rows(__file__, "test_amounts_of_a_text"))
def test_amounts_of_a_text(text: str, expected: list[tuple[str, str, str]]) -> None:
    found = quantities(text, Style())
    assert [(one.kind, one.number, one.unit) for one in found] == [(k, Decimal(n), u) for k, n, u in expected]


@given(st.text(alphabet="0123456789.,-/ €$%kVmdaysEUR()'", max_size=60))
def test_amounts_are_apart_and_stand_in_the_text(text: str) -> None:
    found = quantities(text, style_of([text]))
    for one, other in pairwise(found):
        assert one.end <= other.start
    assert all(0 <= one.start < one.end <= len(text) for one in found)


@pytest.mark.parametrize(("value", "source", "target", "result"), rows(__file__, "test_a_number_in_another_unit"))
def test_a_number_in_another_unit(value: str, source: str, target: str, result: str) -> None:
    assert convert(Decimal(value), source, target) == Decimal(result)


def test_units_of_another_kind_are_not_converted() -> None:
    assert convert(Decimal(5), "V", "A") is None
    assert convert(Decimal(5), "month", "m") is None
    assert convert(Decimal(92), "%", "dB") is None  # a logarithm
    assert convert(Decimal(3), "dB", "%") is None
    assert convert(Decimal(1), "MB", "%") is None
    assert unit_of("mW") == "mW"
    assert unit_of("MW") == "MW"
    assert unit_of("Days") == "d"
    assert unit_of("parsecs") is None


@pytest.mark.parametrize(
    ("value", "unit", "quote", "said"),
    rows(__file__, "test_working_days_are_shown_as_what_they_are"),
)
def test_working_days_are_shown_as_what_they_are(value: object, unit: str, quote: str, said: str) -> None:
    assert unit_as_written(value, unit, quote) == said
