"""Searching: _search, _msearch, _count, points in time."""

from __future__ import annotations

from typing import Any

from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error
from qlc_engine.indices import options_of
from qlc_engine.json_input import json_token
from qlc_engine.rest.request import Request, Response, parse_json
from qlc_engine.search.request import SEARCH_TYPES, SearchRequest, parse_search

_INDICES = frozenset({"ignore_unavailable", "allow_no_indices", "expand_wildcards", "ignore_throttled"})
SEARCH_PARAMETERS = _INDICES | {
    "from", "size", "sort", "track_total_hits", "track_scores", "_source", "_source_includes", "_source_excludes",
    "preference", "routing", "search_type", "request_cache", "timeout",
    "batched_reduce_size", "ccs_minimize_roundtrips", "max_concurrent_shard_requests", "pre_filter_shard_size",
    "allow_partial_search_results", "docvalue_fields", "index",
}  # fmt: skip
MSEARCH_PARAMETERS = _INDICES | {
    "max_concurrent_searches", "max_concurrent_shard_requests",
    "pre_filter_shard_size", "search_type", "ccs_minimize_roundtrips", "index", "routing",
}  # fmt: skip
COUNT_PARAMETERS = _INDICES | {"preference", "routing"}
PIT_PARAMETERS = _INDICES | {"keep_alive", "preference", "routing", "allow_partial_search_results"}


def search(engine: EngineCore, request: Request) -> Response:
    index, as_objects = request.index or request.params.get("index", ""), request.takes_objects
    body = run_search(engine, index, request.json_object(), request.params, as_objects=as_objects)
    return Response(200, body, as_objects=as_objects)


def run_search(
    engine: EngineCore, index: str, body: dict[str, Any], params: dict[str, str], *, as_objects: bool
) -> dict[str, Any]:
    parsed = parse_search(body, params, as_objects=as_objects)
    if parsed.pit_id is not None and "routing" in params:
        reason = "[routing] cannot be used with point in time"
        raise EngineError("action_request_validation_exception", f"Validation Failed: 1: {reason};")
    return engine.search(index, parsed, options_of(params))


_HEADER_KEYS = frozenset(
    {
        "index", "indices", "ignore_unavailable", "allow_no_indices", "expand_wildcards", "preference", "routing",
        "search_type", "request_cache", "ignore_throttled", "allow_partial_search_results", "ccs_minimize_roundtrips",
    }
)  # fmt: skip


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
        if header.get("search_type", SEARCH_TYPES[0]) not in SEARCH_TYPES:
            raise illegal_argument(f"No search type for [{header['search_type']}]")
        index = header.get("index", header.get("indices", request.index))
        if isinstance(index, list):
            index = ",".join(map(str, index))
        if not isinstance(index, str):
            raise illegal_argument(f"explicit index in multi search is no name but a {json_token(index)}")
        params = dict(request.params)
        params.update({key: _text(header[key]) for key in _INDICES if key in header})
        body = _object(lines[at + 1])
        try:
            answer = run_search(engine, index, body, params, as_objects=request.takes_objects)
            responses.append({**answer, "status": 200})
            took += answer["took"]
        except EngineError as error:
            if error.status == 400 and not error.on_shard:
                # a search that cannot be read fails them all
                raise
            responses.append(error.to_body(engine.first_index(index)))
    if not responses:
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: no requests added;")
    return Response(200, {"took": took, "responses": responses}, as_objects=request.takes_objects)


def _object(line: bytes) -> dict[str, Any]:
    parsed = parse_json(line) if line.strip() else {}
    if not isinstance(parsed, dict):
        raise parsing_error(f"Expected [START_OBJECT] but found [{json_token(parsed)}]")
    return parsed


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def count(engine: EngineCore, request: Request) -> Response:
    body = request.json_object()
    query = body.pop("query", None)
    for key in body:
        raise parsing_error(f"request does not support [{key}]")
    if query == {}:
        raise parsing_error("query malformed, empty clause found")
    parsed = SearchRequest(query=query, size=0, total_up_to=-1)
    answer = engine.search(request.index, parsed, options_of(request.params))
    return Response(200, {"count": answer["hits"]["total"]["value"], "_shards": answer["_shards"]})


def open_point_in_time(engine: EngineCore, request: Request) -> Response:
    keep_alive = request.params.get("keep_alive")
    if not keep_alive:
        raise EngineError("action_request_validation_exception", "Validation Failed: 1: [keep_alive] is not specified;")
    body = request.json_object()
    index_filter = body.pop("index_filter", None)
    if index_filter is not None or body:
        raise not_implemented("the body of a request for a point in time")
    pit_id, n_shards = engine.open_point_in_time(request.index, keep_alive, options_of(request.params))
    shards = {"total": n_shards, "successful": n_shards, "skipped": 0, "failed": 0}
    return Response(200, {"id": pit_id, "_shards": shards})


def close_point_in_time(engine: EngineCore, request: Request) -> Response:
    body = request.json_object()
    pit_id = body.pop("id", None)
    if not isinstance(pit_id, str) or body:
        raise illegal_argument("Malformed close point in time request: [id] is required")
    closed = engine.close_point_in_time(pit_id)
    return Response(200 if closed else 404, {"succeeded": closed, "num_freed": 1 if closed else 0})
