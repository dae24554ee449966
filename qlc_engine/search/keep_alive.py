"""What clients have opened (scrolls, points in time) and what it shows, kept for as long as they asked."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.index import Snapshot
from qlc_engine.index_settings import time_seconds
from qlc_engine.indices import Target

Pairs = Sequence[tuple[Target, Snapshot]]

_LONGEST = 86_400.0


@dataclass(slots=True)
class Kept:
    """`seconds` from one use to the next."""

    pairs: Pairs
    seconds: float
    #: by the monotonic clock
    expires: float = 0.0


K = TypeVar("K", bound=Kept)


class Keeper(ABC, Generic[K]):
    """What is open, by id. Whatever has expired goes at the next look at any of it."""

    #: what clients call the time to keep
    parameter: str

    def __init__(self) -> None:
        self._open: dict[str, K] = {}

    @staticmethod
    @abstractmethod
    def check_id(opened: str) -> None:
        """Raises EngineError for what never was an id."""

    def pinned(self) -> list[tuple[Target, Snapshot]]:
        """What is still shown."""
        return [pair for kept in list(self._current().values()) for pair in kept.pairs]

    def keep(self, opened: str, kept: K) -> str:
        """Keeps it from now, under that id."""
        kept.expires = time.monotonic() + kept.seconds
        self._current()[opened] = kept
        return opened

    def use(self, opened: str, keep_alive: str | None) -> K:
        """What has that id; kept on from now. Raises EngineError for what is not there."""
        kept = self._current().get(opened)
        if kept is None:
            self.check_id(opened)
            raise no_search_context(opened)
        if keep_alive is not None:
            kept.seconds = keep_alive_seconds(keep_alive, self.parameter)
        kept.expires = time.monotonic() + kept.seconds
        return kept

    def close(self, opened: str) -> bool:
        """Whether it was open."""
        return self._current().pop(opened, None) is not None

    def close_all(self) -> int:
        """How many were open."""
        return sum(self.close(opened) for opened in list(self._open))

    def _current(self) -> dict[str, K]:
        now = time.monotonic()
        for opened in [opened for opened, kept in list(self._open.items()) if kept.expires < now]:
            self._open.pop(opened, None)
        return self._open


def keep_alive_seconds(given: str, parameter: str) -> float:
    """Raises EngineError for more than a day (`search.max_keep_alive`)."""
    seconds = time_seconds(given, parameter)
    if seconds > _LONGEST:
        reason = (
            f"Keep alive for request ({given}) is too large. It must be less than (1d). This limit can be set by "
            "changing the [search.max_keep_alive] cluster level setting."
        )
        raise illegal_argument(reason, on_shard=True)
    return seconds


def no_search_context(opened: str) -> EngineError:
    """The error for what was closed, or has expired."""
    reason = f"No search context found for id [{opened[:12]}]"
    return EngineError("search_context_missing_exception", reason, status=404, on_shard=True)
