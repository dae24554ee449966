"""The one place where Elasticsearch clients are made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch, Elasticsearch

    from qlc.engine import Engine

EMBEDDED_URL = "http://embedded:9200"


def connect(target: str | Path = ":memory:", **options: Any) -> Elasticsearch:
    """The official client: of a URL, of a folder of the embedded engine, or of one in memory (`":memory:"`).

    `options` go to `elasticsearch.Elasticsearch` (api_key, basic_auth, ca_certs, hosts ...).
    """
    from elasticsearch import Elasticsearch

    if _is_url(target):
        return Elasticsearch(str(target), **options)
    from qlc.engine import node_class

    return Elasticsearch(EMBEDDED_URL, node_class=node_class(_engine(target)), **options)


def connect_async(target: str | Path = ":memory:", **options: Any) -> AsyncElasticsearch:
    """As `connect`, for asyncio. Needs the `async` extra (aiohttp)."""
    from elasticsearch import AsyncElasticsearch

    if _is_url(target):
        return AsyncElasticsearch(str(target), **options)
    from qlc.engine import async_node_class

    return AsyncElasticsearch(EMBEDDED_URL, node_class=async_node_class(_engine(target)), **options)


def _is_url(target: str | Path) -> bool:
    return isinstance(target, str) and target.startswith(("http://", "https://"))


def _engine(target: str | Path) -> Engine:
    from qlc.engine import Engine

    return Engine.open(None if target == ":memory:" else str(target))
