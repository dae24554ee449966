"""The engine under the official client: node classes that answer in the process instead of over the network."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from elastic_transport import ApiResponseMeta, BaseAsyncNode, BaseNode, HttpHeaders, NodeConfig
from elastic_transport._node import NodeApiResponse
from elastic_transport.client_utils import DEFAULT, DefaultType

from qlc.engine.engine import Engine


def _respond(
    engine: Engine, config: NodeConfig, method: str, target: str, body: bytes | None, headers: HttpHeaders | None
) -> NodeApiResponse:
    started = time.perf_counter()
    status, answered, content = engine.handle(method, target, headers, body)
    meta = ApiResponseMeta(
        node=config,
        duration=time.perf_counter() - started,
        http_version="1.1",
        status=status,
        headers=HttpHeaders(answered),
    )
    return NodeApiResponse(meta, content)


def node_class(engine: Engine) -> type[BaseNode]:
    """A class for `Elasticsearch("http://embedded:9200", node_class=...)`."""

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
            return _respond(engine, self.config, method, target, body, headers)

        def close(self) -> None:
            """The engine outlives its clients."""

    return EmbeddedNode


def async_node_class(engine: Engine) -> type[BaseAsyncNode]:
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
            arguments: tuple[Any, ...] = (engine, self.config, method, target, body, headers)
            return await asyncio.to_thread(_respond, *arguments)

        async def close(self) -> None:  # type: ignore[override]
            """The engine outlives its clients."""

    return EmbeddedAsyncNode
