"""The environment of a run: the clock, the caller's parameters, the results of lookups."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any, Self, TypeVar

from qlc.base.diagnostics import NO_SPAN
from qlc.compiler import evaluation, parameters, periods, typed
from qlc.compiler.numbers import Comparison, is_number, kept
from qlc.compiler.parameters import BindingError
from qlc.compiler.periods import Clock, InvalidDate, Period
from qlc.compiler.request import CannotAnswer, Clause
from qlc.mapping.schema import Bounds, Entity, Field, Schema

T = TypeVar("T")
_NUMBER = Field("the value", typed.NO_FIELD, typed.NO_FIELD.kind, many=False)
"""The type of a constant of a calculation."""
_FARTHEST = 1e15
"""The largest date of a calculation, in milliseconds from 1970."""
StoredValue = typed.Scalar | datetime
Values = tuple[StoredValue, ...]
Key = tuple[typed.Source, Field | None]


class ContextMissing(Exception):
    """Raised if the access rule needs a value that the caller's context lacks. The search must not run."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the access rule needs '{name}' in the context")
        self.name = name


class RuleUndecided(ContextMissing):
    """Raised if a lookup in an access rule finds nothing, or several things. The search must not run, and the caller is
    neither shown what was found nor asked to choose."""

    def __init__(self, entity: Entity) -> None:
        Exception.__init__(self, f"an access rule looks up one of the {entity.plural}, and does not find exactly one")
        self.name = entity.name


@dataclass(slots=True)
class Bindings(ABC):
    """The environment of one run; `codegen.RunBindings` adds the generation of queries.

    `found` holds the values read for each source and field, `chosen` the user's choice among several. `notes` collects
    plain sentences for the user. `clock` is the caller's, `rules_clock` that of access rules. No option of a run
    changes the latter: `embargo < today` opens at the same moment for callers in any time zone.
    """

    schema: Schema
    clock: Clock
    parameters: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    found: dict[Key, Values] = field(default_factory=dict)
    chosen: dict[Key, Values] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    embed: Any = None
    ranker: Any = None
    """A `resolver.rankers.Ranker`, if passages are ranked by more than the index knows of them."""
    access: Mapping[str, typed.Condition] = field(default_factory=dict)
    rules_clock: Clock | None = None
    ranges: int = 0
    """Number of ranges of days and hours in the conditions compiled so far in this run."""
    _vectors: dict[str, list[float]] = field(default_factory=dict)

    @property
    def bounds(self) -> Bounds:
        return self.schema.bounds

    def in_rules(self) -> Self:
        """Return the environment of access rules: their clock and zone, and notes that no caller gets."""
        return replace(self, clock=self.rules_clock or self.clock, notes=[])

    @abstractmethod
    def query(self, condition: typed.Condition) -> Clause:
        """The clause of a condition."""

    @abstractmethod
    def scope(self, entity: Entity) -> list[Clause]:
        """The filters of every search over the entity. Raises ContextMissing."""

    # --- values ------------------------------------------------------------------------------------------------------

    def scalars(self, value: typed.Value) -> list[typed.Scalar]:
        """Return the stored values of a typed value. A date gives the start of its period in epoch milliseconds."""
        match value:
            case typed.Literal():
                return [value.value]
            case typed.Param():
                return [item for item in self._items(value) if not isinstance(item, date)]
            case typed.Taken():
                return [_compared(found, value.field) for found in self.taken(value)]
            case typed.Formula(gives_date=False):
                return [self.calculated(value)]
            case _:
                return [periods.millis(self.period(value).start)]

    def taken(self, value: typed.Taken) -> Values:
        """Return the values read from a source; the user's choice among them if a single value is needed."""
        key = (value.source, value.field)
        return self.chosen.get(key, self.found[key]) if value.one else self.found[key]

    def tell(self, note: str) -> None:
        """Add a sentence for the user, once."""
        if note not in self.notes:
            self.notes.append(note)

    def entity(self, name: str) -> Entity:
        return self.schema.entity(name)

    def typed_scalars(
        self, value: typed.Value, target: Field, comparison: Comparison | None = "="
    ) -> list[typed.Scalar]:
        """As `scalars`, with a parameter checked against the field that it is compared with. Raises BindingError.

        `comparison`: how Elasticsearch is to compare the field with it; None where rows are compared here.
        """
        if not isinstance(value, typed.Param):
            return self.scalars(value)
        return [
            scalar for item in self._items(value) for scalar in parameters.stored(item, value, target, comparison)
        ]

    def calculated(self, value: typed.Formula) -> int | float:
        """Return the value of a calculation without fields; a date in milliseconds. Raises BindingError,
        CannotAnswer."""

        def operand(node: evaluation.Operand) -> int | float | None:
            assert isinstance(node, typed.Constant)
            return self.constant(node)

        try:
            found = evaluation.evaluate(value.expression, operand)
        except evaluation.DivisionByZero:
            found = None
        if found is not None and value.gives_date and abs(found) > _FARTHEST:
            raise CannotAnswer("date-out-of-range", "a date of this query lies beyond the calendar",
                               "take a nearer one")
        if found is None:
            raise CannotAnswer("division-by-zero", "a value of this query is divided by zero, so it has no value",
                               "divide by another value")
        return found

    def constant(self, node: typed.Constant) -> int | float:
        """Return the number of a constant of a calculation; a moment in milliseconds. Raises BindingError,
        CannotAnswer."""
        if node.is_date:
            period = self.date_bounds(node.beside, node.value) if node.beside is not None else self.period(node.value)
            return periods.millis(period.start)
        if isinstance(node.value, typed.PeriodAround):
            return self.period(node.value).start.year
        found = the_one(self.typed_scalars(node.value, _NUMBER, None), node.value)
        return found if is_number(found) else 1  # types are checked: a text is the placeholder of a dry run

    def text(self, value: typed.Literal | typed.Param, *, blank: bool = False) -> str:
        """Return the bound text. `blank`: spaces alone are allowed. Raises BindingError."""
        if isinstance(value, typed.Literal):
            return str(value.value)
        return parameters.text(self._bound(value), value, blank=blank)

    def vector(self, text: str) -> list[float]:
        """The vector of a text, computed once in a run."""
        if text not in self._vectors:
            self._vectors[text] = list(self.embed(text))
        return self._vectors[text]

    def _items(self, value: typed.Param) -> list[Any]:
        items = parameters.items(self._bound(value), value)
        if not items and not value.context:
            self.tell(f"${value.name} is an empty list, so nothing is in it.")
        return items

    def _bound(self, value: typed.Param) -> Any:
        source = self.context if value.context else self.parameters
        if value.name not in source or source[value.name] is None:
            if value.context:
                raise ContextMissing(value.name)
            hint = f"give it a value: params={{'{value.name}': ...}}, or --param {value.name}=... of the command"
            raise BindingError("missing-parameter", f"${value.name} has no value", value.span, hint)
        return source[value.name]

    def lookup_texts(self, name: str | typed.Param) -> list[str]:
        """Return the names that a lookup resolves: one, or those of a list parameter. An entity is looked up by its id.

        Raises BindingError.
        """
        if isinstance(name, str):
            return [name]
        return [parameters.name_or_id(item, name) for item in self._items(name)]

    # --- dates -------------------------------------------------------------------------------------------------------

    def period(self, value: typed.Value) -> Period:
        """Return the half-open period of a date value; an instant starts at itself. Raises BindingError,
        InvalidDate."""
        return the_one(self._periods(value), value)

    def _periods(self, value: typed.Value) -> list[Period]:
        """Return the periods of a date value: one for each item of a list parameter or of a set from documents."""
        match value:
            case typed.Taken():
                return [self._found_period(found) for found in self.taken(value)]
            case typed.Param():
                return [parameters.period(item, value, self.clock.zone) for item in self._items(value)]
            case typed.DatePeriod():
                return [periods.parse_period(value.text, self.clock.zone)]
            case typed.RelativePeriod():
                try:
                    return [periods.relative_period(value, self.clock)]
                except InvalidDate as problem:
                    problem.span = value.span
                    raise
            case typed.Now():
                return [periods.instant(self.clock.now)]
            case typed.Formula():
                return [periods.instant(datetime.fromtimestamp(self.calculated(value) / 1000, UTC))]
            case typed.MonthsLater():
                return [periods.months_later(self._inside(value.value), value.months, self.clock)]
            case typed.PeriodAround():
                return [periods.calendar_period(value.unit, self._inside(value.value), self.clock)]
            case _:
                raise TypeError(f"no date: {value!r}")

    def _inside(self, value: typed.DateValue) -> datetime:
        """Return a moment inside a date value. A stored whole day gives a moment of the same day in the caller's
        zone."""
        start = self.period(value).start
        if isinstance(value, typed.Taken) and _of_whole_days(value):
            return start.astimezone(UTC).replace(tzinfo=self.clock.zone)
        return start

    def _found_period(self, found: StoredValue) -> Period:
        if isinstance(found, str):
            return periods.parse_period(found, self.clock.zone)
        return periods.instant(found if isinstance(found, datetime) else datetime.fromtimestamp(found / 1000, UTC))

    def _days(self, value: typed.Value) -> list[tuple[date, date]]:
        """Return the first and last calendar day of each period of a date value, for fields that hold whole days."""
        if isinstance(value, typed.RelativePeriod | typed.Now | typed.DatePeriod):
            return [periods.whole_days(value, self.clock)]
        in_utc = isinstance(value, typed.Taken) and _of_whole_days(value)
        clock = replace(self.clock, zone=UTC) if in_utc else self.clock
        return [periods.days_of(period, clock) for period in self._periods(value)]

    def date_bounds(self, target: Field, value: typed.Value) -> Period:
        """The period of a date value as the field stores dates: midnights in UTC where it holds whole days.

        Raises BindingError, InvalidDate.
        """
        return the_one(self.all_date_bounds(target, value), value)

    def all_date_bounds(self, target: Field, value: typed.Value) -> list[Period]:
        """As `date_bounds`, for each date of a value that stands for several."""
        if not target.whole_days:
            found = self._periods(value)
            if target.mapped.es_type == "date_nanos" and isinstance(value, typed.Taken) and _has_nanos(value):
                # Values are taken in milliseconds: it lies somewhere in this one, and is not after itself.
                self.tell(f"'{target.title}' is kept to the nanosecond, and compared with a stored moment by the "
                          "millisecond: moments within the same one are equal.")
                return [replace(period, instant=False) for period in found]
            return found
        days = self._days(value)
        if isinstance(value, typed.RelativePeriod) and value.count is not None:
            (first, last), unit = days[0], value.unit if value.count == 1 else f"{value.unit}s"
            span = "today" if first == last else f"{first} to {last}, counting today"
            self.tell(f"'{target.name}' holds whole days, so '{value.which} {value.count} {unit}' means {span}.")
        return [Period(_utc_midnight(first), _utc_midnight(last + timedelta(days=1))) for first, last in days]


def _of_whole_days(taken: typed.Taken) -> bool:
    """Whether the values come from a field of whole days, stored as midnights in UTC."""
    field = _field_of(taken)
    return field is not None and field.whole_days


def _has_nanos(taken: typed.Taken) -> bool:
    """Whether the values come from a field of nanoseconds."""
    field = _field_of(taken)
    return field is not None and field.mapped.es_type == "date_nanos"


def _field_of(taken: typed.Taken) -> typed.AnyField | None:
    """Return the field that values come from, if it is one."""
    source = taken.source
    if not isinstance(source, typed.Rows):
        return taken.field
    groups = (g.field for g in source.aggregate.groups if g.name == source.column and g.function is None)
    measured = (m.field for m in source.aggregate.measures if m.name == source.column)
    return next(iter((*groups, *measured)), None)


def _compared(found: StoredValue, field: Field | None) -> typed.Scalar:
    """Return a value of a document as it is compared: moments in milliseconds, numbers rounded as their field does."""
    value = periods.millis(found) if isinstance(found, datetime) else found
    return kept(field.mapped, value) if field is not None and is_number(value) else value


def _utc_midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def the_one(found: Sequence[T], value: typed.Value) -> T:
    """Return the single value. Raises BindingError for several or none: a context parameter can be any list."""
    if len(found) != 1:
        name, span = (f"${value.name}", value.span) if isinstance(value, typed.Param) else ("the value", NO_SPAN)
        what = "several values, which have no order" if found else "no value"
        raise BindingError("parameter-type", f"{name} stands for {what}", span, "pass one value")
    return found[0]
