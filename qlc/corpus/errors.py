"""Reasons why a file has no text in a corpus."""

from __future__ import annotations

import errno
from typing import Literal, TypeAlias

Reason: TypeAlias = Literal[
    "encrypted", "damaged", "empty", "unknown_type", "too_large", "too_long", "too_slow", "reader_failed",
    "reader_broken", "not_opened", "no_text", "link", "not_a_file", "metadata",
]  # fmt: skip


class Unreadable(Exception):
    """Raised for a file that cannot be read. `reason` is for programs, the message for people."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason: Reason = reason
        self.message = message

    def __reduce__(self) -> tuple[type[Unreadable], tuple[Reason, str]]:
        return (Unreadable, (self.reason, self.message))  # it is sent from one process to another


class ReaderBroken(Exception):
    """Raised if a reader fails before it looks at a file: a library cannot be imported, a model cannot be loaded."""


_WHY_NOT_OPENED = {
    errno.EACCES: "permissions forbid it", errno.EPERM: "permissions forbid it",
    errno.ENOENT: "it is not there any more", errno.ENOTDIR: "it is not there any more",
    errno.EIO: "the disk or the network drive failed", errno.ESTALE: "the disk or the network drive failed",
    errno.ENAMETOOLONG: "its name is too long", errno.ELOOP: "its links lead in a circle",
}  # fmt: skip
OWN_NEEDS = (errno.ENOMEM, errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.EAGAIN)
"""Errors of a process that has no memory, disk space or descriptors left; no file is to blame."""


def not_opened(error: OSError, what: str = "file") -> Unreadable:
    """Return why a file or folder cannot be opened, in plain words: `EACCES` -> permissions forbid it."""
    why = _WHY_NOT_OPENED.get(error.errno or 0, f"the system says '{error.strerror or type(error).__name__}'")
    return Unreadable("not_opened", f"The {what} cannot be opened: {why}.")
