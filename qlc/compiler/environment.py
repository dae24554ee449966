"""What the values of a typed query stand for in one run: the clock, what the caller bound, what look-ups found."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

from qlc.compiler import typed
from qlc.compiler.literals import closed_values
from qlc.compiler.periods import (
    Clock,
    InvalidDate,
    Period,
    calendar_period,
    days_of,
    is_date,
    later,
    parse_period,
    relative_period,
    whole_days,
)
from qlc.diagnostics import NO_SPAN, Diagnostic, Span
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Bounds, Entity, Field, Schema

if TYPE_CHECKING:
    from elasticsearch.dsl.query import Query

Found = typed.Scalar | datetime
Values = tuple[Found, ...]
Key = tuple[typed.Source, Field | None]


class BindingError(Exception):
    """A parameter or a value of the access context is missing or of the wrong type."""

    def __init__(self, code: str, message: str, span: Span = NO_SPAN, hint: str = "") -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic(code, message, span, hint)


class ContextMissing(Exception):
    """The access rule needs a value that the caller's context does not have: nothing may be searched."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the access rule needs '{name}' in the context")
        self.name = name


@dataclass(slots=True)
class Bindings:
    """The environment of one run (see `request.Environment`).

    `found` holds for each source and field what was read, `chosen` the one that the user picked of several. `notes`
    collects plain sentences for the user.
    """

    schema: Schema
    clock: Clock
    parameters: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    found: dict[Key, Values] = field(default_factory=dict)
    chosen: dict[Key, Values] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    embed: Any = None
    access: Mapping[str, typed.Condition] = field(default_factory=dict)
    _scopes: dict[str, list[Query]] = field(default_factory=dict)

    @property
    def bounds(self) -> Bounds:
        return self.schema.bounds

    def query(self, condition: typed.Condition) -> Query:
        from qlc.compiler.codegen import condition_query

        return condition_query(condition, self)

    def scope(self, entity: Entity) -> list[Query]:
        """The filters of every search over the entity. Raises ContextMissing."""
        if entity.name not in self._scopes:
            from qlc.compiler.codegen import scope_filters

            rule = self.access.get(entity.name, typed.All())
            self._scopes[entity.name] = scope_filters(entity, rule, self)
        return self._scopes[entity.name]

    # --- values ------------------------------------------------------------------------------------------------------

    def scalars(self, value: typed.Value) -> list[typed.Scalar]:
        """What a value stands for, as stored. A date is epoch milliseconds of the start of its period."""
        match value:
            case typed.Literal():
                return [value.value]
            case typed.Param():
                return [v for v in _listed(self._bound(value)) if not isinstance(v, date)]
            case typed.Taken():
                return [_plain(v) for v in self.taken(value)]
            case _:
                return [_millis(self.period(value).start)]

    def taken(self, value: typed.Taken) -> Values:
        """What was read for a place that takes values; where one is needed, the one."""
        key = (value.source, value.field)
        return self.chosen.get(key, self.found[key]) if value.one else self.found[key]

    def tell(self, note: str) -> None:
        """Add a sentence for the user, once."""
        if note not in self.notes:
            self.notes.append(note)

    def entity(self, name: str) -> Entity:
        return self.schema.entity(name)

    def typed_scalars(self, value: typed.Value, target: Field) -> list[typed.Scalar]:
        """As `scalars`, with a parameter checked against the field that it is compared with. Raises BindingError."""
        if not isinstance(value, typed.Param):
            return self.scalars(value)
        return [scalar for item in _listed(self._bound(value)) for scalar in _fitting(item, value, target)]

    def text(self, value: typed.Literal | typed.Param) -> str:
        if isinstance(value, typed.Literal):
            return str(value.value)
        bound = self._bound(value)
        if not isinstance(bound, str) or not bound.strip():
            raise BindingError("parameter-type", f"${value.name} must be a text here, and not empty", value.span,
                               "pass a text")
        return bound

    def _bound(self, value: typed.Param) -> Any:
        source = self.context if value.context else self.parameters
        if value.name not in source or source[value.name] is None:
            if value.context:
                raise ContextMissing(value.name)
            raise BindingError("missing-parameter", f"${value.name} has no value", value.span,
                               f"pass params={{'{value.name}': ...}}")
        return source[value.name]

    def is_list(self, value: typed.Param) -> bool:
        return isinstance(self._bound(value), list | tuple | set | frozenset)

    def lookup_texts(self, name: str | typed.Param) -> list[str]:
        """The names that a look-up looks for: one, or those of a list that the caller bound; an entity gives its id.

        Raises BindingError.
        """
        if isinstance(name, str):
            return [name]
        return [_name_or_id(item, name) for item in _listed(self._bound(name))]

    # --- dates -------------------------------------------------------------------------------------------------------

    def period(self, value: typed.Value) -> Period:
        """The half-open period of a date value; an instant has itself as start. Raises BindingError, InvalidDate."""
        match value:
            case typed.DatePeriod():
                return parse_period(value.text, self.clock.zone)
            case typed.RelativePeriod():
                try:
                    return relative_period(value, self.clock)
                except InvalidDate as problem:
                    problem.span = value.span
                    raise
            case typed.Now():
                return _instant(self.clock.now)
            case typed.PeriodAround():
                return calendar_period(value.unit, self.period(value.value).start, self.clock)
            case typed.Taken():
                return self._taken_period(value)
            case typed.Param():
                return self._bound_period(value)
            case _:
                raise TypeError(f"no date: {value!r}")

    def _taken_period(self, value: typed.Taken) -> Period:
        (found, *_) = self.taken(value) or (None,)
        if isinstance(found, str):
            return parse_period(found, self.clock.zone)
        if isinstance(found, datetime):
            return _instant(found)
        if isinstance(found, int | float):
            return _instant(datetime.fromtimestamp(found / 1000, UTC))
        raise InvalidDate("no date was found")

    def _bound_period(self, value: typed.Param) -> Period:
        bound = self._bound(value)
        if isinstance(bound, datetime):
            return _instant(bound if bound.tzinfo else bound.replace(tzinfo=self.clock.zone))
        if isinstance(bound, date):
            return parse_period(bound.isoformat(), self.clock.zone)
        if isinstance(bound, str) and is_date(bound):
            return parse_period(bound, self.clock.zone)
        raise BindingError("parameter-type", f"${value.name} must be a date here", value.span,
                           "pass a date, a datetime or a text such as '2024-03-05'")

    def days(self, value: typed.Value) -> tuple[date, date]:
        """First and last calendar day of a date value, for fields that hold whole days."""
        if isinstance(value, typed.DatePeriod | typed.RelativePeriod | typed.Now):
            return whole_days(value, self.clock)
        period = self.period(value)
        if isinstance(value, typed.Taken) and value.field is not None and value.field.whole_days:
            day = period.start.astimezone(UTC).date()
            return day, day
        return days_of(period, self.clock)

    def date_bounds(self, target: Field, value: typed.Value) -> Period:
        """The period of a date value as the field stores dates: midnights in UTC where it holds whole days."""
        if not target.whole_days:
            return self.period(value)
        first, last = self.days(value)
        return Period(_utc_midnight(first), _utc_midnight(last + timedelta(days=1)))


def _name_or_id(item: Any, name: typed.Param) -> str:
    if isinstance(item, Mapping) and isinstance(item.get("id"), str):
        return str(item["id"])
    if not isinstance(item, str) or not item.strip():
        raise BindingError("parameter-type", f"${name.name} must be a name or an id here", name.span,
                           "pass a text, or {'entity': ..., 'id': ...}")
    return item


def _utc_midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _instant(moment: datetime) -> Period:
    """A point in time, one millisecond long: Elasticsearch's dates are that fine."""
    floor = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    return Period(floor, later(floor, timedelta(milliseconds=1)), instant=True)


def _millis(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)


def _plain(value: Found) -> typed.Scalar:
    return _millis(value) if isinstance(value, datetime) else value


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple | set | frozenset) else [value]


def _fitting(item: Any, value: typed.Param, target: Field) -> list[typed.Scalar]:
    """A bound value as the field stores it. Raises BindingError."""
    kind = target.kind
    if kind in (FieldKind.NUMBER, FieldKind.WHOLE_NUMBER):
        if isinstance(item, int | float) and not isinstance(item, bool) and math.isfinite(item):
            return [item]
        raise _mistyped(value, "a number")
    if kind is FieldKind.BOOLEAN:
        if isinstance(item, bool):
            return [item]
        raise _mistyped(value, "true or false")
    if isinstance(item, Mapping) and isinstance(item.get("id"), str):
        return [item["id"]]
    if not isinstance(item, str):
        raise _mistyped(value, "a text")
    if target.values is not None and not value.context:
        from qlc.compiler.context import Refused

        try:
            return list(closed_values(target, item, value.span))
        except Refused as problem:
            raise BindingError(problem.code, problem.message, value.span, problem.hint) from None
    return [item]


def _mistyped(value: typed.Param, wanted: str) -> BindingError:
    where = "in the context" if value.context else ""
    message = f"${value.name} {where} must be {wanted} here".replace("  ", " ")
    return BindingError("parameter-type", message, value.span, f"pass {wanted}")
