"""Titles of columns for people: the labels of their fields, as the headers of a table were written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from qlc.base.texts import with_capital
from qlc.compiler import typed
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity, Field


def noun(entity: Entity, count: int) -> str:
    """Return what documents are called in a sentence: `2 web orders`."""
    return (entity.name if count == 1 else entity.plural).replace("_", " ")


Column = typed.Shown | typed.Group | typed.Measure | typed.Item


def titles(columns: Iterable[Column]) -> dict[str, str]:
    """Return the title of each column by its name, without those that have none.

    `order_no, month(placed), sum(amount)` -> `{"order_no": "Order No", "month": "Placed (month)", "sum": "Sum of
    Amount"}`. Columns with the same title have their names behind it, so that each title is of one column.
    """
    columns = list(columns)
    found = {one.name: title for one in columns if (title := _title(one))}
    taken = Counter([*found.values(), *(one.name for one in columns if one.name not in found)])
    return {name: title if taken[title] == 1 else f"{title} ({name})" for name, title in found.items()}


def row_titles(aggregate: typed.Aggregate) -> dict[str, str]:
    """Return the titles of the groups and the visible measures of rows."""
    return titles((*aggregate.groups, *(one for one in aggregate.measures if not one.hidden)))


def _title(column: Column) -> str:
    match column:
        case Field():
            return column.label
        case typed.Chain():
            label = column.item.label if isinstance(column.item, Field) else ""
            return " ".join([*(one.title for one in column.through), label]) if label else ""
        case typed.Item():
            return column.field.label if column.field is not None else ""
        case typed.Group():
            label = column.field.label
            unit = column.function if column.function not in (None, "step", "bins") else None
            return f"{label} ({unit})" if label and unit is not None else label
        case typed.Measure() if column.label:
            return column.label
        case typed.Measure():
            return with_capital(measure_phrase(column)) if column.field is not None and column.field.label else ""
        case _:
            return ""


_FUNCTIONS = {"sum": "sum of", "avg": "average", "min": "smallest", "max": "largest", "median": "median"}
_OF_DATES = {"min": "earliest", "max": "latest"}


def measure_phrase(measure: typed.Measure) -> str:
    """Return a measure in words: `average size`, `latest due`, `sum of Amount`."""
    if measure.total:
        return f"{measure_phrase(replace(measure, name=measure.function, total=False))} over all rows"
    field = measure.field
    if measure.label:
        return measure.label
    if field is None or measure.is_named or measure.expression is not None:
        return measure.name.replace("_", " ") if measure.is_named else measure.name
    name = (field.label or field.name.rpartition(".")[2]).replace("_", " ")
    if field.kind is FieldKind.DATE and measure.function in _OF_DATES:
        return f"{_OF_DATES[measure.function]} {name}"
    match measure.function:
        case "percentile" if measure.argument is not None:
            return f"percentile {measure.argument:g} of {name}"
        case "distinct":
            return f"different values of {name}"
        case function if function in _FUNCTIONS:
            return f"{_FUNCTIONS[function]} {name}"
        case _:
            return measure.name
