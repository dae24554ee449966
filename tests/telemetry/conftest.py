"""OpenTelemetry's SDK with exporters that keep the data, for the tests of this folder alone."""

import logging
from collections.abc import Iterator
from typing import Any

import opentelemetry.metrics._internal as metrics
import pytest
from elasticsearch import _otel
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.answers.conftest import library
from tests.answers.model.conftest import scripted
from tests.pipeline.conftest import store

__all__ = ["library", "scripted", "store"]
NOW = "2026-03-15T12:00:00Z"
WORDS = "how many W2s are in Tax Documents"
PROGRAM = 'count documents where type = "W2" and folder = "Tax Documents"'


class Heard:
    """The data that an SDK received."""

    def __init__(self, exporter: InMemorySpanExporter, reader: InMemoryMetricReader) -> None:
        self._exporter, self._reader = exporter, reader

    @property
    def spans(self) -> list[ReadableSpan]:
        return sorted(self._exporter.get_finished_spans(), key=lambda one: one.start_time or 0)

    def named(self, name: str) -> list[ReadableSpan]:
        return [one for one in self.spans if one.name == name]

    def parent(self, span: ReadableSpan) -> str:
        ids = {one.context.span_id: one.name for one in self.spans}
        return ids.get(span.parent.span_id, "?") if span.parent is not None else ""

    def points(self, name: str) -> list[tuple[dict[str, Any], Any]]:
        """The attributes and values of a metric; of a histogram, how often it was recorded."""
        data = self._reader.get_metrics_data()
        scopes = [scope for one in data.resource_metrics for scope in one.scope_metrics] if data is not None else []
        return [
            (dict(point.attributes), getattr(point, "value", getattr(point, "count", None)))
            for scope in scopes for metric in scope.metrics if metric.name == name for point in metric.data.data_points
        ]  # fmt: skip


@pytest.fixture(scope="session")
def tracing() -> tuple[TracerProvider, InMemorySpanExporter]:
    """One for all tests: the Elasticsearch client keeps the first one."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    return provider, exporter


@pytest.fixture
def heard(tracing: tuple[TracerProvider, InMemorySpanExporter], monkeypatch: pytest.MonkeyPatch) -> Iterator[Heard]:
    provider, exporter = tracing
    reader = InMemoryMetricReader()
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    monkeypatch.setattr(metrics, "_METER_PROVIDER", MeterProvider([reader]))
    # The Elasticsearch client keeps its tracer: afterwards, the spans of other tests would be recorded, too.
    monkeypatch.setattr(_otel._tracer, "_real_tracer", None)
    exporter.clear()
    yield Heard(exporter, reader)
    exporter.clear()


@pytest.fixture
def events() -> Iterator[list[logging.LogRecord]]:
    """The records of turns and of feedback, as they come."""
    found: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = found.append  # type: ignore[method-assign]
    loggers = [logging.getLogger(name) for name in ("qlc.turn", "qlc.feedback")]
    for one in loggers:
        one.addHandler(handler)
        one.setLevel(logging.INFO)
    yield found
    for one in loggers:
        one.removeHandler(handler)
        one.setLevel(logging.NOTSET)
