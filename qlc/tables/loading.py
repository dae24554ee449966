"""Loads tables into indices, in bulk requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from qlc.base.currencies import CURRENCIES
from qlc.base.deadline import checkpoint
from qlc.base.errors import UsageError
from qlc.mapping.index_mapping import LOADING
from qlc.mapping.shapes import mapping_answer
from qlc.store.clients import has_index
from qlc.tables.frames import tables_of_frames
from qlc.tables.model import BadRow, RawTable, Report, Row
from qlc.tables.typed import BATCH, MARK, REFERENCES, Show, Typed, Types, index_name, read_raw, type_tables

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

MOST_BAD = 1_000
"""Bad rows that are kept for the report; more are counted."""


@dataclass(slots=True)
class Loaded:
    """The result of loading a table: how many rows were loaded, and rows, totals and notes that were not.

    Of the rows that were `loaded`, some were `replaced`: they took the place of a row with the same key.
    """

    index: str
    loaded: int = 0
    replaced: int = 0
    bad: list[BadRow] = field(default_factory=list)
    more_bad: int = 0
    left_out: list[str] = field(default_factory=list)


def load(
    client: Elasticsearch,
    source: Any,
    *,
    name: str = "",
    types: Types | None = None,
    key: str = "",
    replace: bool = False,
    show: Show | None = None,
) -> list[Loaded]:
    """Load a file of tables or data frames into indices, with types from all of their values.

        client = qlc.connect("shop")
        qlc.load(client, "orders.xlsx", types={"Amount": "money:EUR"})
        qlc.load(client, {"orders": orders, "customers": customers})

    - `source`: the path of a file (CSV, TSV, XLSX, ODS, SQLite, Parquet, Arrow, JSON; packed by gzip or zip or not), a
      pandas or polars data frame, an Arrow table, a list of dicts, or a dict from names to these.
    - `name`: the index, of a source with one table; without it the name of the file, sheet or table.
    - `types`: types of columns by header, or by index and header: `keyword`, `text`, `integer`, `double:kg`,
      `money:EUR`, `percent`, `boolean`, `date:dmy`, `date:mdy`.
    - `key`: the column that identifies a row. If the index exists, rows replace those with the same key, and the others
      are added.
    - `replace`: delete an index that exists.

    Returns what became of each table. If loading fails, no index that it made is left. Raises UsageError for a source
    that cannot be read, and for an index that exists if neither `key` nor `replace` is given.
    """
    raws = read_raw(Path(source)) if isinstance(source, str | Path) else tables_of_frames(source, name)
    if not (replace or key):
        refuse_existing(client, raws, name)
    tables = type_tables(raws, types, key=key, name=name, show=show)
    return load_all(client, tables, replace=replace, append=bool(key), show=show)


def refuse_existing(client: Elasticsearch, raws: Sequence[RawTable], name: str = "") -> None:
    """Raise UsageError for a table whose index exists, before its rows are read. `name` is that of a single table."""
    for one in raws:
        index = (name if len(raws) == 1 else "") or ("" if one.is_sheet else index_name(one.name))
        there = _mapping_of(client, index) if index else None
        if there is not None and not there.get("_meta", {}).get(LOADING):
            raise _exists(index)


def _exists(index: str) -> UsageError:
    return UsageError(
        f"the index '{index}' exists: --replace loads it anew, --key COLUMN adds rows and replaces those "
        "with the same key, --name NAME makes another one (in Python: replace=True, key=, name=)"
    )


def load_all(
    client: Elasticsearch, tables: Sequence[Typed], *, replace: bool = False, append: bool = False,
    show: Show | None = None,
) -> list[Loaded]:  # fmt: skip
    """Load tables that belong together: all of them, or if one fails, none. Arguments are those of `load_table`."""
    existed = [one.index for one in tables if has_index(client, one.index)]
    done: list[Loaded] = []
    try:
        done.extend(load_table(client, one, replace=replace, append=append, show=show) for one in tables)
    except BaseException:
        for loaded in done:
            if loaded.index not in existed:
                client.indices.delete(index=loaded.index, ignore_unavailable=True)
        raise
    return done


def load_table(
    client: Elasticsearch, table: Typed, *, replace: bool = False, append: bool = False, show: Show | None = None,
    about: Callable[[Loaded], Mapping[str, Any]] | None = None,
) -> Loaded:  # fmt: skip
    """Load a table into its index, and return what became of its rows. A load that fails leaves no index behind.

    An index that exists is an error, unless it is replaced or rows with a key are added to it (`append`). `about`
    returns what is kept in the `_meta` of the mapping when all rows are loaded. Raises UsageError, and what the client
    raises.
    """
    there = _mapping_of(client, table.index)
    if there is not None and there.get("_meta", {}).get(LOADING):
        replace = True  # the process of an earlier load was killed
    if there is not None and not replace:
        if not append:
            raise _exists(table.index)
        return _append(client, _fitting(table, there), show)
    if replace:
        trial = f"{table.index}-{uuid4().hex}"  # a mapping that is refused leaves the index that is there as it is
        client.indices.create(index=trial, mappings=table.mapping())
        client.indices.delete(index=trial)
        client.indices.delete(index=table.index, ignore_unavailable=True)
    meta = {REFERENCES: dict(table.references)} if table.references else {}
    client.indices.create(index=table.index, mappings={**table.mapping(), "_meta": {**meta, LOADING: True}})
    loaded = Loaded(table.index)
    try:
        _send_rows(client, table, loaded, show, "create")
        if not loaded.loaded:
            raise UsageError(f"no row of {table.raw.file} can be loaded{_first_reason(loaded)}")
        client.indices.put_mapping(index=table.index, meta={**meta, **(about(loaded) if about is not None else {})})
    except BaseException:
        with suppress(Exception):
            client.indices.delete(index=table.index)
        raise
    return loaded


def _append(client: Elasticsearch, table: Typed, show: Show | None) -> Loaded:
    loaded = Loaded(table.index)
    client.indices.put_mapping(index=table.index, properties=table.mapping()["properties"])
    _send_rows(client, table, loaded, show, "index")
    return loaded


def _mapping_of(client: Elasticsearch, index: str) -> Mapping[str, Any] | None:
    if not has_index(client, index):
        return None
    found: Mapping[str, Any] = next(iter(mapping_answer(client.indices.get_mapping, index).values()))["mappings"]
    return found


_ONLY_MORE = {("integer", "double"), ("integer", "money"), ("integer", "percent"), ("double", "money"),
              ("double", "percent"), ("date", "datetime"), ("datetime", "date")}  # fmt: skip
"""Types of new rows, and of the index to which they can be added as they are."""


def _fitting(table: Typed, there: Mapping[str, Any]) -> Typed:
    """Return the table with the types that its columns have in the index. Raises UsageError where they differ."""
    types, marks = {}, {}
    for column, name in zip(table.columns, table.fields, strict=True):
        definition = _definition(there, name.split("."))
        if definition is None:
            continue
        marks[column.header] = str(definition.get("meta", {}).get(MARK, ""))
        known = _type_of(definition)
        kind, _, detail = known.partition(":")
        unit = column.currency or column.unit
        fits = kind in ("keyword", "text") or kind == column.kind or (column.kind, kind) in _ONLY_MORE
        if not fits or (unit and detail and unit != detail):
            raise UsageError(
                f"'{column.header}' of {table.raw.file} is {column.type}, and {known} in the index '{table.index}': "
                f"--set '{column.header}={known}' reads it as that, --replace loads the index anew"
            )
        if kind not in ("date", "datetime"):
            types[column.header] = known
    fitting = table.with_types(types)
    listed = {header: mark for header, mark in marks.items() if mark}
    columns = (replace(one, mark=listed.get(one.header, ""), many=one.many or one.header in listed)
               for one in fitting.columns)  # fmt: skip
    return replace(fitting, columns=tuple(columns))


def _definition(mapping: Mapping[str, Any], parts: Sequence[str]) -> Mapping[str, Any] | None:
    found: Any = mapping
    for part in parts:
        found = found.get("properties", {}).get(part)
        if found is None:
            return None
    return found  # type: ignore[no-any-return]


def _type_of(definition: Mapping[str, Any]) -> str:
    """The type of a column whose field has this mapping."""
    unit = str(definition.get("meta", {}).get("unit", ""))
    kind = {"long": "integer", "properties": "object"}.get(one := str(definition.get("type", "object")), one)
    if kind == "double" and unit == "%":
        return "percent"
    kind = "money" if kind == "double" and unit in CURRENCIES else kind
    return f"{kind}:{unit}" if unit else kind


def _first_reason(loaded: Loaded) -> str:
    return f": line {loaded.bad[0].line:,}: {loaded.bad[0].reason}" if loaded.bad else ""


def _send_rows(client: Elasticsearch, table: Typed, loaded: Loaded, show: Show | None, action: str) -> None:
    for lines, operations in _batches(table, loaded, action):
        _send(client, lines, operations, table, loaded, action)
        if show is not None:
            show(table.index, loaded.loaded, table.rows)
    client.indices.refresh(index=table.index)


def _batches(table: Typed, loaded: Loaded, action: str) -> Iterator[tuple[list[int], list[Any]]]:
    """Yield the lines of rows and the operations of a bulk request for them, an action and a row each."""
    report = Report()
    seen: set[str] = set()
    readers = [column.reader() for column in table.columns]
    rows = table.raw.rows(report)
    places = count(1)
    while batch := list(islice(rows, BATCH)):
        checkpoint()
        bad: list[BadRow] = []
        by_column = [*zip(*(cells for _, cells in batch), strict=True)]
        columns = [_column(table, at, readers[at], batch, cells, bad) for at, cells in enumerate(by_column)]
        inside = {name: [*map(one.read, by_column[one.column])] for name, one in table.inside.items()}
        for one in sorted(bad, key=lambda one: one.line):
            _note(loaded, one)
        lines: list[int] = []
        operations: list[Any] = []
        for at, ((line, _), values, place) in enumerate(
            zip(batch, zip(*columns, strict=True), places, strict=False)
        ):  # fmt: skip
            identity = line if table.key is None else values[table.key]
            if identity is None:
                _note(loaded, replace(_taken(table, line, ""), reason="it has no key"))
                continue
            if action == "index":
                if str(identity) in seen:  # "index" would take the place of the row before it in silence
                    _note(loaded, _taken(table, line, str(identity)))
                    continue
                seen.add(str(identity))
            lines.append(line)
            document = _document(table, values)
            document |= {name: some[at] for name, some in inside.items() if some[at] is not None}
            if action == "create":  # rows that are added later have no place in the first file
                document[table.row_field] = place
            operations += [{action: {"_index": table.index, "_id": str(identity)}}, document]
        if lines:
            yield lines, operations
    for one in report.bad:
        _note(loaded, one)
    loaded.left_out += report.left_out + report.doubts


_CONFLICT = 409
"""The status of a document whose id is taken."""


Read = Callable[[Sequence[Any]], list[Any]]


def _taken(table: Typed, line: int, identity: str) -> BadRow:
    key = table.columns[table.key].header if table.key is not None else ""
    return BadRow(*table.raw.at(line), key, identity, "a row before it has this key")


def _column(
    table: Typed, at: int, read: Read, batch: Sequence[Row], cells: Sequence[Any], bad: list[BadRow]
) -> list[Any]:
    """Return what is stored of the cells of a column; None for those that do not fit into it, which are listed."""
    try:
        return read(cells)
    except (ValueError, OverflowError):
        pass
    column = table.columns[at]
    values: list[Any] = []
    for (line, _), cell in zip(batch, cells, strict=True):
        try:
            values += read([cell])
        except (ValueError, OverflowError) as problem:
            values.append(None)
            bad.append(BadRow(*table.raw.at(line), column.header, str(cell)[:80], f"{problem} ({column.kind})"))
    return values


def _document(table: Typed, values: Sequence[Any]) -> dict[str, Any]:
    if not table.raw.nested:
        return {name: value for name, value in zip(table.fields, values, strict=True) if value is not None}
    row: dict[str, Any] = {}
    for name, value in zip(table.fields, values, strict=True):
        if value is not None:
            _set(row, name.split("."), value)
    return row


def _set(row: dict[str, Any], parts: Sequence[str], value: Any) -> None:
    for part in parts[:-1]:
        row = row.setdefault(part, {})
    row[parts[-1]] = value


def _note(loaded: Loaded, bad: BadRow) -> None:
    if len(loaded.bad) < MOST_BAD:
        loaded.bad.append(bad)
    else:
        loaded.more_bad += 1


def _send(
    client: Elasticsearch, lines: list[int], operations: list[Any], table: Typed, loaded: Loaded, action: str
) -> None:
    answer = client.bulk(operations=operations)
    for line, item in zip(lines, answer["items"], strict=True):
        result = item[action]
        identity = str(result.get("_id", ""))
        if result.get("status") == _CONFLICT:
            _note(loaded, _taken(table, line, identity))
        elif "error" in result:
            reason = str(result["error"].get("reason", result["error"]))
            _note(loaded, replace(_taken(table, line, identity), reason=reason))
        else:
            loaded.loaded += 1
            loaded.replaced += result.get("result") == "updated"
