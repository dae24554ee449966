"""The bounds of a range of dates as instants: what Elasticsearch makes of a date with missing parts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from qlc.compiler.periods import Clock, calendar_period, later
from qlc.errors import UsageError
from qlc.grammar.tree import CalendarUnit
from qlc.options import zone_of

_ISO = re.compile(
    r"(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?(Z|[+-]\d\d:?\d\d)?)?)?)?"
)
DEFAULT_FORMAT = "strict_date_optional_time||epoch_millis"
_READ = frozenset({"strict_date_optional_time", "date_optional_time", "strict_date_optional_time_nanos",
                   "epoch_millis", "strict_date_time", "strict_date", "date_time", "date"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` up to `high`, each None where open. Both are whole milliseconds; `high` is not in it."""

    low: datetime | None = None
    high: datetime | None = None


def interval(params: dict[str, Any], date_format: str | None) -> Interval | None:
    """What a range of dates holds; None where its dates have a form that only the server reads."""
    formats = str(params.get("format") or date_format or DEFAULT_FORMAT).split("||")
    if not _READ.issuperset(formats):
        return None
    try:
        zone: tzinfo = zone_of(params.get("time_zone"))
    except UsageError:
        return None
    low = high = None
    for name in ("gt", "gte", "lt", "lte"):
        if name not in params:
            continue
        read = _moment(params[name], zone, formats)
        if read is None:
            return None
        first, last = read  # the first and the last millisecond that the text can mean
        match name:
            case "gte":
                low = first
            case "gt":
                low = later(last, timedelta(milliseconds=1))
            case "lt":
                high = first
            case _:
                high = later(last, timedelta(milliseconds=1))
    return Interval(low, high)


def is_date(value: Any, date_format: str | None) -> bool:
    """Whether a date field of this format can read a value, as far as is known here: others are left to the server."""
    formats = str(date_format or DEFAULT_FORMAT).split("||")
    if not _READ.issuperset(formats):
        return True
    if isinstance(value, bool):
        return False
    text, _, math = str(value).partition("||")
    if math and not re.fullmatch(r"(?:[+-]\d{0,9}[yMwdhHms]|/[yMwdhHms])*", math):
        return False
    whole = isinstance(value, int | float) or re.fullmatch(r"-?\d+", text) is not None
    return (whole and "epoch_millis" in formats) or _moment(text, UTC, formats) is not None


def _moment(value: Any, zone: tzinfo, formats: list[str]) -> tuple[datetime, datetime] | None:
    if isinstance(value, int) and not isinstance(value, bool) and "epoch_millis" in formats and abs(value) > 9999:
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=value)
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


def period_text(found: Interval, clock: Clock) -> str | None:
    """The literal of the calendar period that an interval is, in the caller's zone."""
    if found.low is None or found.high is None:
        return None
    units: tuple[CalendarUnit, ...] = ("year", "quarter", "month", "day")
    for unit in units:
        period = calendar_period(unit, found.low, clock)
        if period.start == found.low and period.end == found.high:
            day = period.start.astimezone(clock.zone)
            quarter = f"{day.year:04}-Q{(day.month + 2) // 3}"
            iso = day.date().isoformat()
            return {"year": iso[:4], "quarter": quarter, "month": iso[:7], "day": iso}[unit]
    return None


def instant_text(at: datetime) -> str:
    """An instant as a literal of the language, to the second where that is all of it."""
    shown = at.astimezone(UTC)
    if shown.microsecond:
        return f"{shown:%Y-%m-%dT%H:%M:%S}.{shown.microsecond // 1000:03}Z"
    return f"{shown:%Y-%m-%dT%H:%M:%S}Z"


def day_text(at: datetime, zone: tzinfo) -> str | None:
    """The day that begins at an instant in a zone."""
    local = at.astimezone(zone)
    return f"{local:%Y-%m-%d}" if (local.hour, local.minute, local.second, local.microsecond) == (0, 0, 0, 0) else None
