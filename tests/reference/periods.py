"""Stretches of time, half-open, in a zone: what `2024-Q2`, `last month` and `last 30 days` stand for."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from .model import NOW, moment


@dataclass(frozen=True)
class Period:
    start: datetime
    end: datetime

    def __contains__(self, when: object) -> bool:
        return isinstance(when, datetime) and self.start <= when < self.end


def midnight(day: date, zone: str = "UTC") -> datetime:
    return datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)


def days(first: date, after: date, zone: str = "UTC") -> Period:
    """From the first day up to, not including, the day after."""
    return Period(midnight(first, zone), midnight(after, zone))


def next_month(year: int, month: int, shift: int = 1) -> date:
    count = year * 12 + month - 1 + shift
    return date(count // 12, count % 12 + 1, 1)


def span(text: str, zone: str = "UTC") -> Period:
    """The period a literal names: a year, quarter, month, ISO week, day, hour, minute or second."""
    if re.fullmatch(r"\d{4}", text):
        return days(date(int(text), 1, 1), date(int(text) + 1, 1, 1), zone)
    if quarter := re.fullmatch(r"(\d{4})-Q([1-4])", text):
        year, month = int(quarter[1]), int(quarter[2]) * 3 - 2
        return days(date(year, month, 1), next_month(year, month, 3), zone)
    if re.fullmatch(r"\d{4}-\d\d", text):
        year, month = int(text[:4]), int(text[5:])
        return days(date(year, month, 1), next_month(year, month), zone)
    if week := re.fullmatch(r"(\d{4})-W(\d\d)", text):
        monday = date.fromisocalendar(int(week[1]), int(week[2]), 1)
        return days(monday, monday + timedelta(days=7), zone)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        day = date.fromisoformat(text)
        return days(day, day + timedelta(days=1), zone)
    for form, step in (("%Y-%m-%dT%H", "hours"), ("%Y-%m-%dT%H:%M", "minutes"), ("%Y-%m-%dT%H:%M:%S", "seconds")):
        try:
            start = datetime.strptime(text, form).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
        except ValueError:
            continue
        return Period(start, start + timedelta(**{step: 1}))
    raise ValueError(text)


def today(now: str = NOW, zone: str = "UTC", shift: int = 0) -> date:
    return moment(now).astimezone(ZoneInfo(zone)).date() + timedelta(days=shift)


def calendar(unit: str, shift: int = 0, now: str = NOW, zone: str = "UTC") -> Period:
    """The calendar unit that holds now (0), the one before it (-1) or after it (1)."""
    day = today(now, zone)
    if unit == "day":
        return days(day + timedelta(days=shift), day + timedelta(days=shift + 1), zone)
    if unit == "week":
        monday = day - timedelta(days=day.weekday()) + timedelta(days=7 * shift)
        return days(monday, monday + timedelta(days=7), zone)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = (day.month - 1) // months * months + 1
    start = next_month(day.year, first, months * shift)
    return days(start, next_month(start.year, start.month, months), zone)


def back(number: int, unit: str, now: str = NOW) -> datetime:
    """Now less a number of minutes ... years (UTC)."""
    when = moment(now)
    if unit in ("month", "year"):
        first = next_month(when.year, when.month, -number * (12 if unit == "year" else 1))
        return when.replace(year=first.year, month=first.month)
    return when - timedelta(**{unit + "s": number})


def last(number: int, unit: str, now: str = NOW) -> Period:
    """Rolling, up to now."""
    return Period(back(number, unit, now), moment(now))


def on(when: datetime | None, first: str, final: str | None = None) -> bool:
    """A whole-day value lies on the days from first to final, both included."""
    if when is None:
        return False
    return date.fromisoformat(first) <= when.date() <= date.fromisoformat(final or first)


def bucket(when: datetime | None, unit: str, zone: str = "UTC") -> str | None:
    """The label of the calendar bucket that holds a moment."""
    if when is None:
        return None
    here = when.astimezone(ZoneInfo(zone))
    if unit == "quarter":
        return f"{here.year}-Q{(here.month + 2) // 3}"
    if unit == "week":
        year, week, _ = here.isocalendar()
        return f"{year}-W{week:02}"
    return here.strftime({"year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d", "hour": "%Y-%m-%dT%H"}[unit])


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def weekday(when: datetime | None, zone: str = "UTC") -> str | None:
    return None if when is None else WEEKDAYS[when.astimezone(ZoneInfo(zone)).weekday()]


def hour_of_day(when: datetime | None, zone: str = "UTC") -> int | None:
    return None if when is None else when.astimezone(ZoneInfo(zone)).hour
