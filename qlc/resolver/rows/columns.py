"""Columns: for each group a grouping of Elasticsearch, and keys derived from its keys.

Elasticsearch buckets days, not weekdays, and folder ids, not the owners of folders. Such a key is derived from the keys
of a base grouping. If each document has at most one base key, the base rows are added up; otherwise the derived keys
are read as conditions on the base field, so that a document is counted once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from calendar import monthrange
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from elasticsearch.dsl.query import Bool

from qlc.compiler.aggregations.groupings import (
    QUARTER_HOUR,
    Bins,
    Calendar,
    Grouping,
    QuarterHours,
    Steps,
    Values,
    between,
)
from qlc.compiler.aggregations.scope import Scope, scope_of
from qlc.compiler.environment import Bindings
from qlc.compiler.periods import Clock, millis
from qlc.compiler.request import CannotAnswer, Clause
from qlc.compiler.scripts import grouped_script, has_value
from qlc.compiler.typed import ComputedField, Group, Scalar
from qlc.grammar.tree import CyclicUnit
from qlc.mapping.schema import Field
from qlc.resolver.instants import moment, zone_name
from qlc.resolver.rows.asking import BucketReading


class Derivation(ABC):
    """Keys derived from the keys of a base grouping."""

    exact: bool = True
    """Whether a document with a base key has all keys derived from it (otherwise it may have them)."""

    def learn(self, bases: Collection[Scalar]) -> BucketReading[None]:
        """Look up information about these base keys, if any is needed."""
        yield from ()

    @abstractmethod
    def keys(self, base: Scalar) -> tuple[Scalar, ...]:
        """Return the derived keys of a base key, after `learn`."""

    def check_conditions(self, bases: Collection[Scalar]) -> None:
        """Check that conditions for keys derived from these are not too many. Raises CannotAnswer."""
        return

    def occurring(self) -> Clause | None:
        """Return the condition for documents with any derived key, after `learn`; None if a base key is enough."""
        return None

    @abstractmethod
    def condition(self, key: Scalar, bases: Collection[Scalar]) -> Clause:
        """Return the condition for a derived key; `bases` are all base keys that lead to it."""


@dataclass(frozen=True, slots=True)
class Column:
    """One group of rows. `many`: whether a document can have several values in its field; `present`: the condition that
    it has one, for a calculation."""

    scope: Scope
    path: str
    grouping: Grouping
    many: bool | None = None
    derivation: Derivation | None = None
    present: Clause | None = None


def value_column(field: Field, scope: Scope) -> Column:
    """Return the column of a field's values."""
    path = field.mapped.term_path
    return Column(scope, path, Values(path, field.kind, field.mapped.es_type != "flattened", field.mapped), field.many)


def own_column(group: Group, env: Bindings) -> Column:
    """Return the column for a field of the document itself."""
    if isinstance(group.field, ComputedField):
        return _computed_column(group, group.field, env)
    clock, ranges = env.clock, env.bounds.ranges
    scope = scope_of(group.field, group.element, group.narrowed)
    path, many = group.field.mapped.term_path, group.field.many
    zone = zone_of(group.field, clock)
    name = zone_name(zone, clock.now)
    if group.function is None:
        return value_column(group.field, scope)
    if group.function == "bins":
        return Column(scope, path, Bins(path, group.arguments, group.field.mapped), many)
    if group.function == "step":
        (width,) = group.arguments
        steps = Steps(path, width, group.field.mapped)
        return Column(scope, path, steps, many, None if width.is_integer() else ExactSteps(steps))
    unit = group.function
    if unit == "weekday" or unit == "hour_of_day" or unit == "day_of_month" or unit == "month_of_year":
        base, length = _base(_PARTS[unit], path, zone, name)
        return Column(scope, path, base, many, Cycle(path, unit, zone, ranges, length))
    if unit == "hour" and shifts_within_hours(zone):
        return Column(scope, path, QuarterHours(path), many, Hours(path, zone, ranges))
    if unit == "week" and clock.week_start:
        return Column(scope, path, Calendar(path, "day", name), many, Weeks(path, clock.week_start, zone))
    return Column(scope, path, Calendar(path, unit, name), many)


def _computed_column(group: Group, field: ComputedField, env: Bindings) -> Column:
    """Return the column of a calculation, which has steps or bins. Its values are rounded so that edges are met."""
    scope, path = scope_of(field, group.element, group.narrowed), field.mapped.path
    script, present = grouped_script(field, env), has_value(field, env)
    if group.function == "bins":
        return Column(scope, path, Bins(path, group.arguments, field.mapped, script), False, present=present)
    (width,) = group.arguments
    return Column(scope, path, Steps(path, width, None, script), False, present=present)


_PARTS: dict[CyclicUnit, Literal["hour", "day", "month"]] = {
    "weekday": "day", "hour_of_day": "hour", "day_of_month": "day", "month_of_year": "month",
}  # fmt: skip
"""The periods that are added up to a cycle."""


def _base(part: Literal["hour", "day", "month"], path: str, zone: tzinfo, name: str) -> tuple[Grouping, int]:
    """Return the grouping whose buckets are added up to a cycle, and the milliseconds of a part of an hour (days
    and months differ)."""
    if part != "hour":
        return Calendar(path, part, name), 0
    if shifts_within_hours(zone):
        return QuarterHours(path), QUARTER_HOUR
    return Calendar(path, "hour", name), 3_600_000


@lru_cache(maxsize=1024)
def shifts_within_hours(zone: tzinfo) -> bool:
    """Whether the zone's clocks have been shifted by a part of an hour; Elasticsearch merges such hours.

    Before 1973 a clock may have shown a local mean time, which no available part of an hour fits.
    """
    days = (datetime(1973, 1, 1, tzinfo=UTC) + timedelta(days=28 * n) for n in range(1_000))
    offsets = [day.astimezone(zone).utcoffset() or timedelta(0) for day in days]
    return any((after - before) % timedelta(hours=1) for before, after in pairwise(offsets))


def zone_of(field: Field, clock: Clock) -> tzinfo:
    """Return the zone of a field's dates: UTC for whole days, which are stored as midnights there, else the
    caller's."""
    return UTC if field.whole_days else clock.zone


@dataclass(frozen=True, slots=True)
class Cycle(Derivation):
    """Derives the keys of a cycle from days, hours or months: weekdays (Monday 0), numbers of days and months."""

    path: str
    unit: CyclicUnit
    zone: tzinfo
    ranges: int
    length: int

    def keys(self, base: Scalar) -> tuple[Scalar, ...]:
        start = moment(base, self.zone)
        if self.unit == "weekday":
            return (start.weekday(),)
        return (getattr(start, _PARTS[self.unit]),)

    def check_conditions(self, bases: Collection[Scalar]) -> None:
        check_ranges(self.unit, len(bases), self.ranges)

    def condition(self, key: Scalar, bases: Collection[Scalar]) -> Clause:
        return Bool(should=[between(self.path, *self._span(base), dates=True) for base in sorted(bases)])

    def _span(self, base: Scalar) -> tuple[int, int]:
        if self.unit == "hour_of_day":
            return int(base), int(base) + self.length
        start = moment(base, self.zone)
        days = monthrange(start.year, start.month)[1] if self.unit == "month_of_year" else 1
        return int(base), millis(next_midnight(start, days))


@dataclass(frozen=True, slots=True)
class Hours(Derivation):
    """Derives hours from quarters, for a clock that was shifted by a part of an hour: some are shorter, some repeat."""

    path: str
    zone: tzinfo
    ranges: int

    def keys(self, base: Scalar) -> tuple[Scalar, ...]:
        return (self._end(int(base), -QUARTER_HOUR),)

    def condition(self, key: Scalar, bases: Collection[Scalar]) -> Clause:
        return between(self.path, int(key), self._end(int(key), QUARTER_HOUR) + QUARTER_HOUR, dates=True)

    def check_conditions(self, bases: Collection[Scalar]) -> None:
        check_ranges("hour", len(bases), self.ranges)

    def _end(self, quarter: int, step: int) -> int:
        """Return the last quarter in a direction with the same hour and offset on the clock."""
        while self._shown(quarter + step) == self._shown(quarter):
            quarter += step
        return quarter

    def _shown(self, quarter: int) -> tuple[object, ...]:
        at = moment(quarter, self.zone)
        return at.date(), at.hour, at.utcoffset()


@dataclass(frozen=True, slots=True)
class Weeks(Derivation):
    """Derives weeks that begin on another day than Monday from days, which have 23 or 25 hours at changes of summer
    time."""

    path: str
    week_start: int
    zone: tzinfo

    def keys(self, base: Scalar) -> tuple[Scalar, ...]:
        day = moment(base, self.zone)
        return (millis(next_midnight(day, -((day.weekday() - self.week_start) % 7))),)

    def condition(self, key: Scalar, bases: Collection[Scalar]) -> Clause:
        return between(self.path, int(key), millis(next_midnight(moment(key, self.zone), 7)), dates=True)


@dataclass(frozen=True, slots=True)
class ExactSteps(Derivation):
    """Derives steps of a width that binary floats do not represent exactly: 0.3 belongs to the step from 0.3, not from
    0.2.

    Elasticsearch divides floats, so a value at an edge can be one step off; only ranges from edge to edge are exact.
    """

    steps: Steps
    exact: bool = False

    def keys(self, base: Scalar) -> tuple[Scalar, ...]:
        number = int(base)
        return (number - 1, number, number + 1)

    def condition(self, key: Scalar, bases: Collection[Scalar]) -> Clause:
        return self.steps.between(int(key), int(key) + 1)


def check_ranges(unit: CyclicUnit | Literal["hour"], number: int, most: int) -> None:
    """Check the number of days or hours in a request. Raises CannotAnswer."""
    if number > most:
        what = "hours" if unit == "hour" else f"{_PARTS[unit]}s"
        raise CannotAnswer(
            "too-many-days",
            f"rows by {unit} take {number:,} {what} one by one here; {most:,} are allowed",
            "ask for a shorter period",
        )


def next_midnight(day: datetime, days: int) -> datetime:
    """Return the start of the day that many days later (or earlier), in the zone of `day`.

    If summer time skips midnight, it is the instant of the change; `datetime` would use the old offset.
    """
    date = day.date() + timedelta(days=days)
    return datetime(date.year, date.month, date.day, tzinfo=day.tzinfo)
