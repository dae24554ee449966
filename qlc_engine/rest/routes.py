"""The table of routes: which method and path is answered by what, with which URL parameters."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from qlc_engine.core import EngineCore
from qlc_engine.errors import EngineError, illegal_argument, not_implemented
from qlc_engine.index_settings import time_seconds
from qlc_engine.rest import alias_routes as aliases
from qlc_engine.rest import document_routes as documents
from qlc_engine.rest import index_routes as indices
from qlc_engine.rest import info_routes as info
from qlc_engine.rest import search_routes as searches
from qlc_engine.rest.date_names import resolved
from qlc_engine.rest.field_caps import FIELD_CAPS_PARAMETERS, field_capabilities
from qlc_engine.rest.request import COMMON_PARAMETERS, Request, Response

Handler = Callable[[EngineCore, Request], Response]
_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Route:
    """`path` has names in braces; `{index}` does not fit a part that begins with an underscore (except `_all`)."""

    methods: str
    path: str
    handler: Handler
    parameters: frozenset[str] = _NONE

    def match(self, parts: tuple[str, ...]) -> dict[str, str] | None:
        pattern = self.path.split("/")[1:] if self.path != "/" else []
        if len(pattern) != len(parts):
            return None
        names: dict[str, str] = {}
        for wanted, part in zip(pattern, parts, strict=True):
            if not wanted.startswith("{"):
                if wanted != part:
                    return None
            elif wanted == "{index}" and part.startswith("_") and part != "_all" and len(pattern) > 1:
                return None
            else:
                names[wanted[1:-1]] = part
        return names


ROUTES: tuple[Route, ...] = (
    Route("GET HEAD", "/", info.banner),
    Route("GET", "/_cluster/health", info.cluster_health, info.HEALTH_PARAMETERS),
    Route("GET", "/_cluster/health/{index}", info.cluster_health, info.HEALTH_PARAMETERS),
    Route("GET", "/_cat/indices", info.cat_indices, info.CAT_PARAMETERS),
    Route("GET", "/_cat/indices/{index}", info.cat_indices, info.CAT_PARAMETERS),
    Route("GET POST", "/_search", searches.search, searches.SEARCH_PARAMETERS),
    Route("GET POST", "/{index}/_search", searches.search, searches.SEARCH_PARAMETERS),
    Route("GET POST", "/_msearch", searches.multi_search, searches.MSEARCH_PARAMETERS),
    Route("GET POST", "/{index}/_msearch", searches.multi_search, searches.MSEARCH_PARAMETERS),
    Route("GET POST", "/_count", searches.count, searches.COUNT_PARAMETERS),
    Route("GET POST", "/{index}/_count", searches.count, searches.COUNT_PARAMETERS),
    Route("POST", "/{index}/_pit", searches.open_point_in_time, searches.PIT_PARAMETERS),
    Route("DELETE", "/_pit", searches.close_point_in_time),
    Route("GET POST", "/_field_caps", field_capabilities, FIELD_CAPS_PARAMETERS),
    Route("GET POST", "/{index}/_field_caps", field_capabilities, FIELD_CAPS_PARAMETERS),
    Route("POST PUT", "/_bulk", documents.bulk, documents.BULK_PARAMETERS),
    Route("POST PUT", "/{index}/_bulk", documents.bulk, documents.BULK_PARAMETERS),
    Route("POST", "/{index}/_doc", documents.index_document, documents.INDEX_PARAMETERS),
    Route("PUT POST", "/{index}/_doc/{id}", documents.index_document, documents.INDEX_PARAMETERS),
    Route("PUT POST", "/{index}/_create/{id}", documents.create_document, documents.INDEX_PARAMETERS),
    Route("POST", "/{index}/_update/{id}", documents.update_document, documents.UPDATE_PARAMETERS),
    Route("DELETE", "/{index}/_doc/{id}", documents.delete_document, documents.DELETE_PARAMETERS),
    Route("GET HEAD", "/{index}/_doc/{id}", documents.get_document, documents.GET_PARAMETERS),
    Route("GET", "/_mapping", indices.get_mapping, indices.GET_PARAMETERS),
    Route("GET", "/{index}/_mapping", indices.get_mapping, indices.GET_PARAMETERS),
    Route("PUT POST", "/{index}/_mapping", indices.put_mapping, indices.PUT_MAPPING_PARAMETERS),
    Route("GET", "/_settings", indices.get_settings, indices.GET_PARAMETERS),
    Route("GET", "/{index}/_settings", indices.get_settings, indices.GET_PARAMETERS),
    Route("PUT", "/{index}/_settings", indices.put_settings, indices.PUT_SETTINGS_PARAMETERS),
    Route("GET", "/_alias", aliases.get_alias, indices.GET_PARAMETERS),
    Route("GET HEAD", "/_alias/{name}", aliases.get_alias, indices.GET_PARAMETERS),
    Route("GET", "/{index}/_alias", aliases.get_alias, indices.GET_PARAMETERS),
    Route("GET HEAD", "/{index}/_alias/{name}", aliases.get_alias, indices.GET_PARAMETERS),
    Route("PUT POST", "/{index}/_alias/{name}", aliases.put_alias, aliases.ALIAS_PARAMETERS),
    Route("GET POST", "/_refresh", indices.refresh, indices.GET_PARAMETERS),
    Route("GET POST", "/{index}/_refresh", indices.refresh, indices.GET_PARAMETERS),
    Route("GET POST", "/_flush", indices.flush, indices.FLUSH_PARAMETERS),
    Route("GET POST", "/{index}/_flush", indices.flush, indices.FLUSH_PARAMETERS),
    Route("POST", "/_forcemerge", indices.force_merge, indices.MERGE_PARAMETERS),
    Route("POST", "/{index}/_forcemerge", indices.force_merge, indices.MERGE_PARAMETERS),
    Route("PUT", "/{index}", indices.create_index, indices.CREATE_PARAMETERS),
    Route("DELETE", "/{index}", indices.delete_index, indices.GET_PARAMETERS),
    Route("HEAD", "/{index}", indices.index_exists, indices.GET_PARAMETERS),
    Route("GET", "/{index}", indices.get_index, indices.GET_PARAMETERS),
)


_FEATURES = frozenset(route.path.split("/")[1] for route in ROUTES)


@functools.lru_cache(maxsize=256)
def _matching(parts: tuple[str, ...]) -> tuple[tuple[Route, Mapping[str, str]], ...]:
    """The routes of a path, with the values of the names in their patterns; the same paths come again and again."""
    found = ((route, route.match(parts)) for route in ROUTES)
    return tuple((route, names) for route, names in found if names is not None)


@np.errstate(over="ignore", divide="ignore", invalid="ignore")
def answer(engine: EngineCore, request: Request) -> Response:
    """Finds the route and lets it answer. Parameters that the route does not know are refused.

    What is too large for a float is infinite and what has no value is none, as in Java: nobody is warned of it.
    """
    refused = _of_content_type(request)
    if refused is not None:
        return refused
    allowed: list[str] = []
    for route, names in _matching(request.parts):
        if route.path == "/{index}" and request.parts[0] in _FEATURES:
            continue
        if request.method not in route.methods.split():
            allowed.extend(route.methods.split())
            continue
        if "index" in request.params and route.handler in _OF_INDICES and "index" not in names:
            # what stands in the path of some may stand behind it in all
            names = {**names, "index": request.params.pop("index")}
        request.names = {**names, **({"index": resolved(names["index"])} if "index" in names else {})}
        _check_body(route, request)
        _check_parameters(route, request)
        return route.handler(engine, request)
    path = "/" + "/".join(request.parts)
    if request.method == "OPTIONS" and allowed:
        return Response(200, None, {"Allow": ",".join(sorted(set(allowed), key=_METHODS.index))})
    if len(request.parts) == 2 and request.parts[1] in _NOT_IMPLEMENTED:
        raise not_implemented(f"[{request.parts[1]}]")
    if len(request.parts) == 3 and request.parts[1] in ("_alias", "_aliases") and request.method == "DELETE":
        raise not_implemented("the removal of an [_alias]")
    if not allowed and len(request.parts) > 1 and request.parts[0].startswith("_"):
        _check_index_name(request)
    if len(request.parts) == 2 and not request.parts[0].startswith("_") and request.method != "POST":
        # what once was the type of a document
        allowed.append("POST")
    feature = request.parts[0] if len(request.parts) == 1 else ""
    if allowed and not (feature.startswith("_") and feature not in _FEATURES):
        allowed = sorted(set(allowed), key=_METHODS.index)
        listed = ", ".join(allowed)
        reason = f"Incorrect HTTP method for uri [{path}] and method [{request.method}], allowed: [{listed}]"
        return Response(405, {"error": reason, "status": 405}, {"Allow": ",".join(allowed)})
    return Response(400, {"error": f"no handler found for uri [{path}] and method [{request.method}]"})


#: in the order in which the server lists them
_METHODS = ("GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS")

#: what the server does with an index, and the engine does not
_NOT_IMPLEMENTED = frozenset(
    {
        "_search_shards", "_segments", "_recovery", "_shard_stores", "_stats", "_rollover", "_field_usage_stats",
        "_disk_usage", "_mtermvectors", "_close", "_open", "_mget", "_analyze",
    }
)  # fmt: skip

_READ_AS_JSON = frozenset(
    {"application/json", "application/x-ndjson", "application/x-www-form-urlencoded"}
    | {f"application/vnd.elasticsearch+{kind}" for kind in ("json", "x-ndjson")}
)
_OTHER_CONTENT = ("yaml", "cbor", "smile")


def _of_content_type(request: Request) -> Response | None:
    """The refusal of a body that is no JSON by what its sender says."""
    if not request.body or request.content_type is None:
        return None
    kind = request.content_type.partition(";")[0].strip().lower()
    if kind in _READ_AS_JSON:
        return None
    if kind.endswith(_OTHER_CONTENT):
        raise not_implemented(f"content type [{kind}]")
    reason = f"Content-Type header [{request.content_type}] is not supported"
    return Response(406, {"error": reason, "status": 406})


def _check_index_name(request: Request) -> None:
    """Raises EngineError where only the name of the index keeps a path from its route."""
    for route, _ in _matching(("index", *request.parts[1:])):
        if request.method in route.methods.split() and route.path.startswith("/{index}/"):
            writes = route.handler in (documents.index_document, documents.create_document, documents.update_document)
            beginnings = "'_', '-', or '+'" if writes else "'_'."
            reason = f"Invalid index name [{request.parts[0]}], must not start with {beginnings}"
            raise EngineError("invalid_index_name_exception", reason)


#: what may name its indices in a parameter
_OF_INDICES: frozenset[Handler] = frozenset({searches.search, searches.count, field_capabilities, documents.bulk})

#: what reads a body whatever the method
_WITH_BODY: frozenset[Handler] = frozenset(
    {
        searches.search, searches.multi_search, searches.count, searches.close_point_in_time, field_capabilities,
    }
)  # fmt: skip


def _check_body(route: Route, request: Request) -> None:
    if request.body.strip() and request.method in ("GET", "HEAD", "DELETE") and route.handler not in _WITH_BODY:
        path = "/" + "/".join(request.parts)
        raise illegal_argument(f"request [{request.method} {path}] does not support having a body")


_FLAGS = frozenset(
    {
        "allow_no_indices", "ignore_unavailable", "ignore_throttled", "allow_partial_search_results",
        "ccs_minimize_roundtrips", "request_cache", "track_scores", "flat_settings", "include_defaults", "local",
        "preserve_existing", "require_alias", "include_unmapped", "include_empty_fields", "force", "wait_if_ongoing",
        "only_expunge_deletes", "write_index_only", "pretty", "human", "error_trace",
    }
)  # fmt: skip
_WHOLE_NUMBERS = frozenset(
    {
        "batched_reduce_size", "max_concurrent_shard_requests", "pre_filter_shard_size", "max_concurrent_searches",
        "retry_on_conflict", "max_num_segments",
    }
)
_TIMES = frozenset({"timeout", "master_timeout"})


def _check_value(name: str, given: str) -> None:
    """Raises EngineError for the value of a parameter that is no flag, number or time, also where it has no effect."""
    if name in _FLAGS and given not in ("", "true", "false"):
        raise illegal_argument(f"Failed to parse value [{given}] as only [true] or [false] are allowed.")
    if name in _WHOLE_NUMBERS and not given.removeprefix("-").isdigit():
        cause = EngineError("number_format_exception", f'For input string: "{given}"')
        raise illegal_argument(f"Failed to parse int parameter [{name}] with value [{given}]", caused_by=cause)
    if name == "batched_reduce_size" and int(given) < 2:
        raise illegal_argument("batchedReduceSize must be >= 2")
    if name == "format" and given not in ("json", "text"):
        raise not_implemented(f"answers with [format] [{given}]")
    if name in _TIMES:
        time_seconds(given, name)


def _check_parameters(route: Route, request: Request) -> None:
    for name, given in request.params.items():
        _check_value(name, given)
    if all(name in route.parameters or name in COMMON_PARAMETERS for name in request.params):
        return
    known = route.parameters | COMMON_PARAMETERS
    unknown = sorted(set(request.params) - known)
    path = "/" + "/".join(request.parts)
    named = []
    for parameter in unknown:
        near = difflib.get_close_matches(parameter, known, n=1, cutoff=0.6)
        named.append(f"[{parameter}]" + (f" -> did you mean [{near[0]}]?" if near else ""))
    plural = "s" if len(unknown) > 1 else ""
    raise illegal_argument(f"request [{path}] contains unrecognized parameter{plural}: {', '.join(named)}")
