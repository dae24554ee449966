"""Loads the tables of several files into one store: unchanged files are kept, and what cannot be loaded is listed."""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from elasticsearch import ApiError

from qlc.base.errors import UsageError
from qlc.base.version import VERSION
from qlc.base.words.sentences import listed
from qlc.mapping.shapes import mapping_answer
from qlc.outcome.amounts import several
from qlc.tables.loading import Loaded, load_table
from qlc.tables.model import RawTable
from qlc.tables.parts import groups_of, joined, may_join, name_of
from qlc.tables.reading import COLUMNAR, DATABASES, is_table, no_table, read_tables
from qlc.tables.typed import (
    Show,
    Typed,
    check_headers,
    check_types,
    typed_tables,
    with_dates_as_text,
    with_references,
)

if TYPE_CHECKING:
    from elasticsearch import Elasticsearch

MOST_TABLES = 20
"""Tables that are loaded; a file with further ones is listed instead."""
_TOO_MANY = f"a page asks {MOST_TABLES} tables at most; 'qlc ui' with this file alone asks it"
MOST_NOTES = 20
"""Notes that are kept of a table; more are counted."""
_MOST_BAD = 3
_META = "qlc_table"
"""In the `_meta` of a mapping: what is known of the table and its file."""
_HASH_CHUNK = 1 << 20
_ALWAYS = (*DATABASES, *COLUMNAR)
"""Suffixes of files that are tables whatever is in them."""


@dataclass(frozen=True, slots=True)
class FolderTable:
    """A table of a store. `content` identifies the content of its file and how it was read."""

    index: str
    file: str
    title: str
    """The file, with the sheet or the table in it: `tickets.xlsx [Tickets]`."""
    rows: int
    columns: tuple[str, ...]
    notes: tuple[str, ...] = ()
    content: str = ""
    of: int = 1
    """How many tables its file has."""


@dataclass(slots=True)
class Collected:
    """The files by how they were read. `papers` hold no table, or are forms around one: they are documents to read."""

    tables: list[FolderTable] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    """Files that were not loaded, each with the reason."""
    papers: list[Path] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Loading:
    """How tables are loaded.

    `given` sets types by header. `again` is the command, to which a message adds an option. With `forms`, a file that
    is more text than table is a paper. `taken` are names that no index may have. With `prune`, tables of files that are
    not among those given are deleted. `show` gets the index, the rows that are done, and all rows.
    """

    again: str
    given: Mapping[str, str] = field(default_factory=dict)
    forms: bool = False
    taken: Collection[str] = ()
    prune: bool = True
    show: Show | None = None


def tables_in(client: Elasticsearch) -> list[FolderTable]:
    """Return the tables that a store has, by file and index."""
    found = []
    for name, one in mapping_answer(client.indices.get_mapping, "*").items():
        meta: Any = one.get("mappings", {}).get("_meta", {}).get(_META)
        if isinstance(meta, dict):
            known: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in meta.items()}
            with suppress(TypeError):  # of another version: the file is loaded again
                found.append(FolderTable(index=name, **known))
    return sorted(found, key=lambda one: (one.file, one.index))


def load_folder(client: Elasticsearch, files: Iterable[tuple[Path, str]], how: Loading) -> Collected:
    """Load the tables of files, each with its name, into a store. A file that has not changed is not read again.

    Raises UsageError for a type that does not exist, and for a header in `given` that no table has.
    """
    check_types(how.given)
    found = Collected()
    known: dict[str, list[FolderTable]] = {}
    for one in tables_in(client):
        known.setdefault(one.file, []).append(one)
    sources = list(_sources([(path, name) for path, name in files if is_table(path)]))
    names = {one.name for one in sources}
    for name in [*known]:
        if name not in names and (how.prune or any(name in one.parts for one in sources)):
            _delete(client, known.pop(name))
    read: list[Typed] = []
    for source in sources:
        name, content = source.name, _content(source.paths, how)
        held = known.get(name, [])
        if held and len(held) == held[0].of and all(one.content == content for one in held):
            continue
        _delete(client, known.pop(name, []))
        try:
            tables = typed_tables(source.read(), how.given, show=how.show)
            is_certain = source.paths[0].name.lower().endswith(_ALWAYS)
            if how.forms and not is_certain and all(map(_is_form, tables)):
                found.papers += source.paths
                continue
            if not tables:
                raise no_table(source.paths[0])
            read += tables
            if sum(map(len, known.values())) + len(tables) > MOST_TABLES:
                found.unread.append((name, _TOO_MANY))
                continue
            used = {one.index for held in known.values() for one in held}
            known[name] = _load(client, name, content, tables, how, used)
        except (UsageError, ApiError) as problem:
            found.unread.append((name, _reason(problem, source.paths[0])))
    found.tables = [one for held in known.values() for one in held]
    headers = {header for one in found.tables for header in one.columns}
    check_headers(how.given, headers | {column.header for one in read for column in one.columns})
    return found


@dataclass(frozen=True, slots=True)
class _Source:
    """A file, or files with the same columns that are parts of one table: their `name` has `*` for what differs."""

    name: str
    paths: tuple[Path, ...]
    parts: tuple[str, ...] = ()

    def read(self) -> list[RawTable]:
        tables = [table for path in self.paths for table in read_tables(path)]
        if not self.parts:
            return tables
        starred = Path(self.name).name.partition(".")[0]
        called = name_of(starred, self.paths[0].resolve().parent.name)
        return [joined(tables, [Path(one).name.partition(".")[0] for one in self.parts], "File", called, self.name)]


def _sources(files: Sequence[tuple[Path, str]]) -> Iterator[_Source]:
    """Yield the files one by one, and those that are parts of one table together."""
    paths = {name: path for path, name in files}
    together: dict[str, _Source] = {}
    for starred, parts in groups_of(paths).items():
        if _are_parts([paths[one] for one in parts]):
            together |= dict.fromkeys(parts, _Source(starred, tuple(paths[one] for one in parts), tuple(parts)))
    yield from dict.fromkeys(together.get(name) or _Source(name, (path,)) for path, name in files)


def _are_parts(paths: Sequence[Path]) -> bool:
    """Whether each of some files has one table, all with the same columns."""
    try:
        tables = [read_tables(path) for path in paths]
    except UsageError:
        return False
    return all(len(one) == 1 for one in tables) and may_join([one[0] for one in tables])


def _reason(problem: UsageError | ApiError, path: Path) -> str:
    """Return why a file was not loaded, to be shown after its name."""
    text = problem.message if isinstance(problem, ApiError) else str(problem)
    return text.removeprefix(f"'{path.name}' ")


def _delete(client: Elasticsearch, tables: Iterable[FolderTable]) -> None:
    for one in tables:
        client.indices.delete(index=one.index, ignore_unavailable=True)


def _content(paths: Iterable[Path], how: Loading) -> str:
    """Return a hash of what a table is made of: its files, the types that were given, and this version."""
    digest = hashlib.sha256(json.dumps([VERSION, how.again, how.forms, sorted(how.given.items())]).encode())
    try:
        for path in paths:
            digest.update(path.name.encode())
            with path.open("rb") as file:
                while chunk := file.read(_HASH_CHUNK):
                    digest.update(chunk)
    except OSError:
        return ""  # reading it says why
    return digest.hexdigest()[:32]


def _is_form(table: Typed) -> bool:
    """Whether a table is only a part of its file: one row, or more lines around it than rows in it, as in an
    invoice."""
    return table.rows < 2 or len(table.raw.left_out) > table.rows


def _load(
    client: Elasticsearch, name: str, content: str, tables: Sequence[Typed], how: Loading, taken: Collection[str]
) -> list[FolderTable]:
    """Load all tables of a file, or none."""
    done: list[FolderTable] = []
    named: list[Typed] = []
    for one in tables:
        used = {*taken, *how.taken, *(each.index for each in named)}
        named.append(replace(with_dates_as_text(one), index=_free_name(one.index, used)))
    try:
        for table, given in zip(with_references(named), tables, strict=True):
            done.append(_loaded(client, name, content, table, given, len(tables), how))
    except BaseException:
        _delete(client, done)
        raise
    return done


def _free_name(name: str, used: Collection[str]) -> str:
    """Return a name that nothing has: `orders`, `orders_table`, `orders_2`."""
    names = [name, f"{name}_table", *(f"{name}_{at}" for at in range(2, len(used) + 3))]
    return next(one for one in names if one not in used)


def _loaded(
    client: Elasticsearch, name: str, content: str, table: Typed, given: Typed, of: int, how: Loading
) -> FolderTable:
    title = table.raw.file if "*" in name else table.raw.file.replace(Path(name).name, name, 1)
    columns = tuple(one.header for one in table.columns)
    made: list[FolderTable] = []

    def about(loaded: Loaded) -> Mapping[str, Any]:
        notes = tuple(_notes(table, given, loaded, how))
        made.append(FolderTable(table.index, name, title, loaded.loaded, columns, notes, content, of))
        kept = asdict(made[0])
        del kept["index"]
        return {_META: kept}

    load_table(client, table, replace=True, show=how.show, about=about)
    return made[0]


def _notes(table: Typed, given: Typed, loaded: Loaded, how: Loading) -> list[str]:
    """Return sentences about what of a table was left out, and what should be checked."""
    notes = [
        f"'{one.header}' is kept as text: nothing says whether day or month comes first ('{one.example}'). "
        f"Say it: {how.again} --set {shlex.quote(f'{one.header}=date:dmy')}, or date:mdy"
        for one in given.unsure
    ]
    notes += [*table.raw.left_out, *loaded.left_out]
    notes += [f"check '{column.header}': {doubt}" for column in table.columns for doubt in column.doubts]
    if loaded.bad:
        bad = [f"line {one.line:,}{f', {one.column}' if one.column else ''}: {one.value!r} ({one.reason})"
               for one in loaded.bad[:_MOST_BAD]]  # fmt: skip
        more = len(loaded.bad) + loaded.more_bad - len(bad)
        said = listed([*bad, *([f"{more:,} more"] if more else [])])
        notes.append(f"{several(len(loaded.bad) + loaded.more_bad, 'value')} not loaded: {said}")
    rest = len(notes) - MOST_NOTES
    return notes if rest <= 0 else [*notes[:MOST_NOTES], f"and {several(rest, 'more note')}"]
