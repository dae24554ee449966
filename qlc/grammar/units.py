"""The closed list of units: spellings, and the factor to the base of the dimension (bytes, seconds, m, kg, m/s ...).

Factors are exact by definition: the international yard and pound (1959), the US gallon of 231 cubic inches. What has
two meanings is no unit: a ton may be a tonne, and what pounds are may be money.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction


class Unit(NamedTuple):
    """`name` is the canonical spelling, `one` the one after the number 1, `spellings` all of them in lower case.

    The factor is `numerator / denominator`, exact: `fractions` is imported only where something is converted.
    """

    name: str
    dimension: str
    spellings: tuple[str, ...]
    numerator: int
    denominator: int = 1
    one: str = ""


def _bytes(name: str, factor: int, *others: str) -> Unit:
    return Unit(name, "size", (name.lower(), *others), factor)


UNITS = (
    Unit("bytes", "size", ("bytes", "byte", "b"), 1, one="byte"),
    _bytes("kB", 10**3, "kilobyte", "kilobytes"),
    _bytes("MB", 10**6, "megabyte", "megabytes"),
    _bytes("GB", 10**9, "gigabyte", "gigabytes"),
    _bytes("TB", 10**12, "terabyte", "terabytes"),
    _bytes("PB", 10**15, "petabyte", "petabytes"),
    _bytes("KiB", 2**10, "kibibyte", "kibibytes"),
    _bytes("MiB", 2**20, "mebibyte", "mebibytes"),
    _bytes("GiB", 2**30, "gibibyte", "gibibytes"),
    _bytes("TiB", 2**40, "tebibyte", "tebibytes"),
    _bytes("PiB", 2**50, "pebibyte", "pebibytes"),
    Unit("ns", "time", ("ns", "nanosecond", "nanoseconds"), 1, 10**9),
    Unit("us", "time", ("us", "microsecond", "microseconds"), 1, 10**6),
    Unit("ms", "time", ("ms", "msec", "millis", "millisecond", "milliseconds"), 1, 1000),
    Unit("seconds", "time", ("seconds", "second", "s", "sec", "secs"), 1, one="second"),
    Unit("minutes", "time", ("minutes", "minute", "min", "mins"), 60, one="minute"),
    Unit("hours", "time", ("hours", "hour", "h", "hr", "hrs"), 3600, one="hour"),
    Unit("days", "time", ("days", "day", "d"), 86_400, one="day"),
    Unit("weeks", "time", ("weeks", "week", "w", "wk", "wks"), 604_800, one="week"),
    Unit("mm", "length", ("mm", "millimeter", "millimeters", "millimetre", "millimetres"), 1, 1000),
    Unit("cm", "length", ("cm", "centimeter", "centimeters", "centimetre", "centimetres"), 1, 100),
    Unit("m", "length", ("m", "meter", "meters", "metre", "metres"), 1),
    Unit("km", "length", ("km", "kms", "kilometer", "kilometers", "kilometre", "kilometres"), 1000),
    Unit("ft", "length", ("ft", "foot", "feet"), 3048, 10_000),
    Unit("yd", "length", ("yd", "yard", "yards"), 9144, 10_000),
    Unit("miles", "length", ("miles", "mile", "mi"), 1_609_344, 1000, one="mile"),
    Unit("nmi", "length", ("nmi",), 1852),
    Unit("mg", "weight", ("mg", "milligram", "milligrams"), 1, 10**6),
    Unit("g", "weight", ("g", "gram", "grams"), 1, 1000),
    Unit("kg", "weight", ("kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"), 1),
    Unit("t", "weight", ("t", "tonne", "tonnes"), 1000),
    Unit("oz", "weight", ("oz", "ounce", "ounces"), 45_359_237, 1_600_000_000),
    Unit("lb", "weight", ("lb", "lbs"), 45_359_237, 10**8),
    Unit("m/s", "speed", ("m/s", "mps"), 1),
    Unit("km/h", "speed", ("km/h", "kmh", "kph"), 1000, 3600),
    Unit("mph", "speed", ("mph",), 1_609_344, 3_600_000),
    Unit("knots", "speed", ("knots", "knot", "kn", "kts"), 1852, 3600, one="knot"),
    Unit("m2", "area", ("m2", "sqm"), 1),
    Unit("km2", "area", ("km2", "sqkm"), 10**6),
    Unit("ha", "area", ("ha", "hectare", "hectares"), 10**4),
    Unit("sqft", "area", ("sqft", "ft2"), 9_290_304, 10**8),
    Unit("acres", "area", ("acres", "acre"), 40_468_564_224, 10**7, one="acre"),
    Unit("ml", "volume", ("ml", "milliliter", "milliliters", "millilitre", "millilitres"), 1, 1000),
    Unit("l", "volume", ("l", "liter", "liters", "litre", "litres"), 1),
    Unit("m3", "volume", ("m3", "cbm"), 1000),
    Unit("gal", "volume", ("gal", "gallon", "gallons"), 3_785_411_784, 10**9),
    Unit("Wh", "energy", ("wh",), 1),
    Unit("kWh", "energy", ("kwh",), 1000),
    Unit("MWh", "energy", ("mwh",), 10**6),
    Unit("watts", "power", ("watts", "watt"), 1, one="watt"),
    Unit("kW", "power", ("kw", "kilowatt", "kilowatts"), 1000),
    Unit("MW", "power", ("mw", "megawatt", "megawatts"), 10**6),
    Unit("mV", "voltage", ("mv", "millivolt", "millivolts"), 1, 1000),
    Unit("V", "voltage", ("v", "volt", "volts"), 1),
    Unit("kV", "voltage", ("kv", "kilovolt", "kilovolts"), 1000),
    Unit("mA", "current", ("ma", "milliamp", "milliamps"), 1, 1000),
    Unit("amps", "current", ("amps", "amp", "ampere", "amperes"), 1, one="amp"),
    Unit("Hz", "frequency", ("hz", "hertz"), 1),
    Unit("kHz", "frequency", ("khz",), 1000),
    Unit("MHz", "frequency", ("mhz",), 10**6),
    Unit("GHz", "frequency", ("ghz",), 10**9),
    Unit("%", "part", ("%", "percent", "percentage"), 1, 100),
)
"""Units that can be written in a query. In a catalog a field may also be stored as a `fraction`."""

_FRACTION = Unit("fraction", "part", ("fraction",), 1)
_BY_SPELLING = {spelling: unit for unit in (*UNITS, _FRACTION) for spelling in unit.spellings}


def find_unit(spelling: str) -> Unit | None:
    """The unit that is spelled so, in any case."""
    return _BY_SPELLING.get(spelling.lower())


@lru_cache(maxsize=1024)
def convert(source: str, target: str) -> Fraction | None:
    """What a number in `source` is multiplied by to be in `target`; None where they are not of one dimension."""
    one, other = find_unit(source), find_unit(target)
    if one is None or other is None or one.dimension != other.dimension:
        return None
    from fractions import Fraction

    return Fraction(one.numerator * other.denominator, one.denominator * other.numerator)


def units_like(unit: str) -> list[str]:
    """The canonical names of the units that convert to this one and can be written, smallest first."""
    one = find_unit(unit)
    if one is None:
        return []
    same = (other for other in UNITS if other.dimension == one.dimension)
    return [other.name for other in sorted(same, key=lambda other: other.numerator / other.denominator)]
