"""Cursors: where the next page begins, as an opaque text that any process can read on from."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime

from qlc.resolver.hits import Position

VERSION = 1


class CursorError(ValueError):
    """The cursor is damaged, or belongs to another query."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """`fingerprint` stands for query, catalog, access and parameters; `now` keeps relative dates where they were."""

    fingerprint: str
    position: Position
    now: str


def write_cursor(cursor: Cursor) -> str:
    at = cursor.position
    parts = [VERSION, cursor.fingerprint, cursor.now, at.after, at.read, at.point_in_time]
    return urlsafe_b64encode(json.dumps(parts, separators=(",", ":")).encode()).decode().rstrip("=")


def read_cursor(text: str, fingerprint: str) -> Cursor:
    """Raises CursorError."""
    try:
        parts = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        version, found, now, after, read, point_in_time = parts
        position = Position(tuple(after), int(read), point_in_time)
        datetime.fromisoformat(now)
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise CursorError("the cursor cannot be read; ask for the first page again") from None
    if version != VERSION or found != fingerprint:
        raise CursorError("the cursor belongs to another query; ask for the first page again")
    return Cursor(found, position, str(now))
