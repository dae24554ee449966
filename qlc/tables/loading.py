"""Loads tables into indices: the types of all values first, then the rows, in bulk requests."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from qlc.base.deadline import checkpoint
from qlc.base.errors import UsageError
from qlc.language.nouns import index_nouns, plural_of, snake
from qlc.mapping.shapes import mapping_answer
from qlc.tables.columns import KINDS, NAMES_OF_CODES, Column, Facts, infer
from qlc.tables.model import BadRow, RawTable, Report
from qlc.tables.reading import no_table, read_tables

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

BATCH = 2_000
MOST_BAD = 1_000
"""Bad rows that are kept for the report; more are counted."""
MOST_COLUMNS = 1_000
"""Columns of a table: an index has no more fields by default."""
_TYPES: Mapping[str, dict[str, Any]] = {
    "keyword": {"type": "keyword"},
    "text": {"type": "text", "fields": {"keyword": {"type": "keyword", "ignore_above": 8_191}}},
    "integer": {"type": "long"},
    "double": {"type": "double"},
    "money": {"type": "double"},
    "percent": {"type": "double"},
    "boolean": {"type": "boolean"},
    "date": {"type": "date"},
    "datetime": {"type": "date"},
    "object": {"type": "object"},
}


@dataclass(frozen=True, slots=True)
class Typed:
    """A table with the types of its columns, ready to be loaded.

    `index` is where it goes, `fields` are the names of its columns there, `key` is the column that identifies a row.
    """

    raw: RawTable
    index: str
    columns: tuple[Column, ...]
    fields: tuple[str, ...]
    rows: int
    key: int | None = None

    @property
    def unsure(self) -> tuple[Column, ...]:
        """Columns of dates of which nothing says whether day or month comes first."""
        return tuple(one for one in self.columns if one.kind in ("date", "datetime") and not one.order)

    def mapping(self) -> dict[str, Any]:
        """The mapping of the index; labels and units stand in the `meta` of the fields."""
        properties: dict[str, Any] = {}
        for column, name in zip(self.columns, self.fields, strict=True):
            unit = column.currency or column.unit
            meta = {"label": column.header[:_LONGEST_META], **({"unit": unit} if unit else {})}
            kind = dict(_TYPES[column.kind])
            _put(properties, name.split("."), kind if column.kind == "object" else {**kind, "meta": meta})
        return {"properties": properties}


_LONGEST_META = 500


def _put(properties: dict[str, Any], parts: Sequence[str], definition: dict[str, Any]) -> None:
    for part in parts[:-1]:
        properties = properties.setdefault(part, {"properties": {}}).setdefault("properties", {})
    properties[parts[-1]] = definition


@dataclass(slots=True)
class Loaded:
    """What became of a table: rows that were loaded and that were not, and what was left out."""

    index: str
    loaded: int = 0
    bad: list[BadRow] = field(default_factory=list)
    more_bad: int = 0
    left_out: list[str] = field(default_factory=list)


def read_typed(path: Path, given: Mapping[str, str] | None = None, *, key: str = "", name: str = "") -> list[Typed]:
    """Read the tables of a file with the types of their columns, from all values.

    `given` sets types by header: `amount` -> `money:EUR`, `when` -> `date:mdy`, `size` -> `double:kg`. `key` is the
    column that identifies a row. `name` is the index of a file with one table. Raises UsageError for a file that
    cannot be read, for a header or type that does not exist, and for dates of unknown order.
    """
    given = given or {}
    found = typed_tables(path, given, key=key, name=name)
    if not found:
        raise no_table(path)
    check_headers((*given, *([key] if key else [])), {column.header for one in found for column in one.columns})
    for one in found:
        if one.unsure:
            first = one.unsure[0]
            raise UsageError(
                f"in '{first.header}' of {one.raw.file}, nothing says whether day or month comes first "
                f"('{first.example}'). Say it: --set '{first.header}=date:dmy' or --set '{first.header}=date:mdy'"
            )
    return found


def typed_tables(path: Path, given: Mapping[str, str], *, key: str = "", name: str = "") -> list[Typed]:
    """Return the tables of a file as `read_typed` does, also those with dates of unknown order, and none for a file
    without a table. Headers in `given` that no table has are ignored."""
    check_types(given)
    raws = read_tables(path)
    return [_typed(raw, given, key, name if len(raws) == 1 else "") for raw in raws]


def check_types(given: Mapping[str, str]) -> None:
    """Raise UsageError for a type that does not exist."""
    for header, kind in given.items():
        if kind.partition(":")[0] not in KINDS:
            raise UsageError(f"'{kind}' is not a type for '{header}': give one of {', '.join(KINDS)}")


def check_headers(wanted: Iterable[str], headers: Collection[str]) -> None:
    """Raise UsageError for a header that is not among those of the tables."""
    if unknown := [one for one in wanted if one not in headers]:
        raise UsageError(f"there is no column '{unknown[0]}': there are {', '.join(sorted(headers)[:20])}")


def with_dates_as_text(table: Typed, given: Mapping[str, str]) -> Typed:
    """Return a table whose dates of unknown order are kept as the texts that they are."""
    texts = {one.header: "keyword" for one in table.unsure}
    return _typed(table.raw, {**given, **texts}, "", "") if texts else table


def _typed(raw: RawTable, given: Mapping[str, str], key: str, name: str) -> Typed:
    if len(raw.headers) > MOST_COLUMNS:
        raise UsageError(f"{raw.file} has {len(raw.headers):,} columns, and an index takes {MOST_COLUMNS:,}")
    report = Report()
    facts = [Facts(header) for header in raw.headers]
    rows = raw.rows(report)
    while batch := [cells for _, cells in islice(rows, BATCH)]:
        checkpoint()
        for one, cells in zip(facts, zip(*batch, strict=True), strict=True):
            one.add(cells)
    columns = infer(facts, given)
    called = [key] if key in raw.headers else list(raw.keys)
    at = raw.headers.index(called[0]) if called else _identifying(columns)
    count = max((one.rows for one in columns), default=0)
    names = field_names(raw.headers, nested=raw.nested)
    return Typed(raw, name or _called(raw, columns, at), columns, names, count, at)


def _called(raw: RawTable, columns: Sequence[Column], key: int | None) -> str:
    """What a table is called: by its own name if that is a plural (`orders`), else by what identifies a row: the sheet
    "Energy" whose first column is "Building" has buildings."""
    own = index_name(raw.name)
    words = snake(columns[key].header).split("_") if key is not None else []
    if index_nouns(own) is not None or len(words) != 1 or words[0] in NAMES_OF_CODES | {"name", "title"}:
        return own
    return plural_of(words[0])


def _identifying(columns: Sequence[Column]) -> int | None:
    """The first column, if it is a code with another value in each row."""
    first = columns[0] if columns else None
    return 0 if first is not None and first.kind == "keyword" and first.is_unique and not first.many else None


def index_name(name: str) -> str:
    """The name of an index for what a file, sheet or table is called: "Meeting rooms" -> "meeting_rooms"."""
    folded = re.sub(r"_+", "_", re.sub(r"[^\w-]", "_", snake(name))).strip("_-+.")
    return folded or "rows"


def field_names(headers: Sequence[str], *, nested: bool = False) -> tuple[str, ...]:
    """Names of fields: what people write folded to one word, with letters of any script; each name once.

    "Basin area (km²)" -> "basin_area", "Eröffnet am" -> "eröffnet_am"; if `nested`, "customer.name" stays a path.
    """
    taken: dict[str, int] = {}
    names = []
    for header in headers:
        plain = re.sub(r"\([^()]*\)", "", header)
        said = plain if snake(plain) not in ("", "n") else header
        name = ".".join(snake(part) for part in (said.split(".") if nested else (said,)) if part) or "column"
        taken[name] = taken.get(name, 0) + 1
        names.append(name if taken[name] == 1 else f"{name}_{taken[name]}")
    return tuple(names)


def load_table(
    client: Elasticsearch, table: Typed, *, replace: bool = False, show: Callable[[int, int], None] | None = None,
    about: Callable[[Loaded], Mapping[str, Any]] | None = None,
) -> Loaded:  # fmt: skip
    """Load a table into its index, and return what became of its rows. A load that fails leaves nothing behind.

    An index that exists is an error unless it is to be replaced. `show` gets the rows that are done, and all rows.
    `about` returns what is kept in the `_meta` of the mapping when all rows are loaded. Raises UsageError, and what the
    client raises.
    """
    exists = client.indices.exists(index=table.index)
    if exists and _is_cut(client, table.index):
        replace = True  # the process of an earlier load was killed
    if exists and not replace:
        raise UsageError(f"the index '{table.index}' exists: --fresh loads it anew, --name NAME makes another one")
    if replace:
        trial = f"{table.index}-{uuid4().hex}"  # a mapping that is refused leaves the index that is there as it is
        client.indices.create(index=trial, mappings=table.mapping())
        client.indices.delete(index=trial)
        client.indices.delete(index=table.index, ignore_unavailable=True)
    client.indices.create(index=table.index, mappings={**table.mapping(), "_meta": {_LOADING: True}})
    loaded = Loaded(table.index)
    try:
        for lines, operations in _batches(table, loaded):
            _send(client, lines, operations, table, loaded)
            if show is not None:
                show(loaded.loaded, table.rows)
        if not loaded.loaded:
            raise UsageError(f"no row of {table.raw.file} can be loaded{_first_reason(loaded)}")
        client.indices.refresh(index=table.index)
        client.indices.put_mapping(index=table.index, meta={_LOADING: False, **(about(loaded) if about else {})})
    except BaseException:
        with suppress(Exception):
            client.indices.delete(index=table.index)
        raise
    return loaded


_LOADING = "qlc_loading"
"""In the `_meta` of a mapping: whether a load has begun and not ended."""


def _is_cut(client: Elasticsearch, index: str) -> bool:
    """Whether the last load of an index did not come to its end."""
    found: Mapping[str, Any] = next(iter(mapping_answer(client.indices.get_mapping, index).values()), {})
    meta = found.get("mappings", {}).get("_meta")
    return isinstance(meta, dict) and bool(meta.get(_LOADING))


def _first_reason(loaded: Loaded) -> str:
    return f": line {loaded.bad[0].line:,}: {loaded.bad[0].reason}" if loaded.bad else ""


def _batches(table: Typed, loaded: Loaded) -> Iterator[tuple[list[int], list[Any]]]:
    """Yield the lines of rows and the operations of a bulk request for them, an action and a row each."""
    report = Report()
    lines: list[int] = []
    operations: list[Any] = []
    paths = (name.split(".") for name in table.fields)
    readers = [(column, parts, column.reader()) for column, parts in zip(table.columns, paths, strict=True)]
    for line, cells in table.raw.rows(report):
        identity, row, bad = _row(table, readers, line, cells)
        for one in bad:
            _note(loaded, one)
        if identity is None:
            continue
        lines.append(line)
        operations += [{"create": {"_index": table.index, "_id": str(identity)}}, row]
        if len(lines) >= BATCH:
            checkpoint()
            yield lines, operations
            lines, operations = [], []
    if lines:
        yield lines, operations
    for one in report.bad:
        _note(loaded, one)
    loaded.left_out += report.left_out


_CONFLICT = 409
"""The status of a document whose id is taken."""
_Reader = tuple[Column, list[str], Callable[[Any], Any]]


def _row(
    table: Typed, readers: Sequence[_Reader], line: int, cells: Sequence[Any]
) -> tuple[Any, dict[str, Any], list[BadRow]]:
    """Return the id and the document of a row, without what does not fit into its column, which is listed. The id is
    None if the row has no value of its key."""
    row: dict[str, Any] = {}
    bad = []
    identity = line if table.key is None else None
    for (column, parts, read), cell in zip(readers, cells, strict=False):
        try:
            value = read(cell)
        except (ValueError, OverflowError) as problem:
            bad.append(BadRow(table.raw.file, line, column.header, str(cell)[:80], f"{problem} ({column.kind})"))
            continue
        if value is not None:
            _set(row, parts, value)
            if table.key is not None and column is table.columns[table.key]:
                identity = value
    if identity is None and table.key is not None:
        bad.append(BadRow(table.raw.file, line, table.columns[table.key].header, "", "it has no key"))
    return identity, row, bad


def _set(row: dict[str, Any], parts: Sequence[str], value: Any) -> None:
    for part in parts[:-1]:
        row = row.setdefault(part, {})
    row[parts[-1]] = value


def _note(loaded: Loaded, bad: BadRow) -> None:
    if len(loaded.bad) < MOST_BAD:
        loaded.bad.append(bad)
    else:
        loaded.more_bad += 1


def _send(client: Elasticsearch, lines: list[int], operations: list[Any], table: Typed, loaded: Loaded) -> None:
    answer = client.bulk(operations=operations)
    key = table.columns[table.key].header if table.key is not None else ""
    for line, item in zip(lines, answer["items"], strict=True):
        result = item["create"]
        if "error" in result:
            taken = result.get("status") == _CONFLICT
            reason = "a row before it has this key" if taken else str(result["error"].get("reason", result["error"]))
            _note(loaded, BadRow(table.raw.file, line, key, str(result.get("_id", "")), reason))
        else:
            loaded.loaded += 1
