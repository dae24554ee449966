"""Dates of requests: a text in a format, or date math (`now-1d/d`, `2024-01-01||+1M/M`)."""

from __future__ import annotations

from collections.abc import Callable

from qlc_engine.dates.calendar import (
    MS_PER_DAY,
    MS_PER_HOUR,
    MS_PER_MINUTE,
    MS_PER_SECOND,
    civil_from_days,
    days_from_civil,
    plus_months,
    weekday,
)
from qlc_engine.dates.formats import date_format
from qlc_engine.dates.zones import UTC_ZONE, Zone, parse_zone
from qlc_engine.errors import EngineError

#: Units added on the time line, in ms; days and longer move the local date instead.
_INSTANT_UNITS = {"h": MS_PER_HOUR, "H": MS_PER_HOUR, "m": MS_PER_MINUTE, "s": MS_PER_SECOND}
NANOS_PER_MS = 1_000_000
_MONTH_UNITS = {"M": 1, "y": 12}
_DAY_UNITS = {"d": 1, "w": 7}


def parse_date(text: str, format: str, *, now_ms: int, round_up: bool = False, tz: str | None = None) -> int:
    """Epoch ms of a date in a request.

    `round_up` is for `gt` and `lte`: missing parts of the time become the last millisecond of the day, and `/unit`
    rounds to the unit's end; without it, for `gte` and `lt`, to the beginning. `tz` is the zone of texts that name none
    and of the rounding (None: UTC). Raises `EngineError` (`parse_exception`, or of the zone).
    """
    return _parse(text, format, now_ms, round_up, tz)[0]


def parse_date_nanos(text: str, format: str, *, now_ms: int, round_up: bool = False, tz: str | None = None) -> int:
    """Epoch nanoseconds of a date in a request, else as `parse_date`."""
    millis, beyond = _parse(text, format, now_ms, round_up, tz)
    return millis * NANOS_PER_MS + beyond


def _parse(text: str, format: str, now_ms: int, round_up: bool, tz: str | None) -> tuple[int, int]:
    """Epoch ms, and the nanoseconds beyond."""
    zone = UTC_ZONE if tz is None else parse_zone(tz)
    if text.startswith("now"):
        return _evaluate(text[3:], now_ms, zone, round_up), 0
    anchor, separator, expression = text.partition("||")
    if not anchor:
        raise _parse_error("cannot parse empty datetime")
    if not separator:
        return date_format(format).parse_nanos(anchor, zone=zone, round_up=round_up)
    start, beyond = date_format(format).parse_nanos(anchor, zone=zone)
    end = 999_999 if round_up and "/" in expression else beyond
    return _evaluate(expression, start, zone, round_up), end


def _parse_error(reason: str) -> EngineError:
    return EngineError("parse_exception", reason)


def _evaluate(expression: str, start_ms: int, zone: Zone, round_up: bool) -> int:
    at_ms = start_ms
    i = 0
    while i < len(expression):
        operator = expression[i]
        i += 1
        if operator not in "/+-":
            raise _parse_error(f"operator not supported for date math [{expression}]")
        digits_from = i
        while i < len(expression) and expression[i].isdigit():
            i += 1
        if i >= len(expression):
            raise _parse_error(f"truncated date math [{expression}]")
        number = int(expression[digits_from:i]) if i > digits_from else 1
        unit = expression[i]
        i += 1
        if operator == "/":
            if number != 1:
                raise _parse_error(f"rounding `/` can only be used on single unit types [{expression}]")
            at_ms = _round(at_ms, unit, zone, round_up, expression)
        else:
            at_ms = _plus(at_ms, number if operator == "+" else -number, unit, zone, expression)
    return at_ms


def _plus(at_ms: int, number: int, unit: str, zone: Zone, expression: str) -> int:
    if unit in _INSTANT_UNITS:
        return at_ms + number * _INSTANT_UNITS[unit]
    offset = zone.offset_ms(at_ms)
    local_ms = at_ms + offset
    if unit in _MONTH_UNITS:
        return zone.to_utc(plus_months(local_ms, number * _MONTH_UNITS[unit]), offset)
    if unit in _DAY_UNITS:
        return zone.to_utc(local_ms + number * _DAY_UNITS[unit] * MS_PER_DAY, offset)
    raise _unit_error(unit, expression)


def _round(at_ms: int, unit: str, zone: Zone, round_up: bool, expression: str) -> int:
    """The unit's first instant, or its last millisecond."""
    if unit not in _UNIT_STARTS and unit not in _INSTANT_UNITS:
        raise _unit_error(unit, expression)
    offset = zone.offset_ms(at_ms)
    local_ms = at_ms + offset
    if unit in _INSTANT_UNITS:
        local_start = local_ms // _INSTANT_UNITS[unit] * _INSTANT_UNITS[unit]
    else:
        local_start = _UNIT_STARTS[unit](local_ms // MS_PER_DAY) * MS_PER_DAY
    start = zone.to_utc(local_start, offset)
    return _plus(start, 1, unit, zone, expression) - 1 if round_up else start


def _first_of_month(days: int) -> int:
    year, month, _ = civil_from_days(days)
    return days_from_civil(year, month, 1)


def _first_of_year(days: int) -> int:
    return days_from_civil(civil_from_days(days)[0], 1, 1)


_UNIT_STARTS: dict[str, Callable[[int], int]] = {
    "y": _first_of_year,
    "M": _first_of_month,
    "w": lambda days: days - weekday(days) + 1,
    "d": lambda days: days,
}


def _unit_error(unit: str, expression: str) -> EngineError:
    return _parse_error(f"unit [{unit}] not supported for date math [{expression}]")
