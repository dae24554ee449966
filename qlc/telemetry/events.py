"""Log events: their JSON form, and judgements of answers by people."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import Any, Literal

from qlc.base.errors import UsageError
from qlc.base.version import VERSION
from qlc.telemetry import names
from qlc.telemetry.stages import cause_of

log = logging.getLogger("qlc.feedback")

_USUAL = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON, with its `extra` and the ids of its trace."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: value for name, value in vars(record).items() if name not in _USUAL},
            **_trace_ids(),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def _trace_ids() -> dict[str, str]:
    trace = sys.modules.get("opentelemetry.trace")
    if trace is None:
        return {}
    context = trace.get_current_span().get_span_context()
    return {"trace_id": f"{context.trace_id:032x}", "span_id": f"{context.span_id:016x}"} if context.is_valid else {}


def feedback(
    outcome: Any, label: Literal["good", "bad"], note: str = "", *, question: str = "", program: str = ""
) -> None:
    """Log a person's judgement of an answer, with the logger `qlc.feedback`. `qlc eval --feedback` makes cases of it.

        qlc.feedback(outcome, "bad", "receipts were meant", question="how many are there?",
                     program='count documents where type = "Receipt"')

    - `outcome`: an outcome, or the reply of a conversation.
    - `question`: the question; a reply and an answer from documents contain it.
    - `program`: the right program, if the answer was bad.

    The event has the whole question and program. Raises UsageError for another label, or another type of `outcome`.
    """
    if label not in ("good", "bad"):
        raise UsageError(f"feedback is 'good' or 'bad', not {label!r}")
    asked, outcome = getattr(outcome, "text", ""), getattr(outcome, "outcome", outcome)
    if not hasattr(outcome, "kind") or not hasattr(outcome, "stats"):
        raise UsageError(f"feedback is about an outcome, not about what is of the type {type(outcome).__name__}")
    known = outcome.stats.asked
    cause = cause_of(outcome)
    event = {
        "event.name": names.EVALUATION,
        names.EVALUATION_NAME: "user_feedback",
        names.EVALUATION_LABEL: label,
        names.EVALUATION_EXPLANATION: note,
        names.QUESTION: question or asked or (known.question if known is not None else ""),
        names.PROGRAM: outcome.query,
        names.RIGHT_PROGRAM: program or (outcome.query if label == "good" else ""),
        names.KIND: outcome.kind,
        names.VERSION_OF_QLC: VERSION,
    }
    log.info("feedback: %s", label, extra={**event, **({names.CAUSE: cause} if cause else {})})
