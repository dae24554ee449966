"""Nodes over an application's own client of `opensearch-py`, with its connections, certificates and signatures.

The only module that knows that package (the `opensearch` extra). An address needs neither: `qlc/store/opensearch.py`.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import iscoroutinefunction
from typing import Any

import opensearchpy
from elastic_transport import ApiResponseMeta, BaseAsyncNode, BaseNode, ConnectionTimeout, HttpHeaders, NodeConfig
from elastic_transport import ConnectionError as Unreachable
from elastic_transport._node import NodeApiResponse
from elastic_transport.client_utils import DEFAULT

from qlc.store.opensearch import Server
from qlc.store.wire import AnswerTooLarge

ADDRESS = "http://opensearch:9200"
"""The address of clients over such nodes. Requests go to the addresses of the application's client."""
_ERRORS = range(300, 600)
"""The status codes that come back as answers and are not raised."""


def server() -> Server:
    """Return the server of such a client. It is not asked what it is, which not every service answers: what a version
    of 2 takes, newer ones take, too."""
    return Server(opensearch=(2,))


def is_asynchronous(client: Any) -> bool:
    return iscoroutinefunction(client.transport.perform_request)


def node_over(client: Any, most: int) -> type[BaseNode]:
    """Return a class of nodes that send through a client of `opensearch-py`."""

    class Node(BaseNode):
        _CLIENT_META_HTTP_CLIENT = ("os", "1")

        def perform_request(  # type: ignore[no-untyped-def]
            self, method, target, body=None, headers=None, request_timeout=DEFAULT
        ) -> NodeApiResponse:
            started, options = time.perf_counter(), _options(body, headers, request_timeout)
            with _sending(client) as connection:
                return _answer(self.config, started, connection.perform_request(method, target, **options), most)

        def close(self) -> None:
            """The client is the application's."""

    return Node


def async_node_over(client: Any, most: int) -> type[BaseAsyncNode]:
    """As `node_over`, for asyncio."""

    class Node(BaseAsyncNode):
        _CLIENT_META_HTTP_CLIENT = ("os", "1")

        async def perform_request(  # type: ignore[no-untyped-def,override]
            self, method, target, body=None, headers=None, request_timeout=DEFAULT
        ) -> NodeApiResponse:
            started, options = time.perf_counter(), _options(body, headers, request_timeout)
            await client.transport._async_call()  # makes the connections, the first time
            with _sending(client) as connection:
                given = await connection.perform_request(method, target, **options)
                return _answer(self.config, started, given, most)

        async def close(self) -> None:  # type: ignore[override]
            """The client is the application's."""

    return Node


def _options(body: bytes | None, headers: HttpHeaders | None, timeout: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"body": body, "headers": dict(headers or {}), "ignore": _ERRORS}
    return found if timeout is DEFAULT else {**found, "timeout": timeout}


@contextmanager
def _sending(client: Any) -> Iterator[Any]:
    """Give a connection of the client, and convert its errors to those of the official client."""
    transport = client.transport
    connection = transport.get_connection()
    try:
        yield connection
    except opensearchpy.exceptions.ConnectionTimeout as problem:
        raise ConnectionTimeout(str(problem.info)) from None
    except opensearchpy.exceptions.ConnectionError as problem:
        transport.mark_dead(connection)
        raise Unreachable(str(problem.info)) from None
    transport.connection_pool.mark_live(connection)


def _answer(config: NodeConfig, started: float, given: tuple[int, Any, str], most: int) -> NodeApiResponse:
    status, headers, text = given
    body = text.encode("utf-8", "surrogatepass")
    if len(body) > most:
        raise AnswerTooLarge(f"the answer has more than the {most} bytes that are allowed")
    meta = ApiResponseMeta(
        node=config, duration=time.perf_counter() - started, http_version="1.1", status=status,
        headers=HttpHeaders(dict(headers)),
    )  # fmt: skip
    return NodeApiResponse(meta, body)
