"""Amounts whose unit stands in another field (a currency): a row that mixes several units is told of."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from qlc.compiler.aggregations.tree import Keys
from qlc.compiler.typed import And, Element, Exists, Group, Measure, Scalar
from qlc.mapping.schema import Entity, Field
from qlc.resolver.rows.asking import BucketReading
from qlc.resolver.rows.columns import Column
from qlc.resolver.rows.model import RowsEnvironment
from qlc.resolver.rows.table import values_by_row

if TYPE_CHECKING:
    from elasticsearch.dsl.query import Query

MIXING = frozenset({"sum", "avg", "min", "max", "median", "percentile"})
UnitsByRow = dict[Keys, set[Scalar]]


def unit_field(measure: Measure, entity: Entity, groups: Sequence[Group]) -> Field | None:
    """The field with the unit of the measured amounts; None where there is none, or each row has one by its groups."""
    if measure.hidden or measure.function not in MIXING or measure.field is None or measure.field.unit_field is None:
        return None
    name = measure.field.unit_field
    beside = measure.element.fields if measure.element is not None else {}
    found = beside.get(name) or entity.fields.get(name)
    grouped = any(group.field == found and not group.through and group.function is None for group in groups)
    return None if found is None or (grouped and not found.many) else found


def units_by_row(
    columns: Sequence[Column], measure: Measure, unit: Field, env: RowsEnvironment, buckets: int
) -> BucketReading[UnitsByRow]:
    """The units in each row, of the documents that have an amount."""
    in_element = measure.element is not None and unit.mapped.nested_path == measure.element.path
    narrowed = measure.narrowed if in_element else None
    units = Measure("unit", "distinct", unit, element=measure.element if in_element else None, narrowed=narrowed)
    return values_by_row(columns, units, env, buckets, among=_with_amount(measure, env))


def _with_amount(measure: Measure, env: RowsEnvironment) -> Query:
    assert measure.field is not None
    exists = Exists(measure.field)
    if measure.element is None or measure.field.mapped.nested_path is None:
        return env.query(exists)
    return env.query(Element(measure.element, exists if measure.narrowed is None else And((measure.narrowed, exists))))


def units_note(measure: Measure, unit: Field, units: Mapping[Keys, set[Scalar]], shown: Collection[Keys]) -> str | None:
    """A sentence that names the units, where one of the rows shown has several."""
    mixed = [keys for keys in shown if len(units.get(keys, ())) > 1]
    if not mixed:
        return None
    names = sorted({str(value) for keys in mixed for value in units[keys]})
    listed = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    where = "" if len(shown) == 1 else f" in {len(mixed)} of {len(shown)} rows"
    return f"'{measure.name}' mixes amounts of different {unit.name}{where}: {listed}."
