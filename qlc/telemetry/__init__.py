"""What qlc reports of itself: spans, metrics, an event for each turn, feedback. See docs/observability.md.

Only the API of OpenTelemetry is used, and only where it is installed (extra `otel`).
"""

from qlc.telemetry.content import capture_content, without_values
from qlc.telemetry.events import JsonFormatter, feedback
from qlc.telemetry.stages import (
    Stage,
    counted,
    ended,
    hit,
    inside,
    model_call,
    opened,
    retrieval,
    stage,
)
from qlc.telemetry.turns import Turn, mark

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
    "mark",
    "model_call",
    "opened",
    "retrieval",
    "stage",
    "without_values",
]
