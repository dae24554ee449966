"""The right to write to a folder, held by one engine at a time; the system takes it back when the process ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path


class FolderLockedError(Exception):
    """Another engine writes to the folder."""


class FolderLock:
    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._handle, 20, 0).decode(errors="replace").strip()
            os.close(self._handle)
            raise FolderLockedError(
                f"{path.parent} is being written to by another process ({holder or 'unknown'}); wait until that has "
                "finished, or end it; meanwhile the folder can be read (in Python: read_only=True)"
            ) from None
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, str(os.getpid()).encode(), 0)

    def release(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
