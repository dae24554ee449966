"""The official clients over an engine of this process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc_engine.engine import Engine
from qlc_engine.node import async_node_class, node_class

if TYPE_CHECKING:
    import elasticsearch

URL = "http://embedded:9200"
Target = Engine | str | Path | None
"""An engine, a folder, or None: an engine in memory that no other client has."""


def Elasticsearch(target: Target = None, **options: Any) -> elasticsearch.Elasticsearch:
    """Return the official client over an engine. Closing the client also closes a folder that it opened."""
    import elasticsearch

    engine, is_own = _opened(target)
    node = node_class(engine, closes=is_own, takes_objects=hand_over(options))
    return elasticsearch.Elasticsearch(URL, node_class=node, **options)


def AsyncElasticsearch(target: Target = None, **options: Any) -> elasticsearch.AsyncElasticsearch:
    """As `Elasticsearch`, for asyncio. The client itself needs aiohttp."""
    import elasticsearch

    engine, is_own = _opened(target)
    node = async_node_class(engine, closes=is_own, takes_objects=hand_over(options))
    return elasticsearch.AsyncElasticsearch(URL, node_class=node, **options)


def _opened(target: Target) -> tuple[Engine, bool]:
    """Return the engine of a target, and whether it was opened here."""
    return (target, False) if isinstance(target, Engine) else (Engine.open(target), True)


def hand_over(options: dict[str, Any]) -> bool:
    """Let a client receive answers as objects, without JSON between, unless the caller passes serializers."""
    from qlc_engine.serializer import HandingSerializer

    if "serializer" in options or "serializers" in options:
        return False
    options["serializers"] = {HandingSerializer.mimetype: HandingSerializer()}
    return True
