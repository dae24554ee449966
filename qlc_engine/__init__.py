"""An Elasticsearch-compatible engine inside the process.

`Elasticsearch()` is the official client over an engine in memory. `Engine.open(path)` opens a folder (None: in memory);
`engine.handle(...)` answers one HTTP request; `node_class(engine)` mounts it under a client of your own. What is not
implemented is refused by name with a 400 in Elasticsearch's own shape.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from qlc_engine.clients import AsyncElasticsearch, Elasticsearch
    from qlc_engine.engine import Engine
    from qlc_engine.node import async_node_class, node_class

__all__ = ["AsyncElasticsearch", "Elasticsearch", "Engine", "async_node_class", "node_class"]

_MODULES = {
    "AsyncElasticsearch": "clients", "Elasticsearch": "clients", "Engine": "engine", "async_node_class": "node",
    "node_class": "node",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: pytest loads this package in every run, for its fixtures."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return found
