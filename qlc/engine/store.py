"""Documents, mappings, settings and aliases in SQLite: what an answered write has reached is here, synced to disk.

Every version of a document is a row of its own, keyed by index and sequence number. A row that was replaced or deleted
keeps the sequence number of that operation in `dead_at` until no saved segment holds it any more. Columns are derived
from the rows; the list of saved segments is in the same database, so that both change in one transaction.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: `PRAGMA user_version` of the database; a higher one was written by a newer release.
FORMAT_VERSION = 1

#: A row's key is `index id * _KEY_SPAN + sequence number`.
_KEY_SPAN = 2**40

#: SQLite's limit of variables is far above; short statements are prepared once and kept.
_IN_CHUNK = 500

_SCHEMA = """
CREATE TABLE indices (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    uuid TEXT NOT NULL,
    created_ms INTEGER NOT NULL,
    next_seq_no INTEGER NOT NULL,
    saved_seq_no INTEGER NOT NULL,
    settings TEXT NOT NULL,
    mapping TEXT NOT NULL,
    aliases TEXT NOT NULL
);
CREATE TABLE documents (
    key INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    dead_at INTEGER,
    source BLOB NOT NULL
);
CREATE UNIQUE INDEX live_documents ON documents (index_id, id) WHERE dead_at IS NULL;
CREATE INDEX dead_documents ON documents (index_id, key) WHERE dead_at IS NOT NULL;
CREATE TABLE segments (
    index_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (index_id, place)
) WITHOUT ROWID;
"""


class StoreError(Exception):
    """The folder cannot be used: damaged, of a newer release, or no store at all."""


@dataclass(slots=True)
class IndexRecord:
    """What the store keeps of an index beside its documents.

    Columns of documents up to `saved_seq_no` are in segment files.
    """

    id: int
    name: str
    uuid: str
    created_ms: int
    next_seq_no: int
    saved_seq_no: int
    settings: dict[str, Any]
    mapping: dict[str, Any]
    aliases: dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class StoredDocument:
    id: str
    seq_no: int
    version: int
    source: bytes


class Store:
    """One database. Writes come from one thread at a time, inside `transaction`; reads from any."""

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self._path = path
        self._read_only = read_only
        self._lock = threading.RLock()
        self._local = threading.local()
        self._readers: list[sqlite3.Connection] = []
        try:
            self._connection = self._connect()
            self._check_format()
        except sqlite3.DatabaseError as error:
            raise StoreError(f"the store {path} is damaged or cannot be opened: {error}") from error

    def _connect(self) -> sqlite3.Connection:
        if self._path is None:
            target, uri = ":memory:", False
        elif self._read_only:
            target, uri = f"{self._path.resolve().as_uri()}?mode=ro", True
        else:
            target, uri = str(self._path), False
        connection = sqlite3.connect(target, uri=uri, isolation_level=None, check_same_thread=False, timeout=30)
        if not self._read_only and self._path is not None:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA cache_size = -65536")
        return connection

    def _check_format(self) -> None:
        (version,) = self._connection.execute("PRAGMA user_version").fetchone()
        if version == 0 and not self._read_only:
            with self.transaction():
                for statement in _SCHEMA.split(";"):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
            return
        if version > FORMAT_VERSION:
            raise StoreError(f"the store {self._path} has format {version}; this release reads up to {FORMAT_VERSION}")
        if version == 0:
            raise StoreError(f"{self._path} is not a store of the embedded engine")

    def close(self) -> None:
        for connection in [*self._readers, self._connection]:
            connection.close()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside is on disk when it ends, or nothing is."""
        with self._lock:
            if self._connection.in_transaction:
                yield
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading: one per thread for a file, the shared one in memory."""
        if self._path is None:
            with self._lock:
                yield self._connection
            return
        connection = getattr(self._local, "connection", None)
        if connection is None:
            connection = self._local.connection = self._connect()
            self._readers.append(connection)
        yield connection

    @contextlib.contextmanager
    def reading_together(self) -> Iterator[None]:
        """All that this thread reads inside is of one moment, whatever another process writes."""
        with self.reading() as connection:
            connection.execute("BEGIN")
            try:
                yield
            finally:
                connection.execute("COMMIT")

    def data_version(self) -> int:
        """Changes when another process has written."""
        with self.reading() as connection:
            (version,) = connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    # --- indices

    def indices(self) -> list[IndexRecord]:
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, name, uuid, created_ms, next_seq_no, saved_seq_no, settings, mapping, aliases FROM indices"
            ).fetchall()
        return [IndexRecord(*row[:6], *map(json.loads, row[6:])) for row in rows]

    def create_index(self, record: IndexRecord) -> IndexRecord:
        """Stores the record; its `id` is given here."""
        cursor = self._connection.execute(
            "INSERT INTO indices (name, uuid, created_ms, next_seq_no, saved_seq_no, settings, mapping, aliases) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                record.name, record.uuid, record.created_ms, record.next_seq_no, record.saved_seq_no,
                json.dumps(record.settings), json.dumps(record.mapping), json.dumps(record.aliases),
            ),
        )  # fmt: skip
        record.id = int(cursor.lastrowid or 0)
        return record

    def delete_index(self, index_id: int) -> None:
        low, high = index_id * _KEY_SPAN, (index_id + 1) * _KEY_SPAN
        self._connection.execute("DELETE FROM documents WHERE key >= ? AND key < ?", (low, high))
        self._connection.execute("DELETE FROM segments WHERE index_id = ?", (index_id,))
        self._connection.execute("DELETE FROM indices WHERE id = ?", (index_id,))

    def save_record(self, record: IndexRecord) -> None:
        """Writes all that may change of an index: sequence numbers, settings, mapping, aliases."""
        self._connection.execute(
            "UPDATE indices SET next_seq_no = ?, saved_seq_no = ?, settings = ?, mapping = ?, aliases = ? WHERE id = ?",
            (
                record.next_seq_no, record.saved_seq_no, json.dumps(record.settings), json.dumps(record.mapping),
                json.dumps(record.aliases), record.id,
            ),
        )  # fmt: skip

    def save_next_seq_no(self, record: IndexRecord) -> None:
        self._connection.execute("UPDATE indices SET next_seq_no = ? WHERE id = ?", (record.next_seq_no, record.id))

    # --- documents

    def add(self, index_id: int, documents: Iterable[StoredDocument]) -> None:
        base = index_id * _KEY_SPAN
        self._connection.executemany(
            "INSERT INTO documents (key, index_id, id, version, source) VALUES (?, ?, ?, ?, ?)",
            ((base + doc.seq_no, index_id, doc.id, doc.version, doc.source) for doc in documents),
        )

    def bury(self, index_id: int, dead: Iterable[tuple[int, int]]) -> None:
        """Marks rows (sequence number, sequence number of the operation that ended it) as replaced or deleted."""
        base = index_id * _KEY_SPAN
        self._connection.executemany(
            "UPDATE documents SET dead_at = ? WHERE key = ?", ((dead_at, base + seq_no) for seq_no, dead_at in dead)
        )

    def get(self, index_id: int, doc_id: str) -> StoredDocument | None:
        with self.reading() as connection:
            row = connection.execute(
                "SELECT id, key, version, source FROM documents WHERE index_id = ? AND id = ? AND dead_at IS NULL",
                (index_id, doc_id),
            ).fetchone()
        return None if row is None else StoredDocument(row[0], row[1] % _KEY_SPAN, row[2], row[3])

    def versions(self, index_id: int, ids: Sequence[str]) -> dict[str, tuple[int, int]]:
        """(sequence number, version) of those of the ids that are there."""
        found: dict[str, tuple[int, int]] = {}
        with self.reading() as connection:
            for start in range(0, len(ids), _IN_CHUNK):
                chunk = ids[start : start + _IN_CHUNK]
                marks = ",".join("?" * len(chunk))
                rows = connection.execute(
                    "SELECT id, key, version FROM documents "
                    f"WHERE index_id = ? AND dead_at IS NULL AND id IN ({marks})",
                    (index_id, *chunk),
                )
                found.update((doc_id, (key % _KEY_SPAN, version)) for doc_id, key, version in rows)
        return found

    def sources(self, index_id: int, seq_nos: Sequence[int]) -> dict[int, bytes]:
        """`_source` by sequence number, also of rows that are dead by now; missing ones have been purged."""
        base = index_id * _KEY_SPAN
        found: dict[int, bytes] = {}
        with self.reading() as connection:
            for start in range(0, len(seq_nos), _IN_CHUNK):
                chunk = [base + seq_no for seq_no in seq_nos[start : start + _IN_CHUNK]]
                marks = ",".join("?" * len(chunk))
                rows = connection.execute(f"SELECT key, source FROM documents WHERE key IN ({marks})", chunk)
                found.update((key - base, source) for key, source in rows)
        return found

    def documents_after(self, index_id: int, seq_no: int) -> Iterator[StoredDocument]:
        """The live rows above a sequence number, ascending."""
        low, high = index_id * _KEY_SPAN + seq_no + 1, (index_id + 1) * _KEY_SPAN
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT id, key, version, source FROM documents WHERE key >= ? AND key < ? AND dead_at IS NULL "
                "ORDER BY key",
                (low, high),
            )
            for doc_id, key, version, source in rows:
                yield StoredDocument(doc_id, key % _KEY_SPAN, version, source)

    def dead_seq_nos(self, index_id: int) -> list[int]:
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT key FROM documents WHERE index_id = ? AND dead_at IS NOT NULL ORDER BY key", (index_id,)
            ).fetchall()
        return [key % _KEY_SPAN for (key,) in rows]

    def purge(self, index_id: int, seq_nos: Iterable[int]) -> None:
        """Drops dead rows that no segment holds any more."""
        base = index_id * _KEY_SPAN
        self._connection.executemany(
            "DELETE FROM documents WHERE key = ? AND dead_at IS NOT NULL", ((base + seq_no,) for seq_no in seq_nos)
        )

    # --- segments

    def segments(self, index_id: int) -> list[str]:
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT name FROM segments WHERE index_id = ? ORDER BY place", (index_id,)
            ).fetchall()
        return [name for (name,) in rows]

    def save_segments(self, index_id: int, names: Sequence[str]) -> None:
        self._connection.execute("DELETE FROM segments WHERE index_id = ?", (index_id,))
        self._connection.executemany(
            "INSERT INTO segments (index_id, place, name) VALUES (?, ?, ?)",
            ((index_id, place, name) for place, name in enumerate(names)),
        )
