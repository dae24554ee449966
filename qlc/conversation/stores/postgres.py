"""Conversations in a table of PostgreSQL. Needs the package psycopg: `pip install 'qlc-search[postgres]'`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from qlc.conversation.stores.protocol import ConversationBusy, Saved, StoreUnavailable, driver

T = TypeVar("T")

CREATE = """
CREATE TABLE IF NOT EXISTS qlc_conversations (
    id text PRIMARY KEY, revision bigint NOT NULL, data text NOT NULL, written timestamptz NOT NULL
)
"""
READ = "SELECT revision, data FROM qlc_conversations WHERE id = %s"
INSERT = "INSERT INTO qlc_conversations VALUES (%s, 1, %s, clock_timestamp()) ON CONFLICT (id) DO NOTHING"
UPDATE = """
UPDATE qlc_conversations SET revision = %s, data = %s, written = clock_timestamp() WHERE id = %s AND revision = %s
"""
DELETE = "DELETE FROM qlc_conversations WHERE id = %s"
IDS = "SELECT id FROM qlc_conversations ORDER BY written DESC, id"


class PostgresStore:
    """`conninfo` is what libpq takes: `postgresql://user@host/database`. The table is made where it is missing.

    One connection, opened again where it was lost. Raises StoreUnavailable, UsageError without psycopg.
    """

    def __init__(self, conninfo: str) -> None:
        self._psycopg = driver("psycopg", "postgres")
        self._conninfo = conninfo
        self._lock = threading.Lock()
        self._connection: Any = None
        self._done(lambda connection: connection.execute(CREATE))

    def _done(self, work: Callable[[Any], T]) -> T:
        """Do some work with the connection; once more if the connection was lost meanwhile."""
        with self._lock:
            for is_last in (False, True):
                try:
                    if self._connection is None:
                        # Each statement is a transaction of its own.
                        self._connection = self._psycopg.connect(self._conninfo, autocommit=True)
                    return work(self._connection)
                except self._psycopg.Error as problem:
                    self._drop()
                    if is_last or not isinstance(problem, self._psycopg.OperationalError):
                        message = str(problem).partition("\n")[0] or type(problem).__name__
                        raise StoreUnavailable(f"conversations cannot be stored in PostgreSQL: {message}") from None
        raise AssertionError("the second attempt returns or raises")

    def _drop(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def read(self, id: str) -> Saved | None:
        row = self._done(lambda connection: connection.execute(READ, (id,)).fetchone())
        return None if row is None else Saved(*row)

    def write(self, id: str, data: str, revision: int) -> None:
        statement, given = (INSERT, (id, data)) if revision == 1 else (UPDATE, (revision, data, id, revision - 1))
        written = self._done(lambda connection: connection.execute(statement, given).rowcount)
        # Where the connection was lost after a write, the second attempt finds it done.
        if written != 1 and self.read(id) != Saved(revision, data):
            raise ConversationBusy.elsewhere(id)

    def delete(self, id: str) -> None:
        self._done(lambda connection: connection.execute(DELETE, (id,)))

    def ids(self) -> Sequence[str]:
        return [row[0] for row in self._done(lambda connection: connection.execute(IDS).fetchall())]

    def close(self) -> None:
        with self._lock:
            self._drop()
