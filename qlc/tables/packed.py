"""Unpacks archives, and files whose readers need them unpacked, into a temporary folder."""

from __future__ import annotations

import gzip
import shutil
import tempfile
import weakref
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import IO, cast

from qlc.base.errors import UsageError
from qlc.tables.model import RawTable, Report, Row

MOST_FILES = 200
"""Files of an archive."""
MOST_BYTES = 4 * 1024**3
"""Bytes of its files, unpacked."""
_PIECE = 1 << 20


class Folder:
    """A temporary folder that is deleted with the last table that reads from it."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="qlc-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def keep_for(self, table: RawTable) -> RawTable:
        def rows(report: Report, folder: Folder = self) -> Iterator[Row]:
            return table.rows(report)

        return replace(table, rows=rows)


def unpack_zip(path: Path, folder: Folder, is_table: Callable[[Path], bool]) -> list[Path]:
    """Unpack the tables of an archive. Raises UsageError for one with too many or too large files, or a password.

    Only the last part of a member's name is used, and links are not followed: a member is written as a plain file.
    """
    found: list[Path] = []
    left = MOST_BYTES
    with zipfile.ZipFile(path) as archive:
        members = [one for one in archive.infolist() if not one.is_dir() and _is_wanted(one.filename, is_table)]
        if len(members) > MOST_FILES:
            raise UsageError(f"'{path.name}' has {len(members):,} tables: unpack it, and load at most {MOST_FILES}")
        for number, member in enumerate(members):
            if member.flag_bits & 1:
                raise UsageError(f"'{path.name}' has a password: unpack it first")
            target = folder.path / str(number) / PurePosixPath(member.filename).name
            target.parent.mkdir()
            with archive.open(member) as packed:
                left = _copy(packed, target, left, path.name)
            found.append(target)
    return found


def _is_wanted(name: str, is_table: Callable[[Path], bool]) -> bool:
    parts = PurePosixPath(name).parts
    return bool(parts) and not parts[0].startswith("__MACOSX") and parts[-1][0] != "." and is_table(Path(parts[-1]))


def unpack_gzip(path: Path, folder: Folder) -> Path:
    """Unpack a file that is packed by gzip. Raises UsageError for one that is too large."""
    target = folder.path / path.name[: -len(path.suffix)]
    with gzip.open(path) as packed:
        _copy(cast("IO[bytes]", packed), target, MOST_BYTES, path.name)
    return target


def _copy(packed: IO[bytes], target: Path, most: int, name: str) -> int:
    """Copy what is packed to a file, at most so many bytes. Returns how many are left of them."""
    with target.open("wb") as file:
        while piece := packed.read(_PIECE):
            most -= len(piece)
            if most < 0:
                raise UsageError(f"'{name}' is larger than {MOST_BYTES // 1024**3} GB unpacked: load its files")
            file.write(piece)
    return most
