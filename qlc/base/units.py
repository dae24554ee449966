"""The closed list of units: spellings, and the factor to the base of the dimension (bytes, seconds, m, kg, m/s ...).

Factors are exact by definition: the international yard and pound (1959), the US gallon of 231 cubic inches. Ambiguous
words are left out: a ton may be a tonne, and pounds may be money.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping
    from fractions import Fraction


class Unit(NamedTuple):
    """`name` is the canonical spelling, `one` the one after the number 1, `spellings` all of them in lower case.

    The factor is `numerator / denominator`, exact: `fractions` is imported only for conversions. `symbols` are
    case-sensitive spellings: mW is not MW. `zero` is 0 in the base unit, as a ratio, for units such as °F.
    """

    name: str
    dimension: str
    spellings: tuple[str, ...]
    numerator: int
    denominator: int = 1
    one: str = ""
    symbols: tuple[str, ...] = ()
    zero: tuple[int, int] = (0, 1)


def _bytes(step: int, *prefixes: tuple[str, str]) -> list[Unit]:
    """Return the multiples of a byte, each `step` times the one before: `kB`, kilobyte, kilobytes."""
    return [
        Unit(f"{sign}B", "size", (f"{sign}B".lower(), f"{word}byte", f"{word}bytes"), step**power)
        for power, (sign, word) in enumerate(prefixes, 1)
    ]


UNITS = (
    Unit("bytes", "size", ("bytes", "byte", "b"), 1, one="byte"),
    *_bytes(1000, ("k", "kilo"), ("M", "mega"), ("G", "giga"), ("T", "tera"), ("P", "peta")),
    *_bytes(1024, ("Ki", "kibi"), ("Mi", "mebi"), ("Gi", "gibi"), ("Ti", "tebi"), ("Pi", "pebi")),
    Unit("ns", "time", ("ns", "nanosecond", "nanoseconds"), 1, 10**9),
    Unit("us", "time", ("us", "microsecond", "microseconds"), 1, 10**6),
    Unit("ms", "time", ("ms", "msec", "millis", "millisecond", "milliseconds"), 1, 1000),
    Unit("seconds", "time", ("seconds", "second", "s", "sec", "secs"), 1, one="second"),
    Unit("minutes", "time", ("minutes", "minute", "min", "mins"), 60, one="minute"),
    Unit("hours", "time", ("hours", "hour", "h", "hr", "hrs"), 3600, one="hour"),
    Unit("days", "time", ("days", "day", "d"), 86_400, one="day"),
    Unit("weeks", "time", ("weeks", "week", "w", "wk", "wks"), 604_800, one="week"),
    Unit("months", "calendar", ("months", "month"), 1, one="month"),
    Unit("years", "calendar", ("years", "year", "yr", "yrs"), 12, one="year"),
    Unit("um", "length", ("um", "micron", "microns", "\u03bcm"), 1, 10**6, symbols=("\u00b5m",)),
    Unit("mm", "length", ("mm", "millimeter", "millimeters", "millimetre", "millimetres"), 1, 1000),
    Unit("cm", "length", ("cm", "centimeter", "centimeters", "centimetre", "centimetres"), 1, 100),
    Unit("m", "length", ("m", "meter", "meters", "metre", "metres"), 1),
    Unit("km", "length", ("km", "kms", "kilometer", "kilometers", "kilometre", "kilometres"), 1000),
    Unit("inches", "length", ("inches", "inch"), 254, 10_000, one="inch"),
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
    Unit("mm2", "area", ("mm2", "mm\u00b2"), 1, 10**6),
    Unit("cm2", "area", ("cm2", "cm\u00b2"), 1, 10**4),
    Unit("m2", "area", ("m2", "sqm", "m\u00b2"), 1),
    Unit("km2", "area", ("km2", "sqkm", "km\u00b2"), 10**6),
    Unit("ha", "area", ("ha", "hectare", "hectares"), 10**4),
    Unit("sqft", "area", ("sqft", "ft2"), 9_290_304, 10**8),
    Unit("acres", "area", ("acres", "acre"), 40_468_564_224, 10**7, one="acre"),
    Unit("ml", "volume", ("ml", "milliliter", "milliliters", "millilitre", "millilitres"), 1, 1000),
    Unit("cl", "volume", ("cl",), 1, 100),
    Unit("l", "volume", ("l", "liter", "liters", "litre", "litres"), 1),
    Unit("cm3", "volume", ("cm3", "ccm", "cm\u00b3"), 1, 1000),
    Unit("m3", "volume", ("m3", "cbm", "m\u00b3"), 1000),
    Unit("gal", "volume", ("gal", "gallon", "gallons"), 3_785_411_784, 10**9),
    Unit("Wh", "energy", ("wh",), 1),
    Unit("kWh", "energy", ("kwh",), 1000),
    Unit("MWh", "energy", ("mwh",), 10**6),
    Unit("GWh", "energy", ("gwh",), 10**9),
    Unit("kJ", "energy", ("kj",), 10, 36),
    Unit("mW", "power", ("milliwatt", "milliwatts"), 1, 1000, symbols=("mW",)),
    Unit("watts", "power", ("watts", "watt"), 1, one="watt", symbols=("W",)),
    Unit("kW", "power", ("kw", "kwp", "kilowatt", "kilowatts"), 1000, symbols=("kWp",)),
    Unit("hp", "power", ("hp", "horsepower"), 7_456_998_715_822_702, 10**13),
    Unit("PS", "power", ("ps",), 73_549_875, 10**5),
    Unit("MW", "power", ("mw", "mwp", "mwe", "mwth", "megawatt", "megawatts"), 10**6, symbols=("MWp", "MWe", "MWth")),
    Unit("mV", "voltage", ("mv", "millivolt", "millivolts"), 1, 1000),
    Unit("V", "voltage", ("v", "volt", "volts"), 1),
    Unit("kV", "voltage", ("kv", "kilovolt", "kilovolts"), 1000),
    Unit("GW", "power", ("gw", "gigawatt", "gigawatts"), 10**9),
    Unit("VA", "apparent power", ("va",), 1),
    Unit("kVA", "apparent power", ("kva",), 1000),
    Unit("MVA", "apparent power", ("mva",), 10**6),
    Unit("uA", "current", ("ua", "\u03bca"), 1, 10**6, symbols=("\u00b5A",)),
    Unit("mA", "current", ("ma", "milliamp", "milliamps"), 1, 1000),
    Unit("amps", "current", ("amps", "amp", "ampere", "amperes"), 1, one="amp", symbols=("A",)),
    Unit("mAh", "charge", ("mah",), 1, 1000),
    Unit("Ah", "charge", ("ah",), 1),
    Unit("mohm", "resistance", ("mohm", "milliohm", "milliohms"), 1, 1000, symbols=("m\u03a9", "m\u2126")),
    Unit("ohms", "resistance", ("ohms", "ohm", "\u03c9"), 1, one="ohm", symbols=("\u2126", "\u03a9")),
    Unit("kohm", "resistance", ("kohm", "k\u03c9", "kiloohm", "kiloohms"), 1000, symbols=("k\u2126", "k\u03a9")),
    Unit("pF", "capacitance", ("pf",), 1, 10**12),
    Unit("nF", "capacitance", ("nf",), 1, 10**9),
    Unit("uF", "capacitance", ("uf", "\u03bcf"), 1, 10**6, symbols=("\u00b5F",)),
    Unit("Hz", "frequency", ("hz", "hertz"), 1),
    Unit("kHz", "frequency", ("khz",), 1000),
    Unit("MHz", "frequency", ("mhz",), 10**6),
    Unit("GHz", "frequency", ("ghz",), 10**9),
    Unit("rpm", "rotation", ("rpm",), 1),
    Unit("Pa", "pressure", ("pa", "pascal", "pascals"), 1),
    Unit("hPa", "pressure", ("hpa",), 100),
    Unit("kPa", "pressure", ("kpa",), 1000),
    Unit("MPa", "pressure", ("mpa",), 10**6),
    Unit("mbar", "pressure", ("mbar",), 100),
    Unit("bar", "pressure", ("bar", "bars"), 10**5),
    Unit("psi", "pressure", ("psi",), 44_482_216_152_605, 6_451_600_000),
    Unit("N", "force", ("newton", "newtons"), 1, symbols=("N",)),
    Unit("kN", "force", ("kilonewton", "kilonewtons"), 1000, symbols=("kN",)),
    Unit("Nm", "torque", ("nm",), 1),
    Unit("dB", "level", ("db", "decibel", "decibels"), 1),
    Unit("l/min", "flow", ("l/min",), 1),
    Unit("l/h", "flow", ("l/h",), 1, 60),
    Unit("l/s", "flow", ("l/s",), 60),
    Unit("m3/h", "flow", ("m3/h", "m\u00b3/h"), 1000, 60),
    Unit("m3/s", "flow", ("m3/s", "m\u00b3/s"), 60_000),
    Unit("mg/l", "concentration", ("mg/l",), 1),
    Unit("g/l", "concentration", ("g/l",), 1000),
    Unit("mg/kg", "content", ("mg/kg",), 1),
    Unit("\u00b0C", "temperature", ("\u00b0c", "celsius", "degc"), 1),
    Unit("\u00b0F", "temperature", ("\u00b0f", "fahrenheit", "degf"), 5, 9, zero=(-160, 9)),
    Unit("kelvin", "temperature", ("kelvin", "kelvins"), 1, zero=(-27_315, 100)),
    Unit("%", "part", ("%", "percent", "percentage"), 1, 100),
    Unit("ppm", "part", ("ppm",), 1, 10**6),
)
"""Units that can be written in a query. In a catalog a field may also be stored as a `fraction`."""

_FRACTION = Unit("fraction", "part", ("fraction",), 1)
SPELLINGS = frozenset(text for unit in UNITS for text in (*unit.spellings, *map(str.lower, unit.symbols)))
"""All spellings of units after a number, in lower case."""
_BY_SPELLING = {spelling: unit for unit in (*UNITS, _FRACTION) for spelling in unit.spellings}
_BY_SYMBOL = {symbol: unit for unit in UNITS for symbol in (unit.name, *unit.symbols)}

DAYS: Mapping[str, int] = {"months": 30, "years": 365}
"""The days of a calendar unit in comparisons with durations in days, hours and the like."""


def find_unit(spelling: str) -> Unit | None:
    """Return the unit with a spelling: symbols are case-sensitive, other spellings are not."""
    return _BY_SYMBOL.get(spelling) or _BY_SPELLING.get(spelling.lower())


def base_of(unit: str) -> str:
    """Return the unit in which amounts of a dimension are kept: the one with factor 1, or percent."""
    same = [one for one in UNITS if one.dimension == _BY_SYMBOL[unit].dimension]
    return next((one.name for one in same if one.numerator == one.denominator), same[0].name)


def convert(source: str, target: str) -> Fraction | None:
    """Return the factor from `source` to `target`; None for different dimensions."""
    scale = _scale(source, target)
    return None if scale is None else scale[0]


def converted(number: Fraction | int, source: str, target: str) -> Fraction | None:
    """Convert a number to another unit; None for different dimensions."""
    scale = _scale(source, target)
    if scale is None:
        return None
    return number * scale[0] + scale[1] if scale[1] else number * scale[0]


@lru_cache(maxsize=1024)
def _scale(source: str, target: str) -> tuple[Fraction, Fraction] | None:
    """Return factor and summand."""
    one, other = find_unit(source), find_unit(target)
    if one is None or other is None:
        return None
    from fractions import Fraction

    if {one.dimension, other.dimension} == {"time", "calendar"}:
        days = _scale("days", other.name if one.name in DAYS else one.name)
        assert days is not None
        return (DAYS[one.name] * days[0] if one.name in DAYS else 1 / (DAYS[other.name] * days[0])), Fraction(0)
    if one.dimension != other.dimension:
        return None
    factor = Fraction(one.numerator * other.denominator, one.denominator * other.numerator)
    zero = (Fraction(*one.zero) - Fraction(*other.zero)) * Fraction(other.denominator, other.numerator)
    return factor, zero


def units_like(unit: str) -> list[str]:
    """Return the canonical names of writable units of the same dimension, smallest first."""
    one = find_unit(unit)
    if one is None:
        return []
    same = (other for other in UNITS if other.dimension == one.dimension)
    return [other.name for other in sorted(same, key=lambda other: other.numerator / other.denominator)]
