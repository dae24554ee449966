"""Real servers: limits that they draw, shards, one that is killed, a cluster that loses a node. In CI only."""

import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from elasticsearch import Elasticsearch

import qlc
from qlc import catalogs
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Failed, Outcome
from qlc.pipeline.compiler import Compiler
from tests import data_sets
from tests.faults import world
from tests.faults.conftest import ALL, IN_CI
from tests.pipeline.conftest import never_open
from tests.reference import model
from tests.reference.case import CASES, Case
from tests.reference.compare import compare
from tests.servers import ElasticsearchCluster, ElasticsearchServer
from tests.servers.fixtures import RealElasticsearch, require_build
from tests.tables import rows, table

pytestmark = pytest.mark.skipif(not IN_CI, reason="servers of their own: CI=true runs them")
DRIVE = [case for case in CASES if case.data == "drive"]
PAGE = 10_000


@pytest.fixture(scope="module")
def server() -> Iterator[ElasticsearchServer]:
    """A server of our own: its settings are changed, and in the end it is killed."""
    require_build(8)
    with ElasticsearchServer(8, heap_mb=512, short_lived=True) as started:
        with Elasticsearch(started.url, request_timeout=60) as client:
            world.load(client)
        yield started


# --- limits ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "index_settings", "program"),
    rows(__file__, "test_a_limit_is_reported_and_no_part_of_the_answer_given"),
)
def test_a_limit_is_reported_and_no_part_of_the_answer_given(
    server: ElasticsearchServer, settings: Mapping[str, Any], index_settings: Mapping[str, Any], program: str
) -> None:
    with qlc.connect(server.url) as client:
        compiler = Compiler(client, read_catalog(world.CATALOG), breaker=never_open())
        right = compiler.run(program, size=100)
        assert right.kind in ("aggregate", "count", "hits")
        client.cluster.put_settings(transient=dict(settings)) if settings else None
        client.indices.put_settings(index=world.INDEX, settings=dict(index_settings)) if index_settings else None
        try:
            ended = compiler.run(program, size=100, deadline=10)
        finally:
            if settings:
                client.cluster.put_settings(transient=dict.fromkeys(settings))
            if index_settings:
                client.indices.put_settings(index=world.INDEX, settings=dict.fromkeys(index_settings))
        assert isinstance(ended, Failed), ended
        assert ended.reason in ("too-large", "overloaded")
        assert told(compiler.run(program, size=100)) == told(right)


# --- killed in mid-run -----------------------------------------------------------------------------------------------


def told(outcome: Outcome) -> dict[str, Any]:
    return outcome.model_dump(mode="json", exclude={"stats", "cursor"})


HANGS = 120
"""Seconds beyond the deadline, on however busy a machine."""


class Asking:
    """Threads that ask until they are stopped. `seen` counts how often they were right, and why runs failed."""

    def __init__(self, compiler: Compiler, threads: int, deadline: float) -> None:
        self.compiler, self.deadline = compiler, deadline
        self.seen: Counter[str] = Counter()
        self._lock, self._stop = threading.Lock(), threading.Event()
        self._pool = ThreadPoolExecutor(threads)
        self._running = [self._pool.submit(self._ask, first, threads) for first in range(threads)]

    def _ask(self, number: int, step: int) -> None:
        while not self._stop.is_set():
            program, answer = world.question(number)
            before = time.monotonic()
            outcome = self.compiler.run(program, deadline=self.deadline)
            assert time.monotonic() - before < self.deadline + HANGS
            if isinstance(outcome, Failed):
                assert outcome.reason != "internal", outcome
                told = outcome.reason
            else:
                assert world.answer_of(outcome) == answer, (program, outcome)
                told = "right"
            with self._lock:
                self.seen[told] += 1
            number += step
            self._stop.wait(0.01)

    def wait_for(self, times: int, *reasons: str, more: bool = False) -> None:
        """Until there were so many of these (`more`: from now on), or a minute is over."""
        wanted = times + (sum(self.seen[reason] for reason in reasons) if more else 0)
        end = time.monotonic() + 60
        while sum(self.seen[reason] for reason in reasons) < wanted and time.monotonic() < end:
            time.sleep(0.05)

    def stop(self) -> Counter[str]:
        """Raises where an answer was wrong or late."""
        self._stop.set()
        for one in self._running:
            one.result(timeout=60)
        self._pool.shutdown()
        return self.seen


def test_a_server_that_is_killed_in_mid_run(server: ElasticsearchServer) -> None:
    """The last test with this server."""
    with qlc.connect(server.url) as client:
        compiler = Compiler(client, read_catalog(world.CATALOG))
        asking = Asking(compiler, threads=8, deadline=10)
        asking.wait_for(50, "right")
        server.kill()
        asking.wait_for(20, "unreachable", "circuit-open")
        seen = asking.stop()
        assert seen["right"] >= 50, seen
        assert seen["circuit-open"] > 0, seen
        assert set(seen) <= {"right", "unreachable", "circuit-open", "timeout"}
        assert compiler.breaker.state != "closed"


# --- several shards, and a cluster -----------------------------------------------------------------------------------


ON_A_CLUSTER = pytest.mark.skipif(not ALL, reason="a cluster of three nodes: `make soak` runs it")


@pytest.fixture(scope="module")
def cluster() -> Iterator[ElasticsearchCluster]:
    """Three nodes; things and drive in three shards each, and a copy of each shard."""
    require_build(8)
    with ElasticsearchCluster(nodes=3, heap_mb=384) as started:
        with Elasticsearch(started.urls, retry_on_timeout=True, request_timeout=60) as client:
            world.load(client, number_of_shards=3, number_of_replicas=1)
            model.load(client, "drive", number_of_shards=3, number_of_replicas=1)
            client.cluster.health(wait_for_status="green", timeout="60s")
        yield started


RANKED = table(__file__, "RANKED")
ESTIMATED = ["median(size) of documents", "percentile(size, 95) of documents by type", "avg(size) of documents by type"]


@ON_A_CLUSTER
def test_a_cluster_gives_the_answers_of_one_node(cluster: ElasticsearchCluster) -> None:
    answers_as_one_shard(cluster.urls, DRIVE[::3])


def test_several_shards_give_the_answers_of_one(real_elasticsearch_8: RealElasticsearch) -> None:
    with real_elasticsearch_8.client().options(request_timeout=60) as client:
        model.load(client, "drive", number_of_shards=3)
        try:
            answers_as_one_shard(real_elasticsearch_8.url, DRIVE[::25])
        finally:
            client.indices.delete(index=model.index_of("drive"))


def answers_as_one_shard(target: Any, cases: list[Case]) -> None:
    """Programs of the reference against what Python finds; ranked and estimated ones against one shard."""
    alone = data_sets.drive()
    with qlc.connect(target) as client:
        compiler = Compiler(client, catalogs.path("drive"))

        def one(case: Case) -> list[str]:
            outcome = compiler.run(case.program, now=model.moment(case.now), timezone=case.timezone, size=PAGE)
            return [f"{case.id}: {line}" for line in compare(case, outcome.model_dump(mode="json"))]

        with ThreadPoolExecutor(4) as pool:
            assert [line for lines in pool.map(one, cases) for line in lines] == []
        for program in RANKED:
            here, there = compiler.run(program, size=50), alone.run(program, size=50)
            assert here.kind == there.kind != "failed", (program, here)
            scores = [[hit.score or 0.0 for hit in one.hits] for one in (here, there) if one.kind == "hits"]
            if scores:
                assert here.ids == there.ids, program
                assert scores[0] == pytest.approx(scores[1], rel=1e-5)
            else:
                assert world.answer_of(here) == world.answer_of(there), program
        for program in ESTIMATED:
            here, there = compiler.run(program), alone.run(program)
            assert numbers(here) == pytest.approx(numbers(there), rel=0.05), program


def numbers(outcome: Outcome) -> dict[str, float]:
    if outcome.kind == "aggregate":
        return {str(row.key): float(row.value) for row in outcome.rows}
    return {"": float(getattr(outcome, "value", float("nan")))}


@ON_A_CLUSTER
def test_a_node_that_is_killed_in_mid_run(cluster: ElasticsearchCluster) -> None:
    """An answer or a failure, never a part; and all answers again when the copies have taken over."""
    with qlc.connect(cluster.urls) as client:
        compiler = Compiler(client, read_catalog(world.CATALOG), breaker=never_open())
        compiler.schema  # noqa: B018
        rows = compiler.run("count things by box sort box", deadline=60)
        assert rows.kind == "aggregate"
        assert len(rows.rows) == world.BOXES
        asking = Asking(compiler, threads=4, deadline=10)
        asking.wait_for(50, "right")
        cluster.servers[0].kill()
        for _ in range(10):
            again = compiler.run("count things by box sort box", deadline=10)
            assert again.kind == "failed" or told(again) == told(rows)
        client.options(request_timeout=60, max_retries=5, retry_on_timeout=True).cluster.health(
            wait_for_nodes="2", wait_for_status="yellow", timeout="50s"
        )
        asking.wait_for(50, "right", more=True)
        seen = asking.stop()
        assert seen["right"] >= 100, seen
        assert set(seen) <= {"right", "unreachable", "unavailable", "partial", "timeout", "garbled"}, seen
        whole = [world.question(number) for number in range(60)]
        after = Counter(world.answer_of(compiler.run(program)) == answer for program, answer in whole)
        assert after == {True: 60}
