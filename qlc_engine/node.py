"""The engine under the official client: node classes that answer in the process instead of over the network."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from elastic_transport import ApiResponseMeta, BaseAsyncNode, BaseNode, HttpHeaders, NodeConfig
from elastic_transport._node import NodeApiResponse
from elastic_transport.client_utils import DEFAULT, DefaultType

from qlc_engine.engine import Engine
from qlc_engine.rest.request import Request
from qlc_engine.time_limit import cancellable


def _respond(
    engine: Engine,
    config: NodeConfig,
    method: str,
    target: str,
    body: bytes | None,
    *,
    takes_objects: bool,
    timeout: DefaultType | float | None,
) -> NodeApiResponse:
    started = time.perf_counter()
    seconds = config.request_timeout if isinstance(timeout, DefaultType) else timeout
    request = Request.of(method, target, body, takes_objects=takes_objects, seconds=seconds)
    status, answered, content = engine.respond(request)
    meta = ApiResponseMeta(
        node=config,
        duration=time.perf_counter() - started,
        http_version="1.1",
        status=status,
        headers=HttpHeaders(answered),
    )
    # the transport gives it to the serializer and to nothing else
    return NodeApiResponse(meta, content)  # type: ignore[arg-type]


def node_class(engine: Engine, *, closes: bool = False, takes_objects: bool = False) -> type[BaseNode]:
    """A class for `Elasticsearch("http://embedded:9200", node_class=...)`. `closes`: the engine with its client.

    `takes_objects`: the client's serializer for JSON is a `HandingSerializer` (qlc_engine/serializer.py).
    """

    class EmbeddedNode(BaseNode):
        _CLIENT_META_HTTP_CLIENT = ("em", "1")
        in_process = True

        def perform_request(
            self,
            method: str,
            target: str,
            body: bytes | None = None,
            headers: HttpHeaders | None = None,
            request_timeout: DefaultType | float | None = DEFAULT,
        ) -> NodeApiResponse:
            arguments: tuple[Any, ...] = (engine, self.config, method, target, body)
            return _respond(*arguments, takes_objects=takes_objects, timeout=request_timeout)

        def close(self) -> None:
            if closes:
                engine.close()

    return EmbeddedNode


def async_node_class(engine: Engine, *, closes: bool = False, takes_objects: bool = False) -> type[BaseAsyncNode]:
    """A class for `AsyncElasticsearch("http://embedded:9200", node_class=...)`; work is done in a thread."""

    class EmbeddedAsyncNode(BaseAsyncNode):
        _CLIENT_META_HTTP_CLIENT = ("em", "1")

        async def perform_request(  # type: ignore[override]
            self,
            method: str,
            target: str,
            body: bytes | None = None,
            headers: HttpHeaders | None = None,
            request_timeout: DefaultType | float | None = DEFAULT,
        ) -> NodeApiResponse:
            arguments: tuple[Any, ...] = (engine, self.config, method, target, body)
            options: dict[str, Any] = {"takes_objects": takes_objects, "timeout": request_timeout}
            with cancellable() as cancel:
                try:
                    return await asyncio.to_thread(_respond, *arguments, **options)
                except asyncio.CancelledError:
                    cancel()
                    raise

        async def close(self) -> None:  # type: ignore[override]
            if closes:
                engine.close()

    return EmbeddedAsyncNode
