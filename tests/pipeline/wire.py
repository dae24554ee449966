"""A client of the engine under test whose every request is written down, and which answers with faults on demand."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from elastic_transport import ApiResponseMeta, BaseAsyncNode, BaseNode, HttpHeaders
from elastic_transport._node import NodeApiResponse
from elasticsearch import AsyncElasticsearch, Elasticsearch

from tests import engines

JSON = {"x-elastic-product": "Elasticsearch", "content-type": "application/vnd.elasticsearch+json;compatible-with=8"}


@dataclass(frozen=True)
class Call:
    """One HTTP request. `searches` are (index, body) of each search in it."""

    method: str
    path: str
    searches: tuple[tuple[str, Mapping[str, Any]], ...]
    timeout: float | None
    body: Any


@dataclass(frozen=True)
class Reply:
    """A response of the stub in place of the engine's."""

    status: int = 200
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)


Fault = Callable[[Call], Reply | Exception | None]
"""Answers, raises (an exception is raised when it is answered), or leaves the request to the engine (None)."""


class Wire:
    """Records the requests that are sent. `fault` may answer one in place of the engine."""

    def __init__(self, lines: tuple[str, Any, Any] | None = None) -> None:
        self.url, self.node, self.async_node = lines or engines.lines()
        self.calls: list[Call] = []
        self.fault: Fault | None = None
        self._lock = threading.Lock()

    def client(self) -> Elasticsearch:
        wire = self
        base: type[BaseNode] = self.node

        class Spied(base):  # type: ignore[misc, valid-type]
            def perform_request(  # type: ignore[no-untyped-def]
                self, method, target, body=None, headers=None, request_timeout=None
            ) -> NodeApiResponse:
                answer = wire._noted(method, target, body, request_timeout)
                if answer is not None:
                    return _response(self.config, answer)
                found: NodeApiResponse = super().perform_request(method, target, body, headers, request_timeout)
                return found

        return Elasticsearch(self.url, node_class=Spied)

    def async_client(self) -> AsyncElasticsearch:
        wire = self
        base: type[BaseAsyncNode] = self.async_node

        class Spied(base):  # type: ignore[misc, valid-type]
            async def perform_request(  # type: ignore[no-untyped-def]
                self, method, target, body=None, headers=None, request_timeout=None
            ) -> NodeApiResponse:
                answer = wire._noted(method, target, body, request_timeout)
                if answer is not None:
                    return _response(self.config, answer)
                found: NodeApiResponse = await super().perform_request(method, target, body, headers, request_timeout)
                return found

        return AsyncElasticsearch(self.url, node_class=Spied)

    def _noted(self, method: str, target: str, body: bytes | None, timeout: Any) -> Reply | None:
        call = _call(method, target, body, timeout)
        with self._lock:
            self.calls.append(call)
        answer = self.fault(call) if self.fault is not None else None
        if isinstance(answer, Exception):
            raise type(answer)(*answer.args)
        return answer

    @contextmanager
    def watched(self) -> Iterator[list[Call]]:
        """The requests that are made meanwhile."""
        before = len(self.calls)
        seen: list[Call] = []
        yield seen
        seen += self.calls[before:]

    @contextmanager
    def answering(self, fault: Fault) -> Iterator[None]:
        self.fault = fault
        try:
            yield
        finally:
            self.fault = None


def searches(calls: Sequence[Call]) -> list[tuple[str, Mapping[str, Any]]]:
    return [search for call in calls for search in call.searches]


def is_of_fields(body: Mapping[str, Any]) -> bool:
    """Whether a search reads what is told of fields, once for each field: not what the query itself asks for."""
    return bool(body.get("aggs")) and all(name.startswith(("ignored", "values", "extent")) for name in body["aggs"])


def in_turn(*answers: Reply | Exception | None) -> Fault:
    """The first searches are answered so, one after the other; whatever comes behind them by the engine."""
    left = list(answers)
    lock = threading.Lock()

    def fault(call: Call) -> Reply | Exception | None:
        with lock:
            return left.pop(0) if left and call.searches else None

    return fault


def always(answer: Reply | Exception) -> Fault:
    return lambda call: answer if call.searches or call.path.endswith("_pit") else None


def _call(method: str, target: str, body: bytes | None, timeout: Any) -> Call:
    path = target.partition("?")[0]
    seconds = timeout if isinstance(timeout, int | float) else None
    if path.endswith("/_msearch"):
        lines = [json.loads(line) for line in (body or b"").splitlines() if line.strip()]
        pairs = tuple((str(head.get("index", "")), one) for head, one in zip(lines[::2], lines[1::2], strict=True))
        return Call(method, path, pairs, seconds, lines)
    parsed = json.loads(body) if body and path.rsplit("/", 1)[-1] != "_bulk" else None
    index = path.split("/")[1] if path.count("/") > 1 else ""
    found = ((index, parsed or {}),) if path.endswith("/_search") else ()
    return Call(method, path, found, seconds, parsed)


def _response(config: Any, reply: Reply) -> NodeApiResponse:
    raw = reply.body if isinstance(reply.body, bytes) else json.dumps(reply.body).encode()
    headers = HttpHeaders({**JSON, **reply.headers})
    meta = ApiResponseMeta(node=config, duration=0.0, http_version="1.1", status=reply.status, headers=headers)
    return NodeApiResponse(meta, raw)
