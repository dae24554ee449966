"""Checking a stored folder, and mending what can be mended: columns are built again from the documents."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from qlc.engine.engine import DATABASE, Engine
from qlc.engine.segment_file import DamagedSegmentError, verify_segment


def check_folder(path: str) -> list[str]:
    """One sentence for each thing that is wrong with the folder; none if all checksums agree.

    Reads everything; the folder may be in use.
    """
    folder = Path(path)
    findings = _check_database(folder / DATABASE)
    if findings:
        return findings
    with Engine.open(path, read_only=True) as engine:
        for index in engine.indices:
            for name in engine.store.segments(index.record.id):
                file = folder / "segments" / str(index.record.id) / f"{name}.segment"
                try:
                    verify_segment(file)
                except (DamagedSegmentError, FileNotFoundError) as error:
                    findings.append(f"index {index.name}: {error}")
    return findings


def _check_database(path: Path) -> list[str]:
    try:
        with sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True) as connection:
            rows = connection.execute("PRAGMA integrity_check").fetchall()
        connection.close()
    except sqlite3.DatabaseError as error:
        return [f"the store {path} is damaged: {error}"]
    return [f"the store {path}: {finding}" for (finding,) in rows if finding != "ok"]


def repair_folder(path: str) -> list[str]:
    """Builds columns again where files are damaged or missing, and says what was wrong.

    A damaged database is told, not mended: it holds the documents themselves, and belongs to a backup.
    """
    findings = check_folder(path)
    if findings and not _check_database(Path(path) / DATABASE):
        with Engine.open(path) as engine:
            for index in engine.indices:
                if any(finding.startswith(f"index {index.name}:") for finding in findings):
                    engine.rebuild(index)
    return findings
