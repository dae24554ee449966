"""Searching: _search, _msearch, _count, _validate/query, points in time."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from qlc_engine.errors import EngineError, illegal_argument, not_implemented, parsing_error
from qlc_engine.indices import options_of
from qlc_engine.json_input import json_token
from qlc_engine.reading import reading
from qlc_engine.rest.request import Request, Response, parse_json
from qlc_engine.search.request import (
    Q_PARAMETERS,
    SEARCH_TYPES,
    SearchRequest,
    parse_search,
    query_of_url,
    read_terminate_after,
)
from qlc_engine.search.run import make_query, matching
from qlc_engine.search.scrolls import check_scrolled, invalid

if TYPE_CHECKING:
    from qlc_engine.engine import Engine

_INDICES = frozenset({"ignore_unavailable", "allow_no_indices", "expand_wildcards", "ignore_throttled"})
SEARCH_PARAMETERS = _INDICES | {
    "from", "size", "sort", "track_total_hits", "track_scores", "_source", "_source_includes", "_source_excludes",
    "typed_keys", "rest_total_hits_as_int", "preference", "routing", "search_type", "request_cache", "timeout",
    "batched_reduce_size", "ccs_minimize_roundtrips", "max_concurrent_shard_requests", "pre_filter_shard_size",
    "allow_partial_search_results", "docvalue_fields", "stored_fields", "version", "seq_no_primary_term",
    "scroll", "terminate_after", "include_named_queries_score", "index", *Q_PARAMETERS,
}  # fmt: skip
MSEARCH_PARAMETERS = _INDICES | {
    "typed_keys", "rest_total_hits_as_int", "max_concurrent_searches", "max_concurrent_shard_requests",
    "pre_filter_shard_size", "search_type", "ccs_minimize_roundtrips", "index", "routing",
}  # fmt: skip
COUNT_PARAMETERS = _INDICES | Q_PARAMETERS | {"preference", "routing", "min_score", "terminate_after"}
VALIDATE_PARAMETERS = _INDICES | Q_PARAMETERS | {"explain", "rewrite", "all_shards"}
SCROLL_PARAMETERS = frozenset({"scroll", "scroll_id", "rest_total_hits_as_int", "typed_keys"})
PIT_PARAMETERS = _INDICES | {"keep_alive", "preference", "routing", "allow_partial_search_results"}


def search(engine: Engine, request: Request) -> Response:
    index, as_objects = request.index or request.params.get("index", ""), request.takes_objects
    body = run_search(engine, index, request.json_object(), request.params, as_objects=as_objects)
    return Response(200, body, as_objects=as_objects)


def run_search(
    engine: Engine, index: str, body: dict[str, Any], params: dict[str, str], *, as_objects: bool
) -> dict[str, Any]:
    parsed = parse_search(body, params, as_objects=as_objects)
    if params.get("rest_total_hits_as_int") in ("true", "") and parsed.total_up_to not in (None, -1):
        if "track_total_hits" in body or "track_total_hits" in params:
            raise illegal_argument(
                "[rest_total_hits_as_int] cannot be used if the tracking of total hits is not accurate, got "
                f"{parsed.total_up_to}"
            )
        parsed = parse_search({**body, "track_total_hits": True}, params, as_objects=as_objects)
    if parsed.pit_id is not None and "routing" in params:
        raise invalid(["[routing] cannot be used with point in time"])
    if parsed.slice is not None and not params.get("scroll") and parsed.pit_id is None:
        raise invalid(["[slice] can only be used with [scroll] or [point-in-time] requests"])
    if params.get("scroll"):
        check_scrolled(parsed, body)
        parsed = dataclasses.replace(parsed, total_up_to=-1, in_scroll=True)
        answer = engine.open_scroll(index, parsed, options_of(params), params["scroll"])
    else:
        answer = engine.search(index, parsed, options_of(params))
    if params.get("rest_total_hits_as_int") in ("true", ""):
        total = answer["hits"].get("total")
        answer["hits"]["total"] = -1 if total is None else total["value"]
    return answer


def scroll(engine: Engine, request: Request) -> Response:
    """The next page; its id stands in the body, in the address or in a parameter."""
    body = request.json_object()
    scroll_id = body.pop("scroll_id", request.names.get("id", request.params.get("scroll_id")))
    keep_alive = body.pop("scroll", request.params.get("scroll"))
    for key in body:
        raise illegal_argument(f"Unknown parameter [{key}] in request body or parameter is of the wrong type")
    if not isinstance(scroll_id, str) or not scroll_id:
        raise invalid(["scrollId is missing"])
    answer = engine.next_scroll_page(scroll_id, None if keep_alive is None else str(keep_alive))
    if request.params.get("rest_total_hits_as_int") in ("true", ""):
        answer["hits"]["total"] = answer["hits"]["total"]["value"]
    return Response(200, answer)


def clear_scroll(engine: Engine, request: Request) -> Response:
    body = request.json_object()
    given = body.pop("scroll_id", request.names.get("id", request.params.get("scroll_id")))
    for key in body:
        raise illegal_argument(f"Unknown parameter [{key}] in request body or parameter is of the wrong type")
    ids = given.split(",") if isinstance(given, str) else given or []
    if not isinstance(ids, list) or not all(isinstance(one, str) for one in ids):
        raise illegal_argument("scroll_id must be a string or an array of strings")
    if not ids:
        raise invalid(["no scroll ids specified"])
    freed = engine.close_scrolls(ids)
    found = freed > 0 or "_all" in ids
    return Response(200 if found else 404, {"succeeded": True, "num_freed": freed})


_HEADER_KEYS = frozenset(
    {
        "index", "indices", "ignore_unavailable", "allow_no_indices", "expand_wildcards", "preference", "routing",
        "search_type", "request_cache", "ignore_throttled", "allow_partial_search_results", "ccs_minimize_roundtrips",
    }
)  # fmt: skip


def multi_search(engine: Engine, request: Request) -> Response:
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


def count(engine: Engine, request: Request) -> Response:
    body = request.json_object()
    query = body.pop("query", None)
    for key in body:
        raise parsing_error(f"request does not support [{key}]")
    if query == {}:
        raise parsing_error("query malformed, empty clause found")
    query = query_of_url(request.params) or query
    min_score = request.params.get("min_score")
    with reading("a parameter", illegal_argument):
        parsed = SearchRequest(
            query=query, size=0, total_up_to=-1, min_score=None if min_score is None else float(min_score),
            terminate_after=read_terminate_after(request.params.get("terminate_after", 0)),
        )
    answer = engine.search(request.index, parsed, options_of(request.params))
    early = {"terminated_early": answer["terminated_early"]} if parsed.terminate_after else {}
    return Response(200, {"count": answer["hits"]["total"]["value"], **early, "_shards": answer["_shards"]})


def validate_query(engine: Engine, request: Request) -> Response:
    explain = request.flag("explain")
    explanations: list[dict[str, Any]] = []
    valid, error_text = True, None
    try:
        body = request.json_object()
        query = body.pop("query", None)
        for key in body:
            raise parsing_error(f"request does not support [{key}]")
        query = query_of_url(request.params) or query
        for target in engine.shards_of(request.index, options_of(request.params)):
            name = target.index.name
            try:
                made = make_query(query, target.context)
                for leaf in target.leaves()[:1]:
                    matching(made, leaf)
                explanations.append({"index": name, "valid": True})
            except EngineError as error:
                if not error.on_shard:
                    raise
                valid = False
                explanations.append({"index": name, "valid": False, "error": f"[{name}/embedded] {error.reason}"})
    except EngineError as error:
        if error.status == 404:
            raise
        valid, error_text = False, f"org.elasticsearch.common.ParsingException: {error.reason}"
    shards = {"total": 1, "successful": 1, "failed": 0}
    if explain and valid:
        raise not_implemented("[explain] of a query that is valid")
    if error_text is not None:
        return Response(200, {"valid": False, **({"error": error_text} if explain else {})})
    return Response(200, {"_shards": shards, "valid": valid, **({"explanations": explanations} if explain else {})})


def open_point_in_time(engine: Engine, request: Request) -> Response:
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


def close_point_in_time(engine: Engine, request: Request) -> Response:
    body = request.json_object()
    pit_id = body.pop("id", None)
    if not isinstance(pit_id, str) or body:
        raise illegal_argument("Malformed close point in time request: [id] is required")
    closed = engine.close_point_in_time(pit_id)
    return Response(200 if closed else 404, {"succeeded": closed, "num_freed": 1 if closed else 0})
