"""Conditions on dates as queries: periods, instants, weekdays and hours of the day."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from operator import ge, gt, le, lt
from typing import Any, TypeVar

from elasticsearch.dsl.query import Exists, MatchNone, Range

from qlc.compiler import scripts, typed
from qlc.compiler.cycles import CYCLES, cycle_field, place
from qlc.compiler.environment import Bindings
from qlc.compiler.periods import Period, millis
from qlc.compiler.request import CannotAnswer, Clause, disjunction, on
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
    days = (last.astimezone(zone).date() - first.astimezone(zone).date()).days + 1
    runs = _runs(places)
    per_day = len(runs) if condition.unit == "hour_of_day" else len(places) / 7
    env.ranges += int(days * per_day)
    if days * per_day > env.bounds.ranges or env.ranges > MOST_TOGETHER * env.bounds.ranges:
        raise CannotAnswer("too-many-days", f"'{condition.field.name}' spans {days:,} days, too many to pick "
                           "weekdays or hours from", "narrow the dates first, for example to one year")
    ranges: list[Clause] = []
    day = first.astimezone(zone).date()
    for offset in range(days):
        at = day + timedelta(days=offset)
        if condition.unit == "weekday":
            if at.weekday() in places:
                ranges.append(_date_range(condition.field, gte=_local(at, 0, zone), lt=_local(at, 24, zone)))
        else:
            ranges += [_date_range(condition.field, gte=_local(at, a, zone), lt=_local(at, b, zone)) for a, b in runs]
    return disjunction(ranges)


def chosen_places(condition: typed.OnCycle, env: Bindings) -> tuple[int, ...]:
    """The weekdays (Monday 0) or hours that meet the condition. Raises BindingError."""
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


def _runs(hours: tuple[int, ...]) -> list[tuple[int, int]]:
    """Neighbouring hours as half-open runs: (9, 10, 11, 15) is 9 to 12 and 15 to 16."""
    runs: list[tuple[int, int]] = []
    for hour in hours:
        if runs and runs[-1][1] == hour:
            runs[-1] = (runs[-1][0], hour + 1)
        else:
            runs.append((hour, hour + 1))
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
