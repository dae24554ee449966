"""Amounts whose unit is in another field (a currency): rows that mix several units are reported."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from qlc.compiler.aggregations.tree import Keys
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Clause, conjunction
from qlc.compiler.typed import Aggregate, And, Element, Exists, Group, Measure, Not, Scalar
from qlc.mapping.schema import Field
from qlc.resolver.rows.asking import BucketReading
from qlc.resolver.rows.columns import Column
from qlc.resolver.rows.table import values_by_row

IN_THE_UNIT = frozenset({"sum", "avg", "min", "max", "median", "percentile", "calculation"})
"""Measures whose result has the unit of their field."""

UnitsByRow = dict[Keys, set[Scalar]]


@dataclass(frozen=True, slots=True)
class Amounts:
    """Amounts that are mixed in measures, and the field with their unit. `example` is one of the measures."""

    unit: Field
    example: Measure
    names: tuple[str, ...]

    def keys(self, row: Keys) -> Keys:
        """Return the keys of the documents that the measures of a row cover: none for totals."""
        return () if self.example.total else row


def amounts_with_units(aggregate: Aggregate) -> list[Amounts]:
    """Return the mixed amounts of visible measures: one for each field (of the same elements) with a unit that no group
    fixes."""
    found: dict[tuple[object, ...], Amounts] = {}
    for measure in aggregate.measures:
        unit = _unit_field(measure, aggregate)
        if unit is not None:
            key = (measure.field, measure.element and measure.element.path, measure.narrowed, measure.total)
            before = found[key].names if key in found else ()
            found[key] = Amounts(unit, measure, (*before, measure.name))
    return list(found.values())


def _unit_field(measure: Measure, aggregate: Aggregate) -> Field | None:
    name = measure.field.unit_field if measure.field is not None else None
    if name is None or measure.hidden or measure.function not in IN_THE_UNIT:
        return None
    beside = measure.element.fields if measure.element is not None else {}
    found = beside.get(name) or aggregate.entity.fields.get(name)
    grouped = any(group.field == found and not group.through and group.function is None for group in aggregate.groups)
    return None if found is None or (grouped and not found.many and not measure.total) else found


def units_by_row(
    columns: Sequence[Column], amounts: Amounts, env: Bindings, buckets: int, among: Sequence[Clause] = ()
) -> BucketReading[UnitsByRow]:
    """Return the units in each row, from documents with an amount that meet `among`."""
    measure, unit = amounts.example, amounts.unit
    element = measure.element
    if element is None or unit.mapped.nested_path != element.path:
        units = Measure("unit", "distinct", unit)
    else:
        units = Measure("unit", "distinct", unit, element=element, narrowed=measure.narrowed)
    return values_by_row(columns, units, env, buckets, among=conjunction([*among, _with_amount(measure, env)]))


def _with_amount(measure: Measure, env: Bindings) -> Clause:
    assert measure.field is not None
    exists = Exists(measure.field)
    if measure.element is None or measure.field.mapped.nested_path is None:
        return env.query(exists)
    return env.query(Element(measure.element, exists if measure.narrowed is None else And((measure.narrowed, exists))))


def units_of_row(amounts: Sequence[Amounts], units: Sequence[UnitsByRow], keys: Keys) -> dict[str, str]:
    """Return the unit of each measure in a row that has only one."""
    found = ((one.names, by_row.get(one.keys(keys), set())) for one, by_row in zip(amounts, units, strict=True))
    return {name: str(*values) for names, values in found if len(values) == 1 for name in names}


def mixed_in_row(amounts: Sequence[Amounts], units: Sequence[UnitsByRow], keys: Keys) -> frozenset[str]:
    """Return the measures of a row whose amounts have several units."""
    found = zip(amounts, units, strict=True)
    return frozenset(name for one, by_row in found if len(by_row.get(one.keys(keys), ())) > 1 for name in one.names)


def split_by_unit(aggregate: Aggregate, amounts: Amounts) -> tuple[Aggregate, Aggregate] | None:
    """Return two aggregates of these measures: by unit, and over documents without a unit. Return None if a document
    can have several units."""
    unit = amounts.unit
    if amounts.example.element is not None or unit.mapped.nested_path is not None or unit.many:
        return None
    measures = tuple(one for one in aggregate.measures if one.name in amounts.names)
    without = And((aggregate.where, Not(Exists(unit))))
    return (Aggregate(aggregate.entity, measures, aggregate.where, (Group("unit", unit),)),
            Aggregate(aggregate.entity, measures, without))


def units_note(
    amounts: Amounts, units: Mapping[Keys, set[Scalar]], shown: Collection[Keys], called: Mapping[str, str]
) -> str | None:
    """Return a note with the units, if a visible row has several. `called` are the titles of measures."""
    shown = {amounts.keys(keys) for keys in shown}
    mixed = [keys for keys in shown if len(units.get(keys, ())) > 1]
    if not mixed:
        return None
    names = sorted({str(value) for keys in mixed for value in units[keys]})
    listed = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    where = "" if len(shown) == 1 else f" in {len(mixed)} of {len(shown)} rows"
    measures = " and ".join(f"'{called.get(name, name)}'" for name in amounts.names)
    mix = "mixes" if len(amounts.names) == 1 else "mix"
    return f"{measures} {mix} amounts of different {amounts.unit.title}{where}: {listed}."
