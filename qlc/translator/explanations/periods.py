"""Which days the relative dates of a query are: `last week` is said with its first and its last day."""

from __future__ import annotations

from qlc.compiler import typed
from qlc.compiler.periods import DAYS, Clock, InvalidDate, days_of, relative_period
from qlc.grammar import print_value, tree
from qlc.grammar.walk import walked


def says_when(node: tree.Node) -> bool:
    """Whether a date, or a year, is in a program or condition."""
    return any(isinstance(one, _DATES) or _is_a_year(one) for one in walked(node))


_DATES = (tree.RelativePeriod, tree.Day, tree.DateLiteral)


def _is_a_year(node: tree.Node) -> bool:
    right = node.right if isinstance(node, tree.Comparison) and node.operator == "=" else None
    return isinstance(right, tree.Number) and right.unit is None and 1900 <= right.value <= 2100


def days_in_words(node: tree.Node, clock: Clock) -> list[str]:
    """A sentence for each relative date of a program or condition, in their order."""
    found: dict[str, None] = {}
    for one in walked(node):
        if isinstance(one, tree.RelativePeriod | tree.Day):
            text = _said(one, clock)
            if text:
                found[text] = None
    return list(found)


def _said(value: tree.RelativePeriod | tree.Day, clock: Clock) -> str:
    if isinstance(value, tree.Day):
        spec = typed.RelativePeriod(DAYS[value.which], "day")
    else:
        spec = typed.RelativePeriod(value.which, value.unit, value.count)
    try:
        period = relative_period(spec, clock)
    except InvalidDate:
        return ""
    said = print_value(value)
    said = said[:1].upper() + said[1:]
    if spec.count is not None or spec.unit in ("minute", "hour"):
        start, end = (one.astimezone(clock.zone) for one in (period.start, period.end))
        return f"{said}: from {start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}."
    first, last = days_of(period, clock)
    return f"{said}: {first}." if first == last else f"{said}: from {first} to {last}."
