"""Values of parameters, checked against the places where they are used."""

from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import date, datetime, tzinfo
from decimal import Decimal
from functools import partial
from typing import Any

from qlc.base.diagnostics import NO_SPAN, Diagnostic, Span
from qlc.base.limits import MOST_VALUES
from qlc.compiler import typed
from qlc.compiler.context import Refused
from qlc.compiler.literals import closed_values, ip_address
from qlc.compiler.numbers import MONTH, Comparison, refuse_never
from qlc.compiler.periods import InvalidDate, Period, instant, is_date, parse_period
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Field


class BindingError(Exception):
    """A parameter or a value of the access context is missing or of the wrong type."""

    def __init__(self, code: str, message: str, span: Span = NO_SPAN, hint: str = "") -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, span, hint)


def is_list(bound: Any) -> bool:
    return isinstance(bound, list | tuple | set | frozenset)


def items(bound: Any, parameter: typed.Param) -> list[Any]:
    """Return the bound value, or the values of a list if the place takes several. Raises BindingError."""
    if not is_list(bound):
        return [bound]
    if parameter.one:
        raise BindingError("parameter-type", f"${parameter.name} is a list, and one value is needed here",
                           parameter.span, "pass one value, or compare with 'in', which takes a list")
    if len(bound) > MOST_VALUES and not parameter.context:
        raise BindingError("too-long", f"${parameter.name} is a list of {len(bound):,} values, more than the "
                           f"{MOST_VALUES:,} that can be compared with", parameter.span,
                           "ask in parts, or take the values from a sub-query")
    return list(bound)


def name_or_id(item: Any, parameter: typed.Param) -> str:
    """Return the name or the id by which an entity is looked up. Raises BindingError."""
    if isinstance(item, Mapping) and isinstance(item.get("id"), str):
        return str(item["id"])
    if not isinstance(item, str) or not item.strip():
        raise BindingError("parameter-type", f"${parameter.name} must be a name or an id here", parameter.span,
                           "pass a text, or {'entity': ..., 'id': ...}")
    return item


def text(bound: Any, parameter: typed.Param, *, blank: bool) -> str:
    """Return a bound text. `blank`: spaces alone are allowed. Raises BindingError."""
    if isinstance(bound, str) and (bound.strip() or (blank and bound)):
        return bound
    raise BindingError("parameter-type", f"${parameter.name} must be a text here, and not empty", parameter.span,
                       "pass a text")


def period(item: Any, parameter: typed.Param, zone: tzinfo) -> Period:
    """The period of a date, a datetime or a text that is a date literal. Raises BindingError."""
    try:
        if isinstance(item, datetime):
            return instant(item if item.tzinfo else item.replace(tzinfo=zone))
        if isinstance(item, date):
            return parse_period(item.isoformat(), zone)
        if isinstance(item, str) and is_date(item.strip()):
            return parse_period(item.strip(), zone)
    except (InvalidDate, OverflowError) as problem:
        what = problem if isinstance(problem, InvalidDate) else "the date is outside the years 0001 to 9998"
        raise BindingError("invalid-date", f"${parameter.name}: {what}", parameter.span,
                           "pass a day of the calendar, such as '2024-03-05'") from None
    raise BindingError("parameter-type", f"${parameter.name} must be a date here", parameter.span,
                       "pass a date, a datetime or a text such as '2024-03-05'")


def stored(item: Any, parameter: typed.Param, field: Field, comparison: Comparison | None) -> list[typed.Scalar]:
    """Return a bound value as the field stores it; several for a named group of values.

    `comparison` is how Elasticsearch compares the field with it, None if rows are compared here. Raises BindingError.
    """
    try:
        return _stored(item, parameter, field, comparison)
    except Refused as problem:
        raise BindingError(problem.code, problem.message, parameter.span, problem.hint) from None


def _stored(item: Any, parameter: typed.Param, field: Field, comparison: Comparison | None) -> list[typed.Scalar]:
    kind = field.kind
    if isinstance(item, Decimal) and item.is_finite():
        item = int(item) if item == item.to_integral_value() else float(item)
    if kind in NUMERIC:
        if not isinstance(item, int | float) or isinstance(item, bool) or not -math.inf < item < math.inf:
            raise _mistyped(parameter, "a number")
        if comparison is not None:
            refuse_never(field, comparison, item, partial(_written, item), parameter.span)
        return [item]
    if kind is FieldKind.BOOLEAN:
        if isinstance(item, bool):
            return [item]
        raise _mistyped(parameter, "true or false")
    if isinstance(item, Mapping) and isinstance(item.get("id"), str):
        return [item["id"]]
    if field.mapped.es_type == MONTH and isinstance(item, int | float) and not isinstance(item, bool):
        refuse_never(field, "=", item, partial(_written, item), parameter.span)
        item = str(int(item))
    if not isinstance(item, str):
        raise _mistyped(parameter, "a text")
    if kind is FieldKind.IP:
        return [ip_address(item, parameter.span, ordered=comparison not in ("=", None))]
    if field.values is not None and not parameter.context:
        return list(closed_values(field, item, parameter.span))
    return [item]


def _written(item: float) -> str:
    return str(item) if abs(item) < 10**21 else f"{Decimal(item):.4g}"


def _mistyped(parameter: typed.Param, wanted: str) -> BindingError:
    where = " in the context" if parameter.context else ""
    return BindingError("parameter-type", f"${parameter.name}{where} must be {wanted} here", parameter.span,
                        f"pass {wanted}")
