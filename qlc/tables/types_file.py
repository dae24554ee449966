"""The file with the types of columns beside a store: what was inferred, for people to edit and to give again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from qlc.base.errors import UsageError, reason_of
from qlc.tables.columns import Column
from qlc.tables.typed import Typed

LARGEST = 1_000_000
"""Bytes of a file of types."""
_LONGEST_EXAMPLE = 40


def types_path(store: Path) -> Path:
    """Return the path of the file for a store: `shop` -> `shop.types.yaml`."""
    return store.with_name(f"{store.name}.types.yaml")


def read_types(path: Path) -> dict[str, dict[str, str]]:
    """Read the types of columns by index and header. Raises UsageError."""
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST + 1)
        if len(text) > LARGEST:
            raise UsageError(f"'{path}' is larger than {LARGEST:,} bytes, which no file of types is")
        found: Any = yaml.load(text, yaml.BaseLoader)  # every scalar is a text: the header "No" is no truth value
    except OSError as problem:
        raise UsageError(f"the types '{path}' cannot be read: {reason_of(problem)}") from problem
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as problem:
        mark = getattr(problem, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark else ""
        raise UsageError(f"the types '{path}' are not YAML{where}: 'qlc index' writes such a file") from problem
    tables = found if isinstance(found, dict) else {}
    if not tables or not all(map(_is_typed, tables.values())):
        raise UsageError(f"'{path}' is not a file of types: it has 'COLUMN: TYPE' below the name of each table")
    return tables


def _is_typed(columns: Any) -> bool:
    return isinstance(columns, dict) and all(isinstance(kind, str) for kind in columns.values())


def write_types(path: Path, tables: Sequence[Typed]) -> None:
    """Write the types of tables, with an example and the doubts of each column. Other tables in the file stay."""
    try:
        known = read_types(path) if path.exists() else {}
    except UsageError:
        known = {}
    how = f"# To change one, edit it and load again: qlc index FILE --types {path.name} --replace\n"
    parts = [f"# The types of the columns as 'qlc index' read them.\n{how}"]
    written = {one.index: _lines(one) for one in tables}
    kept = {name: [f"  {_line({header: kind})}" for header, kind in known[name].items()] for name in known}
    for name, lines in {**kept, **written}.items():
        parts.append("\n".join([f"{_text(name)}:", *lines]) + "\n")
    path.write_text("\n".join(parts), encoding="utf-8")


def _lines(table: Typed) -> list[str]:
    return [f"  {_line({one.header: one.type})}  # {_said(one)}" for one in table.columns]


def _said(column: Column) -> str:
    example = " ".join(column.example.split())
    example = example if len(example) <= _LONGEST_EXAMPLE else f"{example[:_LONGEST_EXAMPLE]}…"
    said = [example, f"{column.missing:,} missing" if column.missing else "", *column.doubts]
    return "; ".join(filter(None, said))


def _line(entry: dict[str, str]) -> str:
    return str(yaml.safe_dump(entry, allow_unicode=True, width=100_000)).rstrip("\n")


def _text(name: str) -> str:
    return str(yaml.safe_dump(name, allow_unicode=True, width=100_000)).removesuffix("...\n").rstrip("\n")
