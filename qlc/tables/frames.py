"""Data frames as tables: pandas, polars, Arrow, lists of dicts. None of these libraries is imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from qlc.base.errors import UsageError
from qlc.tables.model import RawTable, Report, Row
from qlc.tables.reading import table_of_objects

KINDS = "a pandas or polars data frame, an Arrow table, or a list of dicts"


def tables_of_frames(source: Any, name: str = "") -> list[RawTable]:
    """Return the tables of a data frame, or of a dict from names to them. Raises UsageError for anything else.

    A frame alone needs a `name`. The index of a pandas frame is a column if it has a name.
    """
    if isinstance(source, Mapping):
        return [_table(str(one), frame) for one, frame in source.items()]
    if not name:
        raise UsageError(f"name the index of a {type(source).__name__}: load(client, source, name='orders')")
    return [_table(name, source)]


def _table(name: str, frame: Any) -> RawTable:
    library = type(frame).__module__.partition(".")[0]
    if library == "polars":
        frame = frame.collect() if hasattr(frame, "collect") else frame
        headers, rows = frame.columns, frame.iter_rows
    elif library == "pandas" and hasattr(frame, "itertuples"):
        named = [one for one in frame.index.names if one is not None]
        frame = frame.reset_index(level=named) if named else frame
        headers, rows = list(frame.columns), lambda: frame.itertuples(index=False, name=None)
    elif library == "pyarrow" and hasattr(frame, "to_batches"):
        headers, rows = frame.schema.names, lambda: _rows_of_batches(frame.to_batches())
    elif isinstance(frame, Sequence) and not isinstance(frame, str | bytes):
        found = next(table_of_objects(name, name, lambda: enumerate(frame, start=1)), None)
        if found is None:
            raise UsageError(f"'{name}' has no dict with a value in it")
        return found
    else:
        raise UsageError(f"'{name}' is {type(frame).__name__}: give {KINDS}")

    def read(report: Report) -> Iterator[Row]:
        for at, cells in enumerate(rows(), start=1):
            yield at, [_plain(cell) for cell in cells]

    return RawTable(name, name, tuple(map(str, headers)), read)


def _rows_of_batches(batches: Any) -> Iterator[tuple[Any, ...]]:
    for batch in batches:
        yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def _plain(cell: Any) -> Any:
    """A cell as Python has it: scalars of numpy and pandas become its own, `NaN`, `NaT` and `pd.NA` become None."""
    if cell is None or type(cell) in (str, int, bool):
        return cell
    if type(cell).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(cell, "to_pydatetime"):
        return cell.to_pydatetime()
    if type(cell).__module__ == "numpy":
        cell = cell.tolist()
    return None if isinstance(cell, float) and cell != cell else cell
