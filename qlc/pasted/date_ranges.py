"""Translates ranges of dates to conditions; calendar periods become their names."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from qlc.compiler.periods import Clock, calendar_period
from qlc.grammar import tree
from qlc.grammar.tree import CalendarUnit
from qlc.pasted.dates import Interval, interval
from qlc.pasted.reach import FieldUse
from qlc.pasted.saying import NOTHING, CannotSay, Saying


def date_range(params: dict[str, Any], used: FieldUse, saying: Saying) -> tree.Condition:
    """Translate a range of dates to a period, days, or two instants. Raises CannotSay."""
    found = interval(params, used.mapped.date_format)
    if found is None:
        raise CannotSay(f"the dates that '{used.path}' is compared with, in their form")
    fields = list(saying.fields(used))
    ends = [at for at in (found.low, found.high) if at is not None]
    if ends:
        # A path may be called by a name for whole days and by another one for instants.
        is_of_days = all(_day(at, UTC) is not None for at in ends)
        fields.sort(key=lambda one: one[0].whole_days and not is_of_days)
    field, path = fields[0]
    if used.mapped.es_type == "date_nanos" and params.keys() & {"gt", "lte"}:
        saying.differ(f"parts of a millisecond in '{field.name}'")
    if not ends:
        return tree.Presence(path, missing=False)
    zone = UTC if field.whole_days else saying.clock.zone
    period = period_of(found, replace(saying.clock, zone=zone))
    if period is not None:
        return tree.Comparison(path, "in", period)
    days = days_of(found, zone)
    if days is not None:
        return tree.Between(path, *map(tree.DateLiteral, days))
    if found.low is not None and found.high is not None and field.many is not False and not field.whole_days:
        last = found.high - timedelta(milliseconds=1)
        return tree.Between(path, tree.DateLiteral(instant_text(found.low)), tree.DateLiteral(instant_text(last)))
    bounds: tuple[tuple[tree.ComparisonOperator, datetime | None], ...] = ((">=", found.low), ("<", found.high))
    parts: list[tree.Condition] = []
    for sign, at in bounds:
        if at is not None:
            day = _day(at, zone)
            if day is None and field.whole_days:
                raise CannotSay(f"a time of day in '{field.name}', which holds whole days")
            parts.append(tree.Comparison(path, sign, tree.DateLiteral(day or instant_text(at))))
    if len(parts) > 1 and field.whole_days:
        raise CannotSay(NOTHING)
    return parts[0] if len(parts) == 1 else tree.And(tuple(parts))


def days_of(found: Interval, zone: tzinfo) -> tuple[str, str] | None:
    """Return the first and the last day of an interval of whole days."""
    if found.low is None or found.high is None:
        return None
    first, after = _day(found.low, zone), _day(found.high, zone)
    if first is None or after is None or first >= after:
        return None
    return first, (date.fromisoformat(after) - timedelta(days=1)).isoformat()


def period_of(found: Interval, clock: Clock) -> tree.Value | None:
    """Return the calendar period that equals an interval in the caller's zone."""
    if found.low is None or found.high is None:
        return None
    day = found.low.astimezone(clock.zone).date().isoformat()
    quarter = f"{day[:4]}-Q{(int(day[5:7]) + 2) // 3}"
    units: dict[CalendarUnit, str] = {"year": day[:4], "quarter": quarter, "month": day[:7], "day": day}
    for unit, text in units.items():
        period = calendar_period(unit, found.low, clock)
        if (period.start, period.end) == (found.low, found.high):
            return tree.Number(int(text), text) if unit == "year" else tree.DateLiteral(text)
    return None


def instant_text(at: datetime) -> str:
    """Return an instant as a literal, without milliseconds if they are 0."""
    shown = at.astimezone(UTC)
    fraction = f".{shown.microsecond // 1000:03}" if shown.microsecond else ""
    return f"{shown:%Y-%m-%dT%H:%M:%S}{fraction}Z"


def _day(at: datetime, zone: tzinfo) -> str | None:
    """Return the day that begins at an instant in a zone."""
    local = at.astimezone(zone)
    return f"{local:%Y-%m-%d}" if (local.hour, local.minute, local.second, local.microsecond) == (0, 0, 0, 0) else None
