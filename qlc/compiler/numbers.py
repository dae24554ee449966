"""What numbers a field can hold, by its type in the mapping: Elasticsearch refuses a search for any other."""

from __future__ import annotations

import struct
from typing import Literal

from qlc.compiler.context import Refused
from qlc.diagnostics import Span
from qlc.mapping.schema import Field

Comparison = Literal["=", "<", "<=", ">", ">="]

HOUR = "hour of day"
"""The type of what `hour_of_day(f)` is. No field of a mapping has it."""

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


def beyond(field: Field, number: float) -> int:
    """Where a number lies that the field cannot hold: -1 below all that it can, 1 above; 0 where it is in reach."""
    return side(field.mapped.es_type, number)


def within(es_type: str, bounds: dict[str, float]) -> dict[str, float] | None:
    """The bounds of a range but for those that every number of the type meets; None where no number meets one."""
    kept: dict[str, float] = {}
    for name, number in bounds.items():
        where = side(es_type, number)
        if where == 0:
            kept[name] = number
        elif (where > 0) == name.startswith("g"):
            return None
    return kept


def side(es_type: str, number: float) -> int:
    """As `beyond`, by the type of a field."""
    if ends := _WHOLE.get(es_type):
        return (number > ends[1]) - (number < ends[0])
    try:
        struct.pack(_BINARY.get(es_type, "<d"), float(number))
    except OverflowError:
        return 1 if number > 0 else -1
    return 0


def refuse_never(field: Field, comparison: Comparison, number: float, written: str, span: Span) -> None:
    """Raise Refused where no value that the field can hold compares so with the number."""
    if field.mapped.es_type == HOUR and number not in range(24):
        raise Refused("unknown-value", f"{written} is no hour of the day", span,
                      hint="hours are whole numbers from 0 to 23")
    side = beyond(field, number)
    if not side or (side > 0 and comparison in ("<", "<=")) or (side < 0 and comparison in (">", ">=")):
        return
    how = {"=": "", "<": "below ", "<=": "as low as ", ">": "above ", ">=": "as high as "}[comparison]
    raise Refused("unknown-value", f"'{field.name}' is never {how}{written}", span, hint=f"it holds {_reach(field)}")


def _reach(field: Field) -> str:
    if ends := _WHOLE.get(field.mapped.es_type):
        return f"whole numbers from {ends[0]:,} to {ends[1]:,}"
    largest = {"half_float": "65,504", "float": "3.4e38"}.get(field.mapped.es_type, "1.7e308")
    return f"numbers from -{largest} to {largest}"
