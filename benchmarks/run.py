"""`make bench`: compile times beside peers, and what qlc adds to a search. benchmarks/README.md keeps figures.

Every line is the median of several batches in this one process, peers interleaved, so that a busy machine hits all.
"""

from __future__ import annotations

import os
import platform
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchmarks.end_to_end import compare_end_to_end
from benchmarks.peers import PEERS

BATCHES = 15
BATCH_SECONDS = 0.1


def microseconds(calls: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Median processor time of one call, in microseconds, of each; batches take turns.

    The clock on the wall would also count what else the machine does meanwhile.
    """
    sizes = {}
    for name, call in calls.items():
        call()
        started = time.process_time()
        call()
        sizes[name] = max(1, int(BATCH_SECONDS / max(time.process_time() - started, 1e-6)))
    found: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(BATCHES):
        for name, call in calls.items():
            started = time.process_time()
            for _ in range(sizes[name]):
                call()
            found[name].append((time.process_time() - started) / sizes[name] * 1e6)
    return {name: statistics.median(times) for name, times in found.items()}


@contextmanager
def server_url() -> Iterator[str]:
    """The cluster of ELASTICSEARCH_URL, else a real server of our own."""
    url = os.environ.get("ELASTICSEARCH_URL")
    if url:
        yield url
        return
    from tests.servers import ElasticsearchServer

    with ElasticsearchServer(8) as server:
        yield server.url


def main() -> int:
    warnings.simplefilter("ignore")
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores\n")
    print("The same five conditions, compiled to a search body (microseconds of processor time, median):")
    times = microseconds(PEERS)
    luqum = times["luqum (checks nothing)"]
    for name, took in times.items():
        print(f"  {name:44} {took:9.1f}   {took / luqum:5.2f} x luqum")
    if "--compile-only" in sys.argv:
        return 0
    with server_url() as url:
        compare_end_to_end(url)
    return 0


if __name__ == "__main__":
    sys.exit(main())
