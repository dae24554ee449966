"""The numbers that a field can hold, by its type in the mapping. Elasticsearch rejects searches for any other.

Most types store a rounded number: the nearest float of 16 or 32 bits, or the nearest multiple of 1/`scaling_factor`.
Comparisons use the rounded number; the number is shown as written.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Literal, TypeGuard

from qlc.base.diagnostics import Span
from qlc.compiler.context import Refused
from qlc.mapping.fields import MappedField
from qlc.mapping.schema import Field

Comparison = Literal["=", "<", "<=", ">", ">="]

HOUR, DAY, MONTH = "hour of day", "day of month", "month of year"
"""The types of `hour_of_day(f)` and others. No field of a mapping has them."""
_CYCLIC = {
    HOUR: (range(24), "an hour of the day", "hours are whole numbers from 0 to 23"),
    DAY: (range(1, 32), "a day of the month", "days are whole numbers from 1 to 31"),
    MONTH: (range(1, 13), "a month of the year", "months are numbers from 1 to 12, or their names"),
}

_WHOLE: dict[str, tuple[int, int]] = {
    "byte": (-(2**7), 2**7 - 1),
    "short": (-(2**15), 2**15 - 1),
    "integer": (-(2**31), 2**31 - 1),
    "token_count": (-(2**31), 2**31 - 1),
    "long": (-(2**63), 2**63 - 1),
    "unsigned_long": (0, 2**64 - 1),
}
_BINARY = {"half_float": "<e", "float": "<f"}
"""The `struct` codes of the types with fewer digits than a double."""


def is_number(value: Any) -> TypeGuard[int | float]:
    """Whether a value is a number; booleans, which Python counts as ints, are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def beyond(field: Field, number: float) -> int:
    """Return -1 for a number below all that the field can hold, 1 above, 0 if it is in range."""
    return side(field.mapped.es_type, number)


def within(mapped: MappedField, bounds: dict[str, float]) -> dict[str, float] | None:
    """Drop bounds that every number of the field meets; None if a bound excludes all of its numbers."""
    kept: dict[str, float] = {}
    for name, number in bounds.items():
        where = side(mapped.es_type, number)
        if where == 0:
            kept[name] = bound(mapped, name, number)
        elif (where > 0) == name.startswith("g"):
            return None
    return kept


def side(es_type: str, number: float) -> int:
    """As `beyond`, for a type."""
    if ends := _WHOLE.get(es_type):
        return (number > ends[1]) - (number < ends[0])
    try:
        struct.pack(_BINARY.get(es_type, "<d"), float(number))
    except OverflowError:
        return 1 if number > 0 else -1
    return 0


FLOATS = frozenset({"half_float", "float", "double"})

MOST_COUNTED = 2**50
"""Most units of a scaled_float: above it half a unit is not exact."""


def bound(mapped: MappedField, name: str, number: float) -> float:
    """Return the bound (`gt`, `gte`, `lt`, `lte`) with which Elasticsearch's float arithmetic selects the exact
    numbers.

    For scaled_float it multiplies the bound by the factor, and 0.29 times 100 is less than 29. For half_float it takes
    the next float above or below, so that `>= 0.57` would not match a stored 0.57.
    """
    if mapped.es_type in FLOATS and number == 0 and name in ("gte", "lt"):
        return -0.0  # Elasticsearch sorts it below zero
    if mapped.es_type == "half_float":
        return _nearest("<e", number)
    factor = mapped.scaling_factor
    if factor is None:
        return number
    units = Fraction(repr(number)) * Fraction(repr(factor))
    if abs(units) > MOST_COUNTED:
        return number
    exclusive = name in ("gt", "lte")
    above = math.floor(units) + 1 if exclusive else math.ceil(units)
    in_buckets = exclusive or held(mapped, (above - 1) / factor) < number <= held(mapped, above / factor)
    return number if in_buckets and _least_above(number * factor, name) == above else (above - 0.5) / factor


def _least_above(scaled: float, name: str) -> int:
    """Return the least whole number above a bound, computed as in Elasticsearch's `ScaledFloatFieldMapper`."""
    match name:
        case "gte":
            return math.ceil(scaled)
        case "gt":
            return math.ceil(math.nextafter(scaled, math.inf))
        case "lte":
            return math.floor(scaled) + 1
        case _:
            return math.floor(math.nextafter(scaled, -math.inf)) + 1


def held(mapped: MappedField, number: float) -> float:
    """Return the double that aggregations give for a number, after rounding by the field."""
    if mapped.es_type in _BINARY:
        return _nearest(_BINARY[mapped.es_type], number)
    factor = mapped.scaling_factor
    if factor is None or not abs(number * factor) < MOST_COUNTED:
        return number
    return math.floor(number * factor + 0.5) * (1 / factor)


def written(mapped: MappedField, number: float) -> float:
    """Return the number as written for a double of an aggregation: the shortest one that the field rounds to it."""
    code, factor = _BINARY.get(mapped.es_type), mapped.scaling_factor
    if code is not None:
        shortened = (float(f"{number:.{digits}g}") for digits in range(1, 10))
        return next((short for short in shortened if _nearest(code, short) == number), number)
    if factor is None or not abs(number * factor) < MOST_COUNTED:
        return number
    return round(number * factor) / factor


def kept(mapped: MappedField, number: float) -> float:
    """Return the shortest number that the field rounds to the same value."""
    less_exact = mapped.es_type in _BINARY or mapped.scaling_factor is not None
    return written(mapped, held(mapped, number)) if less_exact and math.isfinite(number) else number


def _nearest(code: str, number: float) -> float:
    try:
        return float(struct.unpack(code, struct.pack(code, number))[0])
    except OverflowError:
        return number


def refuse_never(field: Field, comparison: Comparison, number: float, written: Callable[[], str], span: Span) -> None:
    """Raise Refused if no value that the field can hold compares so with the number."""
    if cycle := _CYCLIC.get(field.mapped.es_type):
        if number not in cycle[0]:
            raise Refused("unknown-value", f"{written()} is not {cycle[1]}", span, hint=cycle[2])
        return
    side = beyond(field, number)
    if not side or (side > 0 and comparison in ("<", "<=")) or (side < 0 and comparison in (">", ">=")):
        return
    how = {"=": "", "<": "below ", "<=": "as low as ", ">": "above ", ">=": "as high as "}[comparison]
    raise Refused("unknown-value", f"'{field.name}' is never {how}{written()}", span, hint=f"it holds {_reach(field)}")


def _reach(field: Field) -> str:
    if ends := _WHOLE.get(field.mapped.es_type):
        return f"whole numbers from {ends[0]:,} to {ends[1]:,}"
    largest = {"half_float": "65,504", "float": "3.4e38"}.get(field.mapped.es_type, "1.7e308")
    return f"numbers from -{largest} to {largest}"
