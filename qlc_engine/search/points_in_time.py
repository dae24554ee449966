"""Points in time: snapshots of indices, kept for later searches as long as the client asks."""

from __future__ import annotations

import base64
import json
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass

from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.index import Index, Snapshot
from qlc_engine.index_settings import time_seconds

Pairs = Sequence[tuple[Index, Snapshot]]

_LONGEST = 86_400.0


@dataclass(slots=True)
class _Kept:
    """`seconds` from one use to the next."""

    pairs: Pairs
    seconds: float
    #: by the monotonic clock
    expires: float


class PointsInTime:
    """The open points in time of an engine, by id. Whatever has expired goes at the next look at any of them."""

    def __init__(self) -> None:
        self._open: dict[str, _Kept] = {}

    def open(self, pairs: Pairs, seconds: float) -> str:
        """The id of a new one."""
        token = json.dumps([os.urandom(12).hex(), [index.name for index, _ in pairs]])
        pit_id = base64.urlsafe_b64encode(token.encode()).decode()
        self._current()[pit_id] = _Kept(pairs, seconds, time.monotonic() + seconds)
        return pit_id

    def pinned(self) -> list[tuple[Index, Snapshot]]:
        """Return the index snapshots that are still open."""
        return [pair for kept in list(self._current().values()) for pair in kept.pairs]

    def use(self, pit_id: str, keep_alive: str | None) -> Pairs:
        """Return the snapshots of a point in time, and renew its time. Raises EngineError for an unknown one."""
        kept = self._current().get(pit_id)
        if kept is None:
            _check_id(pit_id)
            raise no_search_context(pit_id)
        if keep_alive is not None:
            kept.seconds = keep_alive_seconds(keep_alive)
        kept.expires = time.monotonic() + kept.seconds
        return kept.pairs

    def close(self, pit_id: str) -> bool:
        """Whether it was open."""
        return self._current().pop(pit_id, None) is not None

    def _current(self) -> dict[str, _Kept]:
        now = time.monotonic()
        for pit_id in [pit_id for pit_id, kept in list(self._open.items()) if kept.expires < now]:
            self._open.pop(pit_id, None)
        return self._open


def _check_id(pit_id: str) -> None:
    """Check the format of an id. Raises EngineError."""
    try:
        json.loads(base64.urlsafe_b64decode(pit_id))
    except ValueError:
        raise illegal_argument(f"invalid id: [{pit_id}]") from None


def keep_alive_seconds(given: str) -> float:
    """Raises EngineError for more than a day (`search.max_keep_alive`)."""
    seconds = time_seconds(given, "keep_alive")
    if seconds > _LONGEST:
        reason = (
            f"Keep alive for request ({given}) is too large. It must be less than (1d). This limit can be set by "
            "changing the [search.max_keep_alive] cluster level setting."
        )
        raise illegal_argument(reason)
    return seconds


def no_search_context(pit_id: str) -> EngineError:
    """The error for what was closed, or has expired."""
    reason = f"No search context found for id [{pit_id[:12]}]"
    return EngineError("search_context_missing_exception", reason, status=404)
