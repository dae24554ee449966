"""The one place where Elasticsearch clients are made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch, Elasticsearch

    from qlc.engine import Engine

EMBEDDED_URL = "http://embedded:9200"


def connect(target: str | Path = ":memory:", *, read_only: bool = False, **options: Any) -> Elasticsearch:
    """The official client: of a URL, of a folder of the embedded engine, or of one in memory (`":memory:"`).

    One client at a time may write to a folder, and gives that up when it is closed; any number may open it `read_only`.
    `options` go to `elasticsearch.Elasticsearch` (api_key, basic_auth, ca_certs, hosts ...).
    """
    from elasticsearch import Elasticsearch

    if _is_url(target):
        return Elasticsearch(str(target), **options)
    from qlc.engine import node_class

    engine = _engine(target, read_only)
    base: Any = node_class(engine)

    class Node(base):  # type: ignore[misc]
        def close(self) -> None:
            _close(engine, target)

    return Elasticsearch(EMBEDDED_URL, node_class=Node, **options)


def connect_async(target: str | Path = ":memory:", *, read_only: bool = False, **options: Any) -> AsyncElasticsearch:
    """As `connect`, for asyncio. Needs the `async` extra (aiohttp)."""
    from elasticsearch import AsyncElasticsearch

    if _is_url(target):
        return AsyncElasticsearch(str(target), **options)
    from qlc.engine import async_node_class

    engine = _engine(target, read_only)
    base: Any = async_node_class(engine)

    class Node(base):  # type: ignore[misc]
        async def close(self) -> None:
            _close(engine, target)

    return AsyncElasticsearch(EMBEDDED_URL, node_class=Node, **options)


def _is_url(target: str | Path) -> bool:
    return isinstance(target, str) and target.startswith(("http://", "https://"))


def _engine(target: str | Path, read_only: bool) -> Engine:
    from qlc.engine import Engine

    return Engine.open(None if target == ":memory:" else str(target), read_only=read_only)


def _close(engine: Engine, target: str | Path) -> None:
    """A folder is given back; what is in memory stays for as long as anything refers to it."""
    if target != ":memory:":
        engine.close()
