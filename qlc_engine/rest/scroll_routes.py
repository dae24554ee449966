"""Scrolling: all pages of a search, over a point in time. The id holds the search and the place of the last hit."""

from __future__ import annotations

import base64
import json
from typing import Any

from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.rest.request import Request, Response
from qlc_engine.search.request import parse_search

_NOT_WITH = {
    "from": "using [from] is not allowed in a scroll context",
    "search_after": "[search_after] cannot be used in a scroll context",
    "collapse": "cannot use `collapse` in a scroll context",
    "pit": "using [point in time] is not allowed in a scroll context",
}


def first_page(engine: EngineCore, request: Request) -> Response:
    """Answer a search with `scroll`: its first page, and the id for the next."""
    body = request.json_object()
    problems = [reason for key, reason in _NOT_WITH.items() if body.get(key)]
    if body.get("size") == 0:
        problems.append("[size] cannot be [0] in a scroll context")
    for reason in problems:
        raise EngineError("action_request_validation_exception", f"Validation Failed: 1: {reason};")
    pit_id, _ = engine.open_point_in_time(request.index, request.params["scroll"])
    return _page(engine, request, {"body": {"track_total_hits": True, **body}, "pit": pit_id, "after": None})


def next_page(engine: EngineCore, request: Request) -> Response:
    body = request.json_object()
    scroll = str(body.get("scroll", request.params.get("scroll", "")))
    return _page(engine, request, _state(body.get("scroll_id", request.names.get("id"))), scroll)


def clear(engine: EngineCore, request: Request) -> Response:
    given = request.json_object().get("scroll_id", request.names.get("id", ""))
    ids = given if isinstance(given, list) else str(given).split(",")
    freed = sum(engine.close_point_in_time(_state(one)["pit"]) for one in ids)
    return Response(200 if freed else 404, {"succeeded": True, "num_freed": freed})


def _page(engine: EngineCore, request: Request, state: dict[str, Any], keep_alive: str = "") -> Response:
    body = state["body"]
    pit = {"id": state["pit"], **({"keep_alive": keep_alive} if keep_alive else {})}
    # The point in time adds `_shard_doc` as the last key, by which hits of equal rank have a fixed order.
    paged = {**body, "sort": body.get("sort") or ["_score"], "pit": pit}
    if state["after"] is not None:
        paged = {**{key: value for key, value in paged.items() if not key.startswith("agg")},
                 "search_after": state["after"]}  # fmt: skip
    answer = engine.search("", parse_search(paged))
    del answer["pit_id"]
    hits = answer["hits"]["hits"]
    after = hits[-1]["sort"] if hits else state["after"]
    given = body.get("sort") or []
    for hit in hits:
        hit["sort"] = hit["sort"][: 1 if isinstance(given, str) else len(given)]
        if not given:
            del hit["sort"]
    token = base64.urlsafe_b64encode(json.dumps({**state, "after": after}).encode()).decode()
    return Response(200, {"_scroll_id": token, **answer})


def _state(scroll_id: Any) -> dict[str, Any]:
    try:
        found = json.loads(base64.urlsafe_b64decode(str(scroll_id)))
        if found.keys() == {"body", "pit", "after"}:
            return dict(found)
    except (ValueError, AttributeError):
        pass
    raise illegal_argument("Cannot parse scroll id")
