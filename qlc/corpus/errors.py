"""Reasons why a file has no text in a corpus."""

from __future__ import annotations

import errno
from typing import Literal, TypeAlias

from qlc.base.errors import reason_of

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


OWN_NEEDS = (errno.ENOMEM, errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.EAGAIN)
"""Errors of a process that has no memory, disk space or descriptors left; no file is to blame."""


def not_opened(error: OSError, what: str = "file") -> Unreadable:
    """Return why a file or folder cannot be opened, in plain words: `EACCES` -> its permissions forbid it."""
    return Unreadable("not_opened", f"The {what} cannot be opened: {reason_of(error)}.")
