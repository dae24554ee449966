"""Conversations in a file of SQLite: many processes may use it, and a kill loses no write that returned."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from qlc.conversation.stores.protocol import ConversationBusy, Saved
from qlc.errors import UsageError

SCHEMA = """
CREATE TABLE IF NOT EXISTS qlc_conversations (
    id TEXT PRIMARY KEY, revision INTEGER NOT NULL, data TEXT NOT NULL, written REAL NOT NULL
)
"""
INSERT = "INSERT INTO qlc_conversations VALUES (?, 1, ?, julianday('now')) ON CONFLICT (id) DO NOTHING"
UPDATE = "UPDATE qlc_conversations SET revision = ?, data = ?, written = julianday('now') WHERE id = ? AND revision = ?"
WAIT = 30.0
"""Seconds that a write waits for another one. Writes are short."""


class SQLiteStore:
    """`path` is the file, made where it is missing; each thread has a connection. Raises UsageError for other files."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._local = threading.local()
        self._all: list[sqlite3.Connection] = []
        with self._connected() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(SCHEMA)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        connection = getattr(self._local, "connection", None)
        try:
            if connection is None:
                # Each statement is a transaction of its own. Closing may happen in another thread.
                connection = sqlite3.connect(self._path, WAIT, isolation_level=None, check_same_thread=False)
                connection.execute("PRAGMA synchronous = FULL")
                self._local.connection = connection
                self._all.append(connection)
            yield connection
        except sqlite3.DatabaseError as problem:
            raise UsageError(f"conversations cannot be kept in '{self._path}': {problem}") from None

    def read(self, id: str) -> Saved | None:
        with self._connected() as connection:
            row = connection.execute("SELECT revision, data FROM qlc_conversations WHERE id = ?", (id,)).fetchone()
        return None if row is None else Saved(*row)

    def write(self, id: str, data: str, revision: int) -> None:
        with self._connected() as connection:
            if revision == 1:
                written = connection.execute(INSERT, (id, data))
            else:
                written = connection.execute(UPDATE, (revision, data, id, revision - 1))
            if written.rowcount != 1:
                raise ConversationBusy(f"the conversation '{id}' was gone on with elsewhere meanwhile")

    def delete(self, id: str) -> None:
        with self._connected() as connection:
            connection.execute("DELETE FROM qlc_conversations WHERE id = ?", (id,))

    def ids(self) -> Sequence[str]:
        with self._connected() as connection:
            rows = connection.execute("SELECT id FROM qlc_conversations ORDER BY written DESC, rowid DESC")
            return [row[0] for row in rows]

    def close(self) -> None:
        for connection in self._all:
            connection.close()
        self._all.clear()
        self._local = threading.local()
