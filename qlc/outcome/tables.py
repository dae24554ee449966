"""The tables of outcomes: as texts that people read, and as rows of values for files and data frames.

It knows the attributes of outcomes and none of their types (`Any` here), which are above it: they show themselves.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import tzinfo
from typing import Any

from qlc.base.errors import UsageError
from qlc.outcome.amounts import SPELLED, amount, are_years, cell, is_day, is_instant, is_mean, spelled_unit

Cells = tuple[list[str], list[list[str]]]
"""The names of columns, and the rows."""
Rows = tuple[list[str], Iterator[Mapping[str, Any]]]
"""The same of values."""


def hits_cells(found: Any, zone: tzinfo | None = None) -> Cells:
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
    return headers(columns, found), _cells(columns, values, found.units, zone)


def rows_cells(found: Any, most: int | None = None, zone: tzinfo | None = None) -> Cells:
    """Return groups and measures of the first `most` rows (None: all)."""
    columns, values = [*found.groups, *found.measures], []
    for row, units in zip(found.rows[:most], found.row_units or [{}] * len(found.rows), strict=False):
        numbers = map(_with_unit, values_of(found, row), map(units.get, found.measures))
        values.append([*keys_of(found, row), *numbers])
    return headers(columns, found), _cells(columns, values, found.units, zone)


def keys_of(found: Any, row: Any) -> tuple[Any, ...]:
    """Return the keys of a row, one for each group."""
    return (row.key,) if len(found.groups) == 1 else tuple(row.key[name] for name in found.groups)


def values_of(found: Any, row: Any) -> tuple[Any, ...]:
    """Return the values of a row, one for each measure."""
    return (row.value,) if len(found.measures) == 1 else tuple(row.value[name] for name in found.measures)


def headers(columns: Iterable[str], outcome: Any) -> list[str]:
    """Return the headers of columns: the labels, and the names of those without one."""
    labels = getattr(outcome, "labels", {})
    if outcome.kind == "value" and "" in labels:  # the label of the one value, which has no name
        return [labels[""]]
    return [labels.get(name, name) for name in columns]


def answer_cells(found: Any, marks: Callable[[Iterable[Any]], str]) -> Cells:
    """Return the documents of an answer with their values; `marks` returns the numbers of a value's sources."""
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
        called = "year" if are_years(values, name) else name
        cells = [cell(value, called, units.get(name), days=days, zone=zone) for value in values]
        written.append(_alike(cells) if is_mean(name) else cells)
    return [list(row) for row in zip(*written, strict=True)]


def _alike(cells: Sequence[str]) -> list[str]:
    """Give means the decimals of the others in their column: `21 kg` beside `20.41 kg` -> `21.00 kg`."""
    parts = [_DECIMALS.fullmatch(one) for one in cells]
    most = max((len(one["decimals"]) for one in parts if one), default=0)
    return [f"{one['whole']}.{one['decimals']:0<{most}}{one['unit']}" if one and most else text
            for one, text in zip(parts, cells, strict=True)]  # fmt: skip


_DECIMALS = re.compile(r"(?P<whole>-?[\d,]+)\.?(?P<decimals>\d*)(?P<unit>(?: \D+)?)")


def cell_text(one: Any) -> str:
    """A value as people write it."""
    if isinstance(one.value, bool):
        return "yes" if one.value else "no"
    if isinstance(one.value, int | float):
        if len(one.unit) == 3 and one.unit.isupper():
            return f"{one.unit} {one.value:,.2f}"
        unit = spelled_unit(one.unit)
        if not unit and one.value in _YEARS and any(_is_plain(int(one.value), cited.quote) for cited in one.citations):
            return str(int(one.value))
        unit = unit.removesuffix("s") if one.value == 1 and unit in SPELLED.values() else unit
        return f"{one.value:,.10g} {unit}".strip()
    return str(one.value)


_YEARS = range(1000, 10_000)


def _is_plain(value: int, quote: str) -> bool:
    """Whether a quote has a number without a mark between thousands, as years are written."""
    return re.search(rf"(?<![\d.,]){value}(?![.,]?\d)", quote) is not None


# --- rows of values --------------------------------------------------------------------------------------------------


def columns_of(outcome: Any) -> list[str]:
    """Return the columns of `rows_of` by their names. Raises UsageError for an outcome without rows."""
    match outcome.kind:
        case "hits":
            shown = outcome.columns or list(dict.fromkeys(name for hit in outcome.hits for name in hit.values))
            return list(dict.fromkeys(["id", *shown]))
        case "aggregate":
            return [*outcome.groups, *outcome.measures]
        case "count":
            return ["count"]
        case "value":
            return list(_named(outcome.value))
        case _:
            raise UsageError(f"this has no rows: {outcome.message}")


def rows_of(outcome: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the rows of a page, with values as in the outcome."""
    match outcome.kind:
        case "hits":
            for hit in outcome.hits:
                yield {"id": hit.id, **hit.values}
        case "aggregate":
            columns = columns_of(outcome)
            for row in outcome.rows:
                yield dict(zip(columns, (*keys_of(outcome, row), *values_of(outcome, row)), strict=True))
        case "count":
            yield {"count": outcome.value}
        case "value":
            yield _named(outcome.value)


def _named(value: Any) -> Mapping[str, Any]:
    """Return values by name; a value without a name is called `value`."""
    several = isinstance(value, Mapping) and not {"id", "name"} & value.keys()
    return value if several else {"value": value}


def table_of(outcome: Any) -> Rows:
    """The documents of an answer with their values; its sentences, where it is no table; passages that were found."""
    if outcome.kind == "passages":
        columns = ["document", "file", "page", "quote"]
        return columns, (one.model_dump(include={*columns}) for one in outcome.passages)
    if not outcome.rows:
        return ["statement", "file", "page", "quote"], _claims(outcome)
    has_files = all(row.file for row in outcome.rows)
    return answer_columns(outcome.columns, has_files=has_files), map(answer_row, outcome.rows)


def _claims(outcome: Any) -> Iterator[Mapping[str, Any]]:
    for claim in outcome.claims:
        for one in claim.citations:
            yield {"statement": claim.text, "file": one.file, "page": one.page, "quote": one.quote}


def answer_columns(fields: list[str], *, has_files: bool = True) -> list[str]:
    """The columns of a table; rows that are of several documents (groups) have the files of each value."""
    parts = ("", "_unit", *(() if has_files else ("_file",)), "_page", "_quote")
    return ["document", "name", "file", *(f"{name}{part}" for name in fields for part in parts)]


def answer_row(row: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"document": row.document, "name": row.name, "file": row.file}
    for name, one in row.cells.items():
        whole = isinstance(one.value, float) and one.value.is_integer()
        found |= {name: int(one.value) if whole else one.value, f"{name}_unit": one.unit}
        if one.citations:
            found |= {f"{name}_page": _each([cited.page for cited in one.citations]),
                      f"{name}_quote": _each([cited.quote for cited in one.citations])}  # fmt: skip
            found |= {} if row.file else {f"{name}_file": _each([cited.file for cited in one.citations])}
    return found


def _each(values: list[Any]) -> Any:
    """The one value, or several in the order of the citations."""
    return values[0] if len(values) == 1 else "; ".join("" if one is None else str(one) for one in values)
