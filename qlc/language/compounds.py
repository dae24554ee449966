"""Amounts written in two units: `1 year 6 months`, `3 kg 250 g`, `5 ft 3 in`, `5 euros and 30 cents`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal

from .quantity import Quantity
from .units import WORKING_DAYS, convert

_SERIES = (
    ("year", "month", "week", "d", "h", "min", "s"), ("t", "kg", "g", "mg"), ("lb", "oz"), ("mile", "yd", "ft", "in"),
    ("km", "m", "cm", "mm"), ("l", "cl", "ml"),
)  # fmt: skip
"""Units that follow each other in one amount, the largest first."""
_STEPS = {unit: (series, at) for series, units in enumerate(_SERIES) for at, unit in enumerate(units)}
_JOINT = re.compile(r"\s?(?P<comma>,)?\s?(?:(?:and|und|et|y|e)\s)?")
_ENDS = re.compile(r"\s*(?:$|[.;)\n\t])")
MINOR = {
    **dict.fromkeys(("cent", "cents", "ct", "centimes", "centavos", "céntimos", "centesimi"), ""),
    "pence": "GBP", "penny": "GBP", "¢": "USD",
}  # fmt: skip
"""Hundredths of a currency, with its code if they say which."""
MINOR_AMOUNT = rf"(?i:{'|'.join(sorted(map(re.escape, MINOR), key=len, reverse=True))})(?![^\W_])"


def joined(text: str, found: Iterable[Quantity]) -> list[Quantity]:
    """Join the parts of an amount, in the unit of its last part: `1 year 6 months` -> 18 months."""
    held: list[Quantity] = []
    for one in found:
        whole = _sum_of(text, held[-1], one) if held else None
        if whole is None:
            held.append(one)
        else:
            held[-1] = whole
    return held


def _sum_of(text: str, large: Quantity, small: Quantity) -> Quantity | None:
    if small.start - large.end > _FARTHEST or small.number < 0 or not (joint := _JOINT.fullmatch(
            text, large.end, small.start)):  # fmt: skip
        return None
    if joint["comma"] and not _ENDS.match(text, small.end):  # `runs 3 h, 30 min to charge`
        return None
    if small.kind == "money" and _is_minor(text, small) and small.number < 1:
        unit = large.unit if large.kind == "money" else "GBP" if large.unit == "lb" else ""
        if not unit or small.unit not in ("", unit):
            return None
        return replace(large, kind="money", end=small.end, unit=unit, number=_sum(large.number, small.number))
    first, second = _STEPS.get(large.unit), _STEPS.get(small.unit)
    if large.kind != "measure" or first is None or second is None or first[0] != second[0] or first[1] >= second[1]:
        return None
    number, most = convert(large.number, large.unit, small.unit), convert(Decimal(1), large.unit, small.unit)
    if number is None or most is None or small.number >= most or large.unit in WORKING_DAYS:
        return None
    return replace(small, start=large.start, number=_sum(number, small.number))


_FARTHEST = 6
"""Most characters between the parts: `, and `."""


def _sum(large: Decimal, small: Decimal) -> Decimal:
    return large - small if large < 0 else large + small


def _is_minor(text: str, one: Quantity) -> bool:
    return re.search(rf"{MINOR_AMOUNT}$", text[one.start : one.end]) is not None
