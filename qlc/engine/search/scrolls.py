"""Scrolls: the hits of one search page by page, out of the snapshot that the first page saw."""

from __future__ import annotations

import base64
import dataclasses
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qlc.engine.errors import EngineError, illegal_argument
from qlc.engine.index import Snapshot
from qlc.engine.indices import Target
from qlc.engine.search.keep_alive import keep_alive_seconds, no_search_context
from qlc.engine.search.request import SearchRequest

Pairs = Sequence[tuple[Target, Snapshot]]


@dataclass(slots=True)
class Scroll:
    """What a scroll remembers between pages."""

    pairs: Pairs
    request: SearchRequest
    keep_alive: float
    expires: float


class Scrolls:
    """The open scrolls of an engine."""

    def __init__(self) -> None:
        self._open: dict[str, Scroll] = {}

    def pinned(self) -> list[tuple[Target, Snapshot]]:
        """What open scrolls still show."""
        return [pair for scroll in list(self._open.values()) for pair in scroll.pairs]

    def open(self, pairs: Pairs, request: SearchRequest, keep_alive: str) -> str:
        seconds = keep_alive_seconds(keep_alive, "scroll")
        self._drop_expired()
        scroll_id = base64.urlsafe_b64encode(b"scroll:" + os.urandom(21)).decode()
        following = dataclasses.replace(request, first=request.size, aggregations=None)
        self._open[scroll_id] = Scroll(pairs, following, seconds, time.monotonic() + seconds)
        return scroll_id

    def next_page(self, scroll_id: str, keep_alive: str | None) -> tuple[Pairs, SearchRequest]:
        """What the next page is searched in and with. Raises EngineError for a scroll that is not there."""
        self._drop_expired()
        scroll = self._open.get(scroll_id)
        if scroll is None:
            _check(scroll_id)
            raise no_search_context(scroll_id)
        if keep_alive is not None:
            scroll.keep_alive = keep_alive_seconds(keep_alive, "scroll")
        scroll.expires = time.monotonic() + scroll.keep_alive
        request = scroll.request
        scroll.request = dataclasses.replace(request, first=request.first + request.size)
        return scroll.pairs, request

    def close(self, scroll_ids: Sequence[str]) -> int:
        """How many of them were open."""
        for scroll_id in scroll_ids:
            _check(scroll_id)
        return sum(self._open.pop(scroll_id, None) is not None for scroll_id in scroll_ids)

    def close_all(self) -> int:
        closed = len(self._open)
        self._open.clear()
        return closed

    def _drop_expired(self) -> None:
        now = time.monotonic()
        for scroll_id in [key for key, scroll in list(self._open.items()) if scroll.expires < now]:
            self._open.pop(scroll_id, None)


def check_scrolled(request: SearchRequest, body: dict[str, Any]) -> None:
    """Raises EngineError for what a scroll cannot be combined with."""
    problems: list[str] = []
    if request.total_up_to is None or body.get("track_total_hits", True) not in (True, "true"):
        problems.append("disabling [track_total_hits] is not allowed in a scroll context")
    if request.first > 0:
        problems.append("using [from] is not allowed in a scroll context")
    if request.size == 0:
        problems.append("[size] cannot be [0] in a scroll context")
    if request.rescores:
        problems.append("using [rescore] is not allowed in a scroll context")
    if request.collapse is not None:
        problems.append("cannot use `collapse` in a scroll context")
    if request.pit_id is not None:
        problems.append("using [point in time] is not allowed in a scroll context")
    if request.search_after is not None:
        problems.append("[search_after] cannot be used in a scroll context")
    if problems:
        raise invalid(problems)


def invalid(problems: Sequence[str]) -> EngineError:
    """The refusal of a request that contradicts itself."""
    told = "".join(f"{number}: {problem};" for number, problem in enumerate(problems, 1))
    return EngineError("action_request_validation_exception", f"Validation Failed: {told}")


def _check(scroll_id: str) -> None:
    """Raises EngineError for what no scroll was ever called."""
    try:
        known = base64.urlsafe_b64decode(scroll_id.encode("ascii", "replace")).startswith(b"scroll:")
    except ValueError:
        known = False
    if not known:
        raise illegal_argument("Cannot parse scroll id")
