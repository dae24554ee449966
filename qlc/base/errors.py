"""Programming and configuration errors. Errors in a user's query are outcomes, never exceptions.

All exceptions of qlc are QlcErrors; `docs/api.md` has the whole tree. A run turns RequestFailed into a `failed`
outcome; functions without an outcome (`Compiler.schema`, `diagnose`, `refresh`) raise it.
"""

from __future__ import annotations

import errno

from qlc_search import require_own_package

require_own_package()  # before another module of qlc misses what `import qlc` should have brought


_REASONS = {
    errno.ENOENT: "there is no such file or folder", errno.ELOOP: "its links lead in a circle",
    errno.EIO: "its disk failed", errno.ESTALE: "its disk failed", errno.EISDIR: "it is a folder",
    errno.ENOTDIR: "a part of its path is a file", errno.EACCES: "its permissions forbid it",
    errno.EPERM: "its permissions forbid it", errno.EROFS: "its disk is read-only", errno.ENOSPC: "its disk is full",
    errno.EDQUOT: "its disk is full", errno.ENAMETOOLONG: "its name is too long",
    errno.EADDRINUSE: "another program listens there", errno.EADDRNOTAVAIL: "this machine has no such address",
}  # fmt: skip


def reason_of(problem: Exception) -> str:
    """Return the reason of an OSError in plain words: `ENOENT` -> `there is no such file or folder`."""
    if not isinstance(problem, OSError):
        return str(problem)
    return _REASONS.get(problem.errno or 0) or problem.strerror or str(problem) or type(problem).__name__


class QlcError(Exception):
    """The base class of all exceptions of qlc. The command line exits with `exit_code`."""

    exit_code = 2

    def _render_traceback_(self) -> list[str]:
        """Return what IPython shows of it in a notebook: the sentence, without a traceback."""
        return [f"{type(self).__name__}: {self}"]


class UsageError(QlcError):
    """Wrong use of the API: an unknown option, an argument of the wrong type, no index. The message says what is
    expected."""


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
    """Another client, in this or another process, writes to the folder. Close that client, or open the folder
    `read_only`."""


class RequestFailed(QlcError):
    """Elasticsearch returned no complete response.

    - `reason`: unreachable, unavailable, timeout, overloaded, circuit-open, unauthorized, forbidden, no-index, changed,
      expired, too-large, rejected, client-version, partial or garbled.
    - `detail`: a text for logs.
    - `retryable`: whether the same request may succeed later.
    - `pause`: the seconds to wait, if the server sent them (`Retry-After`).
    - `sentence`: for people, in place of the sentence for the reason; empty in most cases.
    """

    exit_code = 5

    def __init__(self, reason: str, detail: str, *, retryable: bool = False, pause: float | None = None,
                 sentence: str = "") -> None:  # fmt: skip
        super().__init__(detail)
        self.reason = reason
        self.detail = detail
        self.retryable = retryable
        self.pause = pause
        self.sentence = sentence
