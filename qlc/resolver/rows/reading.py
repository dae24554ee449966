"""Reads the rows of a typed aggregate, in the steps of the language: rows, having, top N, sort, limit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from qlc.compiler import typed
from qlc.compiler.aggregations.tree import MAX_BUCKETS
from qlc.compiler.codegen import conjuncts
from qlc.compiler.environment import Bindings
from qlc.compiler.groups import note_on_empty
from qlc.compiler.request import Clause, Reading, SearchRequest
from qlc.compiler.titles import row_titles
from qlc.compiler.walk import typed_parts
from qlc.mapping.fields import FieldKind
from qlc.resolver.rows.asking import BucketReading, filtered_body, matching, over_documents, together, unseen
from qlc.resolver.rows.columns import Column
from qlc.resolver.rows.empty import empty_values, read_empty_note, with_empty
from qlc.resolver.rows.having import HavingColumn, row_test
from qlc.resolver.rows.labels import KeyForm
from qlc.resolver.rows.model import Amount, Row, RowSet
from qlc.resolver.rows.names import Names, has_names_beside, names_beside, names_of_keys, told_apart
from qlc.resolver.rows.order import Line, RowOrder, Tie
from qlc.resolver.rows.references import column_of
from qlc.resolver.rows.table import Table, TableReading, calculated, is_estimate
from qlc.resolver.rows.totals import read_totals, with_totals
from qlc.resolver.rows.units import (
    Amounts,
    UnitsByRow,
    amounts_with_units,
    mixed_in_row,
    split_by_unit,
    units_by_row,
    units_note,
    units_of_row,
)


def read_rows(aggregate: typed.Aggregate, env: Bindings) -> Reading[RowSet]:
    """Return the rows of an aggregate, exact and in their final order. Without groups: one row without keys.

    Values are numbers (int for `count`, `distinct` and whole-number fields, else float), aware datetimes in UTC for
    dates, and None without values. Raises CannotAnswer: `too-many-rows`, `too-many-days`, `no-id-field`,
    `elements-not-kept`, `date-out-of-range`.
    """
    if not aggregate.groups and all(measure.function == "count" for measure in aggregate.measures):
        return (yield from _count(aggregate, env))
    plan = _Plan.of(aggregate, env)
    filters = _filters(aggregate, env)
    found = yield from over_documents(plan.read(), aggregate.entity, filters, _purpose(aggregate))
    return (yield from _finished(plan, found))


def _filters(aggregate: typed.Aggregate, env: Bindings) -> list[Clause]:
    """Return the filters for the documents.

    Elasticsearch uses a range in the query on the grouped field to skip values outside of it, although documents with
    several values have these too. It does not look inside a negation.
    """
    paths = {group.field.mapped.term_path for group in aggregate.groups if _can_have_several(group)}
    parts = conjuncts(aggregate.where)
    looked_into = [part for part in parts if paths & _paths_of_ranges(part)]
    if not looked_into:
        return matching(aggregate.entity, aggregate.where, env)
    hidden = [unseen(env.query(part)) for part in looked_into]
    rest = tuple(part for part in parts if part not in looked_into)
    return [*matching(aggregate.entity, typed.And(rest) if rest else typed.All(), env), *hidden]


def _can_have_several(group: typed.Group) -> bool:
    """Whether a group's field can have several values. Dates of elements are handled for every query (see `asking`)."""
    if group.element is not None:
        return group.field.kind is not FieldKind.DATE
    return group.field.many is not False


def _paths_of_ranges(condition: typed.Condition) -> set[str]:
    parts = typed_parts(condition, (typed.Taken,))
    return {part.field.mapped.term_path for part in parts if isinstance(part, _ON_A_RANGE)}


_ON_A_RANGE = (typed.Compare, typed.CompareDate, typed.Equals, typed.InPeriod, typed.OnCycle)


def _count(aggregate: typed.Aggregate, env: Bindings) -> Reading[RowSet]:
    body = filtered_body(matching(aggregate.entity, aggregate.where, env), track_total_hits=True)
    response = yield SearchRequest(aggregate.entity.index, body, f"number of {aggregate.entity.plural}")
    total = response["hits"]["total"]["value"]
    shown = tuple(measure.name for measure in aggregate.measures if not measure.hidden)
    return RowSet((), shown, (Row((), (total,) * len(shown)),))


def _purpose(aggregate: typed.Aggregate) -> str:
    if not aggregate.groups:
        return f"measures of {aggregate.entity.plural}"
    return f"rows of {aggregate.entity.plural} by {', '.join(group.name for group in aggregate.groups)}"


@dataclass(frozen=True, slots=True)
class _Results:
    """The results of reading: the measures by all groups, by the groups up to each `top`, names and units."""

    table: Table
    prefixes: Mapping[int, Table]
    names: Mapping[int, Names]
    units: Sequence[UnitsByRow]


@dataclass(frozen=True, slots=True)
class _Plan:
    """The readings for an aggregate, which share their requests."""

    aggregate: typed.Aggregate
    env: Bindings
    columns: tuple[Column, ...]
    forms: tuple[KeyForm, ...]
    amounts: Sequence[Amounts]

    @classmethod
    def of(cls, aggregate: typed.Aggregate, env: Bindings) -> _Plan:
        columns = tuple(column_of(group, env) for group in aggregate.groups)
        forms = tuple(KeyForm(group, env.clock) for group in aggregate.groups)
        return cls(aggregate, env, columns, forms, [] if aggregate.counted else amounts_with_units(aggregate))

    def read(self) -> BucketReading[_Results]:
        measures = self.aggregate.measures
        tables = [TableReading(self.columns, tuple(one for one in measures if not one.total), self.env, 0)]
        tops = [n for n, group in enumerate(self.aggregate.groups[:-1]) if group.top is not None]
        tables += [replace(tables[0], columns=self.columns[: n + 1]) for n in tops]
        named = [
            n for n, group in enumerate(self.aggregate.groups) if not group.through and has_names_beside(group.field)
        ]
        own = [one for one in self.amounts if not one.example.total]
        buckets = MAX_BUCKETS // (sum(t.readings() for t in tables) + len(named) + len(own))
        results: list[Any] = yield from together([
            *(replace(table, buckets=buckets * table.readings()).read() for table in tables),
            *(names_beside(self.aggregate.groups[n].field, self.columns[n].scope, self.env, buckets) for n in named),
            *(units_by_row(self.columns, amounts, self.env, buckets) for amounts in own),
        ])  # fmt: skip
        table, *rest = results
        names, units = rest[len(tops) : len(tops) + len(named)], rest[len(tops) + len(named) :]
        of_totals = [one for one in self.amounts if one.example.total]
        totals = yield from read_totals(self.aggregate, self.columns, of_totals, self.env)
        by_amounts = dict(zip((*own, *of_totals), (*units, *totals.units), strict=True))

        def whole(one: Table) -> Table:
            return calculated(with_totals(measures, one, totals.values), measures, self.env)

        return _Results(
            whole(table),
            {n: whole(prefix) for n, prefix in zip(tops, rest, strict=False)},
            dict(zip(named, names, strict=True)),
            [by_amounts[one] for one in self.amounts],
        )


def _finished(plan: _Plan, found: _Results) -> Reading[RowSet]:
    aggregate, env, table = plan.aggregate, plan.env, found.table
    about_empty: list[str] = []
    if any(group.empty for group in aggregate.groups):
        table = yield from with_empty(aggregate, plan.columns[0], table, env)
    elif note_on_empty(aggregate, env.schema) and _having(plan, [Line(_NO_KEY, empty_values(aggregate, table))]):
        about_empty = yield from read_empty_note(aggregate, [keys[0] for keys in table if keys], env)
    lines = _having(plan, [Line(keys, values) for keys, values in table.items()])
    names: list[dict[typed.Scalar, str]] = [dict(found.names.get(n, {})) for n in range(len(aggregate.groups))]
    order = RowOrder(aggregate, plan.forms, names)
    sorted_by = {key.name for key in aggregate.sort}
    for n, group in enumerate(aggregate.groups if not aggregate.counted else ()):
        if group.name in sorted_by:
            yield from _name_keys(group, n, names[n], lines, env)
    ties: list[Tie] = []
    for n, group in enumerate(aggregate.groups):
        if group.top is not None:
            lines, cut = order.topped(lines, n, found.prefixes.get(n, table))
            ties += cut
    if aggregate.counted:
        return RowSet((), ("count",), (Row((), (len(lines),)),), tuple(about_empty))
    if aggregate.groups:
        lines, cut = order.limited(order.sorted(lines, order.criteria()))
        ties += cut
    in_ties = [line for tie in ties for line in (tie.before, tie.after)]
    for n, group in enumerate(aggregate.groups):
        yield from _name_keys(group, n, names[n], [*lines, *in_ties], env)
    rows = _row_set(plan, found, order, lines, ties)
    rows = replace(rows, notes=(*rows.notes, *about_empty))
    return rows if aggregate.groups else replace(rows, by_unit=(yield from _by_unit(plan, rows)))


def _by_unit(plan: _Plan, rows: RowSet) -> Reading[dict[str, list[tuple[str, Amount]]]]:
    """Return the values of mixed measures for each unit, and under an empty one those of amounts without."""
    found: dict[str, list[tuple[str, Amount]]] = {}
    for amounts in plan.amounts:
        split = split_by_unit(plan.aggregate, amounts)
        if split is None or not rows.rows[0].mixed.intersection(amounts.names):
            continue
        for aggregate in split:
            parts = yield from read_rows(aggregate, plan.env)
            for row in parts.rows:
                unit = row.keys[0].label if row.keys else ""
                for name, value in zip(parts.measures, row.values, strict=True):
                    if value is not None:
                        found.setdefault(name, []).append((unit, value))
    return found


def _name_keys(
    group: typed.Group, number: int, names: dict[typed.Scalar, str], lines: Sequence[Line], env: Bindings
) -> Reading[None]:
    """Look up names of the group's keys that are not yet known."""
    unknown = {line.keys[number] for line in lines if len(line.keys) > number} - names.keys()
    names |= yield from names_of_keys(group, unknown, env)
    names |= yield from told_apart(group, names, env)


_NO_KEY = ("",)
"""The key of a row that is tested by its measures alone."""


def _having(plan: _Plan, lines: list[Line]) -> list[Line]:
    aggregate = plan.aggregate
    if aggregate.having is None:
        return lines
    columns = {group.name: HavingColumn(n, plan.forms[n]) for n, group in enumerate(aggregate.groups)}
    for n, measure in enumerate(aggregate.measures, len(columns)):
        columns[measure.name] = HavingColumn(n)
    test = row_test(aggregate.having, columns, plan.env)
    return [line for line in lines if test((*line.keys, *line.values))]


def _row_set(plan: _Plan, found: _Results, order: RowOrder, lines: Sequence[Line], ties: Sequence[Tie]) -> RowSet:
    measures = plan.aggregate.measures
    shown = [n for n, measure in enumerate(measures) if not measure.hidden]
    rows = tuple(
        Row(
            order.keys(line), tuple(line.values[n] for n in shown), units_of_row(plan.amounts, found.units, line.keys),
            mixed_in_row(plan.amounts, found.units, line.keys),
        )
        for line in lines
    )
    estimates = [n for n in shown if any(is_estimate(measures[n], line.values[n]) for line in lines)]
    called = row_titles(plan.aggregate)
    names = [called.get(measure.name, measure.name) for measure in measures]
    notes = order.tie_notes(ties, lines) + [f"'{names[n]}' is approximate." for n in estimates]
    notes += _without_value(plan.aggregate, lines)
    for amounts, units in zip(plan.amounts, found.units, strict=True):
        note = units_note(amounts, units, [line.keys for line in lines], called)
        notes += [note] if note else []
    return RowSet(
        groups=tuple(group.name for group in plan.aggregate.groups),
        measures=tuple(measures[n].name for n in shown),
        rows=rows,
        notes=tuple(notes),
        approximate=tuple(measures[n].name for n in estimates),
    )


def _without_value(aggregate: typed.Aggregate, lines: Sequence[Line]) -> list[str]:
    """Return a note for each measure without a value in some rows."""
    notes, called = [], row_titles(aggregate)
    for n, measure in enumerate(aggregate.measures):
        none = sum(line.values[n] is None for line in lines)
        if none and not measure.hidden and (aggregate.groups or measure.expression is not None):
            rows = " in the row" if aggregate.groups else ""
            rows = f" in {none:,} of {len(lines):,} rows" if len(lines) > 1 else rows
            name = called.get(measure.name, measure.name)
            why = "no document there has one" if measure.expression is None else (
                "it divides by zero, or a part of it has no value")
            notes.append(f"'{name}' has no value{rows}: {why}.")
    return notes
