"""Cursors: the place of the next page, as an opaque text.

A cursor comes from the caller, so nothing that access depends on is taken from it: the query and its access rules are
compiled again, with the clock of the run. Only the point in time (for an index without an id field) is sent to the
server: it is accepted if the service's key signed the cursor, or if this process opened it for this list.
"""

from __future__ import annotations

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from math import inf

from qlc.base.errors import RequestFailed, UsageError
from qlc.resolver.hits import Position
from qlc.resolver.kept import Kept

VERSION = 2
LONGEST = 100_000
"""Most characters of a cursor. It contains sort values, which can be long texts."""
SHORTEST_KEY = 16
"""Fewest bytes of a key."""
MOST_POINTS = 10_000
"""Most points in time that a process remembers; Elasticsearch keeps 300 open by default."""

_SCALARS = (str, int, float, bool, type(None))
_UNREADABLE = "the cursor cannot be read; ask for the first page again"


class CursorError(ValueError):
    """The cursor is damaged, or belongs to another query."""


def of_a_page(problem: BaseException | None) -> BaseException | None:
    """Convert an error after the first page: if the server rejects a search that it accepted before, the cursor's sort
    values are wrong."""
    if isinstance(problem, RequestFailed) and problem.reason == "rejected":
        return CursorError(_UNREADABLE)
    return problem


@dataclass(frozen=True, slots=True)
class Cursor:
    """`fingerprint` identifies query, catalog, index, access and parameters; `now` fixes relative dates."""

    fingerprint: str
    position: Position
    now: str


class Cursors:
    """Writes and reads the cursors of one compiler. `key` signs them, so that every process with the key can read them.
    Thread-safe. Raises UsageError for a key that is too short."""

    def __init__(self, key: bytes | str | None = None) -> None:
        self._key = key.encode() if isinstance(key, str) else key
        if self._key is not None and (not isinstance(self._key, bytes) or len(self._key) < SHORTEST_KEY):
            raise UsageError(f"cursor_key must be a secret of at least {SHORTEST_KEY} bytes")
        self._opened: Kept[str, str] = Kept(inf, MOST_POINTS)

    def write(self, cursor: Cursor) -> str:
        at = cursor.position
        if at.point_in_time is not None and self._key is None:
            self._opened.put(at.point_in_time, cursor.fingerprint)
        parts = [VERSION, cursor.fingerprint, cursor.now, at.after, at.read, at.point_in_time]
        content = json.dumps(parts, separators=(",", ":")).encode()
        signed = content if self._key is None else self._signature(content) + content
        return urlsafe_b64encode(signed).decode().rstrip("=")

    def read(self, text: str, fingerprint: str) -> Cursor:
        """Read a cursor. Raises CursorError."""
        if not isinstance(text, str) or len(text) > LONGEST:
            raise CursorError(_UNREADABLE)
        try:
            content = urlsafe_b64decode(text + "=" * (-len(text) % 4))
        except ValueError:
            raise CursorError(_UNREADABLE) from None
        if self._key is not None:
            signature, content = content[: sha256().digest_size], content[sha256().digest_size :]
            if not hmac.compare_digest(signature, self._signature(content)):
                raise CursorError(_UNREADABLE)
        cursor = _parsed(content)
        if cursor.fingerprint != fingerprint:
            raise CursorError("the cursor belongs to another query; ask for the first page again")
        point = cursor.position.point_in_time
        if point is not None and self._key is None and self._opened.get(point) != fingerprint:
            raise CursorError("only the process that began this list can continue it; ask for the first page again")
        return cursor

    def _signature(self, content: bytes) -> bytes:
        assert self._key is not None
        return hmac.new(self._key, content, sha256).digest()


def _parsed(content: bytes) -> Cursor:
    try:
        version, fingerprint, now, after, read, point_in_time = json.loads(content)
        datetime.fromisoformat(now)
        fits = version == VERSION and isinstance(fingerprint, str) and isinstance(now, str)
        fits = fits and isinstance(after, list) and all(isinstance(one, _SCALARS) for one in after)
        fits = fits and type(read) is int and read >= 0 and isinstance(point_in_time, str | None)
    except (ValueError, TypeError, OverflowError, RecursionError):
        fits = False
    if not fits:
        raise CursorError(_UNREADABLE)
    return Cursor(fingerprint, Position(tuple(after), read, point_in_time), now)
