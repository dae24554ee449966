"""Saving the documents out of a damaged folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Container, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qlc_engine.core import DATABASE
from qlc_engine.engine import Engine
from qlc_engine.repair import reading_connection
from qlc_engine.store import (
    KEY_SPAN,
    RECORD_COLUMNS,
    DamagedStoreError,
    IndexRecord,
    Store,
    StoredDocument,
    StoreError,
    document_of,
    record_of,
)

#: Rows that are read at once; where that fails, one by one.
_ROWS = 256


@dataclass(slots=True)
class Salvage:
    """The result of a salvage: documents by index, and a sentence for each loss."""

    documents: dict[str, int] = field(default_factory=dict)
    losses: list[str] = field(default_factory=list)


def salvage_folder(path: str, into: str) -> Salvage:
    """Takes all documents that can be read over into a new folder, with their versions, mappings and settings.

    The damaged folder is only read. Raises `StoreError` if nothing of it can be read, or if the new one is there.
    """
    target = Path(into)
    if target.exists():
        raise StoreError(f"{target} is there already; name a folder that is not")
    report = Salvage()
    try:
        with closing(reading_connection(Path(path) / DATABASE)) as connection:
            records = list(_readable_records(connection, report))
            target.mkdir(parents=True)
            with closing(Store(target / DATABASE)) as store:
                for record in records:
                    _take_over(connection, record, store, report)
    except sqlite3.DatabaseError as error:
        raise StoreError(f"nothing of {path} can be read: {error}") from error
    with Engine.open(into):
        """Builds the columns, and saves them."""
    return report


def _readable_records(connection: sqlite3.Connection, report: Salvage) -> Iterator[IndexRecord]:
    for row in connection.execute(f"SELECT {RECORD_COLUMNS}, {_checksum(connection)} FROM indices").fetchall():
        try:
            yield record_of(row)
        except (DamagedStoreError, ValueError, TypeError) as error:
            report.losses.append(f"{error}, so its documents are left out")


def _checksum(connection: sqlite3.Connection) -> str:
    """The column of checksums, which the first format had not."""
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return "crc" if version > 1 else "NULL"


def _take_over(connection: sqlite3.Connection, record: IndexRecord, store: Store, report: Salvage) -> None:
    old_id = record.id
    record.saved_seq_no = -1
    kept: dict[str, int] = {}
    losses: list[str] = []
    with store.transaction():
        store.create_index(record)
        for doc in _readable_documents(connection, old_id, losses):
            if doc.id in kept:
                # an older version, where it was not readable that it had been replaced
                store.bury(record.id, [(kept[doc.id], doc.seq_no)])
            store.add(record.id, [doc])
            kept[doc.id] = doc.seq_no
        record.next_seq_no = max(record.next_seq_no, max(kept.values(), default=-1) + 1)
        store.save_next_seq_no(record)
    report.documents[record.name] = len(kept)
    losses += _missing(connection, old_id, kept)
    report.losses += [f"index {record.name}: {loss}" for loss in losses]


def _missing(connection: sqlite3.Connection, index_id: int, kept: Container[str]) -> Iterator[str]:
    """Yield ids in the database's index that were not found among the documents."""
    ids = "SELECT id FROM documents INDEXED BY live_documents WHERE index_id = ? AND dead_at IS NULL ORDER BY id"
    try:
        for (doc_id,) in connection.execute(ids, (index_id,)):
            if doc_id not in kept:
                yield f"the document '{doc_id}' was not taken over"
    except sqlite3.DatabaseError:
        yield "whether more documents are missing is not known, as the index of their ids is damaged too"


def _readable_documents(connection: sqlite3.Connection, index_id: int, losses: list[str]) -> Iterator[StoredDocument]:
    """The live documents in the order of their keys; where a page cannot be read, on after it."""
    low, high = index_id * KEY_SPAN, (index_id + 1) * KEY_SPAN
    columns = f"key, id, version, source, {_checksum(connection)}, dead_at"
    select = f"SELECT {columns} FROM documents WHERE key >= ? AND key < ? ORDER BY key"
    while low < high:
        try:
            rows = connection.execute(f"{select} LIMIT {_ROWS}", (low, high)).fetchall()
        except sqlite3.DatabaseError:
            rows = _one_by_one(connection, select, low, high)
            if not rows:
                after = _after_damage(connection, low, high)
                losses.append(f"sequence numbers from {low % KEY_SPAN} to {(after - 1) % KEY_SPAN} cannot be read")
                low = after
                continue
        if not rows:
            return
        for *row, dead_at in rows:
            if dead_at is None:
                try:
                    yield document_of(tuple(row))
                except DamagedStoreError as error:
                    losses.append(str(error))
        low = rows[-1][0] + 1


def _one_by_one(connection: sqlite3.Connection, select: str, low: int, high: int) -> list[Any]:
    """The rows before the first one that cannot be read."""
    found: list[Any] = []
    try:
        for row in connection.execute(select, (low, high)):
            found.append(row)
            if len(found) == _ROWS:
                break
    except sqlite3.DatabaseError:
        pass
    return found


def _after_damage(connection: sqlite3.Connection, low: int, high: int) -> int:
    """The least key from which on rows can be read again: steps that double, then halves."""

    def is_readable(key: int) -> bool:
        try:
            connection.execute("SELECT * FROM documents WHERE key >= ? ORDER BY key LIMIT 1", (key,)).fetchone()
        except sqlite3.DatabaseError:
            return False
        return True

    step = 1
    while low + step < high and not is_readable(low + step):
        step *= 2
    unread, read = low + step // 2, min(low + step, high)
    while read - unread > 1:
        middle = (unread + read) // 2
        if is_readable(middle):
            read = middle
        else:
            unread = middle
    return read
