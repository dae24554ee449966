"""Evaluation of calculations in this process, exact: with fractions, where a search calculates with doubles.

`get city("Bonn").population - city("Trier").population`, `(sum(cost) + sum(fees)) / count`, `now - 30 days`
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from qlc.compiler import typed

Operand = typed.Expression
Amount = int | float
Value = Callable[[Operand], Amount | None]
"""Returns the value of an operand, a date in milliseconds, or of `length` and `size`; None if it has none."""


class DivisionByZero(Exception):
    """Raised for a division by zero: the calculation has no value."""


def evaluate(expression: typed.Expression, value: Value) -> Amount | None:
    """Return the value of a calculation: an int if it is whole; None if an operand has none. Raises DivisionByZero."""
    found = _exact(expression, value)
    if found is None or isinstance(found, float):
        return found
    try:
        return int(found) if found.denominator == 1 else float(found)
    except OverflowError:
        return int(found)


def _exact(node: typed.Expression, value: Value) -> Any:
    match node:
        case typed.Operation(operator, left, right):
            first, second = _exact(left, value), _exact(right, value)
            return None if first is None or second is None else _calculated(operator, first, second)
        case typed.Function(name, argument, digits) if name not in ("length", "size"):
            inside = _exact(argument, value)
            return None if inside is None else _applied(name, inside, digits)
        case _:
            found = value(node)
            return found if found is None or not math.isfinite(found) else Fraction(repr(found))


def _calculated(operator: str, first: Any, second: Any) -> Any:
    match operator:
        case "+":
            return first + second
        case "-":
            return first - second
        case "*":
            return first * second
        case _:
            if second == 0:
                raise DivisionByZero
            return first / second


def _applied(name: str, inside: Any, digits: int) -> Any:
    match name:
        case "negative":
            return -inside
        case "abs":
            return abs(inside)
        case "round" if isinstance(inside, Fraction):
            scaled = math.floor(abs(inside) * 10**digits + Fraction(1, 2))  # a half is rounded away from zero
            return Fraction(scaled if inside >= 0 else -scaled, 10**digits)
        case _:
            return inside
