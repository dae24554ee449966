"""An Elasticsearch-compatible engine inside the process.

`Engine.open(path)` opens a folder (None: in memory); `engine.handle(...)` answers one HTTP request;
`node_class(engine)` and `async_node_class(engine)` mount it under the official client. What is not implemented is
refused by name with a 400 in Elasticsearch's own shape.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qlc_engine.engine import Engine

if TYPE_CHECKING:
    from elastic_transport import BaseAsyncNode, BaseNode

__all__ = ["Engine", "async_node_class", "node_class"]


def node_class(engine: Engine) -> type[BaseNode]:
    """A node class for `Elasticsearch("http://embedded:9200", node_class=...)`."""
    from qlc_engine.node import node_class as make  # the transport is imported only where a client is used

    return make(engine)


def async_node_class(engine: Engine) -> type[BaseAsyncNode]:
    """A node class for `AsyncElasticsearch("http://embedded:9200", node_class=...)`."""
    from qlc_engine.node import async_node_class as make

    return make(engine)
