"""Conditions on dates as queries: periods, instants, and cycles such as weekdays and hours of the day."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from operator import ge, gt, le, lt
from typing import Any, TypeVar

from elasticsearch.dsl.query import Exists, MatchNone, Range

from qlc.compiler import scripts, typed
from qlc.compiler.cycles import CYCLES, cycle_field, place
from qlc.compiler.environment import Bindings
from qlc.compiler.periods import Period, millis
from qlc.compiler.request import CannotAnswer, Clause, disjunction, on
from qlc.grammar.tree import CyclicUnit
from qlc.mapping.schema import Field

Operator = TypeVar("Operator")
Value = TypeVar("Value")

DATE_FORMAT = "strict_date_optional_time"


def in_period(condition: typed.InPeriod, env: Bindings) -> Clause:
    field = condition.field
    periods = _merged(env.all_date_bounds(field, condition.period))
    if isinstance(field, typed.ComputedField):
        ends = [[(">=", float(millis(start))), ("<", float(millis(end)))] for start, end in periods]
        return scripts.compared(field, ends, env)
    if len(periods) > env.bounds.ranges:
        raise CannotAnswer("set-too-large", f"'{field.name}' would be compared with {len(periods):,} separate "
                           "dates, too many for one search", "take fewer, or compare with a period")
    return disjunction([_date_range(field, gte=start, lt=end) for start, end in periods])


def _merged(periods: list[Period]) -> list[tuple[datetime, datetime]]:
    """Merge overlapping periods, since the number of clauses in a search is limited."""
    if len(periods) == 1:
        return [(periods[0].start, periods[0].end)]
    found: list[tuple[datetime, datetime]] = []
    for start, end in sorted((period.start, period.end) for period in periods):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def compare_date(condition: typed.CompareDate, env: Bindings) -> Clause:
    field = condition.field
    periods = [(operator, env.date_bounds(field, value)) for operator, value in condition.bounds]
    if len(periods) == 2 and periods[0][1].start > periods[1][1].end:
        periods = swapped(periods, field, env)
    limits: dict[str, datetime] = {}
    for operator, period in periods:
        limits |= date_limit(operator, period)
    if isinstance(field, typed.ComputedField):
        return scripts.compared(field, [[(_SIGNS[name], float(millis(end))) for name, end in limits.items()]], env)
    return _date_range(field, **limits)


_SIGNS = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">="}


def date_limit(operator: str, period: Period) -> dict[str, datetime]:
    """Return one bound of a range: `<` is before the start, `>` after the end; an instant is its own start and end."""
    if operator == "<":
        return {"lt": period.start}
    if operator == ">=":
        return {"gte": period.start}
    if operator == "<=":
        return {"lte": period.start} if period.instant else {"lt": period.end}
    return {"gt": period.start} if period.instant else {"gte": period.end}


def _date_range(field: Field, **limits: datetime) -> Clause:
    """Return a range with full dates in an explicit format, since Elasticsearch fills missing parts in surprising
    ways."""
    if field.mapped.es_type == "date_nanos":
        first, last = _NANOSECONDS
        if any(moment > last if name in ("gt", "gte") else moment <= first for name, moment in limits.items()):
            return MatchNone()
        limits = {name: moment for name, moment in limits.items() if first <= moment <= last}
        if not limits:
            return Exists(field=field.mapped.path)
    bounds: dict[str, Any] = {name: iso_millis(moment) for name, moment in limits.items()}
    return on(Range, field.mapped.path, {**bounds, "format": DATE_FORMAT})


_NANOSECONDS = (datetime(1970, 1, 1, tzinfo=UTC), datetime(2262, 4, 11, 23, 47, 16, 854000, tzinfo=UTC))
"""The dates that 64 bits of nanoseconds can hold: for `date_nanos`, Elasticsearch rejects all others."""


def iso_millis(moment: datetime) -> str:
    """`2024-03-05T15:00:00.000Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


MOST_TOGETHER = 2
"""The limit for the ranges of all conditions together, as a multiple of the limit for one condition."""


def on_cycle(condition: typed.OnCycle, env: Bindings) -> Clause:
    """Compile to ranges between the field's first and last value. Raises CannotAnswer if there are too many."""
    extent = env.found[condition.extent, None]
    places = chosen_places(condition, env)
    if not extent or not places:
        return MatchNone()
    first, last = (value if isinstance(value, datetime) else datetime.fromtimestamp(float(value) / 1000, UTC)
                   for value in extent)
    zone = UTC if condition.field.whole_days else env.clock.zone
    start, end = first.astimezone(zone).date(), last.astimezone(zone).date()
    days, runs = (end - start).days + 1, _runs(places)
    per_day = (len(places) if condition.unit == "weekday" else len(runs)) / _DAYS_OF_A_CYCLE[condition.unit]
    env.ranges += int(days * per_day)
    if days * per_day > env.bounds.ranges or env.ranges > MOST_TOGETHER * env.bounds.ranges:
        raise CannotAnswer("too-many-days", f"'{condition.field.name}' spans {days:,} days, too many to pick "
                           f"{_PICKED[condition.unit]} from", "narrow the dates first, for example to one year")
    spans = _SPANS[condition.unit](start, end, places)
    return disjunction([_date_range(condition.field, gte=_local(day, hour, zone), lt=_local(until, at, zone))
                        for day, hour, until, at in spans])


Spans = Iterator[tuple[date, int, date, int]]
"""Ranges of times: the day and the hour of its start, the day and the hour of its end (24: midnight after it)."""


def _weekdays(start: date, end: date, places: tuple[int, ...]) -> Spans:
    days = (start + timedelta(days=offset) for offset in range((end - start).days + 1))
    yield from ((day, 0, day, 24) for day in days if day.weekday() in places)


def _hours(start: date, end: date, places: tuple[int, ...]) -> Spans:
    runs = _runs(places)
    for offset in range((end - start).days + 1):
        day = start + timedelta(days=offset)
        yield from ((day, first, day, last) for first, last in runs)


def _days(start: date, end: date, places: tuple[int, ...]) -> Spans:
    runs = _runs(places)
    for months in range(12 * start.year + start.month - 1, 12 * end.year + end.month):
        year, month = divmod(months, 12)
        last_day = monthrange(year, month + 1)[1]
        for first, last in runs:
            if first < last_day:
                yield date(year, month + 1, first + 1), 0, date(year, month + 1, min(last, last_day)), 24


def _months(start: date, end: date, places: tuple[int, ...]) -> Spans:
    runs = _runs(places)
    for year in range(start.year, end.year + 1):
        for first, last in runs:
            yield date(year, first + 1, 1), 0, date(year, last, monthrange(year, last)[1]), 24


_SPANS: dict[CyclicUnit, Callable[[date, date, tuple[int, ...]], Spans]] = {
    "weekday": _weekdays, "hour_of_day": _hours, "day_of_month": _days, "month_of_year": _months,
}  # fmt: skip
"""The ranges of the chosen places of a cycle, from one day to another."""
_DAYS_OF_A_CYCLE: dict[CyclicUnit, float] = {"weekday": 7, "hour_of_day": 1, "day_of_month": 28, "month_of_year": 365}
_PICKED: dict[CyclicUnit, str] = {
    "weekday": "weekdays or hours", "hour_of_day": "weekdays or hours", "day_of_month": "days of the month",
    "month_of_year": "months",
}  # fmt: skip


def chosen_places(condition: typed.OnCycle, env: Bindings) -> tuple[int, ...]:
    """Return the places in the cycle that meet the condition, from 0 (Monday, midnight, January). Raises
    BindingError."""
    target = cycle_field(condition.unit, condition.field)
    first = env.schema.week_start if condition.unit == "weekday" else 0

    def ranks(value: typed.Value) -> list[int]:
        """Return the positions of a value in its cycle; empty for a value from documents that is not in the cycle."""
        places = (place(condition.unit, scalar) for scalar in env.typed_scalars(value, target))
        return [(at - first) % size for at in places if at is not None]

    size = len(CYCLES[condition.unit])
    if not condition.bounds:
        chosen = {rank for value in condition.values for rank in ranks(value)}
    else:
        ends = [(operator, rank) for operator, value in condition.bounds for rank in ranks(value)]
        if len(ends) == 2 and ends[0][1] > ends[1][1]:
            ends = swapped(ends, target, env)
        met = (rank for rank in range(size) if all(_COMPARED[operator](rank, end) for operator, end in ends))
        chosen = set(met) if len(ends) == len(condition.bounds) else set()
    return tuple(sorted((rank + first) % size for rank in chosen))


_COMPARED: dict[typed.RangeOperator, Callable[[int, int], bool]] = {"<": lt, "<=": le, ">": gt, ">=": ge}


def _runs(places: tuple[int, ...]) -> list[tuple[int, int]]:
    """Join neighbouring places of a cycle to half-open runs: (9, 10, 11, 15) -> 9 to 12 and 15 to 16."""
    runs: list[tuple[int, int]] = []
    for at in places:
        if runs and runs[-1][1] == at:
            runs[-1] = (runs[-1][0], at + 1)
        else:
            runs.append((at, at + 1))
    return runs


def _local(day: date, hour: int, zone: Any) -> datetime:
    if hour == 24:
        day, hour = day + timedelta(days=1), 0
    return datetime(day.year, day.month, day.day, hour, tzinfo=zone)


def swapped(bounds: list[tuple[Operator, Value]], field: Field, env: Bindings) -> list[tuple[Operator, Value]]:
    """Swap two bounds that are in the wrong order, and add a note about it."""
    env.tell(f"The ends of the range of '{field.name}' were the wrong way round and have been swapped.")
    (low, first), (high, second) = bounds
    return [(low, second), (high, first)]
