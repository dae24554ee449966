"""The metrics of the service, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from qlc.outcome import Outcome

MEDIA_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)


class Metrics:
    """The numbers of one application, in a registry of its own. No label has what a caller said."""

    def __init__(self, numbers: Callable[[], Mapping[str, int]]) -> None:
        """`numbers` are the requests that are worked on, and those that wait."""
        self._registry = CollectorRegistry()
        self._requests = Counter("qlc_requests", "Requests by route and status.", ("route", "status"),
                                 registry=self._registry)  # fmt: skip
        self._seconds = Histogram("qlc_request_seconds", "Seconds until a request was answered.", ("route",),
                                  buckets=_BUCKETS, registry=self._registry)  # fmt: skip
        self._outcomes = Counter("qlc_outcomes", "Outcomes by kind.", ("kind",), registry=self._registry)
        self._cancelled = Counter("qlc_cancelled", "Requests whose client left before the answer.",
                                  registry=self._registry)  # fmt: skip
        for name, text in (("working", "Requests that are worked on."), ("waiting", "Requests that wait for a turn.")):
            gauge = Gauge(f"qlc_{name}", text, registry=self._registry)
            gauge.set_function(partial(_number, numbers, name))

    def request(self, route: str, status: int, seconds: float) -> None:
        self._requests.labels(route, str(status)).inc()
        self._seconds.labels(route).observe(seconds)
        if status == 499:
            self._cancelled.inc()

    def outcome(self, outcome: Outcome) -> None:
        self._outcomes.labels(outcome.kind).inc()

    def text(self) -> bytes:
        return generate_latest(self._registry)


def _number(numbers: Callable[[], Mapping[str, int]], name: str) -> float:
    return numbers()[name]
