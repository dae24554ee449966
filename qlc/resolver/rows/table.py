"""Tables: the measures of every row, each read in an exact way, combined by the keys of the row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from itertools import chain
from typing import Any

from qlc.compiler.aggregations.scope import Scope, measured_in_bucket, scope_of
from qlc.compiler.aggregations.statistics import (
    Cell,
    Part,
    Statistic,
    Summarised,
    statistic_of,
)
from qlc.compiler.aggregations.tree import Keys
from qlc.compiler.environment import Bindings
from qlc.compiler.evaluation import DivisionByZero, Operand, evaluate
from qlc.compiler.numbers import written
from qlc.compiler.periods import millis
from qlc.compiler.request import CannotAnswer, Clause
from qlc.compiler.typed import Constant, Measure, MeasureValue, Scalar
from qlc.mapping.fields import FieldKind
from qlc.resolver.instants import moment
from qlc.resolver.rows.asking import BucketReading, together
from qlc.resolver.rows.cells import CellReading, read_cells
from qlc.resolver.rows.columns import Column, value_column
from qlc.resolver.rows.model import Amount

LARGEST_EXACT = 2**53
"""From here on, a double (in which Elasticsearch adds) stands for several whole numbers."""

Table = dict[Keys, tuple[Amount, ...]]
"""The measures of each row by its keys, in order."""


@dataclass(frozen=True)
class TableReading:
    """Rows of some columns and measures. `buckets`: most buckets in one response; `among`: a condition on the
    documents, None for all."""

    columns: tuple[Column, ...]
    measures: tuple[Measure, ...]
    env: Bindings
    buckets: int
    among: Clause | None = None

    def readings(self) -> int:
        """Return the number of readings, which share each response."""
        return len(self._homes) + sum(measure.function == "distinct" for measure in self.measures)

    def read(self) -> BucketReading[Table]:
        """Read the table. Raises CannotAnswer if there are more rows than the bound."""
        share = self.buckets // self.readings()
        distinct = [measure for measure in self.measures if measure.function == "distinct"]
        cells, *numbers = yield from together([
            self._cells(share),
            *(self._distinct(measure, share) for measure in distinct),
        ])  # fmt: skip
        read = self._readers(dict(zip(distinct, numbers, strict=True)))
        return {keys: tuple(amount_of(keys, cell) for amount_of in read) for keys, cell in cells.items()}

    def _readers(self, counts: Mapping[Measure, Mapping[Keys, int]]) -> list[Callable[[Keys, Cell], Amount]]:
        """Return a function for each measure that reads it from a row. `counts`: those of the `distinct` measures."""
        positions = {statistic: at for at, statistic in enumerate(chain(*self._homes.values()))}

        def reader(measure: Measure) -> Callable[[Keys, Cell], Amount]:
            if measure in counts:
                return lambda keys, cell: counts[measure].get(keys, 0)
            statistic = statistic_of(measure)
            if measure.expression is not None:
                return lambda keys, cell: None  # calculated from the others afterwards
            if statistic is None:
                return lambda keys, cell: cell.documents
            position = positions[statistic]
            return lambda keys, cell: amount(measure, cell.parts[position], cell.documents)

        return [reader(measure) for measure in self.measures]

    @cached_property
    def _homes(self) -> dict[Scope | None, tuple[Statistic, ...]]:
        """Group statistics by the list whose elements they measure. Statistics of documents go with the first list."""
        homes: dict[Scope | None, dict[Statistic, None]] = {}
        statistics = [statistic for measure in self.measures if (statistic := statistic_of(measure)) is not None]
        placed = [(statistic, self._home(statistic.scope)) for statistic in statistics]
        for statistic, home in placed:
            if home is not None:
                homes.setdefault(home, {})[statistic] = None
        rest = homes[next(iter(homes))] if homes else homes.setdefault(None, {})
        rest.update((statistic, None) for statistic, home in placed if home is None)
        return {home: tuple(found) for home, found in homes.items()}

    def _home(self, scope: Scope) -> Scope | None:
        """Return the group's list that a measure uses: one with the same condition, else one without a condition."""
        scopes = [column.scope for column in self.columns]
        fitting = [other for other in scopes if measured_in_bucket(scope, other)]
        return next((other for other in fitting if other == scope), fitting[0] if fitting else None)

    def _cells(self, buckets: int) -> BucketReading[Any]:
        """Read the cell of each row, with all statistics."""
        found: list[dict[Keys, Cell]] = yield from together([
            self._of_home(home, statistics, buckets) for home, statistics in self._homes.items()
        ])  # fmt: skip
        first, *others = found
        if not others:
            return first
        return {
            keys: replace(cell, parts=cell.parts + tuple(chain(*(other[keys].parts for other in others))))
            for keys, cell in first.items()
            # A row that a write has added between two requests is in one reading only.
            if all(keys in other for other in others)
        }

    def _of_home(
        self, home: Scope | None, statistics: tuple[Statistic, ...], buckets: int
    ) -> BucketReading[dict[Keys, Cell]]:
        cells: dict[Keys, Cell] = {}

        def take(keys: Keys, cell: Cell) -> None:
            cells[keys] = cells[keys] + cell if keys in cells else cell
            check_rows(len(cells), self.env)

        yield from read_cells(self._reading(statistics, buckets, home), take)
        return {keys: cell for keys, cell in cells.items() if cell.documents or not keys}

    def _reading(self, statistics: tuple[Statistic, ...], buckets: int, home: Scope | None) -> CellReading:
        return CellReading(self.columns, self.env, buckets, statistics, home=home, among=self.among)

    def _distinct(self, measure: Measure, buckets: int) -> BucketReading[Any]:
        """Count the distinct values of a field in each row's documents (or elements)."""
        values = yield from values_by_row(self.columns, measure, self.env, buckets, self.among)
        return {keys: len(found) for keys, found in values.items()}


def values_by_row(
    columns: Sequence[Column], measure: Measure, env: Bindings, buckets: int, among: Clause | None = None
) -> BucketReading[dict[Keys, set[Scalar]]]:
    """Return the distinct values of the measure's field in each row, for all documents or for those that match
    `among`."""
    assert measure.field is not None
    scope = scope_of(measure.field, measure.element, measure.narrowed)
    scopes = [column.scope for column in columns if measured_in_bucket(scope, column.scope)]
    if scopes and scope not in scopes:
        home = scopes[0]
        scope = home if scope.narrowed is None else scope
        columns = [replace(column, scope=scope) if column.scope == home else column for column in columns]
    found: dict[Keys, set[Scalar]] = {}

    def take(keys: Keys, cell: Cell) -> None:
        found.setdefault(keys[:-1], set()).add(keys[-1])
        check_rows(len(found), env)

    wanted = (*columns, value_column(measure.field, scope))
    yield from read_cells(CellReading(wanted, env, buckets, counted=False, among=among), take)
    return found


def calculated(table: Table, measures: Sequence[Measure], env: Bindings) -> Table:
    """Return the table with the calculations of each row filled in, in their order, since one may use an earlier one.
    A division by zero gives None."""
    places = {measure.name: place for place, measure in enumerate(measures)}
    made = [(place, measure.expression) for place, measure in enumerate(measures) if measure.expression is not None]
    if not made:
        return table

    def value(amounts: Sequence[Amount], node: Operand) -> int | float | None:
        if isinstance(node, Constant):
            return env.constant(node)
        assert isinstance(node, MeasureValue)
        found = amounts[places[node.name]]
        return millis(found) if isinstance(found, datetime) else found

    for keys, row in table.items():
        amounts = list(row)
        for place, expression in made:
            try:
                amounts[place] = evaluate(expression, partial(value, amounts))
            except DivisionByZero:
                amounts[place] = None
        table[keys] = tuple(amounts)
    return table


def check_rows(number: int, env: Bindings) -> None:
    """Check the number of rows. Raises CannotAnswer."""
    if number > env.bounds.rows:
        raise CannotAnswer(
            "too-many-rows",
            f"there are more than {env.bounds.rows:,} rows",
            "group by fewer fields or larger steps, or narrow the documents with 'where'",
        )


def amount(measure: Measure, part: Part, documents: int) -> Amount:
    """Compute a measure of one row from its statistic; None without values.

    Elasticsearch's `sum` of no values is 0, which would look like values that add up to 0.
    """
    if measure.condition is not None:
        assert isinstance(part, int)
        return part / documents if documents else None
    if not isinstance(part, Summarised):
        return _as_stored(measure, part)
    if not part.count:
        return None
    values = {"sum": part.sum, "avg": part.sum / part.count, "min": part.low, "max": part.high}
    return _as_stored(measure, values[measure.function])


def _as_stored(measure: Measure, number: float | None) -> Amount:
    assert measure.field is not None
    if number is None:
        return None
    if measure.field.kind is FieldKind.DATE:
        return moment(number)
    whole = measure.field.kind is FieldKind.WHOLE_NUMBER and measure.function in ("sum", "min", "max")
    if whole:
        return int(number)
    mapped = measure.field.mapped
    kept = measure.function in ("min", "max") or (measure.function == "sum" and mapped.scaling_factor is not None)
    return written(mapped, float(number)) if kept else float(number)


def is_estimate(measure: Measure, value: Amount) -> bool:
    """Whether the value is an estimate: a percentile, or whole numbers too large for a double."""
    if measure.function in ("median", "percentile"):
        return value is not None
    whole = measure.field is not None and measure.field.kind is FieldKind.WHOLE_NUMBER
    return whole and isinstance(value, int | float) and abs(value) >= LARGEST_EXACT
