"""A proxy that fails, in front of the embedded engine; where it matters who answers, in CI of a real server too."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from elasticsearch import Elasticsearch

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Outcome
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.shared import MAPPING_AGE
from qlc.resolver.driver import CircuitBreaker
from qlc_engine import Engine
from tests.faults import world
from tests.faults.proxy import Fault, FaultProxy, engine_behind, server_behind
from tests.pipeline.conftest import never_open

IN_CI = os.environ.get("CI") == "true"
ALL = os.environ.get("QLC_FAULTS") == "all"
"""As `make soak` runs them: all on a real server too, and a cluster of three nodes."""


@dataclass
class Bench:
    proxy: FaultProxy
    direct: Elasticsearch
    """A client without the proxy between."""

    def compiler(
        self,
        breaker: CircuitBreaker | None = None,
        *,
        mapping_age: float = MAPPING_AGE,
        connect: Callable[..., Any] = qlc.connect,
        **options: object,
    ) -> Compiler:
        client = connect(self.proxy.url, **options)
        return Compiler(client, read_catalog(world.CATALOG), mapping_age=mapping_age, breaker=breaker or never_open())

    def async_compiler(self, breaker: CircuitBreaker | None = None, **options: Any) -> Compiler:
        return self.compiler(breaker, connect=qlc.connect_async, **options)


SERVERS = ["embedded", *(["real"] if IN_CI else [])]
ON_EACH = pytest.mark.parametrize("bench", SERVERS, indirect=True, scope="session")
"""Of tests in which the server itself has a part. The others are about faults that are put in its place."""


@pytest.fixture(scope="session", params=SERVERS if ALL else SERVERS[:1])
def bench(request: pytest.FixtureRequest) -> Iterator[Bench]:
    if request.param == "real":
        url = request.getfixturevalue("real_elasticsearch_8").url
        upstream, direct = server_behind(url), Elasticsearch(url)
    else:
        engine = Engine.open(None)
        upstream = engine_behind(engine)
        direct = None
    proxy = FaultProxy(upstream)
    direct = direct or Elasticsearch(proxy.url)
    world.load(direct)
    proxy.requests.clear()
    try:
        yield Bench(proxy, direct)
    finally:
        direct.options(ignore_status=404).indices.delete(index=world.INDEX)
        direct.close()
        proxy.stop()


@pytest.fixture(scope="module")
def compiler(bench: Bench) -> Iterator[Compiler]:
    made = bench.compiler()
    made.schema  # noqa: B018  what is tested comes after the mapping was read
    yield made
    made.client.close()


@pytest.fixture
async def twin(bench: Bench) -> AsyncIterator[Compiler]:
    made = bench.async_compiler()
    await made.load()
    yield made
    await made.client.close()


Run = Callable[..., Outcome]


@pytest.fixture
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qlc.resolver.driver.FIRST_PAUSE", 0.005)


@pytest.fixture(params=["sync", "async"])
def run(request: pytest.FixtureRequest, bench: Bench) -> Run:
    """Runs a program one way or the other, on a client of its own; the mapping is read before any fault."""

    def sync(
        program: str, fault: Fault, times: int | None = None, client: dict[str, Any] | None = None, **options: Any
    ) -> Outcome:
        compiler = bench.compiler(**client or {})
        compiler.schema  # noqa: B018
        with compiler.client, bench.proxy.failing(fault, times):
            return compiler.run(program, **options)

    async def asynchronous(
        program: str, fault: Fault, times: int | None = None, client: dict[str, Any] | None = None, **options: Any
    ) -> Outcome:
        compiler = bench.async_compiler(**client or {})
        await compiler.load()
        with bench.proxy.failing(fault, times):
            outcome = await compiler.run_async(program, **options)
        await compiler.client.close()
        return outcome

    if request.param == "sync":
        return sync
    return lambda *given, **options: asyncio.run(asynchronous(*given, **options))
