"""Searching: _search (with `scroll`, its first page), _msearch, _count, points in time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error
from qlc_engine.indices import INDICES_OPTIONS
from qlc_engine.json_input import json_token
from qlc_engine.rest.request import Request, Response, parse_json
from qlc_engine.rest.scroll_routes import first_page
from qlc_engine.search.request import SEARCH_TYPES, SearchRequest, parse_search

MULTI_PARAMETERS = INDICES_OPTIONS | {"search_type"}
SEARCH_PARAMETERS = MULTI_PARAMETERS | {"scroll"}
PIT_PARAMETERS = frozenset({"keep_alive"})


def search(engine: EngineCore, request: Request) -> Response:
    if "scroll" in request.params:
        return first_page(engine, request)
    body = _run(engine, request.index, request.json_object(), request.params, as_objects=request.takes_objects)
    return Response(200, body, as_objects=request.takes_objects)


def _run(
    engine: EngineCore, index: str, body: dict[str, Any], params: Mapping[str, Any], *, as_objects: bool
) -> dict[str, Any]:
    """`params`: of the URL, or of a header of a multi-search."""
    search_type = params.get("search_type", SEARCH_TYPES[0])
    if search_type not in SEARCH_TYPES:
        raise illegal_argument(f"No search type for [{search_type}]")
    parsed = parse_search(body, as_objects=as_objects)
    return engine.search(index, parsed, ignore_unavailable=params.get("ignore_unavailable") in (True, "true", ""))


_HEADER_KEYS = frozenset({"index", "ignore_unavailable", "search_type"})


def multi_search(engine: EngineCore, request: Request) -> Response:
    if not request.body:
        raise EngineError("parse_exception", "request body is required")
    lines = request.body.split(b"\n")
    if lines and lines[-1].strip():
        raise illegal_argument("The msearch request must be terminated by a newline [\n]")
    lines = lines[:-1]
    responses: list[dict[str, Any]] = []
    took = 0
    for at in range(0, len(lines) - 1, 2):
        header = _object(lines[at])
        for key in header:
            if key not in _HEADER_KEYS:
                raise illegal_argument(f"key [{key}] is not supported in the metadata section")
        index = header.get("index", request.index)
        if isinstance(index, list):
            index = ",".join(map(str, index))
        if not isinstance(index, str):
            raise illegal_argument(f"explicit index in multi search is no name but a {json_token(index)}")
        params, body = {**request.params, **header}, _object(lines[at + 1])
        try:
            answer = _run(engine, index, body, params, as_objects=request.takes_objects)
            responses.append({**answer, "status": 200})
            took += answer["took"]
        except EngineError as error:
            responses.append(error.to_body())
    if not responses:
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: no requests added;")
    return Response(200, {"took": took, "responses": responses}, as_objects=request.takes_objects)


def _object(line: bytes) -> dict[str, Any]:
    parsed = parse_json(line) if line.strip() else {}
    if not isinstance(parsed, dict):
        raise parsing_error(f"Expected [START_OBJECT] but found [{json_token(parsed)}]")
    return parsed


def count(engine: EngineCore, request: Request) -> Response:
    body = request.json_object()
    query = body.pop("query", None)
    for key in body:
        raise parsing_error(f"request does not support [{key}]")
    if query == {}:
        raise parsing_error("query malformed, empty clause found")
    parsed = SearchRequest(query=query, size=0, total_up_to=-1)
    answer = engine.search(request.index, parsed, ignore_unavailable=request.flag("ignore_unavailable"))
    return Response(200, {"count": answer["hits"]["total"]["value"], "_shards": answer["_shards"]})


def open_point_in_time(engine: EngineCore, request: Request) -> Response:
    keep_alive = request.params.get("keep_alive")
    if not keep_alive:
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: [keep_alive] is not specified;")
    body = request.json_object()
    if body:
        raise not_implemented("the body of a request for a point in time")
    pit_id, n_shards = engine.open_point_in_time(request.index, keep_alive)
    shards = {"total": n_shards, "successful": n_shards, "skipped": 0, "failed": 0}
    return Response(200, {"id": pit_id, "_shards": shards})


def close_point_in_time(engine: EngineCore, request: Request) -> Response:
    body = request.json_object()
    pit_id = body.pop("id", None)
    if not isinstance(pit_id, str) or body:
        raise illegal_argument("Malformed close point in time request: [id] is required")
    closed = engine.close_point_in_time(pit_id)
    return Response(200 if closed else 404, {"succeeded": closed, "num_freed": 1 if closed else 0})
