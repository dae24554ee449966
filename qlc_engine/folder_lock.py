"""The right to write to a folder, held by one engine at a time; the system takes it back when the process ends."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from weakref import WeakSet


class FolderLockedError(Exception):
    """Another engine writes to the folder."""


class ForkedFolderError(Exception):
    """An engine is used in a process that was forked from the one that opened its folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(
            f"the folder '{folder}' was opened by another process, from which this one was forked: open it anew in "
            "this process (in Python: read_only=True, while the other one writes), and leave the client of that one"
        )


_HELD: WeakSet[FolderLock] = WeakSet()


class FolderLock:
    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.pread(self._handle, 20, 0).decode(errors="replace").strip()
            os.close(self._handle)
            self._handle = -1
            raise FolderLockedError(f"{path.parent} {_held_by(holder)} (in Python: read_only=True)") from None
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, str(os.getpid()).encode(), 0)
        _HELD.add(self)

    def release(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _held_by(holder: str) -> str:
    if holder == str(os.getpid()):
        return (
            "is open for writing in this very process: use that client, or close it first; meanwhile the folder can be "
            "read"
        )
    return (
        f"is being written to by another process ({holder or 'unknown'}); wait until that has finished, or end it; "
        "meanwhile the folder can be read"
    )


def _leave() -> None:
    """In a process that was forked: the right to write stays with the other one, and ends with it."""
    for lock in list(_HELD):
        lock.release()


os.register_at_fork(after_in_child=_leave)
