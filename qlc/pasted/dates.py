"""Reads dates as Elasticsearch does: `now-7d/d` with the caller's clock, and bounds of ranges.

A search server would use its own clock.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from qlc.base.errors import UsageError
from qlc.base.options import zone_of
from qlc.compiler.date_clauses import iso_millis
from qlc.compiler.periods import Clock, calendar_period, later, rolling_period
from qlc.grammar.tree import CalendarUnit
from qlc.mapping.merge import DEFAULT_DATE_FORMAT

_ISO_FORMAT = "strict_date_optional_time"
_STEP = re.compile(r"([+-])(\d{0,9})([yMwdhHms])|/([yMwdhHms])")
_STEPS = re.compile(rf"(?:{_STEP.pattern})*")
_UNITS: dict[str, CalendarUnit] = {"y": "year", "M": "month", "w": "week", "d": "day", "h": "hour", "H": "hour",
                                   "m": "minute"}  # fmt: skip
_MILLISECOND = timedelta(milliseconds=1)
_ISO = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?"
)
_READ = frozenset({"strict_date_optional_time", "date_optional_time", "strict_date_optional_time_nanos",
                   "epoch_millis", "strict_date_time", "strict_date", "date_time", "date"})  # fmt: skip
"""The formats that are read here; dates in others are left to the server."""


class NotDateMath(ValueError):
    """Raised for a text that begins with `now` but is not date math."""


def is_relative(value: object) -> bool:
    return isinstance(value, str) and value.startswith("now")


def resolved(text: str, now: datetime, zone: tzinfo, *, up: bool) -> str:
    """Evaluate `now...` to ISO 8601 with milliseconds. `up`: rounding takes the last millisecond of the unit.

    Raises NotDateMath.
    """
    steps = text.removeprefix("now")
    if not is_relative(text) or _STEPS.fullmatch(steps) is None:
        raise NotDateMath(text)
    try:
        moment = now.astimezone(zone)
        for sign, count, unit, rounded in _STEP.findall(steps):
            if rounded == "s":
                moment = moment.replace(microsecond=0)
                moment = later(moment, 999 * _MILLISECOND) if up else moment
            elif rounded:
                period = calendar_period(_UNITS[rounded], moment, Clock(moment, zone))
                moment = later(period.end, -_MILLISECOND) if up else period.start
            elif unit == "s":
                moment = later(moment, timedelta(seconds=int(f"{sign}{count or 1}")))
            else:
                which = "last" if sign == "-" else "next"
                period = rolling_period(which, int(count or 1), _UNITS[unit], Clock(moment, zone))
                moment = period.start if sign == "-" else period.end
        return iso_millis(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        raise NotDateMath(text) from None


def with_iso(date_format: str | None) -> str:
    """Add the format of evaluated dates to a format."""
    known = date_format or DEFAULT_DATE_FORMAT
    return known if _ISO_FORMAT in known.split("||") else f"{known}||{_ISO_FORMAT}"


# --- ranges ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` up to, not including, `high`, in whole milliseconds; None means unbounded."""

    low: datetime | None = None
    high: datetime | None = None


def interval(params: dict[str, Any], date_format: str | None) -> Interval | None:
    """Return the interval of a range of dates; None if only the server can read its dates."""
    formats = str(params.get("format") or date_format or DEFAULT_DATE_FORMAT).split("||")
    if not _READ.issuperset(formats):
        return None
    try:
        zone: tzinfo = zone_of(params.get("time_zone"))
    except UsageError:
        return None
    ends: dict[str, datetime] = {}
    for name in ("gt", "gte", "lt", "lte"):
        if name not in params:
            continue
        read = _moment(params[name], zone, formats)
        if read is None:
            return None
        first, last = read  # the first and the last millisecond that the text can mean
        ends["low" if name[0] == "g" else "high"] = first if name in ("gte", "lt") else later(last, _MILLISECOND)
    return Interval(**ends)


def is_date(value: Any, date_format: str | None) -> bool:
    """Whether a date field with this format can read a value. Values in formats that only the server reads pass."""
    formats = str(date_format or DEFAULT_DATE_FORMAT).split("||")
    if not _READ.issuperset(formats):
        return True
    if isinstance(value, bool):
        return False
    text, _, steps = str(value).partition("||")
    if _STEPS.fullmatch(steps) is None:
        return False
    whole = isinstance(value, int | float) or re.fullmatch(r"-?\d+", text) is not None
    return (whole and "epoch_millis" in formats) or _moment(text, UTC, formats) is not None


def _moment(value: Any, zone: tzinfo, formats: list[str]) -> tuple[datetime, datetime] | None:
    if isinstance(value, int) and not isinstance(value, bool) and "epoch_millis" in formats and abs(value) > 9999:
        try:
            at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=value)
        except OverflowError:
            return None
        return at, at
    match = _ISO.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        return None
    year, month, day, hour, minute, second, fraction, offset = match.groups()
    if fraction is not None and len(fraction) > 3 and fraction[3:].strip("0"):
        return None
    try:
        own = zone_of("+00:00" if offset == "Z" else offset) if offset else zone
        first = datetime(int(year), int(month or 1), int(day or 1), int(hour or 0), int(minute or 0), int(second or 0),
                         int((fraction or "0")[:3].ljust(3, "0")) * 1000, own)
        # Missing months and days are the first, up to the end as well; only the time is filled upwards.
        last = first.replace(hour=int(hour or 23), minute=int(minute or 59), second=int(second or 59),
                             microsecond=first.microsecond if fraction else 999_000)
    except (ValueError, UsageError):
        return None
    return first.astimezone(UTC), last.astimezone(UTC)
