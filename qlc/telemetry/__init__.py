"""Telemetry of qlc: spans, metrics, an event for each turn, feedback. See docs/observability.md.

Only the API of OpenTelemetry is used, and only if it is installed (extra `otel`).
"""

from qlc.telemetry.content import capture_content, without_values
from qlc.telemetry.events import JsonFormatter, feedback
from qlc.telemetry.stages import (
    Stage,
    Turn,
    counted,
    ended,
    hit,
    inside,
    listening,
    mark,
    model_call,
    opened,
    report,
    retrieval,
    stage,
)

__all__ = [
    "JsonFormatter",
    "Stage",
    "Turn",
    "capture_content",
    "counted",
    "ended",
    "feedback",
    "hit",
    "inside",
    "listening",
    "mark",
    "model_call",
    "opened",
    "report",
    "retrieval",
    "stage",
    "without_values",
]
