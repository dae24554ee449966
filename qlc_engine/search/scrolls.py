"""Scrolls: the hits of one search page by page, out of the snapshot that the first page saw."""

from __future__ import annotations

import base64
import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.search.keep_alive import Keeper, Kept, Pairs, keep_alive_seconds
from qlc_engine.search.request import SearchRequest


@dataclass(slots=True, kw_only=True)
class Scroll(Kept):
    """`request` asks for the next page."""

    request: SearchRequest


class Scrolls(Keeper[Scroll]):
    """The open scrolls of an engine."""

    parameter = "scroll"

    def open(self, pairs: Pairs, request: SearchRequest, keep_alive: str) -> str:
        """The id of a new one, whose first page is asked for by `request`."""
        seconds = keep_alive_seconds(keep_alive, self.parameter)
        following = dataclasses.replace(request, first=request.size, aggregations=None)
        scroll_id = base64.urlsafe_b64encode(b"scroll:" + os.urandom(21)).decode()
        return self.keep(scroll_id, Scroll(pairs, seconds, request=following))

    def next_page(self, scroll_id: str, keep_alive: str | None) -> tuple[Pairs, SearchRequest]:
        """What the next page is searched in and with. Raises EngineError for a scroll that is not there."""
        scroll = self.use(scroll_id, keep_alive)
        request = scroll.request
        scroll.request = dataclasses.replace(request, first=request.first + request.size)
        return scroll.pairs, request

    def close_each(self, scroll_ids: Sequence[str]) -> int:
        """How many of them were open. `_all` closes every one."""
        if "_all" in scroll_ids:
            return self.close_all()
        for scroll_id in scroll_ids:
            self.check_id(scroll_id)
        return sum(map(self.close, scroll_ids))

    @staticmethod
    def check_id(opened: str) -> None:
        try:
            known = base64.urlsafe_b64decode(opened.encode("ascii", "replace")).startswith(b"scroll:")
        except ValueError:
            known = False
        if not known:
            raise illegal_argument("Cannot parse scroll id")


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
