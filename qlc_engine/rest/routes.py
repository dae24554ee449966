"""The table of routes: the handler and the URL parameters of each method and path."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from qlc_engine.core import VERSION, EngineCore
from qlc_engine.errors import illegal_argument
from qlc_engine.indices import INDICES_OPTIONS
from qlc_engine.rest import alias_routes as aliases
from qlc_engine.rest import document_routes as documents
from qlc_engine.rest import index_routes as indices
from qlc_engine.rest import scroll_routes as scrolls
from qlc_engine.rest import search_routes as searches
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


def banner(engine: EngineCore, request: Request) -> Response:
    """Return the response at the root of a server."""
    body = {
        "name": "embedded",
        "cluster_name": "embedded",
        "cluster_uuid": "embedded",
        "version": {
            "number": VERSION,
            "build_flavor": "default",
            "build_type": "embedded",
            "build_hash": "embedded",
            "build_date": "2025-01-01T00:00:00.000000000Z",
            "build_snapshot": False,
            "lucene_version": "9.12.1",
            "minimum_wire_compatibility_version": "7.17.0",
            "minimum_index_compatibility_version": "7.0.0",
        },
        "tagline": "You Know, for Search",
    }
    return Response(200, body)


def _of_indices(methods: str, name: str, handler: Handler, parameters: frozenset[str]) -> tuple[Route, Route]:
    """Return the routes of a request with and without index names."""
    return Route(methods, f"/{name}", handler, parameters), Route(methods, f"/{{index}}/{name}", handler, parameters)


ROUTES: tuple[Route, ...] = (
    Route("GET HEAD", "/", banner),
    *_of_indices("GET POST", "_search", searches.search, searches.SEARCH_PARAMETERS),
    Route("GET POST", "/_search/scroll", scrolls.next_page, frozenset({"scroll"})),
    Route("GET POST", "/_search/scroll/{id}", scrolls.next_page, frozenset({"scroll"})),
    Route("DELETE", "/_search/scroll", scrolls.clear),
    Route("DELETE", "/_search/scroll/{id}", scrolls.clear),
    *_of_indices("GET POST", "_msearch", searches.multi_search, searches.MULTI_PARAMETERS),
    *_of_indices("GET POST", "_count", searches.count, INDICES_OPTIONS),
    Route("POST", "/{index}/_pit", searches.open_point_in_time, searches.PIT_PARAMETERS),
    Route("DELETE", "/_pit", searches.close_point_in_time),
    *_of_indices("POST PUT", "_bulk", documents.bulk, documents.WRITE_PARAMETERS),
    Route("POST", "/{index}/_doc", documents.index_document, documents.WRITE_PARAMETERS),
    Route("PUT POST", "/{index}/_doc/{id}", documents.index_document, documents.EXPECTING_PARAMETERS),
    Route("PUT POST", "/{index}/_create/{id}", documents.create_document, documents.WRITE_PARAMETERS),
    Route("POST", "/{index}/_update/{id}", documents.update_document, documents.UPDATE_PARAMETERS),
    Route("DELETE", "/{index}/_doc/{id}", documents.delete_document, documents.EXPECTING_PARAMETERS),
    Route("GET HEAD", "/{index}/_doc/{id}", documents.get_document),
    Route("GET HEAD", "/{index}/_source/{id}", documents.get_source),
    *_of_indices("GET POST", "_mget", documents.multi_get, _NONE),
    Route("POST", "/{index}/_delete_by_query", documents.delete_by_query, documents.DELETING_PARAMETERS),
    Route("GET", "/_cluster/health", indices.health, indices.HEALTH_PARAMETERS),
    Route("GET", "/_cluster/health/{index}", indices.health, indices.HEALTH_PARAMETERS),
    *_of_indices("GET", "_mapping", indices.get_mapping, INDICES_OPTIONS),
    Route("PUT POST", "/{index}/_mapping", indices.put_mapping, INDICES_OPTIONS),
    *_of_indices("GET", "_settings", indices.get_settings, INDICES_OPTIONS | {"expand_wildcards"}),  # none is closed
    Route("PUT", "/{index}/_settings", indices.put_settings, INDICES_OPTIONS),
    Route("POST", "/_aliases", aliases.update_aliases),
    *_of_indices("GET", "_alias", aliases.get_alias, INDICES_OPTIONS),
    *_of_indices("GET HEAD", "_alias/{name}", aliases.get_alias, INDICES_OPTIONS),
    Route("PUT POST", "/{index}/_alias/{name}", aliases.put_alias),
    Route("DELETE", "/{index}/_alias/{name}", aliases.delete_alias),
    *_of_indices("GET POST", "_refresh", indices.refresh, INDICES_OPTIONS),
    *_of_indices("GET POST", "_flush", indices.flush, INDICES_OPTIONS),
    *_of_indices("POST", "_forcemerge", indices.force_merge, INDICES_OPTIONS),
    Route("PUT", "/{index}", indices.create_index),
    Route("DELETE", "/{index}", indices.delete_index, INDICES_OPTIONS),
    Route("HEAD", "/{index}", indices.index_exists, INDICES_OPTIONS),
    Route("GET", "/{index}", indices.get_index, INDICES_OPTIONS),
)


_FEATURES = frozenset(route.path.split("/")[1] for route in ROUTES)


@functools.lru_cache(maxsize=256)
def _matching(parts: tuple[str, ...]) -> tuple[tuple[Route, Mapping[str, str]], ...]:
    """The routes of a path, with the values of the names in their patterns; the same paths come again and again."""
    found = ((route, route.match(parts)) for route in ROUTES)
    return tuple((route, names) for route, names in found if names is not None)


@np.errstate(over="ignore", divide="ignore", invalid="ignore")
def answer(engine: EngineCore, request: Request) -> Response:
    """Find the route and call its handler. Parameters that the route does not know are refused.

    Overflow gives infinity and invalid operations give NaN, as in Java, without warnings.
    """
    path = "/" + "/".join(request.parts)
    for route, names in _matching(request.parts):
        if request.method not in route.methods.split() or (route.path == "/{index}" and _is_feature(request)):
            continue
        request.names = dict(names)
        if request.body.strip() and request.method in ("GET", "HEAD", "DELETE") and route.handler not in _WITH_BODY:
            raise illegal_argument(f"request [{request.method} {path}] does not support having a body")
        _check_parameters(route, request, path)
        return route.handler(engine, request)
    error = f"no handler found for uri [{path}] and method [{request.method}]: the embedded engine does not have it"
    return Response(400, {"error": error})


def _is_feature(request: Request) -> bool:
    """Whether a path of one part names a feature of a server and no index: `GET /_tasks`."""
    first = request.parts[0]
    return first in _FEATURES or (request.method != "PUT" and first.startswith("_") and first != "_all")


#: what reads a body whatever the method
_WITH_BODY: frozenset[Handler] = frozenset(
    {searches.search, searches.multi_search, searches.count, searches.close_point_in_time, documents.multi_get,
     scrolls.next_page, scrolls.clear}
)


def _check_parameters(route: Route, request: Request, path: str) -> None:
    unknown = sorted(set(request.params) - route.parameters - COMMON_PARAMETERS)
    if not unknown:
        return
    named = []
    for parameter in unknown:
        near = difflib.get_close_matches(parameter, route.parameters | COMMON_PARAMETERS, n=1, cutoff=0.6)
        named.append(f"[{parameter}]" + (f" -> did you mean [{near[0]}]?" if near else ""))
    plural = "s" if len(unknown) > 1 else ""
    raise illegal_argument(f"request [{path}] contains unrecognized parameter{plural}: {', '.join(named)}")
