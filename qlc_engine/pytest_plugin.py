"""Fixtures of pytest: Elasticsearch in memory, empty for each test. Only a test with one of them imports the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import qlc_engine

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch, Elasticsearch

    from qlc_engine import Engine


@pytest.fixture
def embedded_engine() -> Iterator[Engine]:
    """The engine that the clients of one test share."""
    with qlc_engine.Engine.open(None) as engine:
        yield engine


@pytest.fixture
def embedded_elasticsearch(embedded_engine: Engine) -> Iterator[Elasticsearch]:
    """The official client over an engine in memory."""
    with qlc_engine.Elasticsearch(embedded_engine) as client:
        yield client


@pytest.fixture
def embedded_async_elasticsearch(embedded_engine: Engine) -> AsyncElasticsearch:
    """The official asynchronous client over the same engine. It holds no connection, so nothing need be closed."""
    return qlc_engine.AsyncElasticsearch(embedded_engine)
