"""Documents, mappings, settings and aliases in SQLite. Acknowledged writes are here, synced to disk.

Every version of a document is a row, keyed by index and sequence number. A replaced or deleted row keeps the sequence
number of that operation in `dead_at` until no saved segment holds it any more. Columns are derived from the rows; the
list of saved segments is in the same database, so that both change in one transaction.

SQLite has no checksums, so each row has one, which is compared whenever the row is read.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

#: `PRAGMA user_version` of the database; a higher one was written by a newer release. Format 1 had no checksums.
FORMAT_VERSION = 2

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
    aliases TEXT NOT NULL,
    crc INTEGER
);
CREATE TABLE documents (
    key INTEGER PRIMARY KEY,
    index_id INTEGER NOT NULL,
    id TEXT NOT NULL,
    version INTEGER NOT NULL,
    dead_at INTEGER,
    source BLOB NOT NULL,
    crc INTEGER
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

#: From a format to the next one. Rows without a checksum were written before there were any.
_UPGRADES = {1: ("ALTER TABLE indices ADD COLUMN crc INTEGER", "ALTER TABLE documents ADD COLUMN crc INTEGER")}


class StoreError(Exception):
    """The folder cannot be used: damaged, of a newer release, or no store at all."""


class DamagedStoreError(StoreError):
    """Raised if the contents of the folder differ from what was written."""


@dataclass(slots=True)
class IndexRecord:
    """The stored properties of an index besides its documents.

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


class StoredDocument(NamedTuple):
    id: str
    seq_no: int
    version: int
    source: bytes


#: How many sequence numbers an index may have: the key of a row is `index id * KEY_SPAN + sequence number`.
KEY_SPAN = 2**40


def document_of(row: tuple[int, str, int, bytes, int | None]) -> StoredDocument:
    """The document of a row (key, id, version, source, checksum). Raises `DamagedStoreError`."""
    key, doc_id, version, source, checksum = row
    check_document(key, doc_id, version, source, checksum)
    return StoredDocument(doc_id, key % KEY_SPAN, version, source)


def check_document(key: int, doc_id: str, version: int, source: bytes, checksum: int | None) -> None:
    """Raises `DamagedStoreError` for a row that is not what was written."""
    if not isinstance(source, bytes) or (
        checksum is not None and checksum != _document_checksum(key, doc_id, version, source)
    ):
        raise DamagedStoreError(f"the document '{doc_id}' is damaged")


def _document_checksum(key: int, doc_id: str, version: int, source: bytes) -> int:
    return zlib.crc32(source, zlib.crc32(f"{key} {version} {doc_id}".encode("utf-8", "surrogatepass")))


#: What `record_of` reads; in a store of the first format there is NULL for the last column.
RECORD_COLUMNS = "id, name, uuid, created_ms, next_seq_no, saved_seq_no, settings, mapping, aliases"


def record_of(row: tuple[Any, ...]) -> IndexRecord:
    """The record of a row (`RECORD_COLUMNS` and the checksum). Raises `DamagedStoreError`."""
    if row[9] not in (None, _record_checksum(row[1], row[2], *row[6:9])):
        raise DamagedStoreError(f"the mapping and settings of index '{row[1]}' are damaged")
    return IndexRecord(*row[:6], *map(json.loads, row[6:9]))


def _record_checksum(name: str, uuid: str, settings: str, mapping: str, aliases: str) -> int:
    return zlib.crc32("\0".join((name, uuid, settings, mapping, aliases)).encode("utf-8", "surrogatepass"))


def _check_for_rest(path: Path) -> None:
    """Raises StoreError for a folder with columns and no documents: an empty database beside them would hide it."""
    if any((path.parent / "segments").glob("*/*")) or path.with_name(f"{path.name}-wal").exists():
        raise StoreError(
            f"the file '{path.name}' with the documents is missing in the folder '{path.parent}', and the rest of it "
            "is there: put that file back, or name another folder"
        )


class Store:
    """One database. Writes come from one thread at a time, inside `transaction`; reads from any.

    Raises `StoreError` where there is nothing to be read, `DamagedStoreError` for a row that is not what was written,
    and `sqlite3.DatabaseError` where SQLite finds damage or the disk fails.
    """

    def __init__(self, path: Path | None, *, read_only: bool = False) -> None:
        self._path = path
        self._read_only = read_only
        self._lock = threading.RLock()
        self._local = threading.local()
        #: connections for reading that no thread uses at the moment, the last one used at the end
        self._idle: list[sqlite3.Connection] = []
        if read_only and path is not None and not path.is_file():
            raise StoreError(f"no index is kept in the folder '{path.parent}': name the one that 'qlc index' was given")
        if path is not None and not path.exists():
            _check_for_rest(path)
        try:
            self._connection = self._connect()
            self._check_format()
        except sqlite3.DatabaseError as error:
            raise DamagedStoreError(f"the store {path} is damaged or cannot be opened: {error}") from error

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
        if version > FORMAT_VERSION:
            raise StoreError(f"the store {self._path} has format {version}; this release reads up to {FORMAT_VERSION}")
        if version == 0 and self._read_only:
            raise StoreError(f"{self._path} is not a store of the embedded engine")
        if not self._read_only and version < FORMAT_VERSION:
            with self.transaction():
                for statement in _SCHEMA.split(";") if version == 0 else self._upgrades(version):
                    self._connection.execute(statement)
                self._connection.execute(f"PRAGMA user_version = {FORMAT_VERSION}")
            version = FORMAT_VERSION
        self._checksum = "NULL" if version < 2 else "crc"

    @staticmethod
    def _upgrades(version: int) -> Iterator[str]:
        for step in range(version, FORMAT_VERSION):
            yield from _UPGRADES[step]

    def close(self) -> None:
        for connection in [*self._idle, self._connection]:
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
                self._connection.execute("COMMIT")
            except BaseException:
                # a full disk may have ended the transaction already
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading: for a file the thread's own while this lasts, the shared one in memory."""
        if self._path is None:
            with self._lock:
                yield self._connection
            return
        current: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if current is not None:
            yield current
            return
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connect()
        self._local.connection = connection
        try:
            yield connection
        finally:
            self._local.connection = None
            self._idle.append(connection)

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
        # SQLite counts for each connection by itself, so it is always the same one that is asked
        with self._lock:
            (version,) = self._connection.execute("PRAGMA data_version").fetchone()
        return int(version)

    # --- indices

    def indices(self) -> list[IndexRecord]:
        with self.reading() as connection:
            rows = connection.execute(f"SELECT {RECORD_COLUMNS}, {self._checksum} FROM indices").fetchall()
        return [record_of(row) for row in rows]

    def create_index(self, record: IndexRecord) -> IndexRecord:
        """Stores the record; its `id` is given here."""
        cursor = self._connection.execute(
            "INSERT INTO indices (name, uuid, created_ms, next_seq_no, saved_seq_no, settings, mapping, aliases, crc) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (record.name, record.uuid, record.created_ms, record.next_seq_no, record.saved_seq_no, *_texts_of(record)),
        )
        record.id = int(cursor.lastrowid or 0)
        return record

    def delete_index(self, index_id: int) -> None:
        low, high = index_id * KEY_SPAN, (index_id + 1) * KEY_SPAN
        self._connection.execute("DELETE FROM documents WHERE key >= ? AND key < ?", (low, high))
        self._connection.execute("DELETE FROM segments WHERE index_id = ?", (index_id,))
        self._connection.execute("DELETE FROM indices WHERE id = ?", (index_id,))

    def save_record(self, record: IndexRecord) -> None:
        """Writes all that may change of an index: sequence numbers, settings, mapping, aliases."""
        self._connection.execute(
            "UPDATE indices SET next_seq_no = ?, saved_seq_no = ?, settings = ?, mapping = ?, aliases = ?, crc = ? "
            "WHERE id = ?",
            (record.next_seq_no, record.saved_seq_no, *_texts_of(record), record.id),
        )

    def save_next_seq_no(self, record: IndexRecord) -> None:
        self._connection.execute("UPDATE indices SET next_seq_no = ? WHERE id = ?", (record.next_seq_no, record.id))

    # --- documents

    def add(self, index_id: int, documents: Iterable[StoredDocument]) -> None:
        base = index_id * KEY_SPAN
        self._connection.executemany(
            "INSERT INTO documents (key, index_id, id, version, source, crc) VALUES (?, ?, ?, ?, ?, ?)",
            (_row_of(index_id, base + doc.seq_no, doc) for doc in documents),
        )

    def bury(self, index_id: int, dead: Iterable[tuple[int, int]]) -> None:
        """Marks rows (sequence number, sequence number of the operation that ended it) as replaced or deleted."""
        base = index_id * KEY_SPAN
        self._connection.executemany(
            "UPDATE documents SET dead_at = ? WHERE key = ?", ((dead_at, base + seq_no) for seq_no, dead_at in dead)
        )

    def get(self, index_id: int, doc_id: str) -> StoredDocument | None:
        with self.reading() as connection:
            row = connection.execute(
                f"SELECT key, id, version, source, {self._checksum} FROM documents "
                "WHERE index_id = ? AND id = ? AND dead_at IS NULL",
                (index_id, doc_id),
            ).fetchone()
        return None if row is None else document_of(row)

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
                found.update((doc_id, (key % KEY_SPAN, version)) for doc_id, key, version in rows)
        return found

    def sources(self, index_id: int, seq_nos: Sequence[int]) -> dict[int, bytes]:
        """`_source` by sequence number, also of rows that are dead by now; missing ones have been purged."""
        return {seq_no: source for seq_no, (_, source) in self.ids_and_sources(index_id, seq_nos).items()}

    def ids_and_sources(self, index_id: int, seq_nos: Sequence[int]) -> dict[int, tuple[str, bytes]]:
        """As `sources`, with the ids."""
        base = index_id * KEY_SPAN
        found: dict[int, tuple[str, bytes]] = {}
        with self.reading() as connection:
            for start in range(0, len(seq_nos), _IN_CHUNK):
                chunk = [base + seq_no for seq_no in seq_nos[start : start + _IN_CHUNK]]
                marks = ",".join("?" * len(chunk))
                rows = connection.execute(
                    f"SELECT key, id, version, source, {self._checksum} FROM documents WHERE key IN ({marks})", chunk
                )
                for key, doc_id, version, source, checksum in rows:
                    check_document(key, doc_id, version, source, checksum)
                    found[key - base] = doc_id, source
        return found

    def documents_after(self, index_id: int, seq_no: int) -> Iterator[StoredDocument]:
        """The live rows above a sequence number, ascending."""
        low, high = index_id * KEY_SPAN + seq_no + 1, (index_id + 1) * KEY_SPAN
        with self.reading() as connection:
            rows = connection.execute(
                f"SELECT key, id, version, source, {self._checksum} FROM documents "
                "WHERE key >= ? AND key < ? AND dead_at IS NULL ORDER BY key",
                (low, high),
            )
            yield from map(document_of, rows)

    def damaged_documents(self, index_id: int) -> Iterator[str]:
        """A sentence for each row of an index, dead ones included, that is not what was written."""
        low, high = index_id * KEY_SPAN, (index_id + 1) * KEY_SPAN
        with self.reading() as connection:
            rows = connection.execute(
                f"SELECT key, id, version, source, {self._checksum} FROM documents WHERE key >= ? AND key < ?",
                (low, high),
            )
            for row in rows:
                try:
                    document_of(row)
                except DamagedStoreError as error:
                    yield str(error)

    def dead_seq_nos(self, index_id: int) -> list[int]:
        with self.reading() as connection:
            rows = connection.execute(
                "SELECT key FROM documents WHERE index_id = ? AND dead_at IS NOT NULL ORDER BY key", (index_id,)
            ).fetchall()
        return [key % KEY_SPAN for (key,) in rows]

    def purge(self, index_id: int, seq_nos: Iterable[int]) -> None:
        """Drops dead rows that no segment holds any more."""
        base = index_id * KEY_SPAN
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


def _row_of(index_id: int, key: int, doc: StoredDocument) -> tuple[int, int, str, int, bytes, int]:
    return key, index_id, doc.id, doc.version, doc.source, _document_checksum(key, doc.id, doc.version, doc.source)


def _texts_of(record: IndexRecord) -> tuple[str, str, str, int]:
    """Settings, mapping and aliases as they are stored, and the checksum of the row."""
    texts = json.dumps(record.settings), json.dumps(record.mapping), json.dumps(record.aliases)
    return *texts, _record_checksum(record.name, record.uuid, *texts)
