"""Keys of groups as values, as labels and in order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from qlc.compiler.aggregations.groupings import Steps
from qlc.compiler.cycles import is_cycle, row_label
from qlc.compiler.periods import Clock, calendar_period
from qlc.compiler.typed import Group, Scalar
from qlc.mapping.fields import FieldKind
from qlc.resolver.instants import moment
from qlc.resolver.rows.columns import zone_of
from qlc.resolver.rows.model import Key, KeyValue

CALENDAR = ("year", "quarter", "month", "week", "day", "hour")


@dataclass(frozen=True, slots=True)
class KeyForm:
    """Conversion of the keys of one group from raw keys to values, labels and sort keys."""

    group: Group
    clock: Clock

    def key(self, raw: Scalar, name: str | None = None) -> Key:
        value = self.value(raw)
        return Key(value, name if name is not None else self._label(raw, value), name)

    def rank(self, raw: Scalar) -> Scalar:
        """Return a sort key: texts by code point, weekdays from the first day of the week."""
        return (int(raw) - self.clock.week_start) % 7 if self.group.function == "weekday" else raw

    def value(self, raw: Scalar) -> KeyValue:
        function = self.group.function
        if function == "bins":
            return number(self.group.arguments[int(raw) - 1]) if raw else None
        if function == "step":
            return number(Steps("", self.group.arguments[0]).edge(int(raw)))
        if function in CALENDAR:
            return moment(raw, zone_of(self.group.field, self.clock))
        if function is None and self.group.field.kind is FieldKind.DATE:
            return moment(raw)
        return raw

    def _label(self, raw: Scalar, value: KeyValue) -> str:
        function = self.group.function
        if function == "bins":
            return bin_label(self.group.arguments, int(raw))
        if is_cycle(function):
            return row_label(function, int(raw))
        if function == "week" and self.clock.week_start:
            # `2024-W10` always is an ISO week, so another week is called by its first day.
            function = "day"
        if isinstance(value, datetime):
            return CALENDAR_LABELS[function](value) if function else date_label(value, self.group.field.whole_days)
        if isinstance(value, bool):
            return "true" if value else "false"
        return written(value) if isinstance(value, int | float) else str(value)


def is_current(group: Group, start: datetime, clock: Clock) -> bool:
    """Whether a group is by calendar units, and the clock is in the unit that begins at `start`."""
    unit = group.function
    if unit not in ("year", "quarter", "month", "week", "day", "hour"):
        return False
    local = replace(clock, zone=zone_of(group.field, clock))
    return calendar_period(unit, local.now, local).start == start


def number(value: float) -> int | float:
    """Convert a whole number to int."""
    return int(value) if float(value).is_integer() else value


def written(value: float) -> str:
    return str(number(value))


def bin_label(edges: tuple[float, ...], position: int) -> str:
    if position == 0:
        return f"under {written(edges[0])}"
    if position == len(edges):
        return f"{written(edges[-1])} and more"
    return f"{written(edges[position - 1])} to under {written(edges[position])}"


def date_label(value: datetime, whole_days: bool) -> str:
    """Format a stored date in UTC: `2024-03-05T15:00:30Z`, for whole days `2024-03-05`."""
    if whole_days:
        return value.astimezone(UTC).date().isoformat()
    precision = "milliseconds" if value.microsecond else "seconds"
    return value.astimezone(UTC).isoformat(timespec=precision).replace("+00:00", "Z")


def hour_label(start: datetime) -> str:
    """Format an hour: `2024-03-05T15`, with the offset for an hour that repeats at the end of summer time."""
    label = f"{start:%Y-%m-%dT%H}".rjust(13, "0")
    if start.replace(fold=0).utcoffset() == start.replace(fold=1).utcoffset() or not _exists(start):
        return label
    offset = f"{start:%z}"
    return f"{label}{offset[:3]}:{offset[3:5]}"


def _exists(start: datetime) -> bool:
    """Whether the local clock showed this time (False in the gap at the start of summer time)."""
    shown = start.astimezone(UTC).astimezone(start.tzinfo)
    return shown.replace(tzinfo=None) == start.replace(tzinfo=None)


CALENDAR_LABELS: dict[str, Callable[[datetime], str]] = {
    "year": lambda start: f"{start.year:04}",
    "quarter": lambda start: f"{start.year:04}-Q{(start.month + 2) // 3}",
    "month": lambda start: f"{start.year:04}-{start.month:02}",
    "week": lambda start: "{:04}-W{:02}".format(*start.isocalendar()),
    "day": lambda start: start.date().isoformat(),
    "hour": hour_label,
}
