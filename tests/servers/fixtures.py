"""Session fixtures that give tests a real server, or leave them out with one line that says why."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from importlib import import_module

import elasticsearch
import pytest
from elasticsearch import Elasticsearch

from tests.servers import stores
from tests.servers.build import BuildError, Kind, is_built, named
from tests.servers.server import ElasticsearchServer

_HOW = "`make elasticsearch-setup`"
CLIENT = elasticsearch.__version__[0]
"""The major version of the official client: 9 in `make client-tests`."""


@dataclass(frozen=True)
class RealElasticsearch:
    """A real server that answers: one of ours, or the one that ELASTICSEARCH_URL names."""

    url: str
    version: str

    def client(self) -> Elasticsearch:
        """A new client of this server."""
        return Elasticsearch(self.url)


@pytest.fixture(scope="session")
def real_elasticsearch_8(pytestconfig: pytest.Config) -> Iterator[RealElasticsearch]:
    """A real Elasticsearch 8.x."""
    yield from _real_server(8, pytestconfig)


@pytest.fixture(scope="session")
def real_elasticsearch_9(pytestconfig: pytest.Config) -> Iterator[RealElasticsearch]:
    """A real Elasticsearch 9.x."""
    yield from _real_server(9, pytestconfig)


@pytest.fixture(scope="session")
def real_opensearch(pytestconfig: pytest.Config) -> Iterator[RealElasticsearch]:
    """A real OpenSearch 2.x."""
    yield from _real_server("opensearch2", pytestconfig)


def _real_server(kind: Kind, config: pytest.Config) -> Iterator[RealElasticsearch]:
    if config.getoption("--quick", default=True):
        pytest.skip("`make check` runs on the embedded engine alone")
    if isinstance(kind, int):
        if kind < CLIENT:
            pytest.skip(f"a server of version {kind} does not take a client of version {CLIENT}")
        url = os.environ.get("ELASTICSEARCH_URL")
        if url:
            yield _external(url, kind)
            return
    require_build(kind)
    with ElasticsearchServer(kind, short_lived=True) as server:
        yield RealElasticsearch(server.url, server.version)


def require_build(kind: Kind) -> None:
    """Leave the test out where this kind of server is not built, or fail it in CI. Tests download nothing."""
    try:
        why = "" if is_built(kind) else f"{named(kind)} is not built here"
    except BuildError as error:
        why = str(error).splitlines()[0]
    if why and os.environ.get("CI") == "true":
        pytest.fail(f"CI requires the tests against {named(kind)}: {why}: {_HOW}", pytrace=False)
    if why:
        pytest.skip(f"{why}: {_HOW}, or set ELASTICSEARCH_URL")


@pytest.fixture(scope="session")
def real_postgres() -> Iterator[str]:
    """The conninfo of a real PostgreSQL."""
    yield from _real_store("psycopg", stores.postgres)


@pytest.fixture(scope="session")
def real_redis() -> Iterator[str]:
    """The URL of a real Redis."""
    yield from _real_store("redis", stores.redis)


def _real_store(package: str, server: Callable[[], AbstractContextManager[str]]) -> Iterator[str]:
    """A server of a store; where it or its package cannot be had the test is left out, or fails in CI."""
    with ExitStack() as stack:
        try:
            import_module(package)
            address = stack.enter_context(server())
        except (ImportError, stores.NotInstalled) as problem:
            if os.environ.get("CI") == "true":
                pytest.fail(f"CI requires the tests with {package}: {problem}", pytrace=False)
            pytest.skip(f"{package}: {str(problem).splitlines()[0]}")
        yield address


def _external(url: str, major: int) -> RealElasticsearch:
    with Elasticsearch(url) as client:
        nodes = client.nodes.info(filter_path="nodes.*.version")["nodes"]
    version = min(node["version"] for node in nodes.values())
    if not version.startswith(f"{major}."):
        pytest.skip(f"ELASTICSEARCH_URL names a server of version {version} and this test wants {major}.x")
    return RealElasticsearch(url, version)
