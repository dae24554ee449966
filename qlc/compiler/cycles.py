"""`weekday(f)` and `hour_of_day(f)` in conditions: which of the seven days or 24 hours are meant."""

from __future__ import annotations

import calendar

from qlc.compiler import typed
from qlc.compiler.context import Context, Refused, Scope, kind_of, quoted
from qlc.compiler.values import expand
from qlc.grammar import print_path, print_value, tree
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field

_OPERATORS = ("=", "!=", "has", "in", "not in", "has any", "<", "<=", ">", ">=")

WEEKDAYS = tuple(calendar.day_name)


def cycle_condition(
    context: Context, unit: tree.CyclicUnit, field: Field, node: tree.Comparison | tree.Between, scope: Scope
) -> typed.Condition:
    """The typed condition; `!=` and `not in` give the positive one. Raises Refused."""
    if field.kind is not FieldKind.DATE:
        raise Refused("wrong-type", f"'{field.name}' is {kind_of(field)}, so it has no {unit.replace('_', ' ')}",
                      node.left.span, hint=f"{unit}(...) takes a date field")
    size = 7 if unit == "weekday" else 24
    if isinstance(node, tree.Between):
        low, high = (_position(context, unit, value) for value in (node.low, node.high))
        first = context.schema.week_start if unit == "weekday" else 0
        if (low - first) % size > (high - first) % size:
            name = print_path(node.left.path) if isinstance(node.left, tree.Cyclic) else field.name
            text = f"({unit}({name}) >= {print_value(node.low)} or {unit}({name}) <= {print_value(node.high)})"
            raise Refused("reversed-range", "the first end of the range comes after the second", node.span,
                          hint=f"to go on past the end write {text}", replacement=text)
        values = {(low + step) % size for step in range((high - low) % size + 1)}
    else:
        values = _compared(context, unit, node, size)
    extent = typed.Extent(scope.entity, field, typed.All(), node.span)
    return typed.OnCycle(field, unit, tuple(sorted(values)), extent)


def _compared(context: Context, unit: tree.CyclicUnit, node: tree.Comparison, size: int) -> set[int]:
    if node.operator not in _OPERATORS:
        raise Refused("wrong-operator", f"'{node.operator}' does not apply to {unit}(...)", node.operator_span,
                      hint="it has =, !=, in, not in, <, <=, >, >= and between")
    right = expand(context, node.right)
    if node.operator in ("in", "not in", "has any"):
        if not isinstance(right, tree.ListValue) or not right.items:
            hint = 'write in ["Saturday", "Sunday"]' if unit == "weekday" else "write in [9, 10, 11]"
            raise Refused("list-expected", "a list is needed here", node.right.span, hint=hint)
        return {_position(context, unit, item) for item in right.items}
    position = _position(context, unit, right)
    first = context.schema.week_start if unit == "weekday" else 0
    rank = [(value - first) % size for value in range(size)]
    match node.operator:
        case "=" | "!=" | "has":
            return {position}
        case "<":
            return {v for v in range(size) if rank[v] < rank[position]}
        case "<=":
            return {v for v in range(size) if rank[v] <= rank[position]}
        case ">":
            return {v for v in range(size) if rank[v] > rank[position]}
        case _:
            return {v for v in range(size) if rank[v] >= rank[position]}


def _position(context: Context, unit: tree.CyclicUnit, node: tree.Value) -> int:
    node = expand(context, node)
    if unit == "hour_of_day":
        if isinstance(node, tree.Number) and node.unit is None and node.value in range(24):
            return int(node.value)
        raise Refused("unknown-value", f"{print_value(node)} is no hour of the day", node.span,
                      hint="hours are whole numbers from 0 to 23")
    if isinstance(node, tree.String):
        folded = node.value.strip().casefold()
        for index, name in enumerate(WEEKDAYS):
            if folded == name.casefold() or (len(folded) >= 3 and name.casefold().startswith(folded)):
                return index
    raise Refused("unknown-value", f"{print_value(node)} is no day of the week", node.span,
                  hint=f"it can be {quoted(WEEKDAYS, limit=7)}", suggestions=WEEKDAYS)
