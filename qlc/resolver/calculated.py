"""Calculated columns of hits: `show name, quantity * unit_price as value`, from the stored values of each document."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from qlc.base.deadline import timed
from qlc.compiler import typed
from qlc.compiler.environment import Bindings
from qlc.compiler.evaluation import DivisionByZero, Operand, evaluate
from qlc.compiler.names import stored_fields
from qlc.compiler.periods import millis
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field
from qlc.resolver.instants import as_datetime, moment
from qlc.resolver.names.entries import stored_by_hit


def calculated_column(computed: typed.ComputedField, hits: Sequence[Mapping[str, Any]], env: Bindings) -> list[Any]:
    """Return the value of each hit; None where a field has no value or several, or a division is by zero."""
    columns = {field: stored_by_hit(hits, field.mapped) for field in stored_fields(computed)}
    constants: dict[typed.Constant, int | float] = {}

    def constant(node: typed.Constant) -> int | float:
        if node not in constants:
            constants[node] = env.constant(node)
        return constants[node]

    found: list[Any] = []
    zeros = 0
    for at, _ in enumerate(timed(hits)):
        values = {field: column[at] for field, column in columns.items()}
        try:
            number = evaluate(computed.expression, partial(_operand, values, constant))
        except DivisionByZero:
            number, zeros = None, zeros + 1
        found.append(number if number is None or computed.kind is not FieldKind.DATE else moment(number))
    if zeros:
        rows = "One of these has" if zeros == 1 else f"{zeros:,} of these have"
        env.tell(f"{rows} no value of '{computed.name}', which divides by zero there.")
    return found


def _operand(
    values: Mapping[Field, tuple[Any, ...]], constant: Callable[[typed.Constant], int | float], node: Operand
) -> int | float | None:
    match node:
        case typed.Constant():
            return constant(node)
        case typed.Function("size", typed.FieldValue(field)):
            return len(set(values[field]))
        case typed.Function("length", typed.FieldValue(field)):
            return len(str(values[field][0]).encode("utf-16-le")) // 2 if len(values[field]) == 1 else None
        case typed.FieldValue(field):
            (value, *others) = values[field] or (None,)
            if value is None or others:
                return None
            return _number(value if field.kind is not FieldKind.DATE else as_datetime(value))
    raise TypeError(f"no operand of a document: {node!r}")


def _number(value: Any) -> int | float | None:
    """Return a stored number, which may be kept as a text, or a date in milliseconds."""
    if isinstance(value, datetime):
        return millis(value)
    try:
        return value if isinstance(value, int | float) else float(value)
    except (TypeError, ValueError):
        return None
