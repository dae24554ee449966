"""`having`: conditions on the measures and keys of a row. A missing measure meets no comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import eq, ge, gt, le, lt
from typing import Any

from qlc.compiler import typed
from qlc.compiler.caseless import fold_case
from qlc.compiler.cycles import is_cycle, row_key
from qlc.compiler.environment import Bindings
from qlc.compiler.periods import Period
from qlc.mapping.fields import FieldKind
from qlc.resolver.rows.labels import KeyForm
from qlc.resolver.rows.model import KeyValue

_COMPARISONS: Mapping[str, Callable[[Any, Any], bool]] = {"=": eq, "in": eq, "<": lt, "<=": le, ">": gt, ">=": ge}


def _is_in(found: datetime, period: Period) -> bool:
    return period.start <= found < period.end


_DATE_COMPARISONS: Mapping[str, Callable[[datetime, Period], bool]] = {
    "=": _is_in,
    "in": _is_in,
    "<": lambda found, period: found < period.start,
    ">=": lambda found, period: found >= period.start,
    "<=": lambda found, period: found <= period.start if period.instant else found < period.end,
    ">": lambda found, period: found > period.start if period.instant else found >= period.end,
}
"""Comparisons of dates, as in conditions: `<` before the period starts, `>` after it ends; an instant is its own start
and end."""


@dataclass(frozen=True, slots=True)
class HavingColumn:
    """A column to compare: its position, and the form of its keys (None: a measure)."""

    position: int
    form: KeyForm | None = None

    def value(self, row: Sequence[Any]) -> KeyValue:
        found: KeyValue = row[self.position]
        if self.form is None or found is None:
            return found
        return self.form.rank(found) if is_cycle(self.form.group.function) else self.form.value(found)  # type: ignore[arg-type]


def row_test(
    condition: typed.RowCondition, columns: Mapping[str, HavingColumn], env: Bindings
) -> Callable[[Sequence[Any]], bool]:
    """Compile the condition to a test of a row: its keys as read, then its measures."""
    match condition:
        case typed.RowAnd() | typed.RowOr():
            parts = [row_test(item, columns, env) for item in condition.items]
            enough = all if isinstance(condition, typed.RowAnd) else any
            return lambda row: enough(part(row) for part in parts)
        case typed.RowNot():
            part = row_test(condition.item, columns, env)
            return lambda row: not part(row)
        case typed.RowCompare():
            column = columns[condition.name]
            tests = [test for value in condition.values for test in _tests(condition, value, column, env)]
            return lambda row: (found := column.value(row)) is not None and any(test(found) for test in tests)


Test = Callable[[Any], bool]


def _tests(
    condition: typed.RowCompare, value: typed.Value, column: HavingColumn, env: Bindings
) -> list[Test]:
    """Return tests for one value; one of them must hold."""
    operator, field = condition.operator, condition.field
    holds_ids = field.reference is not None or field.is_id
    if field.kind is FieldKind.DATE:
        compare = _DATE_COMPARISONS[operator]
        return [_against(compare, period) for period in env.all_date_bounds(field, value)]
    compare = _COMPARISONS[operator]
    wanted = env.typed_scalars(value, field, None)
    if column.form is not None and is_cycle(unit := column.form.group.function):
        keys = [row_key(unit, one) for one in wanted]
        return [_against(compare, column.form.rank(key)) for key in keys if key is not None]
    exact = field.exact_case or (isinstance(value, typed.Literal | typed.Param) and value.exact)
    if operator in ("=", "in") and isinstance(value, typed.Literal | typed.Param) and not holds_ids and not exact:
        return [_equal_up_to_case(scalar) for scalar in wanted]
    return [_against(compare, scalar) for scalar in wanted]


def _against(compare: Callable[[Any, Any], bool], wanted: typed.Scalar | Period) -> Test:
    return lambda found: bool(compare(found, wanted))


def _equal_up_to_case(wanted: typed.Scalar) -> Test:
    if not isinstance(wanted, str):
        return lambda found: bool(found == wanted)
    folded = fold_case(wanted)
    return lambda found: fold_case(str(found)) == folded
