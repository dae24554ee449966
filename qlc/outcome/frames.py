"""Outcomes as rows of Python values and as data frames of pandas, Polars or Arrow, which are imported on first use.

It knows the attributes of outcomes and none of their types (`Any` here), which have it as a base.

Values have the types of the index: a date column has dates, even if some are missing. A reference has two columns, its
name and its id (`owner`, `owner.id`). If a page is not the whole answer, there is a warning (`PartialPage`).
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING, Any

from qlc.base.errors import UsageError
from qlc.base.lazy import optional
from qlc.outcome.amounts import cell, is_day, is_instant
from qlc.outcome.tables import columns_of, rows_of, table_of

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


class PartialPage(UserWarning):
    """Warns that the rows are one page of an answer that has more."""


class Unsigned(int):
    """The type of a column of integers that do not all fit into signed 64 bits."""


@dataclass(frozen=True, slots=True)
class Column:
    """The values of a column (None for rows without one), and their common type: mixed values become texts. If some
    rows have several values, all rows have lists."""

    name: str
    type: type
    values: list[Any]


class AsFrames:
    """The methods of outcomes that return their rows.

    They raise UsageError for an outcome without rows (a clarification, a refusal), and for a data frame whose library
    is not installed.
    """

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows: hits with their ids, groups, documents of an answer, or the one row of a count or a value."""
        found = columns(self)
        names = [column.name for column in found]
        rows = zip(*(column.values for column in found), strict=True)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def to_pandas(self) -> pandas.DataFrame:
        """The rows as a data frame of pandas, with its nullable types, and instants in UTC."""
        pandas = _library("pandas")
        types = {bool: "boolean", int: "Int64", Unsigned: "UInt64", float: "Float64", str: "string",
                 date: "datetime64[s]", datetime: "datetime64[us, UTC]"}  # fmt: skip
        return pandas.DataFrame({
            column.name: pandas.Series(column.values, dtype=types.get(column.type, "object"))
            for column in columns(self)
        })  # fmt: skip

    def to_polars(self) -> polars.DataFrame:
        """The rows as a data frame of Polars."""
        library = _library("polars")
        types = {bool: library.Boolean, int: library.Int64, Unsigned: library.UInt64, float: library.Float64,
                 str: library.String, date: library.Date, datetime: library.Datetime("us", "UTC")}  # fmt: skip
        frame: polars.DataFrame = library.DataFrame([
            library.Series(column.name, column.values, dtype=types.get(column.type)) for column in columns(self)
        ])  # fmt: skip
        return frame

    def to_arrow(self) -> pyarrow.Table:
        """The rows as a table of Arrow."""
        return arrow_table(columns(self))


def arrow_table(
    columns: Sequence[Column], labels: Mapping[str, str] | None = None, units: Mapping[str, str] | None = None
) -> pyarrow.Table:
    """Return columns as a table of Arrow, called by their labels and with their units as metadata, if given."""
    arrow = _library("pyarrow")
    types = {bool: arrow.bool_(), int: arrow.int64(), Unsigned: arrow.uint64(), float: arrow.float64(),
             str: arrow.string(), date: arrow.date32(), datetime: arrow.timestamp("us", "UTC")}  # fmt: skip
    fields, arrays = [], []
    for column in columns:
        values = arrow.array(column.values, types.get(column.type))
        unit = (units or {}).get(column.name)
        name = column.name.removesuffix(".id")
        label = (labels or {}).get(column.name) or (f"{labels[name]}.id" if labels and name in labels else column.name)
        fields.append(arrow.field(label, values.type, metadata={"unit": unit} if unit else None))
        arrays.append(values)
    return arrow.table(arrays, schema=arrow.schema(fields))


def _library(name: str) -> Any:
    if (library := optional(name)) is None:
        raise UsageError(f"{name} is not installed: pip install {name}")
    return library


# --- columns ---------------------------------------------------------------------------------------------------------


def columns(outcome: Any) -> list[Column]:
    """The columns of an outcome. Raises UsageError for one without rows."""
    names, rows = _table(outcome)
    if outcome.kind == "hits" and len(outcome.hits) < outcome.total:
        shown = f"{len(outcome.hits):,} of {outcome.total:,} rows"
        warnings.warn(f"{shown}: read on with the cursor, or ask with a larger size", PartialPage, stacklevel=3)
    return columns_of_rows(names, rows)


def columns_of_rows(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> list[Column]:
    """Return the columns of rows by their names."""
    return [column for name in names for column in _columns(name, [row.get(name) for row in rows])]


def _table(outcome: Any) -> tuple[Sequence[str], list[Mapping[str, Any]]]:
    if outcome.kind == "passages" or (outcome.kind == "answer" and (outcome.rows or outcome.claims)):
        names, rows = table_of(outcome)
        return names, list(rows)
    return columns_of(outcome), list(rows_of(outcome))


def _columns(name: str, values: list[Any]) -> Iterator[Column]:
    if any(isinstance(value, Mapping) and value.keys() & {"id", "name"} for value in values):
        names, ids = zip(*map(_reference, values), strict=True)
        yield _column(name, list(names))
        yield _column(f"{name}.id", list(ids))
    else:
        yield _column(name, values)


def _reference(value: Any) -> tuple[Any, Any]:
    """Return the name and the id of a reference; without a name, as in rows of groups, the id twice."""
    return (value.get("name", value.get("id")), value.get("id")) if isinstance(value, Mapping) else (value, None)


def _column(name: str, values: list[Any]) -> Column:
    known = [value for value in values if value is not None]
    if any(isinstance(value, list) for value in known):
        return Column(name, list, _lists(name, values))
    if known and all(map(is_instant, known)):
        days = all(map(is_day, known))
        read = (lambda text: date.fromisoformat(text[:10])) if days else datetime.fromisoformat
        return Column(name, date if days else datetime, [None if one is None else read(one) for one in values])
    types = {type(value) for value in known}
    if types == {int}:
        return _whole_numbers(name, known, values)
    if types == {int, float}:
        return Column(name, float, [None if one is None else float(one) for one in values])
    if len(types) == 1:
        return Column(name, types.pop(), values)
    return Column(name, str, [None if one is None else cell(one) for one in values])


def _lists(name: str, values: list[Any]) -> list[Any]:
    """Return a list for each row with values; elements of all lists have one type."""
    lists = [value if isinstance(value, list) or value is None else [value] for value in values]
    read = iter(_column(name, [one for some in lists if some is not None for one in some]).values)
    return [some if some is None else [next(read) for _ in some] for some in lists]


def _whole_numbers(name: str, known: list[int], values: list[Any]) -> Column:
    least, most = min(known), max(known)
    if least >= -(2**63) and most < 2**63:
        return Column(name, int, values)
    if least >= 0 and most < 2**64:
        return Column(name, Unsigned, values)
    if all(float(one) == one for one in known):  # it was a float before: 2^64 of a maximum
        return Column(name, float, [None if one is None else float(one) for one in values])
    return Column(name, str, [None if one is None else str(one) for one in values])
