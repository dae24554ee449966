"""Points in time: what an index showed at a moment, kept for searches to come."""

from __future__ import annotations

import base64
import json
import os
import time
from dataclasses import dataclass

from qlc.engine.errors import illegal_argument
from qlc.engine.index import Snapshot
from qlc.engine.indices import Target
from qlc.engine.search.keep_alive import keep_alive_seconds, no_search_context

Pairs = list[tuple[Target, Snapshot]]


@dataclass(slots=True)
class PointInTime:
    """`keep_alive` in seconds from one search to the next; `expires` by the monotonic clock."""

    pairs: Pairs
    keep_alive: float
    expires: float


class PointsInTime:
    """The open points in time of an engine."""

    def __init__(self) -> None:
        self._open: dict[str, PointInTime] = {}

    def pinned(self) -> Pairs:
        """What open points in time still show."""
        return [pair for point in list(self._open.values()) for pair in point.pairs]

    def open(self, pairs: Pairs, seconds: float) -> str:
        """The id of a new one, kept for `seconds`."""
        token = json.dumps([os.urandom(12).hex(), [target.index.name for target, _ in pairs]])
        pit_id = base64.urlsafe_b64encode(token.encode()).decode()
        self._open[pit_id] = PointInTime(pairs, seconds, time.monotonic() + seconds)
        return pit_id

    def close(self, pit_id: str) -> bool:
        """Whether it was open."""
        return self._open.pop(pit_id, None) is not None

    def shown_in(self, pit_id: str, keep_alive: str | None) -> Pairs:
        """What it shows; kept on from now. Raises EngineError for one that is not there."""
        now = time.monotonic()
        for expired in [key for key, point in list(self._open.items()) if point.expires < now]:
            self._open.pop(expired, None)
        point = self._open.get(pit_id)
        if point is None:
            _check(pit_id)
            raise no_search_context(pit_id)
        if keep_alive is not None:
            point.keep_alive = keep_alive_seconds(keep_alive, "keep_alive")
        point.expires = now + point.keep_alive
        return point.pairs


def _check(pit_id: str) -> None:
    """Raises EngineError for what no point in time was ever called."""
    try:
        json.loads(base64.urlsafe_b64decode(pit_id))
    except ValueError:
        raise illegal_argument(f"invalid id: [{pit_id}]") from None
