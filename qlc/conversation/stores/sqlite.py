"""Conversations in a file of SQLite: many processes may use it, and a kill loses no write that returned."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from qlc.base.deadline import earlier
from qlc.base.errors import QlcError, UsageError
from qlc.conversation.stores.protocol import ConversationBusy, Saved, StoreUnavailable

CREATE = """
CREATE TABLE IF NOT EXISTS qlc_conversations (
    id TEXT PRIMARY KEY, revision INTEGER NOT NULL, data TEXT NOT NULL, written INTEGER NOT NULL
)
"""
INDEX = "CREATE INDEX IF NOT EXISTS qlc_conversations_written ON qlc_conversations (written)"
"""`written` grows with every write to the file: by it the conversations are listed."""
LAST = "(SELECT coalesce(max(written), 0) + 1 FROM qlc_conversations)"
INSERT = f"INSERT INTO qlc_conversations VALUES (?, 1, ?, {LAST}) ON CONFLICT (id) DO NOTHING"
UPDATE = f"UPDATE qlc_conversations SET revision = ?, data = ?, written = {LAST} WHERE id = ? AND revision = ?"
WAIT = 30.0
"""Seconds that a write waits for another one, within the deadline. Writes are short."""
LEAST_WAIT = 0.1
"""Seconds that it waits after the deadline has passed, since it keeps an answer."""


class SQLiteStore:
    """`path` is the file, created if it is missing. Raises UsageError if it cannot be opened or is not a file of
    SQLite.

    Later it raises StoreUnavailable if the file can no longer be read or written: a full disk, a damaged file.
    """

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._lock = threading.Lock()
        with self._errors_as(UsageError):
            # Each statement is a transaction of its own.
            self._connection = sqlite3.connect(path, WAIT, isolation_level=None, check_same_thread=False)
        # Damage is found by the checksum of a conversation, and not by what cannot be decoded of it.
        self._connection.text_factory = lambda text: text.decode("utf-8", "replace")
        with self._errors_as(UsageError):
            connection = self._connection
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(CREATE)
            connection.execute(INDEX)

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._errors_as(StoreUnavailable):
            seconds = max(earlier(time.monotonic() + WAIT) - time.monotonic(), LEAST_WAIT)
            self._connection.execute(f"PRAGMA busy_timeout = {1000 * seconds:.0f}")
            yield self._connection

    @contextmanager
    def _errors_as(self, kind: type[QlcError]) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as problem:  # the second: its message repeats what is damaged
            way = "" if self._path.is_file() else " (it must be a file in a folder that there is)"
            raise kind(f"conversations cannot be stored in '{self._path}': {problem}{way}") from None

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
                raise ConversationBusy.elsewhere(id)

    def delete(self, id: str) -> None:
        with self._connected() as connection:
            connection.execute("DELETE FROM qlc_conversations WHERE id = ?", (id,))

    def ids(self) -> Sequence[str]:
        with self._connected() as connection:
            rows = connection.execute("SELECT id FROM qlc_conversations ORDER BY written DESC")
            return [row[0] for row in rows]

    def close(self) -> None:
        with self._lock:
            self._connection.close()
