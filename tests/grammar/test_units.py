"""Units: a closed list with exact factors."""

from fractions import Fraction

import pytest

from qlc.base.units import UNITS, convert, converted, find_unit, units_like
from qlc.grammar import parse, print_program


@pytest.mark.parametrize(
    ("source", "target", "factor"),
    [
        ("MiB", "bytes", 2**20), ("ms", "seconds", Fraction(1, 1000)), ("miles", "km", Fraction(1609344, 1_000_000)),
        ("nmi", "m", 1852), ("lb", "kg", Fraction(45_359_237, 10**8)), ("oz", "lb", Fraction(1, 16)),
        ("km/h", "m/s", Fraction(5, 18)), ("knots", "km/h", Fraction(1852, 1000)), ("acres", "sqft", 43_560),
        ("gal", "l", Fraction(3785411784, 10**9)), ("%", "fraction", Fraction(1, 100)), ("percent", "%", 1),
        ("days", "weeks", Fraction(1, 7)),
    ],
)
def test_factors_are_exact(source: str, target: str, factor: Fraction | int) -> None:
    assert convert(source, target) == factor


def test_nothing_converts_between_dimensions_or_unknown_units() -> None:
    assert convert("MB", "seconds") is None
    assert convert("MB", "euros") is None


def test_a_spelling_belongs_to_one_unit() -> None:
    spellings = [spelling for unit in UNITS for spelling in unit.spellings]
    assert len(spellings) == len(set(spellings))
    symbols = [symbol for unit in UNITS for symbol in unit.symbols]
    assert len(symbols) == len(set(symbols))
    assert all(find_unit(symbol) is unit for unit in UNITS for symbol in (unit.name, *unit.symbols))


def test_the_case_of_a_symbol_counts_where_two_units_differ_in_it_alone() -> None:
    assert [find_unit(text).name for text in ("mW", "MW", "mw", "W", "w")] == ["mW", "MW", "MW", "watts", "weeks"]


@pytest.mark.parametrize(
    ("number", "source", "target", "found"),
    [
        (212, "°F", "°C", 100), (0, "°C", "°F", 32), (300, "kelvin", "°C", Fraction(537, 20)), (50, "V", "mV", 50_000),
        (2, "months", "days", 60), (1, "years", "months", 12), (48, "hours", "months", Fraction(1, 15)),
    ],
)
def test_numbers_in_other_units(number: int, source: str, target: str, found: Fraction | int) -> None:
    assert converted(Fraction(number), source, target) == found


def test_units_of_the_same_dimension_smallest_first() -> None:
    assert units_like("seconds") == ["ns", "us", "ms", "seconds", "minutes", "hours", "days", "weeks"]
    assert units_like("fraction") == ["ppm", "%"]
    assert units_like("euros") == []


def test_a_name_that_is_the_sign_of_a_unit_is_printed_in_back_quotes() -> None:
    program = parse("find `m²` where `M²` = 1 and µs = 2 and x² = 3")
    assert print_program(program) == "find `m²` where `M²` = 1 and µs = 2 and x² = 3"
    assert parse(print_program(program)) == program
