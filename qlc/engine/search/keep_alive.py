"""How long what a client opened (a scroll, a point in time) is kept for it."""

from __future__ import annotations

from qlc.engine.errors import EngineError, illegal_argument
from qlc.engine.index_settings import time_seconds

_LONGEST = 86_400.0


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
