"""Translates between Elasticsearch and OpenSearch: all that differs, and the nodes that use it.

Every client of qlc is the official one of Elasticsearch, over a node of this module: so the bounds of answers, the
deadline, retries and errors are the same on both. A node asks what kind of server answers when an answer does not say
that it is Elasticsearch's. From then on it writes requests as OpenSearch takes them, and answers as Elasticsearch
gives them. `docs/opensearch.md` lists the differences.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from elastic_transport import BaseAsyncNode, BaseNode, HttpHeaders
from elastic_transport._node import NodeApiResponse
from elastic_transport.client_utils import DEFAULT

_PRODUCT = "x-elastic-product"
_SILENT = frozenset({401, 403, 408, 413, 429})
"""Errors, as those of the server itself above, that come from anything on the way: they say nothing about its kind."""


class Sent(NamedTuple):
    """One request, as a node sends it."""

    method: str
    target: str
    body: bytes | None = None
    headers: Mapping[str, str] | None = None


ROOT = Sent("GET", "/", None, {"accept": "application/json"})

Exchange = Generator[Sent, NodeApiResponse, NodeApiResponse]


class Server:
    """The kind of server that a client speaks to, and what its responses have shown of it."""

    def __init__(self, opensearch: tuple[int, ...] = ()) -> None:
        self.is_elasticsearch = False
        self.opensearch = opensearch
        """Its version, if it is OpenSearch."""
        self.texts: dict[str, str] = {}
        """The text field of each keyword beside one that leaves out long values, in the mappings that were read."""

    def exchange(self, wanted: Sent) -> Exchange:
        """Send a request in the words of the server. Raises UnsupportedProductError for one of neither kind."""
        if not self.opensearch:
            answer = yield wanted
            if self._is_known(answer) or answer.meta.status >= 500 or answer.meta.status in _SILENT:
                return answer
            root = yield ROOT
            if self._is_known(root):
                return answer
            self.opensearch = _opensearch_version(root)
            if not self.opensearch:
                raise _unsupported(answer, root)
            if answer.meta.status < 300:
                return _as_elasticsearch(wanted, answer, self)
        return _as_elasticsearch(wanted, (yield _as_opensearch(wanted, self)), self)

    def _is_known(self, answer: NodeApiResponse) -> bool:
        self.is_elasticsearch = self.is_elasticsearch or _PRODUCT in answer.meta.headers
        return self.is_elasticsearch


def recognising(node: type[BaseNode], server: Server | None = None) -> type[BaseNode]:
    """Return a class of nodes of one client, which speak to Elasticsearch and to OpenSearch."""
    known = server or Server()

    class Recognising(node):  # type: ignore[misc,valid-type]
        def perform_request(  # type: ignore[no-untyped-def]
            self, method, target, body=None, headers=None, request_timeout=DEFAULT
        ) -> NodeApiResponse:
            perform: Callable[..., NodeApiResponse] = super().perform_request
            if known.is_elasticsearch:
                return perform(method, target, body, headers, request_timeout)
            exchange = known.exchange(Sent(method, target, body, headers))
            try:
                sent = next(exchange)
                while True:
                    sent = exchange.send(perform(*sent, request_timeout))
            except StopIteration as end:
                answer: NodeApiResponse = end.value
                return answer

    return Recognising


def recognising_async(node: type[BaseAsyncNode], server: Server | None = None) -> type[BaseAsyncNode]:
    """As `recognising`, for asyncio."""
    known = server or Server()

    class Recognising(node):  # type: ignore[misc,valid-type]
        async def perform_request(  # type: ignore[no-untyped-def]
            self, method, target, body=None, headers=None, request_timeout=DEFAULT
        ) -> NodeApiResponse:
            perform: Callable[..., Any] = super().perform_request
            if known.is_elasticsearch:
                return await perform(method, target, body, headers, request_timeout)  # type: ignore[no-any-return]
            exchange = known.exchange(Sent(method, target, body, headers))
            try:
                sent = next(exchange)
                while True:
                    sent = exchange.send(await perform(*sent, request_timeout))
            except StopIteration as end:
                answer: NodeApiResponse = end.value
                return answer

    return Recognising


# --- the kind of a server ---------------------------------------------------------------------------------------------


def _opensearch_version(root: NodeApiResponse) -> tuple[int, ...]:
    """Return the version of OpenSearch by the answer at its root; empty for another server."""
    found = _parsed(root.body)
    version = found.get("version") if isinstance(found, Mapping) else None
    if isinstance(version, Mapping) and str(version.get("distribution", "")).lower() == "opensearch":
        number = str(version.get("number", ""))
    else:
        number = str(root.meta.headers.get("x-opensearch-version", "")).partition("/")[2]
    return tuple(map(int, re.findall(r"\d+", number)[:2]))


def _unsupported(answer: NodeApiResponse, root: NodeApiResponse) -> Exception:
    from elasticsearch import UnsupportedProductError

    body = _parsed(answer.body)
    said = (_parsed(root.body),)
    return UnsupportedProductError("what answers is not a search server", answer.meta, body, errors=said)


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body.decode("utf-8", "replace")


# --- requests ---------------------------------------------------------------------------------------------------------

_VENDOR = re.compile(r"application/vnd\.elasticsearch\+([^;]+); ?compatible-with=\d+")
_DEFINITION = re.compile(r"/[^/_][^/]*|.*/_mapping")
"""The paths at which indices and mappings are made and read."""
_SHARD_DOC_SINCE = (3, 3)
_CORPUS = b'"qlc_corpus"'
"""A key in the `_meta` of a corpus, which gets its vectors later. `index.knn` cannot be set then."""
_LARGEST = 2**64 - 1
"""Of `unsigned_long`. What is less than it finds nothing there."""
_SEARCHES = re.compile(rb'"(?:knn|_shard_doc|_ignored|geo_shape|geo_bounding_box)"|"value": ?""|%d' % _LARGEST)
"""Parts of a search that OpenSearch writes in another way."""


def _as_opensearch(wanted: Sent, server: Server) -> Sent:
    given = (wanted.headers or {}).items()
    headers = HttpHeaders({name: _VENDOR.sub(r"application/\1", value) for name, value in given})
    path, mark, query = wanted.target.partition("?")
    method, body = wanted.method, wanted.body
    if path.endswith("/_pit"):
        path = f"{path.removesuffix('_pit')}_search/point_in_time"
        if method == "DELETE":
            body = _dumped({"pit_id": [json.loads(body or b"{}").get("id")]})
    elif body:
        body = _translated(body, path, server)
    return Sent(method, path + mark + query, body, headers)


def _translated(body: bytes, path: str, server: Server) -> bytes:
    if _SEARCHES.search(body) and re.search(r"/_m?search$", path):
        change = partial(search_body, server=server)
    elif (b'"dense_vector"' in body or _CORPUS in body) and _DEFINITION.fullmatch(path):
        change = _mapping  # type: ignore[assignment]
    else:
        return body
    if path.endswith("/_msearch"):
        return b"".join(_dumped(change(json.loads(line))) + b"\n" for line in body.splitlines())
    return _dumped(change(json.loads(body)))


def search_body(body: dict[str, Any], server: Server) -> dict[str, Any]:
    """Return the body of a search as OpenSearch takes it."""
    found: dict[str, Any] = _with(body, partial(_clause, server=server))
    if isinstance(found.get("sort"), list) and server.opensearch < _SHARD_DOC_SINCE:
        found["sort"] = [part for key in found["sort"] for part in _sorted_by(key)]
    return found


def _sorted_by(key: Any) -> Iterator[Any]:
    """Yield a sort key; for the place in a point in time two that are as unique together."""
    if isinstance(key, Mapping) and "_shard_doc" in key:
        yield from ({name: key["_shard_doc"]} for name in ("_id", "_index"))
    else:
        yield key


def _clause(found: dict[str, Any], server: Server) -> dict[str, Any]:
    """Return a query in the form of OpenSearch, or any other object as it is."""
    if found.get("value") == "" and found.get("case_insensitive") is True:
        return {"value": ""}  # without regard to case it finds nothing there
    if str(found.get("lt")) == str(_LARGEST):
        return {**{name: one for name, one in found.items() if name != "lt"}, "lte": _LARGEST - 1}
    term = found.get("term")
    if isinstance(term, Mapping) and "_ignored" in term:
        return _left_out(found, term["_ignored"], server)
    if found.keys() <= {"geo_shape", "geo_bounding_box"}:
        return {query: _on_grid(area) for query, area in found.items()}
    knn = found.get("knn")
    return _nearest(knn) if found.keys() == {"knn"} and isinstance(knn, Mapping) and "query_vector" in knn else found


def _left_out(clause: dict[str, Any], asked: Any, server: Server) -> dict[str, Any]:
    """Return the query for documents without a keyword whose text they have: OpenSearch lists no values that it left
    out as too long."""
    path = asked.get("value") if isinstance(asked, Mapping) else asked
    if path not in server.texts:
        return clause
    has, lacks = ({"exists": {"field": name}} for name in (server.texts[path], path))
    return {"bool": {"should": [clause, {"bool": {"filter": [has], "must_not": [lacks]}}]}}


_STEPS = (360 / 2**32, 180 / 2**32)
"""Degrees of longitude and of latitude from one place that an index can keep to the next."""


def _on_grid(area: Any) -> Any:
    """Return an area whose corners are rounded down as those of stored places are. Elasticsearch rounds them; on
    OpenSearch a place on the edge of an area would lie outside."""
    match area:
        case [int() | float() as longitude, int() | float() as latitude]:
            return [_rounded(longitude, 0), _rounded(latitude, 1)]
        case {"lat": int() | float() as latitude, "lon": int() | float() as longitude}:
            return {"lat": _rounded(latitude, 1), "lon": _rounded(longitude, 0)}
        case Mapping():
            return {name: _on_grid(one) for name, one in area.items()}
        case list():
            return [_on_grid(one) for one in area]
        case _:
            return area


def _rounded(degrees: float, axis: int) -> float:
    return min(math.floor(degrees / _STEPS[axis]), 2**31 - 1) * _STEPS[axis]


def _nearest(knn: Mapping[str, Any]) -> dict[str, Any]:
    asked: dict[str, Any] = {"vector": knn["query_vector"], "k": knn.get("k", knn.get("num_candidates", 10))}
    filters = knn.get("filter")
    if filters:
        asked["filter"] = {"bool": {"filter": filters}} if isinstance(filters, list) else filters
    return {"knn": {knn["field"]: asked}}


_SPACES = {"cosine": "cosinesimil", "l2_norm": "l2", "dot_product": "innerproduct"}


def _mapping(body: dict[str, Any]) -> dict[str, Any]:
    """Return the mapping, or the index, with vectors of the k-NN plugin."""
    found: dict[str, Any] = _with(body, _vector)
    if "mappings" in found:
        settings = dict(found.get("settings") or {})
        found["settings"] = {"index.knn": True, **settings}
    return found


def _vector(field: dict[str, Any]) -> dict[str, Any]:
    if field.get("type") != "dense_vector":
        return field
    space = _SPACES.get(str(field.get("similarity", "cosine")), "cosinesimil")
    method = {"name": "hnsw", "engine": "lucene", "space_type": space}
    return {"type": "knn_vector", "dimension": field["dims"], "method": method}


def _with(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """Return JSON with every object changed, the innermost first."""
    if isinstance(value, dict):
        return change({name: _with(one, change) for name, one in value.items()})
    return [_with(one, change) for one in value] if isinstance(value, list) else value


def _dumped(body: Any) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


# --- answers ----------------------------------------------------------------------------------------------------------


def _as_elasticsearch(wanted: Sent, answer: NodeApiResponse, server: Server) -> NodeApiResponse:
    headers = HttpHeaders({**answer.meta.headers, _PRODUCT: "Elasticsearch"})
    return NodeApiResponse(replace(answer.meta, headers=headers), _understood(wanted, answer, server))


def _understood(wanted: Sent, answer: NodeApiResponse, server: Server) -> bytes:
    body = answer.body
    if answer.meta.status >= 300:
        return body
    path = wanted.target.partition("?")[0]
    if path.endswith("/_pit"):
        found = _parsed(body)
        if isinstance(found, dict):
            if wanted.method == "DELETE":
                return _dumped({"succeeded": True, "num_freed": len(found.get("pits", ()))})
            return _dumped({**found, "id": found.get("pit_id")})
    if _DEFINITION.fullmatch(path) and _MARKED.search(body):
        found = _parsed(body)
        for one in found.values() if isinstance(found, dict) else ():
            server.texts |= dict(_texts("", one.get("mappings", {}) if isinstance(one, dict) else {}))
        return _dumped(_with(found, _dense))
    return body


_MARKED = re.compile(rb'"(?:knn_vector|ignore_above)"')


def _texts(before: str, mapping: Any) -> Iterator[tuple[str, str]]:
    """Yield the path of each keyword beside a text that leaves out long values, and the path of the text."""
    for name, field in (mapping.get("properties") or {}).items():
        path = f"{before}{name}"
        yield from _texts(f"{path}.", field)
        for sub, one in (field.get("fields") or {}).items() if field.get("type") == "text" else ():
            if one.get("ignore_above") is not None:
                yield f"{path}.{sub}", path


def _dense(field: dict[str, Any]) -> dict[str, Any]:
    if field.get("type") != "knn_vector":
        return field
    space = str((field.get("method") or {}).get("space_type", field.get("space_type", "l2")))
    similarity = next((name for name, one in _SPACES.items() if one == space), space)
    return {"type": "dense_vector", "dims": field.get("dimension"), "index": True, "similarity": similarity}
