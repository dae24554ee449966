"""Conditions on fields of ranges: `contains` and `overlaps`, with values of the type of the ends."""

from __future__ import annotations

from dataclasses import replace

from qlc.base.diagnostics import Span
from qlc.compiler import typed
from qlc.compiler.context import Context, Refused, Scope
from qlc.compiler.literals import address_number
from qlc.compiler.operators import no_operator
from qlc.compiler.ordering import single
from qlc.grammar import print_value, tree
from qlc.mapping.fields import RANGES, FieldKind
from qlc.mapping.index_mapping import range_element
from qlc.mapping.schema import Field


def element_of(field: Field) -> Field:
    """Return the field of single values that a field of ranges would be."""
    mapped = range_element(field.mapped)
    return replace(field, kind=mapped.kind, mapped=mapped)


def contains(context: Context, field: Field, node: tree.Comparison, scope: Scope) -> typed.Condition:
    """Check `booked contains 2024-05-03`: all of a day, a month or a block of addresses lies in the range."""
    element = element_of(field)
    value = single(context, node.right, element, scope, "=")
    return typed.RangeTest(field, element, "contains", value, value)


def overlaps(context: Context, field: Field, node: tree.Overlaps, scope: Scope) -> typed.Condition:
    """Check `booked overlaps 2024-05-03 to 2024-05-10`, both ends included. Raises Refused."""
    if field.kind not in RANGES:
        raise no_operator(field, "overlaps", node.operator_span)
    element = element_of(field)
    if node.high is None:
        value = single(context, node.low, element, scope, "=")
        return typed.RangeTest(field, element, "overlaps", value, value)
    ends: tuple[tuple[typed.RangeOperator, tree.Value], ...] = ((">=", node.low), ("<=", node.high))
    low, high = context.each(lambda end: single(context, end[1], element, scope, end[0]), ends)
    if isinstance(low, typed.Literal) and isinstance(high, typed.Literal) and _falls(element, low.value, high.value):
        first, second = print_value(node.low), print_value(node.high)
        raise Refused("reversed-range", f"there is nothing from {first} to {second}: the first is the larger",
                      Span(node.low.span.start, node.high.span.end), hint=f"write overlaps {second} to {first}",
                      replacement=f"{second} to {first}")
    return typed.RangeTest(field, element, "overlaps", low, high)


def _falls(element: Field, low: typed.Scalar, high: typed.Scalar) -> bool:
    if element.kind is FieldKind.IP:
        return address_number(str(low)) > address_number(str(high))
    return not isinstance(low, str) and not isinstance(high, str) and low > high
