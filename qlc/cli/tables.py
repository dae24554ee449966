"""`qlc index` for tables: what was inferred, the load, and what was left out."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from qlc.base.errors import UsageError
from qlc.base.texts import escaped, width_of
from qlc.cli.meter import Meter
from qlc.cli.settings import Load
from qlc.cli.target import open_client
from qlc.outcome.amounts import several
from qlc.tables.columns import Column
from qlc.tables.loading import Loaded, load_all, refuse_existing
from qlc.tables.model import BadRow
from qlc.tables.typed import Ask, Typed, read_raw, type_tables
from qlc.tables.types_file import read_types, types_path, write_types

MOST_SHOWN = 20
"""Bad rows that are printed; --json lists all that were kept."""
_LONGEST_EXAMPLE = 30


def load_tables(path: Path, options: Load) -> int:
    """Load the tables of a file. Returns 1 if a row was not loaded whole."""
    types: dict[str, str | Mapping[str, str]] = dict(read_types(Path(options.types)) if options.types else {})
    types |= given_types(options.set)
    meter = Meter("rows")
    try:
        called = {"key": options.id or "", "name": options.name or ""}
        raws = read_raw(path)
        with open_client(options, writes=True) as client:
            if not (options.fresh or options.id):
                refuse_existing(client, raws, options.name or "")
            tables = type_tables(raws, types, **called, show=meter.of_rows, ask=_ask_order())
            done = load_all(client, tables, replace=options.fresh, append=bool(options.id), show=meter.of_rows)
    finally:
        meter.end()
    store = "" if options.url else options.data or os.environ.get("QLC_DATA", "")
    if store:
        write_types(types_path(Path(store)), tables)
    if options.json:
        print(json.dumps([_record(one, loaded) for one, loaded in zip(tables, done, strict=True)], ensure_ascii=False))
    else:
        for one, loaded in zip(tables, done, strict=True):
            _print(one, loaded)
    return 1 if any(loaded.bad for loaded in done) else 0


def _ask_order() -> Ask | None:
    """Return a function that asks for the order of dates on the terminal; None without a terminal."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return None

    def ask(column: str, example: str) -> str:
        while True:
            print(f"{escaped(column)}: '{escaped(example)}'. Does the day (d) or the month (m) come first? ", end="",
                  file=sys.stderr, flush=True)  # fmt: skip
            said = sys.stdin.readline().strip().lower()
            if said in ("d", "day", "m", "month"):
                return "dmy" if said[0] == "d" else "mdy"
            if not said:
                raise UsageError(f"nothing was said of '{column}': --set 'COLUMN=date:dmy' or date:mdy says it too")

    return ask


def given_types(given: Sequence[str]) -> dict[str, str]:
    """Return the types of `--set`, by header. Raises UsageError."""
    found = {}
    for one in given:
        header, mark, kind = one.rpartition("=")
        if not mark:
            raise UsageError(f"--set is COLUMN=TYPE, such as 'amount=money:EUR', not '{one}'")
        found[header] = kind
    return found


def _record(table: Typed, loaded: Loaded) -> dict[str, Any]:
    columns = [
        {
            "column": column.header, "field": name, "type": column.kind, "list": column.many,
            "unit": column.currency or column.unit, "missing": column.missing, "example": column.example,
            "doubts": list(column.doubts),
        }
        for column, name in zip(table.columns, table.fields, strict=True)
    ]  # fmt: skip
    bad = [{"line": one.line, "column": one.column, "value": one.value, "reason": one.reason} for one in loaded.bad]
    return {
        "index": loaded.index, "file": table.raw.file, "rows": loaded.loaded, "replaced": loaded.replaced,
        "columns": columns, "left_out": [*table.raw.left_out, *loaded.left_out],
        "bad": bad, "more_bad": loaded.more_bad,
    }  # fmt: skip


def _print(table: Typed, loaded: Loaded) -> None:
    replaced = f", {loaded.replaced:,} of them in place of rows with the same key" if loaded.replaced else ""
    print(f"{table.raw.file}: {several(loaded.loaded, 'row')} in '{loaded.index}'{replaced}.")
    rows: list[tuple[str, ...]] = [("column", "field", "type", "missing", "example")]
    rows += [_cells(column, name) for column, name in zip(table.columns, table.fields, strict=True)]
    widths = [max(width_of(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        padded = (cell + " " * (width - width_of(cell)) for cell, width in zip(row, widths, strict=True))
        print(f"  {'  '.join(padded)}".rstrip())
    for line in (*table.raw.left_out, *loaded.left_out):
        print(f"  {escaped(line)}")
    for column in table.columns:
        for doubt in column.doubts:
            print(f"  check '{escaped(column.header)}': {escaped(doubt)}")
    _print_bad(loaded.bad, loaded.more_bad)


def _cells(column: Column, name: str) -> tuple[str, ...]:
    detail = column.currency or column.unit
    kind = f"{column.kind} ({detail})" if detail and detail != "%" else column.kind
    example = " ".join(column.example.split())
    short = example if len(example) <= _LONGEST_EXAMPLE else f"{example[: _LONGEST_EXAMPLE - 1]}…"
    kind = f"list of {kind}" if column.many else kind
    return escaped(column.header), name, kind, f"{column.missing:,}", escaped(short)


def _print_bad(bad: Iterable[BadRow], more: int) -> None:
    listed = list(bad)
    if listed:
        print(f"  {several(len(listed) + more, 'value')} not loaded:")
    for one in listed[:MOST_SHOWN]:
        where = f"line {one.line:,}" + (f", {one.column}" if one.column else "")
        print(f"    {escaped(where)}: {escaped(one.value)!r}: {escaped(one.reason)}")
    if len(listed) + more > MOST_SHOWN:
        print(f"    and {len(listed) + more - MOST_SHOWN:,} more (--json lists them)")
