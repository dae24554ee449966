"""Static checks: conditions that contradict each other, and conditions that are always true.

Each conjunction becomes a set of constraints per field. If a field holds at most one value, that value must meet all of
its constraints. Elements of a list can each meet another one, so for lists only presence is compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as attribute
from datetime import datetime
from typing import Any, TypeGuard

from qlc.base.deadline import checkpoint
from qlc.base.diagnostics import NO_SPAN, Diagnostic, Span
from qlc.compiler import typed
from qlc.compiler.caseless import fold_case
from qlc.compiler.check import Checked
from qlc.compiler.codegen import conjuncts
from qlc.compiler.date_clauses import date_limit
from qlc.compiler.environment import Bindings
from qlc.compiler.parameters import BindingError
from qlc.compiler.periods import InvalidDate
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Field

MAX_BRANCHES = 256
"""Most conjunctions of a condition's disjunctive normal form; a larger one is not examined."""
MAX_UNFOLDED = 20_000
"""Most conditions in all of these conjunctions together."""

OUTSIDE_CALENDAR = "write a shorter period, or the dates themselves"

Point = str | int | float | bool | datetime


def inconsistencies(checked: Checked, env: Bindings) -> tuple[Diagnostic, ...]:
    """Errors (contradictions, empty periods) and warnings (always true) of a checked program."""
    if checked.statement is None:
        return ()
    found: dict[Diagnostic, None] = {}
    parts = checked.parts
    try:
        kinds = {type(part) for part in parts}
        for part in parts if typed.RelativePeriod in kinds else ():
            if isinstance(part, typed.RelativePeriod):
                env.period(part)  # raises where it leaves the calendar
        for condition, top in _conditions([part for part in parts if type(part) in _WITH_CONDITIONS]):
            for diagnostic in _examine(condition, env, checked.places, top=top):
                found[diagnostic] = None
    except InvalidDate as problem:
        found[Diagnostic("invalid-date", str(problem), problem.span, OUTSIDE_CALENDAR)] = None
    return tuple(found)


def _conditions(parts: Sequence[Any]) -> Iterator[tuple[typed.Condition, bool]]:
    """Every condition on documents in the program, and whether it is the statement's own `where`."""
    for part in parts:
        match part:
            case typed.Find(where=where) | typed.Aggregate(where=where):
                yield where, part is parts[0]  # the statement has one, and is the first of all
            case typed.Measure() | typed.Group() | typed.Sort():
                inner = (part.narrowed, part.condition if isinstance(part, typed.Measure) else None)
                yield from ((condition, False) for condition in inner if condition is not None)


_WITH_CONDITIONS = frozenset({typed.Find, typed.Aggregate, typed.Measure, typed.Group, typed.Sort})

Places = Sequence[tuple[typed.Condition, Span]]


def _examine(condition: typed.Condition, env: Bindings, places: Places, *, top: bool) -> Iterator[Diagnostic]:
    for group in _conjunctions(condition):
        clash = _reversed_dates(group, env, places) or _clash(group, env, places)
        if clash is not None:
            yield clash
            return
    if isinstance(condition, typed.All) or _is_plain(condition):
        return
    if _never(condition, env):
        yield Diagnostic("contradiction", "nothing can meet this condition", _place(condition, places),
                         "leave a part of it out, or join the parts with 'or'")
    elif top and _never(typed.Not(condition), env):
        yield Diagnostic("always-true", "this condition is met by everything", _place(condition, places),
                         "leave it out, or ask for less", severity="warning")


def _is_plain(condition: typed.Condition) -> bool:
    """Whether a condition is one requirement or a conjunction of them, so that it cannot be always true."""
    if isinstance(condition, typed.And):
        return all(_is_plain(item) for item in condition.items)
    return type(condition) not in _NOT_PLAIN


_NOT_PLAIN = (typed.Or, typed.Not, typed.All)


def _reversed_dates(parts: tuple[typed.Condition, ...], env: Bindings, places: Places) -> Diagnostic | None:
    """Report a `between` whose first date is later than its second. Rolling periods are skipped: their ends are not
    known."""
    for part in parts:
        inner = typed.unnegated(part)
        if not isinstance(inner, typed.CompareDate) or len(inner.bounds) != 2:
            continue
        (_, low), (_, high) = inner.bounds
        if not (_judged(low) and _judged(high)):
            continue
        if env.date_bounds(inner.field, low).start > env.date_bounds(inner.field, high).start:
            message = f"the first date of the range of '{inner.field.name}' is the later one"
            return Diagnostic("reversed-range", message, _place(inner, places), "write the earlier date first")
    return None


def _conjunctions(condition: typed.Condition) -> Iterator[tuple[typed.Condition, ...]]:
    """Yield the conjunctions in a condition, innermost elements included. Each of them must be satisfiable."""
    parts = tuple(conjuncts(condition))
    yield parts
    for part in parts:
        match part:
            case typed.Or(items=items):
                for item in items:
                    yield from _conjunctions(item)
            case typed.Not(item=typed.And() | typed.Or() | typed.Element() as item):
                yield from _conjunctions(item)
            case typed.Element(condition=inner):
                yield from _conjunctions(inner)


# --- one conjunction -------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Constraint:
    """The constraints of a conjunction on one field that holds at most one value. `present`: a value is required."""

    field: Field
    present: bool = False
    absent: bool = False
    allowed: frozenset[Point] | None = None
    excluded: set[Point] = attribute(default_factory=set)
    low: Point | None = None
    low_open: bool = False
    high: Point | None = None
    high_open: bool = False

    @property
    def empty(self) -> bool:
        if self.absent:
            return self.present
        if not self.present:
            return False
        if self.allowed is not None:
            return not any(self._within(value) for value in self.allowed - self.excluded)
        if self.low is None or self.high is None:
            return False
        return _less(self.high, self.low) or (self.low == self.high and (self.low_open or self.high_open))

    def _within(self, value: Point) -> bool:
        below = self.low is not None and (_less(value, self.low) or (self.low_open and value == self.low))
        above = self.high is not None and (_less(self.high, value) or (self.high_open and value == self.high))
        return not (below or above)

    def allow(self, values: Iterable[Point]) -> None:
        self.present = True
        wanted = frozenset(values)
        self.allowed = wanted if self.allowed is None else self.allowed & wanted

    def at_least(self, value: Point, is_open: bool) -> None:
        self.present = True
        if self.low is None or _less(self.low, value) or (value == self.low and is_open):
            self.low, self.low_open = value, is_open

    def at_most(self, value: Point, is_open: bool) -> None:
        self.present = True
        if self.high is None or _less(value, self.high) or (value == self.high and is_open):
            self.high, self.high_open = value, is_open


def _less(left: Point, right: Point) -> bool:
    if isinstance(left, str) != isinstance(right, str) or isinstance(left, datetime) != isinstance(right, datetime):
        return False
    return left < right  # type: ignore[operator]


def _clash(parts: tuple[typed.Condition, ...], env: Bindings, places: Places) -> Diagnostic | None:
    checkpoint()
    if not _share_a_field(parts):
        return None
    constraints: dict[str, _Constraint] = {}
    for part in parts:
        constrained = _constrain(part, constraints, env)
        if constrained is not None and constrained.empty:
            name = constrained.field.name
            if len(parts) == 1:
                return Diagnostic("never-true", f"nothing can meet this condition on '{name}'", _place(part, places),
                                  "check the values")
            keys = dict.fromkeys(key for key in map(_key_of, parts) if key is not None)
            if len(keys) > 1:
                list_ = name.rpartition(".")[0]
                each = " and ".join(f"{list_}.{key} = ..." for key in keys)
                return Diagnostic("contradiction", f"an element of '{list_}' has one key, so nothing can meet "
                                  "conditions on two keys in one pair of brackets", _place(part, places),
                                  f"write each key outside of brackets: {each}")
            return Diagnostic("contradiction", f"the conditions on '{name}' contradict each other, so nothing can meet "
                              "them all", _place(part, places), "leave one out, or join them with 'or'")
    without = {part.item.list.path for part in parts if _has_no_element(part) and isinstance(part.item, typed.Element)}
    for part in parts if without else ():
        if isinstance(part, typed.Element) and part.list.path in without:
            return Diagnostic("contradiction", f"'{part.list.name}' is asked to be missing and to have an element",
                              _place(part, places), "leave one out, or join them with 'or'")
    opposites = {part.item for part in parts if isinstance(part, typed.Not)}
    for part in parts if opposites else ():
        if part in opposites:
            return Diagnostic("contradiction", "a condition and its opposite are asked for together",
                              _place(part, places), "leave one out")
    return None


def _key_of(condition: typed.Condition) -> str | None:
    """Return the key if the condition is on the value of one key of a key/value list."""
    subject = _subject(typed.unnegated(condition))
    return subject.of_key.key if subject is not None and subject.of_key is not None else None


def _share_a_field(parts: tuple[typed.Condition, ...]) -> bool:
    """Whether two parts can conflict. Most conjunctions use each field once, and need no comparison."""
    seen: set[str] = set()
    for part in parts:
        subject = _subject(typed.unnegated(part))
        if subject is None:
            continue
        path = subject.mapped.path
        if path in seen or (isinstance(part, typed.Equals) and not part.values):
            return True
        seen.add(path)
    negated = [part for part in parts if isinstance(part, typed.Not)]
    asked = set(parts) if negated else ()
    return any(part.item in asked or _has_no_element(part) for part in negated)


def _has_no_element(part: typed.Condition) -> TypeGuard[typed.Not]:
    """Whether a condition is `LIST missing`."""
    return (
        isinstance(part, typed.Not)
        and isinstance(part.item, typed.Element)
        and isinstance(part.item.condition, typed.All)
    )


def _place(condition: typed.Condition, places: Places) -> Span:
    """Return the span of a condition, or of the condition that it negates."""
    inner = typed.unnegated(condition)
    return next((span for placed, span in places if placed in (condition, inner)), NO_SPAN)


def _constrain(part: typed.Condition, found: dict[str, _Constraint], env: Bindings) -> _Constraint | None:
    """Add a condition to the constraints of its field. None for conditions that cannot be judged."""
    negated = isinstance(part, typed.Not)
    inner = typed.unnegated(part)
    subject = _subject(inner)
    if subject is None:
        return None
    constraint = found.setdefault(subject.mapped.path, _Constraint(subject))
    try:
        if negated:
            _exclude(inner, constraint, env)
        else:
            _require(inner, constraint, env)
    except BindingError:
        return None
    return constraint


def _subject(condition: typed.Condition) -> Field | None:
    return condition.field if isinstance(condition, _OF_A_FIELD) else None


_OF_A_FIELD = (typed.Equals, typed.Compare, typed.InPeriod, typed.CompareDate, typed.Exists, typed.Pattern)


def _require(condition: typed.Condition, constraint: _Constraint, env: Bindings) -> None:
    constraint.present = True
    if constraint.field.many is not False:
        return  # each condition may be met by another value; only that there is one is known
    match condition:
        case typed.Equals():
            points = _points(condition, env)
            if points is not None:
                constraint.allow(points)
        case typed.Compare():
            for operator, value in condition.bounds:
                # Texts are ordered by their bytes and equal up to case: the two are not held against each other.
                if isinstance(value, typed.Literal) and not isinstance(value.value, str):
                    _bound(constraint, operator, value.value)
        case typed.InPeriod():
            if _judged(condition.period):
                period = env.date_bounds(condition.field, condition.period)
                constraint.at_least(period.start, False)
                constraint.at_most(period.end, True)
        case typed.CompareDate():
            for operator, date in condition.bounds:
                if _judged(date):
                    for limit, moment in date_limit(operator, env.date_bounds(condition.field, date)).items():
                        _bound(constraint, limit, moment)


def _judged(value: typed.Value) -> bool:
    """Whether a date value is known before the query runs."""
    return isinstance(value, typed.DatePeriod | typed.RelativePeriod | typed.Now) or (
        isinstance(value, typed.PeriodAround) and _judged(value.value)
    )


def _bound(constraint: _Constraint, operator: str, value: Point) -> None:
    """Add a bound; its operator is one of the language, or of a range query (`lt`)."""
    if operator in ("<", "<=", "lt", "lte"):
        constraint.at_most(value, operator in ("<", "lt"))
    else:
        constraint.at_least(value, operator in (">", "gt"))


def _exclude(condition: typed.Condition, constraint: _Constraint, env: Bindings) -> None:
    match condition:
        case typed.Exists():
            constraint.absent = True
        case typed.Equals() if constraint.field.many is False:
            # Without one spelling there may be others of the same text.
            inexact = tuple(one for one in condition.values if not (isinstance(one, typed.Literal) and one.exact))
            points = _points(replace(condition, values=inexact), env)
            if points is not None:
                constraint.excluded |= points


def _points(condition: typed.Equals, env: Bindings) -> frozenset[Point] | None:
    """Return the values that an equality allows, case-folded if it ignores case; None if some are not yet known."""
    if condition.field.kind is FieldKind.IP:
        return None
    points: set[Point] = set()
    for value in condition.values:
        if not isinstance(value, typed.Literal):
            return None
        folded = condition.folded and isinstance(value.value, str)
        points.add(fold_case(str(value.value)) if folded else value.value)
    return frozenset(points)


# --- always and never ------------------------------------------------------------------------------------------------


def _never(condition: typed.Condition, env: Bindings) -> bool:
    """Whether no document can meet the condition, as far as constraints on single fields show."""
    branches = _dnf(condition)
    return branches is not None and all(_clash(branch, env, ()) is not None for branch in branches)


def _dnf(condition: typed.Condition) -> list[tuple[typed.Condition, ...]] | None:
    """Return the condition in disjunctive normal form, a list of conjunctions; None if it would be too large."""
    match condition:
        case typed.Not(item=typed.Not(item=inner)):
            return _dnf(inner)
        case typed.Not(item=typed.And(items=items)):
            return _dnf_of_or([typed.Not(item) for item in items])
        case typed.Not(item=typed.Or(items=items)):
            return _dnf_of_and([typed.Not(item) for item in items])
        case typed.And(items=items):
            return _dnf_of_and(list(items))
        case typed.Or(items=items):
            return _dnf_of_or(list(items))
        case _:
            return [(condition,)]


def _dnf_of_or(items: list[typed.Condition]) -> list[tuple[typed.Condition, ...]] | None:
    found: list[tuple[typed.Condition, ...]] = []
    for item in items:
        branches = _dnf(item)
        if branches is None or len(found) + len(branches) > MAX_BRANCHES:
            return None
        found += branches
    return found


def _dnf_of_and(items: list[typed.Condition]) -> list[tuple[typed.Condition, ...]] | None:
    """Return the DNF of a conjunction. Parts with a single branch are appended once at the end, not copied into each
    product."""
    found: list[tuple[typed.Condition, ...]] = [()]
    common: list[typed.Condition] = []
    for item in items:
        branches = _dnf(item)
        if branches is None or len(found) * len(branches) > MAX_BRANCHES:
            return None
        if len(branches) == 1:
            common += branches[0]
        else:
            found = [(*left, *right) for left in found for right in branches]
    if len(found) * (len(common) + 1) > MAX_UNFOLDED:
        return None
    return [(*branch, *common) for branch in found]
