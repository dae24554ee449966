"""Clients that leave, are slow or come too many; a cluster that hangs; processes that are stopped and killed."""

import asyncio
import contextlib
import signal
import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest

import qlc
from qlc.base.beside import beside
from qlc.base.deadline import checkpoint
from qlc.base.errors import RequestFailed
from qlc.mapping.index_mapping import read_mapping
from qlc.service import Settings, create_app
from tests.service.test_events import SSE, Client, slow, until
from tests.service.test_serving import serving

__all__ = ["slow"]


MAPPING = read_mapping({"mappings": {"properties": {"size": {"type": "long"}}}}, "papers")


class Hanging:
    """A server that takes searches and never answers; it sees when one is given up."""

    def __init__(self) -> None:
        self.searches = 0
        self.given_up = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            head = await reader.readuntil(b"\r\n\r\n")
            self.searches += b"_search" in head
            while await reader.read(65_536):
                pass
        self.given_up += 1
        writer.close()


@pytest.fixture
async def hanging() -> AsyncIterator[tuple[Hanging, qlc.Compiler]]:
    cluster = Hanging()
    server = await asyncio.start_server(cluster.serve, "127.0.0.1", 0)
    client = qlc.connect_async(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
    yield cluster, qlc.Compiler(client, index="papers", mapping=MAPPING)
    await client.close()
    server.close()
    await server.wait_closed()


@pytest.mark.parametrize("headers", [{}, SSE])
async def test_a_client_that_leaves_cancels_the_search(
    hanging: tuple[Hanging, qlc.Compiler], headers: dict[str, str]
) -> None:
    cluster, compiler = hanging
    client = Client(create_app(compiler, settings=Settings(resume_time=0.1)), headers, text="count entries")
    await until(lambda: cluster.searches == 1)
    await client.leave()
    await until(lambda: cluster.given_up == 1)
    assert cluster.searches == 1


async def test_so_does_a_search_that_a_thread_waits_for(hanging: tuple[Hanging, qlc.Compiler]) -> None:
    """Searches of a corpus run on such a thread."""
    cluster, compiler = hanging
    (node,) = compiler.client.transport.node_pool.all()  # type: ignore[union-attr]
    with qlc.connect(node.base_url) as client:
        synchronous = qlc.Compiler(client, index="papers", mapping=MAPPING)
        task = asyncio.create_task(beside(synchronous.run, "count entries"))
        await until(lambda: cluster.searches == 1)
        task.cancel()
        await until(lambda: cluster.given_up == 1)
        await asyncio.sleep(0.3)
        assert cluster.searches == 1
        assert synchronous.breaker.state == "closed"


async def test_a_slow_cluster_is_not_sent_more_and_more(hanging: tuple[Hanging, qlc.Compiler]) -> None:
    cluster, compiler = hanging
    app = create_app(compiler, settings=Settings(concurrent=3, queue=2, queue_time=0.2, deadline=1.0))
    clients = [Client(app, text="count entries") for _ in range(10)]
    await asyncio.wait([one.task for one in clients])
    statuses = sorted(one.status for one in clients)
    assert statuses == [503] * 7 + [504] * 3
    assert cluster.searches <= 3
    assert all(b"busy" in b"".join(one.parts) for one in clients if one.status == 503)


async def test_work_on_a_thread_ends_at_its_next_checkpoint() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        try:
            for _ in range(2_000):
                time.sleep(0.005)
                checkpoint()
        except RequestFailed:
            ended.set()
            raise

    task = asyncio.create_task(beside(work))
    await until(begun.is_set)
    task.cancel()
    await asyncio.wait({task})
    await until(ended.is_set)


async def test_the_embedded_engine_ends_a_search_that_was_given_up() -> None:
    from qlc_engine.time_limit import TimeOver, cancellable, check_time

    with cancellable() as cancel:
        check_time()
        cancel()
        with pytest.raises(TimeOver):
            check_time()
    check_time()


async def test_a_body_that_does_not_come_is_not_waited_for(compiler: qlc.Compiler) -> None:
    client = Client(create_app(compiler, settings=Settings(io_time=0.1)), sends_body=False)
    await client.task
    assert client.status == 408


async def test_a_client_that_does_not_read_is_given_up(slow: dict[str, Any]) -> None:
    service = slow["app"].state.qlc
    object.__setattr__(service.settings, "io_time", 0.1)
    client = Client(slow["app"], SSE, reads=False)
    await until(lambda: slow["begun"])
    slow["go"].set()
    await client.task
    assert not service.admission.working


async def test_a_client_that_reads_an_export_slowly_holds_up_nobody(compiler: qlc.Compiler) -> None:
    app = create_app(compiler, settings=Settings(concurrent=1, queue=0))
    program = "find documents where size > 0 show name, size"
    reading = Client(app, path="/v1/export.ndjson", text=program, reads=False)
    await until(lambda: reading.status == 200)
    answered = Client(app, text="count documents")
    await answered.task
    assert answered.status == 200
    whole = Client(app, path="/v1/export.ndjson", text=program)
    await whole.task
    assert b"".join(whole.parts).count(b"\n") > 1000
    await reading.leave()
    assert not app.state.qlc.admission.working


# --- processes -------------------------------------------------------------------------------------------------------


async def test_what_is_on_its_way_is_answered_before_it_stops() -> None:
    with serving("--demo") as (process, address):
        async with httpx.AsyncClient(timeout=60) as client:
            question = {"text": "who owns Brand Assets, and how many NDAs are there?"}
            asked = asyncio.create_task(client.post(f"{address}/v1/ask", json=question))
            await asyncio.sleep(0.3)  # the first question takes longer: the rules are loaded
            assert not asked.done()
            process.send_signal(signal.SIGTERM)
            assert (await asked).json()["kind"] == "several"
            assert await asyncio.to_thread(process.wait, 20) in (0, -signal.SIGTERM)
            with pytest.raises(httpx.ConnectError):
                await client.get(f"{address}/healthz")


def test_a_killed_process_loses_no_conversation(tmp_path: Path) -> None:
    store = str(tmp_path / "talk.sqlite")
    with serving("--demo", "--store", store) as (process, address):
        at = httpx.post(f"{address}/v1/conversations", timeout=60).headers["location"]
        said = httpx.post(f"{address}{at}/turns", json={"text": "documents in Tax"}, timeout=60).json()
        assert said["outcomes"][0]["kind"] == "clarify"
        with contextlib.suppress(httpx.TransportError, httpx.TimeoutException):
            httpx.post(f"{address}{at}/turns", json={"text": "the nonprofit one"}, timeout=0.02)
        process.kill()
        process.wait()
    with serving("--demo", "--store", store) as (_, address):
        resumed = httpx.post(f"{address}{at}/resume", timeout=60).json()
        if resumed["number"] == 1:  # the message had not come yet
            resumed = httpx.post(f"{address}{at}/turns", json={"text": "the nonprofit one"}, timeout=60).json()
        assert (resumed["number"], resumed["origin"], resumed["outcomes"][0]["total"]) == (2, "choice", 13)
