"""Tables with the types of their columns, from all values: what becomes the mapping of an index."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, islice
from pathlib import Path
from typing import Any

from qlc.base.deadline import checkpoint
from qlc.base.errors import UsageError
from qlc.language.nouns import index_nouns, plural_of, snake
from qlc.mapping.index_mapping import COUNTS, READ_FROM, ROWS
from qlc.tables.columns import NAMES_OF_CODES, Column, check_type, infer, unit_after
from qlc.tables.facts import Facts
from qlc.tables.inner_numbers import InnerNumber, inner_numbers
from qlc.tables.inner_texts import InnerText, inner_texts
from qlc.tables.model import RawTable, Report
from qlc.tables.reading import no_table, read_tables

BATCH = 2_000
MOST_COLUMNS = 1_000
"""Columns of a table: an index has no more fields by default."""
LONGEST_META = 500
"""Characters of a header or a note that are kept in the `meta` of a field, which takes no more."""
MARK = "mark"
"""In the `meta` of a field: the pattern between the elements of its lists, for rows that are added later."""
REFERENCES = "qlc_references"
"""In the `_meta` of a mapping: the fields that hold the keys of other tables, each with `INDEX.FIELD`."""
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

Types = Mapping[str, str | Mapping[str, str]]
"""Types of columns by header, or by index and header: `{"amount": "money:EUR", "orders": {"size": "double:kg"}}`."""

Ask = Callable[[str, str], str]
"""Gets a column and one of its dates, and returns `dmy` or `mdy`."""
Show = Callable[[str, int, int | None], None]
"""Gets what is read or loaded, the rows that are done, and all rows if they are known."""


@dataclass(frozen=True)
class Typed:
    """A table with the types of its columns, ready to be loaded.

    `index` is where it goes, `fields` are the names of its columns there, `key` is the column that identifies a row.
    `types` are those that were given, by header. `references` leads from a field to the `INDEX.FIELD` whose values it
    holds. `doubts` are sentences on its rows.
    """

    raw: RawTable
    index: str
    columns: tuple[Column, ...]
    fields: tuple[str, ...]
    facts: tuple[Facts, ...]
    rows: int
    key: int | None = None
    types: Mapping[str, str] = field(default_factory=dict)
    references: tuple[tuple[str, str], ...] = ()
    doubts: tuple[str, ...] = ()

    @cached_property
    def inside(self) -> Mapping[str, InnerNumber | InnerText]:
        """The fields with numbers and parts of texts: `result_number_1`, `result_number_2`, `venue_last`."""
        every: list[InnerNumber | InnerText] = [*inner_numbers(self.columns, self.facts)]
        every += inner_texts(self.columns, self.facts)
        named = {f"{self.fields[one.column]}_{one.name.replace(' ', '_')}": one for one in every}
        return {name: one for name, one in named.items() if name not in self.fields and "." not in name}

    @property
    def unsure(self) -> tuple[Column, ...]:
        """Columns whose dates may be day first or month first."""
        return tuple(one for one in self.columns if one.kind in ("date", "datetime") and not one.order)

    def mapping(self) -> dict[str, Any]:
        """The mapping of the index; labels and units are in the `meta` of the fields."""
        properties: dict[str, Any] = {}
        for column, name in zip(self.columns, self.fields, strict=True):
            unit = column.currency or column.unit
            told = {"label": column.header, "unit": unit, "note": column.note, MARK: column.mark}
            meta = {key: text[:LONGEST_META] for key, text in told.items() if text}
            kind = dict(_TYPES[column.kind])
            _put(properties, name.split("."), kind if column.kind == "object" else {**kind, "meta": meta})
        for name, one in self.inside.items():
            header = self.columns[one.column].header
            meta = {"label": f"{header[:400]}, {one.name}", READ_FROM: one.described(header[:200])}
            properties[name] = {"type": "double" if isinstance(one, InnerNumber) else "keyword", "meta": meta}
        note = {"note": "; ".join(self.doubts)[:LONGEST_META]} if self.doubts else {}
        properties[self.row_field] = {"type": "long", "meta": {"label": "Row", COUNTS: ROWS, **note}}
        return {"properties": properties}

    @property
    def row_field(self) -> str:
        """The field with the place of each row in the file, from 1: `row`, or where a column has that name `row_2`."""
        taken = {name.partition(".")[0] for name in self.fields}
        return next(name for n in count(1) if (name := "row" if n == 1 else f"row_{n}") not in taken)

    def with_types(self, types: Mapping[str, str]) -> Typed:
        """The table with these types of some columns, by header."""
        types = {**self.types, **types}
        return replace(self, types=types, columns=infer(self.facts, types))


def _put(properties: dict[str, Any], parts: Sequence[str], definition: dict[str, Any]) -> None:
    for part in parts[:-1]:
        properties = properties.setdefault(part, {"properties": {}}).setdefault("properties", {})
    properties[parts[-1]] = definition


def read_typed(
    path: Path, given: Types | None = None, *, key: str = "", name: str = "", show: Show | None = None,
    ask: Ask | None = None,
) -> list[Typed]:  # fmt: skip
    """Read the tables of a file with the types of their columns, from all values.

    `given` sets types: `amount` -> `money:EUR`, `when` -> `date:mdy`, `size` -> `double:kg`. `key` is the column that
    identifies a row. `name` is the index of a file with one table. `show` gets the table and the rows that are read,
    `ask` says in which order dates are if the column does not. Raises UsageError for a file that cannot be read, for a
    header or type that does not exist, and for dates of unknown order.
    """
    return type_tables(read_raw(path), given, key=key, name=name, show=show, ask=ask)


def read_raw(path: Path) -> list[RawTable]:
    """Read the tables of a file, before their columns have types. Raises UsageError if there is none."""
    found = read_tables(path)
    if not found:
        raise no_table(path)
    return found


def type_tables(
    raws: Sequence[RawTable], given: Types | None = None, *, key: str = "", name: str = "", show: Show | None = None,
    ask: Ask | None = None,
) -> list[Typed]:  # fmt: skip
    """Find the types of the columns of tables that belong together. Arguments and errors are those of `read_typed`."""
    given = given or {}
    check_types(given)
    found = [_asked(one, ask) for one in typed_tables(raws, given, key=key, name=name, show=show)]
    names = [one.index for one in found]
    if len(set(names)) < len(names):
        twice = max(names, key=names.count)
        raise UsageError(f"two tables of {found[0].raw.file} would be called '{twice}': rename one of them")
    wanted = [header for header, kind in given.items() if isinstance(kind, str)]
    headers = {column.header for one in found for column in one.columns}
    check_headers([*wanted, key] if key else wanted, headers)
    for one in found:
        if unknown := [header for header in _own(given, one.index) if header not in one.raw.headers]:
            raise UsageError(f"'{one.index}' has no column '{unknown[0]}': it has {', '.join(one.raw.headers[:20])}")
        if one.unsure:
            first = one.unsure[0]
            raise UsageError(
                f"in '{first.header}' of {one.raw.file}, nothing says whether day or month comes first "
                f"('{first.example}'). Say it: --set '{first.header}=date:dmy' or --set '{first.header}=date:mdy'"
            )
    return with_references(found)


def _asked(table: Typed, ask: Ask | None) -> Typed:
    """Return a table with the orders of its doubtful dates, one after another: one that is said proves others."""
    while ask is not None and table.unsure:
        first = table.unsure[0]
        order = ask(f"{table.raw.file}, {first.header}", first.example)
        table = table.with_types({first.header: f"{first.kind}:{order}"})
    return table


def typed_tables(
    raws: Sequence[RawTable], given: Types, *, key: str = "", name: str = "", show: Show | None = None
) -> list[Typed]:
    """Return tables with the types of their columns, also those with dates of unknown order. Headers in `given` that no
    table has are ignored."""
    return [_typed(raw, given, key, name if len(raws) == 1 else "", show) for raw in raws]


def check_types(given: Types) -> None:
    """Check types that are given. Raises UsageError."""
    for header, kind in given.items():
        for column, one in [(header, kind)] if isinstance(kind, str) else kind.items():
            check_type(column, one)


def check_headers(wanted: Iterable[str], headers: Collection[str]) -> None:
    """Raise UsageError for a header that is not among those of the tables."""
    if unknown := [one for one in wanted if one not in headers]:
        raise UsageError(f"there is no column '{unknown[0]}': there are {', '.join(sorted(headers)[:20])}")


def with_dates_as_text(table: Typed) -> Typed:
    """Return a table whose dates of unknown order are kept as the texts that they are."""
    return table.with_types({one.header: "keyword" for one in table.unsure}) if table.unsure else table


def with_references(tables: Sequence[Typed]) -> list[Typed]:
    """Return tables that belong together with the references between them."""
    return [replace(one, references=_references(one, tables)) for one in tables]


def _own(given: Types, index: str) -> Mapping[str, str]:
    found = given.get(index, {})
    return found if not isinstance(found, str) else {}


def _typed(raw: RawTable, given: Types, key: str, name: str, show: Show | None) -> Typed:
    if len(raw.headers) > MOST_COLUMNS:
        raise UsageError(f"{raw.file} has {len(raw.headers):,} columns, and an index takes {MOST_COLUMNS:,}")
    facts, doubts = _facts_of(raw, show)
    columns = infer(facts)
    called = [key] if key in raw.headers else list(raw.keys)
    at = raw.headers.index(called[0]) if called else _identifying(columns)
    index = name or _called(raw, columns, at)
    types = {header: kind for header, kind in given.items() if isinstance(kind, str)} | dict(_own(given, index))
    if raw.place is not None and columns[-1].kind == "date":  # the files `2025-01` and `2025-02`
        types = {raw.headers[-1]: "keyword", **types}
    rows = max((one.rows for one in columns), default=0)
    table = Typed(raw, index, columns, field_names(raw.headers, nested=raw.nested), facts, rows, at,
                  doubts=doubts)
    return table.with_types(types) if types else table


def _facts_of(raw: RawTable, show: Show | None) -> tuple[tuple[Facts, ...], tuple[str, ...]]:
    facts, report = tuple(Facts(header) for header in raw.headers), Report()
    rows = raw.rows(report)
    while batch := [cells for _, cells in islice(rows, BATCH)]:
        checkpoint()
        for one, cells in zip(facts, zip(*batch, strict=True), strict=True):
            one.add(cells)
        if show is not None:
            show(f"{raw.file}: reading", facts[0].rows, None)
    return facts, tuple(report.doubts)


def _called(raw: RawTable, columns: Sequence[Column], key: int | None) -> str:
    """Return the name of a table: its own, but for a sheet that is not called by a plural what identifies its rows: the
    sheet "Energy" whose first column is "Building" has buildings."""
    own = index_name(raw.name)
    words = snake(columns[key].header).split("_") if key is not None else []
    if not raw.is_sheet or index_nouns(own) is not None or len(words) != 1:
        return own
    is_code = words[0] in NAMES_OF_CODES or words[0].endswith(_ENDS_OF_CODES)
    is_noun = words[0].isascii() and words[0] not in ("name", "title") and not is_code
    return plural_of(words[0]) if is_noun else own


_ENDS_OF_CODES = ("nr", "nummer", "number", "code")
"""Ends of compounds that are codes: "Kundennr"; "hotel" and "piano" are none, though they end in `tel` and `no`."""


def _identifying(columns: Sequence[Column]) -> int | None:
    """The first column, if it is a code with another value in each row."""
    first = columns[0] if columns else None
    return 0 if first is not None and first.kind == "keyword" and first.is_unique and not first.many else None


def _references(table: Typed, tables: Sequence[Typed]) -> tuple[tuple[str, str], ...]:
    """The foreign keys that a database declares, by the names of indices and fields. A reference without a column
    leads to the key of its table."""
    by_name = {one.raw.name: one for one in tables}
    found = []
    for column, target, its_column in table.raw.references:
        other = by_name.get(target)
        if other is None:
            continue
        at = other.raw.headers.index(its_column) if its_column in other.raw.headers else other.key
        if at is not None and column in table.raw.headers:
            found.append((table.fields[table.raw.headers.index(column)], f"{other.index}.{other.fields[at]}"))
    return tuple(found)


def index_name(name: str) -> str:
    """The name of an index for what a file, sheet or table is called: "Meeting rooms" -> "meeting_rooms"."""
    folded = re.sub(r"_+", "_", re.sub(r"[^\w-]", "_", snake(name))).strip("_-+.")
    return folded or "rows"


def field_names(headers: Sequence[str], *, nested: bool = False) -> tuple[str, ...]:
    """Names of fields: what people write folded to one word, with letters of any script; each name once.

    "Basin area (km²)" -> "basin_area", "Weight in kg" -> "weight", "Robot's name[2]" -> "robot_name"; if `nested`,
    "customer.name" stays a path.
    """
    taken: dict[str, int] = {}
    names = []
    for header in headers:
        plain = re.sub(r"\([^()]*\)|\[(?:note )?\d+\]|(?<=\w)['’]s\b", "", unit_after(header)[0])
        said = plain if snake(plain) not in ("", "n") else header
        name = ".".join(snake(part) for part in (said.split(".") if nested else (said,)) if part) or "column"
        taken[name] = taken.get(name, 0) + 1
        names.append(name if taken[name] == 1 else f"{name}_{taken[name]}")
    return tuple(names)
