"""The service over the sample document store: loaded once, and asked through ASGI or a real server."""

from collections.abc import Iterator
from typing import Any

import httpx2 as httpx
import pytest
from elasticsearch import AsyncElasticsearch
from starlette.testclient import TestClient

import qlc
from qlc import catalogs
from qlc.service import create_app
from tests import data_sets
from tests.replies import check_text

NOW = "2026-03-15T12:00:00Z"


@pytest.fixture(scope="session")
def compiler() -> qlc.Compiler:
    """A compiler of the drive, over an asynchronous client."""
    url, _, node = data_sets.lines("drive")
    return qlc.Compiler(AsyncElasticsearch(url, node_class=node, request_timeout=60), catalogs.path("drive"))


@pytest.fixture(scope="session", autouse=True)
def replies_fit_the_schema() -> Iterator[None]:
    """The outcomes in whatever a client of these tests reads, from the application or from a server."""
    send, send_async = httpx.Client.send, httpx.AsyncClient.send

    def sent(self: httpx.Client, request: httpx.Request, **options: Any) -> httpx.Response:
        return _checked(send(self, request, **options), **options)

    async def sent_async(self: httpx.AsyncClient, request: httpx.Request, **options: Any) -> httpx.Response:
        return _checked(await send_async(self, request, **options), **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(httpx.Client, "send", sent)
        patch.setattr(httpx.AsyncClient, "send", sent_async)
        yield


def _checked(response: httpx.Response, *, stream: bool = False, **_: Any) -> httpx.Response:
    kind = response.headers.get("content-type", "")
    if not stream and ("json" in kind or "event-stream" in kind):
        check_text(response.text)
    return response


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
