"""Literals: texts, numbers with units and dates, checked against the field that they are compared with."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from datetime import UTC
from fractions import Fraction

from qlc.base.currencies import CURRENCIES
from qlc.base.diagnostics import Span
from qlc.base.units import base_of, convert, converted, find_unit, units_like
from qlc.base.words.spelling import nearest_targets, typo_of
from qlc.compiler import typed
from qlc.compiler.context import Context, Refused, quoted
from qlc.compiler.periods import DAYS, InvalidDate, is_date, parse_period
from qlc.grammar import print_value, tree
from qlc.mapping.schema import Field

_QUOTED_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?\s*([A-Za-z%]*)")
_IP_RANGE = re.compile(r"[0-9a-fA-F:.]+/[0-9]+")

MAX_COUNT = 1_000_000
"""The longest rolling period, in its own unit: beyond it every unit leaves the calendar or means nothing."""


def closed_values(field: Field, text: str, span: Span) -> tuple[str, ...]:
    """Return the stored values of a closed field for a spelling or a named group of values. Raises Refused."""
    assert field.values is not None
    folded = text.strip().casefold()
    if field.exact_case and text.strip() in field.values.spellings:
        return (field.values.spellings[text.strip()],)
    if folded in field.values.spellings:
        return (field.values.spellings[folded],)
    if folded in field.values.groups:
        return field.values.groups[folded]
    spellings = {**field.values.spellings, **{name.casefold(): name for name in field.values.group_names}}
    near = tuple(map(field.values.label, nearest_targets(folded, spellings, least=65)))
    meant = typo_of(folded, spellings)
    listed = (*field.values.display, *field.values.group_names)
    hint = f"did you mean {quoted(near)}?" if near else f"it can be {quoted(listed, limit=12)}"
    raise Refused("unknown-value", f"'{field.name}' is never '{text}'", span, hint=hint, suggestions=near,
                  replacement=None if meant is None else print_value(tree.String(field.values.label(meant))))


def number_literal(node: tree.Value, field: Field) -> tree.Number:
    if isinstance(node, tree.Number):
        return node
    if isinstance(node, tree.String):
        number = _QUOTED_NUMBER.fullmatch(node.value.strip())
        known = number is not None and (not number[1] or find_unit(number[1]) is not None)
        raise Refused("wrong-type", f"'{field.name}' is a number, and this is a text", node.span,
                      hint="write the number without quotes" if number else "write a number",
                      replacement=number[0] if number and known else None)
    of_date = isinstance(node, tree.DateLiteral | tree.Day | tree.Now | tree.RelativePeriod | tree.PeriodOf)
    what = f"{print_value(node)} is {'a date' if of_date else 'not'}"
    raise Refused("wrong-type", f"'{field.name}' is a number, and {what}", node.span, hint="write a number")


def in_stored_unit(number: tree.Number, field: Field) -> int | float:
    """Convert a number to the unit that the field is stored in; bare numbers are already in it. Raises Refused."""
    if number.unit is None:
        return number.value
    if number.unit in CURRENCIES:
        return _in_currency(number, number.unit, field)
    stored = field.unit if field.base_units is None else base_of(number.unit)
    if stored is None and isinstance(field, typed.ComputedField) and units_like(number.unit) == units_like("fraction"):
        stored = "fraction"  # `price / cost > 20 %`: in calculations a percentage is a number of hundredths
    if stored is None:
        raise Refused("no-unit", f"'{field.name}' has no unit, so '{number.unit}' cannot be converted", number.span,
                      hint=_without_unit(number))
    if number.unit == stored:
        return number.value
    factor = convert(number.unit, stored)
    if factor is None:
        possible = units_like(stored)
        raise Refused("wrong-unit", f"'{field.name}' is stored in {stored}, and {number.unit} is another measure",
                      number.span, hint=f"use {quoted(possible, limit=10)}", suggestions=tuple(possible))
    written = number.value if isinstance(number.value, int) else Fraction(number.text)
    exact = converted(written, number.unit, stored)
    assert exact is not None
    try:
        return int(exact) if exact.denominator == 1 else float(exact)
    except OverflowError:
        return int(exact)


def _in_currency(number: tree.Number, code: str, field: Field) -> int | float:
    """Return an amount of money as it is stored: nothing is converted between currencies. Raises Refused."""
    if code in (field.currency, field.unit) or field.unit_field is not None:
        return number.value
    stored = field.currency or field.unit
    if stored is None:
        raise Refused("no-unit", f"'{field.name}' has no currency, so nobody knows whether it is in {code}",
                      number.span, hint="write the number alone, as it is stored", replacement=number.text)
    what = "another currency, and nothing is converted" if stored in CURRENCIES else "no currency"
    raise Refused("wrong-unit", f"'{field.name}' is in {stored}, which is {what}", number.span,
                  hint=f"write the amount in {stored}")


_BASES = {"size": "bytes", "time": "seconds", "length": "m", "weight": "kg", "speed": "m/s"}


def _without_unit(number: tree.Number) -> str:
    """Print a number without its unit, for a hint if the stored unit is not known."""
    unit = find_unit(number.unit or "")
    base = _BASES.get(unit.dimension) if unit is not None else None
    factor = convert(number.unit or "", base) if base is not None else None
    if factor is None:
        return "write the number alone, as it is stored"
    shown = f"{float(Fraction(number.text) * factor):.15g}"
    return f"write the number alone, as it is stored; {print_value(number)} are {shown} {base}"


def ip_address(text: str, span: Span, *, ordered: bool) -> str:
    """Check an address, or a range of them unless `ordered`. Raises Refused."""
    try:
        if _IP_RANGE.fullmatch(text) and not ordered:
            return str(ipaddress.ip_network(text, strict=False))
        return str(ipaddress.ip_address(text))
    except ValueError:
        what, hint = ("IP address", "") if ordered else ("IP address or range", ' or "192.0.2.0/24"')
        raise Refused("wrong-type", f"'{text}' is not an {what}", span, hint=f'write "192.0.2.1"{hint}') from None


def address_number(text: str) -> int:
    """Return the sort key of an address. Addresses of version 4 are mapped into version 6, as in the index."""
    address = ipaddress.ip_address(text)
    return int(address) if address.version == 6 else int(ipaddress.IPv6Address(f"::ffff:{address}"))


def date_literal(
    context: Context, node: tree.Value, field: Field, inside: Callable[[tree.Value], typed.DateValue]
) -> typed.DateValue:
    """Check a date literal as a period or an instant. Raises Refused for a date that the calendar does not have.

    `inside` checks the argument of a period around a date, such as `month(v)`: it may be a value of any kind.
    """
    match node:
        case tree.DateLiteral(text=text):
            return _absolute(text, node.span)
        case tree.String(value=text) if is_date(text.strip()):
            return _absolute(text.strip(), node.span)
        case tree.Number(unit=None) if node.text.isdecimal() and len(node.text) == 4:
            return _absolute(node.text, node.span)
        case tree.Now():
            return typed.Now()
        case tree.Day(which=which):
            return typed.RelativePeriod(DAYS[which], "day", span=node.span)
        case tree.RelativePeriod(which=which, unit=unit, count=count):
            if count is not None and not 1 <= count <= MAX_COUNT:
                raise Refused("empty-period", f"'{print_value(node)}' is not a period", node.span,
                              hint="the number must be from 1 to a million")
            return typed.RelativePeriod(which, unit, count, span=node.span)
        case tree.PeriodOf(unit=unit, value=value):
            return typed.PeriodAround(unit, inside(value))
        case _:
            raise Refused("wrong-type", f"'{field.name}' is a date, and {print_value(node)} is not", node.span,
                          hint="dates are written 2024, 2024-Q2, 2024-03, 2024-03-05, today, last month, "
                               "last 30 days")


def _absolute(text: str, span: Span) -> typed.DatePeriod:
    try:
        parse_period(text, UTC)
    except InvalidDate as problem:
        hint = "write a day of the calendar, such as 2024-03-05"
        raise Refused("invalid-date", str(problem), span, hint=hint) from None
    return typed.DatePeriod(text, span=span)


