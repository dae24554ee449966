"""Totals: `total(M)` is the measure M over the documents of all rows, those that `having` and `limit` leave out too."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from elasticsearch.dsl.query import Bool, Exists

from qlc.compiler import typed
from qlc.compiler.aggregations.scope import Scope, measured_in_bucket, scope_of
from qlc.compiler.aggregations.tree import MAX_BUCKETS
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Clause, conjunction, nested
from qlc.resolver.rows.asking import BucketReading, together
from qlc.resolver.rows.columns import Column
from qlc.resolver.rows.model import Amount
from qlc.resolver.rows.table import Table, TableReading
from qlc.resolver.rows.units import Amounts, UnitsByRow, units_by_row


@dataclass(frozen=True, slots=True)
class Totals:
    """The totals of an aggregate: their values in the order of the measures, and the units of their amounts."""

    values: tuple[Amount, ...] = ()
    units: tuple[UnitsByRow, ...] = ()


def read_totals(
    aggregate: typed.Aggregate, columns: Sequence[Column], amounts: Sequence[Amounts], env: Bindings
) -> BucketReading[Totals]:
    """Read the totals of an aggregate, after its rows: a key behind a reference is known only then."""
    measures = tuple(_of_elements_in_rows(one, aggregate.groups) for one in aggregate.measures if one.total)
    if not measures:
        return Totals()
    among = in_a_row(columns, env)
    table = yield from TableReading((), measures, env, MAX_BUCKETS, among).read()
    units = yield from together([units_by_row((), one, env, MAX_BUCKETS, [among]) for one in amounts])
    return Totals(table[()], tuple(units))


def with_totals(measures: Sequence[typed.Measure], table: Table, totals: Sequence[Amount]) -> Table:
    """Put the totals into each row, at the places of their measures."""
    if not totals:
        return table

    def row(own: Sequence[Amount]) -> tuple[Amount, ...]:
        left = {True: iter(totals), False: iter(own)}
        return tuple(next(left[measure.total]) for measure in measures)

    return {keys: row(own) for keys, own in table.items()}


def in_a_row(columns: Sequence[Column], env: Bindings) -> Clause:
    """Return the condition that a document is in at least one row: it has a value for each group, in one element where
    groups are of the same elements."""
    by_scope: dict[Scope, list[Clause]] = {}
    for column in columns:
        known = column.derivation.occurring() if column.derivation is not None else column.present
        by_scope.setdefault(column.scope, []).append(Exists(field=column.path) if known is None else known)
    clauses: list[Clause] = []
    for scope, inside in by_scope.items():
        narrowed = [env.query(scope.narrowed)] if scope.narrowed is not None else []
        clauses.append(nested(scope.path, Bool(filter=[*narrowed, *inside])))
    return conjunction(clauses)


def _of_elements_in_rows(measure: typed.Measure, groups: Sequence[typed.Group]) -> typed.Measure:
    """Restrict a measure of elements to those that have a value for the groups of the same elements."""
    conditions = [] if measure.narrowed is None else [measure.narrowed]
    for group in groups if measure.field is not None else ():
        assert measure.field is not None
        scope = scope_of(group.field, group.element, group.narrowed)
        if not group.through and measured_in_bucket(scope_of(measure.field, measure.element, measure.narrowed), scope):
            conditions += [*([] if group.narrowed is None else [group.narrowed]), typed.Exists(group.field)]
    distinct = tuple(dict.fromkeys(conditions))
    narrowed = (typed.And(distinct) if len(distinct) > 1 else distinct[0]) if distinct else None
    return replace(measure, total=False, narrowed=narrowed)
