"""Programming and configuration errors. What a user's query gets wrong never raises: it is an outcome.

Everything that qlc raises is a QlcError; `docs/api.md` has the whole tree. A run makes a `failed` outcome of a
RequestFailed; what works without an outcome (`Compiler.schema`, `diagnose`, `refresh`) raises it.
"""

from __future__ import annotations


class QlcError(Exception):
    """The base class of all exceptions of qlc. `exit_code` is the exit code of the command line."""

    exit_code = 2


class UsageError(QlcError):
    """The caller used the API wrongly."""


class OptionError(UsageError):
    """The value of an option that users may supply (a size, a time zone, a choice) is invalid. `code` names the option.

    A run makes an `invalid` outcome of it; what works without an outcome (`Compiler.diagnose`) raises it.
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint


class ConfigurationError(QlcError):
    """Catalog and mapping do not fit each other, or cannot be read."""


class FolderError(QlcError):
    """A folder of the embedded engine cannot be opened: damaged, from a newer release, not a folder, not permitted."""

    exit_code = 5


class FolderLocked(FolderError):
    """Another client, of this process or another one, writes to the folder. It can be opened when that is closed or has
    ended, and be read meanwhile."""


class RequestFailed(QlcError):
    """Elasticsearch gave no complete response. `detail` is for logs.

    `reason` is one of: unreachable, unavailable, timeout, overloaded, circuit-open, unauthorized, forbidden, no-index,
    changed, expired, too-large, rejected, partial, garbled. `retryable`: the same request may succeed later; `pause`:
    the seconds that the server asked to wait.
    """

    exit_code = 5

    def __init__(self, reason: str, detail: str, *, retryable: bool = False, pause: float | None = None) -> None:
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.retryable = retryable
        self.pause = pause
