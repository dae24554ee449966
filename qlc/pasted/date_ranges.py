"""Ranges of dates as conditions of the query language: periods by their names where they have one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any

from qlc.grammar import tree
from qlc.pasted.intervals import Interval, day_text, instant_text, interval, period_text
from qlc.pasted.reach import FieldUse
from qlc.pasted.saying import CannotSay, Saying


def date_range(params: dict[str, Any], used: FieldUse, saying: Saying) -> tree.Condition:
    """A range of dates as a period, as days, or from one instant to another. Raises CannotSay."""
    found = interval(params, used.mapped.date_format)
    if found is None:
        raise CannotSay(f"the dates that '{used.path}' is compared with, in their form")
    fields = list(saying.fields(used))
    if found.low is not None or found.high is not None:
        # A path may be called by a name for whole days and by another one for instants.
        fields.sort(key=lambda one: one[0].whole_days and not _is_of_days(found))
    field, path = fields[0]
    if used.mapped.es_type == "date_nanos" and params.keys() & {"gt", "lte"}:
        saying.differ(f"parts of a millisecond in '{field.name}'")
    if found.low is None and found.high is None:
        return tree.Presence(path, missing=False)
    zone = UTC if field.whole_days else saying.clock.zone
    period = period_text(found, replace(saying.clock, zone=zone))
    if period is not None:
        return tree.Comparison(path, "in", _period(period))
    days = _days(found, zone)
    if days is not None:
        return tree.Between(path, *map(tree.DateLiteral, days))
    if found.low is not None and found.high is not None and field.many is not False and not field.whole_days:
        last = found.high - timedelta(milliseconds=1)
        return tree.Between(path, tree.DateLiteral(instant_text(found.low)), tree.DateLiteral(instant_text(last)))
    bounds: tuple[tuple[tree.ComparisonOperator, datetime | None], ...] = ((">=", found.low), ("<", found.high))
    ends: list[tree.Condition] = []
    for sign, at in bounds:
        if at is not None:
            day = day_text(at, zone)
            if day is None and field.whole_days:
                raise CannotSay(f"a time of day in '{field.name}', which holds whole days")
            ends.append(tree.Comparison(path, sign, tree.DateLiteral(day or instant_text(at))))
    if len(ends) > 1 and field.whole_days:
        raise CannotSay("a query that nothing can meet")
    return ends[0] if len(ends) == 1 else tree.And(tuple(ends))


def _is_of_days(found: Interval) -> bool:
    return all(at is None or day_text(at, UTC) is not None for at in (found.low, found.high))


def _days(found: Interval, zone: tzinfo) -> tuple[str, str] | None:
    """The first and the last day of an interval of whole days."""
    if found.low is None or found.high is None:
        return None
    first, behind = day_text(found.low, zone), day_text(found.high, zone)
    if first is None or behind is None or first >= behind:
        return None
    return first, (date.fromisoformat(behind) - timedelta(days=1)).isoformat()


def _period(text: str) -> tree.Value:
    return tree.Number(int(text), text) if text.isdecimal() else tree.DateLiteral(text)
