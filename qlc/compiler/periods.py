"""Periods and instants: date words resolved against an explicit clock. All periods are half-open."""

from __future__ import annotations

import calendar
import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from typing import Literal

from qlc.base.diagnostics import NO_SPAN, Span
from qlc.base.frozen import unguarded_dataclass
from qlc.compiler import typed
from qlc.grammar.literals import DATE
from qlc.grammar.tree import CalendarUnit

YEARS = range(1, 9999)
DAYS: dict[str, Literal["this", "last", "next"]] = {"yesterday": "last", "today": "this", "tomorrow": "next"}
"""The relative period of each day word: `yesterday` is the last day."""


@unguarded_dataclass(frozen=True, slots=True)
class Clock:
    """The caller's now, an aware datetime, and time zone. `week_start`: 0 is Monday, 6 Sunday."""

    now: datetime
    zone: tzinfo
    week_start: int = 0

    @property
    def local(self) -> datetime:
        return self.now.astimezone(self.zone)


@unguarded_dataclass(frozen=True, slots=True)
class Period:
    """From `start` up to, not including, `end`, both aware.

    `instant`: compared with `< <= > >=` and `between`, the value is the point in time `start`.
    """

    start: datetime
    end: datetime
    instant: bool = False


class InvalidDate(ValueError):
    """Raised for a date that the calendar does not have; the message says why in plain words, `span` where it is."""

    span: Span = NO_SPAN


def is_date(text: str) -> bool:
    """Whether the text has the form of a date literal (it may still name a day that does not exist)."""
    return DATE.fullmatch(text) is not None


def parse_period(text: str, zone: tzinfo) -> Period:
    """The period of a date literal, in `zone` unless it carries its own. Raises InvalidDate."""
    match = DATE.fullmatch(text)
    if match is None:
        raise InvalidDate(f"'{text}' is not a date; dates are written 2024, 2024-Q2, 2024-03, 2024-W10 or 2024-03-05")
    written, quarter, week, month_text, day, hour, offset = match.group(*_PARTS)
    year = int(written)
    if year not in YEARS:
        raise InvalidDate(f"the year {written} is outside 0001 to 9998")
    if offset:
        zone = _offset(offset)
    if quarter:
        return _months(year, 3 * int(quarter) - 2, 3, zone)
    if week:
        try:
            monday = date.fromisocalendar(year, int(week), 1)
        except ValueError:
            raise InvalidDate(f"{year} has no week {week}") from None
        return _days(monday, 7, zone)
    if not month_text:
        return _months(year, 1, 12, zone)
    month = int(month_text)
    if not 1 <= month <= 12:
        raise InvalidDate(f"there is no month {month_text}")
    if not day:
        return _months(year, month, 1, zone)
    try:
        midnight = datetime(year, month, int(day), tzinfo=zone)
    except ValueError:
        raise InvalidDate(f"{calendar.month_name[month]} {year} has no day {day}") from None
    if not hour:
        return Period(midnight, midnight + _DAY)
    return _time(match, midnight)


_PARTS = ("year", "quarter", "week", "month", "day", "hour", "zone")
_DAY = timedelta(days=1)
"""A calendar day, added to local time as `datetime` does, so that days with a change of summer time count as one."""


def _time(match: re.Match[str], midnight: datetime) -> Period:
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    if hour > 23 or minute > 59 or second > 59:
        raise InvalidDate(f"'{match[0]}' has an invalid time of day")
    micro = int((match["fraction"] or "0")[:6].ljust(6, "0"))
    start = midnight.replace(hour=hour, minute=minute, second=second, microsecond=micro)
    if match["fraction"]:
        length = timedelta(milliseconds=1)
    elif match["second"]:
        length = timedelta(seconds=1)
    elif match["minute"]:
        length = timedelta(minutes=1)
    else:
        length = timedelta(hours=1)
    return Period(start, later(start, length), instant=match["minute"] is not None)


def _offset(text: str) -> tzinfo:
    if text in "Zz":
        return UTC
    hours, minutes = int(text[1:3]), int(text[-2:])
    if hours > 18 or minutes > 59:
        raise InvalidDate(f"'{text}' is not an offset from UTC")
    return timezone((-1 if text[0] == "-" else 1) * timedelta(hours=hours, minutes=minutes))


def instant(moment: datetime) -> Period:
    """Return the period of a point in time. It lasts one millisecond, the resolution of Elasticsearch's dates."""
    floor = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    return Period(floor, later(floor, timedelta(milliseconds=1)), instant=True)


def millis(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def later(moment: datetime, length: timedelta) -> datetime:
    """Add elapsed time, which differs from adding to local time at a change of summer time."""
    return (moment.astimezone(UTC) + length).astimezone(moment.tzinfo)


def _midnight(day: date, zone: tzinfo) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone)


def _days(first: date, count: int, zone: tzinfo) -> Period:
    return Period(_midnight(first, zone), _midnight(first + timedelta(days=count), zone))


def _months(year: int, month: int, count: int, zone: tzinfo) -> Period:
    return Period(_midnight(date(year, month, 1), zone), _midnight(add_months(date(year, month, 1), count), zone))


def add_months(day: date, count: int) -> date:
    """Return the same day `count` months later, or the last day of a shorter month."""
    months = day.year * 12 + day.month - 1 + count
    year, month = divmod(months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


_OUTSIDE = "this period reaches outside the calendar, years 0001 to 9998"


def calendar_period(unit: CalendarUnit, moment: datetime, clock: Clock, shift: int = 0) -> Period:
    """Return the calendar unit of the caller's zone around `moment`, or the one `shift` units later."""
    local = moment.astimezone(clock.zone)
    day = local.date()
    if unit in ("minute", "hour"):
        length = timedelta(minutes=1) if unit == "minute" else timedelta(hours=1)
        floor = local.replace(minute=local.minute if unit == "minute" else 0, second=0, microsecond=0)
        start = later(floor, shift * length)
        return Period(start, later(start, length))
    if unit == "day":
        return _days(day + timedelta(days=shift), 1, clock.zone)
    if unit == "week":
        first = day - timedelta(days=(day.weekday() - clock.week_start) % 7)
        return _days(first + timedelta(days=7 * shift), 7, clock.zone)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = add_months(date(day.year, (day.month - 1) // months * months + 1, 1), months * shift)
    return _months(first.year, first.month, months, clock.zone)


def rolling_period(which: str, count: int, unit: CalendarUnit, clock: Clock) -> Period:
    """`last`/`next` N units up to or from now: elapsed time up to hours, the same time of day for longer units."""
    sign = -1 if which == "last" else 1
    other = _moved(clock.local, sign * count, unit)
    return Period(other, clock.local) if which == "last" else Period(clock.local, other)


def months_later(moment: datetime, count: int, clock: Clock) -> Period:
    """Return the same day and time in the caller's zone that many months later. Raises InvalidDate outside the
    calendar."""
    try:
        return instant(_moved(moment.astimezone(clock.zone), count, "month"))
    except (ValueError, OverflowError):
        raise InvalidDate(_OUTSIDE) from None


def _moved(moment: datetime, count: int, unit: CalendarUnit) -> datetime:
    if unit in ("minute", "hour"):
        return later(moment, timedelta(minutes=count) if unit == "minute" else timedelta(hours=count))
    day = _moved_day(moment.date(), count, unit)
    return datetime.combine(day, moment.timetz().replace(tzinfo=moment.tzinfo, fold=moment.fold))


def _moved_day(day: date, count: int, unit: CalendarUnit) -> date:
    """Return the day that many days, weeks, months, quarters or years later."""
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    return add_months(day, count * {"month": 1, "quarter": 3, "year": 12}[unit])


def relative_period(spec: typed.RelativePeriod, clock: Clock) -> Period:
    """Return the period. Raises InvalidDate if it leaves the calendar."""
    try:
        if spec.count is not None:
            return rolling_period(spec.which, spec.count, spec.unit, clock)
        return calendar_period(spec.unit, clock.now, clock, {"last": -1, "this": 0, "next": 1}[spec.which])
    except (ValueError, OverflowError):
        raise InvalidDate(_OUTSIDE) from None


def whole_days(spec: typed.DatePeriod | typed.RelativePeriod | typed.Now, clock: Clock) -> tuple[date, date]:
    """First and last calendar day (inclusive) of a period, for fields that hold whole days.

    A rolling period of N days has today as its last or first day; hours and minutes make days, a part of one counting
    as a whole; of longer units, the days from the same date on.
    """
    if isinstance(spec, typed.Now):
        return clock.local.date(), clock.local.date()
    if isinstance(spec, typed.RelativePeriod) and spec.count is not None:
        return _rolling_days(spec.which, spec.count, spec.unit, clock.local.date())
    if isinstance(spec, typed.RelativePeriod):
        return days_of(relative_period(spec, clock), clock)
    return days_of(parse_period(spec.text, clock.zone), clock)


def days_of(period: Period, clock: Clock) -> tuple[date, date]:
    """The calendar days of the caller's zone that a period touches."""
    last = later(period.end, timedelta(microseconds=-1)) if period.end > period.start else period.start
    return period.start.astimezone(clock.zone).date(), last.astimezone(clock.zone).date()


def _rolling_days(which: str, count: int, unit: CalendarUnit, today: date) -> tuple[date, date]:
    if unit in ("minute", "hour"):
        count, unit = -(-count // (1440 if unit == "minute" else 24)), "day"
    sign = -1 if which == "last" else 1
    try:
        other = _moved_day(today, sign * count, unit) - sign * _DAY
    except (ValueError, OverflowError):
        raise InvalidDate(_OUTSIDE) from None
    return (other, today) if which == "last" else (today, other)
