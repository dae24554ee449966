"""Tables of outcomes as texts: column names and formatted cells. Each surface draws them its own way."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import tzinfo
from typing import Any

from qlc.amounts import amount, counted, instant, is_day, is_instant
from qlc.outcome import AggregateOut, Answer, Citation, Hits

Cells = tuple[list[str], list[list[str]]]
"""The names of columns, and the rows."""


def hits_cells(found: Hits, zone: tzinfo | None = None) -> Cells:
    """Return the shown fields of the hits of a page; ids if no field is shown. Times are in the zone."""
    present = dict.fromkeys(name for hit in found.hits for name in hit.values)
    columns = [name for name in dict.fromkeys((*found.columns, *present)) if name in present]
    beside = {name: unit for name, unit in found.unit_columns.items() if name in columns}
    columns = [name for name in columns if name not in beside.values()]
    values = [
        [_with_unit(hit.values.get(name), hit.values.get(beside.get(name, ""))) for name in columns]
        for hit in found.hits
    ]
    if not columns:
        columns, values = ["id"], [[hit.id] for hit in found.hits]
    return columns, _cells(columns, values, found.units, zone)


def rows_cells(found: AggregateOut, most: int | None = None, zone: tzinfo | None = None) -> Cells:
    """Return groups and measures of the first `most` rows (None: all)."""
    columns, values = [*found.groups, *found.measures], []
    for row, units in zip(found.rows[:most], found.row_units or [{}] * len(found.rows), strict=False):
        keys = [row.key] if len(found.groups) == 1 else [row.key[name] for name in found.groups]
        numbers = [row.value] if len(found.measures) == 1 else [row.value[name] for name in found.measures]
        values.append([*keys, *map(_with_unit, numbers, map(units.get, found.measures))])
    return columns, _cells(columns, values, found.units, zone)


def answer_cells(found: Answer, marks: Callable[[Iterable[Citation]], str]) -> Cells:
    """Return the documents of an answer with their values; `marks` returns the numbers of a value's sources."""
    from qlc.answers.cells import cell_text

    rows = [
        [
            row.name,
            *(cell_text(one) + marks(one.citations) if (one := row.cells.get(name)) else "" for name in found.columns),
        ]
        for row in found.rows
    ]
    return ["", *found.columns], rows


def _with_unit(value: Any, unit: Any) -> Any:
    """Return an amount with its own unit, if there is one of each."""
    return amount(value, unit) if isinstance(value, int | float) and isinstance(unit, str) else value


def _cells(
    columns: Sequence[str], rows: Sequence[Sequence[Any]], units: Mapping[str, str], zone: tzinfo | None
) -> list[list[str]]:
    """Format the values of a table. Dates of a column are all days, or all have a time."""
    written = []
    for place, name in enumerate(columns):
        values = [row[place] for row in rows]
        days = all(is_day(one) for one in values if is_instant(one))
        written.append([cell(value, name, units.get(name), days=days, zone=zone) for value in values])
    return [list(row) for row in zip(*written, strict=True)]


def cell(
    value: Any, name: str = "", unit: str | None = None, *, days: bool | None = None, zone: tzinfo | None = None
) -> str:
    """Format a value: amounts in human units, numbers with separators, names of references, dates to the minute."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case int() | float():
            return amount(value, unit) if unit is not None else counted(value, name)
        case dict():
            return str(value.get("name") or value.get("id") or json.dumps(value, ensure_ascii=False))
        case list():
            return ", ".join(cell(item, name, unit, days=days, zone=zone) for item in value)
        case str() if is_instant(value):
            return instant(value, zone, day=days)
        case _:
            return " ".join(str(value).split())
