"""The closed list of units: spellings, and the factor to the base of the dimension: bytes, seconds, m, fraction."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction


class Unit(NamedTuple):
    """`name` is the canonical spelling, `one` the one behind the number 1, `spellings` all of them in lower case.

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
