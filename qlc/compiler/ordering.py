"""Order: `<`, `<=`, `>`, `>=` and `between` on numbers, dates and ordered texts."""

from __future__ import annotations

from qlc.base.diagnostics import Span
from qlc.compiler import typed
from qlc.compiler.context import Context, Refused, Scope
from qlc.compiler.numbers import Comparison
from qlc.compiler.operators import no_operator
from qlc.compiler.values import one_of
from qlc.grammar import print_value, tree
from qlc.mapping.fields import NUMERIC, FieldKind
from qlc.mapping.schema import Field

_ORDERED = (*NUMERIC, FieldKind.DATE, FieldKind.KEYWORD, FieldKind.IP)


_NO_RANGE = ("constant_keyword",)
"""Types of texts for which Elasticsearch has no range query."""


def ordered(context: Context, field: Field, node: tree.Comparison, scope: Scope) -> typed.Condition:
    _check_ordered(field, node.operator, node.operator_span)
    operator: typed.RangeOperator = node.operator  # type: ignore[assignment]
    return _bounded(field, ((operator, single(context, node.right, field, scope, operator)),))


def between(context: Context, field: Field, node: tree.Between, scope: Scope) -> typed.Condition:
    """`between a and b` is `>= a and <= b` of one and the same value. Reversed numbers and texts are refused."""
    _check_ordered(field, "between", node.span)
    ends: tuple[tuple[typed.RangeOperator, tree.Value], ...] = ((">=", node.low), ("<=", node.high))
    low, high = context.each(lambda end: single(context, end[1], field, scope, end[0]), ends)
    if isinstance(low, typed.Literal) and isinstance(high, typed.Literal) and _reversed(field, low.value, high.value):
        whole = Span(node.low.span.start, node.high.span.end)
        first, second = print_value(node.low), print_value(node.high)
        raise Refused("reversed-range", f"nothing lies between {first} and {second}: the first is the larger", whole,
                      hint=f"write between {second} and {first}", replacement=f"{second} and {first}")
    return _bounded(field, ((">=", low), ("<=", high)))


def _reversed(field: Field, low: typed.Scalar, high: typed.Scalar) -> bool:
    if field.kind is FieldKind.IP:
        return False  # the text of an address has another order than the address
    if isinstance(low, str) and isinstance(high, str):
        return low.encode() > high.encode()
    return not isinstance(low, str) and not isinstance(high, str) and low > high


def single(
    context: Context, node: tree.Value, field: Field, scope: Scope, operator: Comparison
) -> typed.Value:
    """Check a value that is compared by its order. Raises Refused for a name of several values."""
    compared = len(context.literals)
    values = one_of(context, node, field, scope, operator)
    if all(isinstance(value, typed.Literal) for value in values):
        del context.literals[compared:]  # an end of a range need not occur
    if len(values) != 1:
        raise Refused("one-value-needed", f"{print_value(node)} stands for several values, which have no order",
                      node.span, hint=f"use '{field.name} = {print_value(node)}'")
    return values[0]


def _check_ordered(field: Field, operator: str, span: Span) -> None:
    if field.kind in _ORDERED and field.reference is None and not field.is_id and field.mapped.es_type not in _NO_RANGE:
        return
    raise no_operator(field, operator, span)


def _bounded(field: Field, bounds: tuple[tuple[typed.RangeOperator, typed.Value], ...]) -> typed.Condition:
    if field.kind is FieldKind.DATE:
        return typed.CompareDate(field, bounds)  # type: ignore[arg-type]
    return typed.Compare(field, bounds)
