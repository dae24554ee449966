"""`now-7d/d` against the caller's clock: a search server would take its own."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

from qlc.compiler.date_clauses import iso_millis
from qlc.compiler.periods import Clock, calendar_period, later, rolling_period
from qlc.grammar.tree import CalendarUnit

ISO_FORMAT = "strict_date_optional_time"
_MATH = re.compile(r"now((?:[+-]\d{0,9}[yMwdhHms]|/[yMwdhHms])*)")
_STEP = re.compile(r"([+-])(\d{0,9})([yMwdhHms])|/([yMwdhHms])")
_UNITS: dict[str, CalendarUnit] = {"y": "year", "M": "month", "w": "week", "d": "day", "h": "hour", "H": "hour",
                                   "m": "minute"}  # fmt: skip


class NotDateMath(ValueError):
    """The text begins with `now` and is no date."""


def is_relative(value: object) -> bool:
    return isinstance(value, str) and value.startswith("now")


def resolved(text: str, now: datetime, zone: tzinfo, *, up: bool) -> str:
    """The moment that `now...` stands for, as ISO 8601 in milliseconds. `up`: a rounding takes the unit's last
    millisecond. Raises NotDateMath."""
    match = _MATH.fullmatch(text)
    if match is None:
        raise NotDateMath(text)
    try:
        moment = now.astimezone(zone)
        for sign, count, unit, rounded in _STEP.findall(match[1]):
            if rounded == "s":
                moment = moment.replace(microsecond=0)
                moment = later(moment, timedelta(milliseconds=999)) if up else moment
            elif rounded:
                period = calendar_period(_UNITS[rounded], moment, Clock(moment, zone))
                moment = later(period.end, timedelta(milliseconds=-1)) if up else period.start
            elif unit == "s":
                moment = later(moment, timedelta(seconds=int(f"{sign}{count or 1}")))
            else:
                steps = int(count or 1)
                clock = Clock(moment, zone)
                period = rolling_period("last" if sign == "-" else "next", steps, _UNITS[unit], clock)
                moment = period.start if sign == "-" else period.end
        return iso_millis(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        raise NotDateMath(text) from None
