"""Checking a stored folder, and repairing what can be repaired.

Columns are built again from the documents, indices of the database from its tables. Documents are stored in one place
only: where they are damaged, `qlc_engine.salvage` takes the others over into a new folder.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from qlc_engine.core import DATABASE
from qlc_engine.damage import DamagedSegmentError
from qlc_engine.engine import Engine
from qlc_engine.folder_lock import FolderLock
from qlc_engine.segment_file import verify_segment
from qlc_engine.store import Store, StoreError

#: Findings of SQLite about its indices, which it can build again.
_ABOUT_INDICES = ("missing from index", "wrong # of entries in index", "non-unique entry in index")


@dataclass(slots=True)
class Report:
    """Sentences about what was found, and whether all of it is repaired."""

    findings: list[str] = field(default_factory=list)
    repaired: bool = False


def check_folder(path: str) -> list[str]:
    """One sentence for each thing that is wrong with the folder; none if all checksums agree.

    Reads everything; the folder may be in use. Raises `StoreError` if it is no folder of the engine, or of a newer
    release.
    """
    folder = Path(path)
    if not (folder / DATABASE).exists():
        raise StoreError(f"{folder} is no folder of the embedded engine")
    return _check_database(folder / DATABASE) or _check_records(folder) or [
        *_check_documents(folder),
        *(f"index {name}: {error}" for name, error in _damaged_segments(folder)),
    ]


def repair_folder(path: str) -> Report:
    """Builds again what can be built again. Raises `FolderLockedError` while another engine writes to the folder."""
    findings = check_folder(path)
    if not findings:
        return Report()
    folder = Path(path)
    lock = FolderLock(folder / "writer.lock")
    try:
        if any(_is_about_indices(finding) for finding in findings):
            with closing(sqlite3.connect(folder / DATABASE)) as connection:
                connection.execute("REINDEX")
    except sqlite3.DatabaseError:
        return Report(findings)
    finally:
        lock.release()
    if _check_database(folder / DATABASE) or _check_records(folder) or _check_documents(folder):
        return Report(findings)
    damaged = {name for name, _ in _damaged_segments(folder)}
    with Engine.open(path) as engine:
        for index in engine.indices:
            if index.name in damaged:
                engine.rebuild(index)
    return Report(findings, repaired=not check_folder(path))


def _is_about_indices(finding: str) -> bool:
    return any(part in finding for part in _ABOUT_INDICES)


def _check_database(path: Path) -> list[str]:
    try:
        with closing(reading_connection(path)) as connection:
            rows = connection.execute("PRAGMA integrity_check").fetchall()
    except sqlite3.DatabaseError as error:
        return [f"the store {path} is damaged: {error}"]
    return [f"the store {path} is damaged: {finding}" for (finding,) in rows if finding != "ok"]


def reading_connection(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)


def _check_records(folder: Path) -> list[str]:
    with closing(Store(folder / DATABASE, read_only=True)) as store:
        try:
            store.indices()
        except StoreError as error:
            return [str(error)]
    return []


def _check_documents(folder: Path) -> list[str]:
    with closing(Store(folder / DATABASE, read_only=True)) as store:
        return [
            f"index {record.name}: {finding}"
            for record in store.indices()
            for finding in store.damaged_documents(record.id)
        ]


def _damaged_segments(folder: Path) -> list[tuple[str, Exception]]:
    """The name of the index and what is wrong, for each of its files that is not what was saved."""
    found: list[tuple[str, Exception]] = []
    with closing(Store(folder / DATABASE, read_only=True)) as store:
        for record in store.indices():
            for name in store.segments(record.id):
                try:
                    verify_segment(folder / "segments" / str(record.id) / f"{name}.segment")
                except (DamagedSegmentError, FileNotFoundError) as error:
                    found.append((record.name, error))
    return found
