"""Converts between dates in Elasticsearch and Python's datetimes."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo

from qlc.compiler.environment import StoredValue
from qlc.compiler.numbers import is_number
from qlc.compiler.request import CannotAnswer

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def moment(milliseconds: float | str, zone: tzinfo = UTC) -> datetime:
    """Convert epoch milliseconds. Raises CannotAnswer for a date outside the years 1 to 9999."""
    try:
        return (_EPOCH + int(milliseconds) * _MILLISECOND).astimezone(zone)
    except OverflowError:
        raise CannotAnswer(
            "date-out-of-range",
            "a date in the index lies outside the years 1 to 9999",
            "leave such dates out with a period in 'where'",
        ) from None


def zone_name(zone: tzinfo, now: datetime) -> str:
    """Return the zone for Elasticsearch: an IANA name, or the offset at `now` for a zone without a name."""
    name = getattr(zone, "key", None)
    if isinstance(name, str):
        return name
    seconds = round((now.astimezone(zone).utcoffset() or timedelta(0)).total_seconds())
    if not seconds:
        return "UTC"
    minutes = abs(seconds) // 60
    return f"{'-' if seconds < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"


_MILLISECONDS = re.compile(r"-?(?!\d{4}$)\d+", re.ASCII)
_REST = {4: "-01-01", 7: "-01"}
"""Completion of a year and of a month to a date, by their length."""


def as_datetime(value: StoredValue) -> StoredValue:
    """Convert a stored date to UTC: epoch milliseconds, a year, a month or ISO 8601. Other texts are returned
    unchanged.

    Raises CannotAnswer for a date outside the years 1 to 9999.
    """
    if isinstance(value, datetime):
        return value
    if is_number(value):
        return moment(value)
    text = str(value)
    if _MILLISECONDS.fullmatch(text):
        return moment(text)
    try:
        read = datetime.fromisoformat(text + _REST.get(len(text), ""))
        return read.astimezone(UTC) if read.tzinfo is not None else read.replace(tzinfo=UTC)
    except (ValueError, OverflowError):  # no date, or one that UTC has in another year than Python has
        return value
