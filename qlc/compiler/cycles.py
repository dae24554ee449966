"""`weekday(f)`, `month_of_year(f)` and others in conditions, checked as if they were keyword or
number fields."""

from __future__ import annotations

import calendar
from typing import TypeGuard

from qlc.compiler import typed
from qlc.compiler.context import Context, Refused, Scope, kind_of
from qlc.compiler.numbers import DAY, HOUR, MONTH
from qlc.compiler.values import one_of, several
from qlc.grammar import print_path, print_value, tree
from qlc.mapping.fields import FieldKind, MappedField
from qlc.mapping.schema import ClosedValues, Field

CYCLES: dict[tree.CyclicUnit, tuple[str | int, ...]] = {
    "weekday": tuple(calendar.day_name),
    "hour_of_day": tuple(range(24)),
    "day_of_month": tuple(range(1, 32)),
    "month_of_year": tuple(calendar.month_name)[1:],
}
"""All values of each cycle: days from Monday, hours from midnight, months from January."""


def is_cycle(function: str | None) -> TypeGuard[tree.CyclicUnit]:
    """Whether a function of a group or a condition is a cycle: `weekday`, not `day`."""
    return function in CYCLES


def _shortened(names: tuple[str, ...]) -> dict[str, str]:
    """Return the spellings of names, which may be shortened to three letters or more."""
    return {name[:end].casefold(): name for name in names for end in range(3, len(name) + 1)}


_DAYS, _MONTH_NAMES = tuple(calendar.day_name), tuple(calendar.month_name)[1:]
_WEEKDAYS = ClosedValues(_DAYS, _shortened(_DAYS))
_MONTHS = ClosedValues(
    _MONTH_NAMES, {**_shortened(_MONTH_NAMES), **{str(at): name for at, name in enumerate(_MONTH_NAMES, 1)}}
)


def cycle_field(unit: tree.CyclicUnit, field: Field) -> Field:
    """Return a field that stands for `weekday(f)` or `hour_of_day(f)`, as if the index had it."""
    name = f"{unit}({field.name})"
    if unit == "weekday":
        return Field(name, MappedField("", "keyword", FieldKind.KEYWORD), FieldKind.KEYWORD, False, values=_WEEKDAYS)
    if unit == "month_of_year":
        return Field(name, MappedField("", MONTH, FieldKind.KEYWORD), FieldKind.KEYWORD, False, values=_MONTHS)
    es_type = HOUR if unit == "hour_of_day" else DAY
    return Field(name, MappedField("", es_type, FieldKind.WHOLE_NUMBER), FieldKind.WHOLE_NUMBER, False)


def place(unit: tree.CyclicUnit, value: typed.Scalar) -> int | None:
    """Return the index of a value in its cycle (Monday is 0); None if it is not a value of the cycle."""
    cycle = CYCLES[unit]
    return cycle.index(value) if not isinstance(value, bool) and value in cycle else None


def row_key(unit: tree.CyclicUnit, value: typed.Scalar) -> int | None:
    """Return the key that rows by a cycle have for a value: `Monday` -> 0, `November` -> 11, hour 9 -> 9."""
    at = place(unit, value)
    return None if at is None else at + (unit in ("day_of_month", "month_of_year"))


def row_label(unit: tree.CyclicUnit, key: int) -> str:
    """Return the value for a key of rows by a cycle: 0 -> `Monday`, 11 -> `November`, 9 -> `9`."""
    return str(CYCLES[unit][key - (unit in ("day_of_month", "month_of_year"))])


def cycle_condition(
    context: Context, unit: tree.CyclicUnit, field: Field, node: tree.Comparison | tree.Between, scope: Scope
) -> typed.Condition:
    """Return the typed condition; for `!=` and `not in` that of the positive operator. Raises Refused."""
    if field.kind is not FieldKind.DATE:
        raise Refused("wrong-type", f"'{field.name}' is {kind_of(field)}, so it has no {unit.replace('_', ' ')}",
                      node.left.span, hint=f"{unit}(...) takes a date field")
    values, bounds = _compared(context, unit, cycle_field(unit, field), node, scope)
    return typed.OnCycle(field, unit, values, bounds, typed.Extent(scope.entity, field, typed.All(), span=node.span))


Bounds = tuple[tuple[typed.RangeOperator, typed.Value], ...]


def _compared(
    context: Context, unit: tree.CyclicUnit, target: Field, node: tree.Comparison | tree.Between, scope: Scope
) -> tuple[tuple[typed.Value, ...], Bounds]:
    def read(value: tree.Value) -> typed.Value:
        (one,) = one_of(context, value, target, scope)
        return one

    if isinstance(node, tree.Between):
        low, high = context.each(read, (node.low, node.high))
        _check_order(context, unit, node, low, high)
        return (), ((">=", low), ("<=", high))
    match node.operator:
        case "=" | "!=" | "has":
            return (read(node.right),), ()
        case "in" | "not in" | "has any":
            return several(context, node.right, target, scope), ()
        case "<" | "<=" | ">" | ">=":
            return (), ((node.operator, read(node.right)),)
        case _:
            raise Refused("wrong-operator", f"'{node.operator}' does not apply to {unit}(...)", node.operator_span,
                          hint="it has =, !=, in, not in, <, <=, >, >= and between")


def _check_order(
    context: Context, unit: tree.CyclicUnit, node: tree.Between, low: typed.Value, high: typed.Value
) -> None:
    if not (isinstance(low, typed.Literal) and isinstance(high, typed.Literal)):
        return
    first = context.schema.week_start if unit == "weekday" else 0
    cycle = CYCLES[unit]
    if (cycle.index(low.value) - first) % len(cycle) > (cycle.index(high.value) - first) % len(cycle):
        name = print_path(node.left.path) if isinstance(node.left, tree.Cyclic) else unit
        text = f"({unit}({name}) >= {print_value(node.low)} or {unit}({name}) <= {print_value(node.high)})"
        raise Refused("reversed-range", "the first end of the range comes after the second", node.span,
                      hint=f"to go on past the end write {text}", replacement=text)
