"""The service over the sample document store: loaded once, and asked through ASGI or a real server."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import AsyncElasticsearch
from starlette.testclient import TestClient

import qlc
from qlc import catalogs
from qlc.service import create_app
from tests import data_sets

NOW = "2026-03-15T12:00:00Z"


@pytest.fixture(scope="session")
def compiler() -> qlc.Compiler:
    """Of the drive, over an asynchronous client."""
    url, _, node = data_sets.lines("drive")
    return qlc.Compiler(AsyncElasticsearch(url, node_class=node, request_timeout=60), catalogs.path("drive"))


@pytest.fixture
def app(compiler: qlc.Compiler) -> Any:
    return create_app(compiler, now=NOW)


@pytest.fixture
def http(app: Any) -> Iterator[TestClient]:
    with TestClient(app, raise_server_exceptions=False) as client:
        yield client


def bare_compiler() -> qlc.Compiler:
    """One that is never asked."""
    return qlc.Compiler(qlc.connect_async(":memory:"), index="nothing")
