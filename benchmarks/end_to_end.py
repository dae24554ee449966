"""What qlc adds to a search: a prepared query of ten hits beside a bare client call with the finished body."""

from __future__ import annotations

import statistics
import time
import uuid
from collections.abc import Callable
from typing import Any

import qlc.catalogs
from qlc import Compiler, connect
from qlc.cli.demo_store import load_demo
from qlc.mapping.catalog import read_catalog

QUERY = 'find documents where type = "Invoice" and size > 100 kB sort created desc'
LOOKED_UP = 'find documents where folder = "Tax Documents" and type = "W2"'
ROUNDS = 400


def compare_end_to_end(url: str) -> None:
    client = connect(url)
    index = f"qlc-bench-{uuid.uuid4().hex[:8]}"
    try:
        entities = load_demo(client, index=index)
        text = qlc.catalogs.path("drive").read_text(encoding="utf-8").replace("index: entities-v4", f"index: {index}")
        compiler = Compiler(client, read_catalog(text, "drive"))
        for clock, name in ((time.perf_counter, "on the clock"), (time.process_time, "of processor time")):
            print(f"\nA real server, {entities:,} entities, ten hits (milliseconds {name}, {ROUNDS} times, in turn):")
            print(f"  {'':42} {'median':>8} {'least':>8}")
            _compare(compiler, client, clock)
    finally:
        client.indices.delete(index=index, ignore_unavailable=True)
        client.close()


def _compare(compiler: Compiler, client: Any, clock: Callable[[], float]) -> None:
    from qlc.pipeline.trace import Trace

    trace = Trace()
    compiler.run(QUERY, trace=trace)
    request = trace.requests[-1].request
    prepared = compiler.prepare(QUERY)
    names = compiler.prepare(LOOKED_UP)
    for _ in range(20):
        client.search(index=request.index, body=request.body)
        prepared.run()
        names.run()
    bare, ours, looked_up = [], [], []
    for _ in range(ROUNDS):
        bare.append(_milliseconds(lambda: client.search(index=request.index, body=request.body), clock))
        ours.append(_milliseconds(prepared.run, clock))
        looked_up.append(_milliseconds(names.run, clock))
    for name, times in (
        ("bare client call with the finished body", bare),
        ("qlc, prepared", ours),
        ("qlc, prepared, one lookup (cached name)", looked_up),
    ):
        print(f"  {name:42} {statistics.median(times):8.3f} {min(times):8.3f}")
    added, at_best = statistics.median(ours) - statistics.median(bare), min(ours) - min(bare)
    print(f"  qlc adds {added:.3f} ms ({100 * added / statistics.median(bare):.1f} %); at best {at_best:.3f} ms")
    stats = compiler.run(LOOKED_UP).stats
    print(f"  round trips of the query with a lookup: {stats.round_trips} (a lookup that is cached costs none)")


def _milliseconds(call: Callable[[], object], clock: Callable[[], float]) -> float:
    started = clock()
    call()
    return 1000 * (clock() - started)
