"""The explain record: how a text was answered, as plain data written by the stages."""

from __future__ import annotations

from typing import Any

from qlc.compiler import typed
from qlc.mapping.schema import Field
from qlc.outcome import Outcome
from qlc.pipeline.trace import Trace
from qlc.planner.describe import levels
from qlc.resolver.driver import Sent

Record = dict[str, Any]


def record_of(trace: Trace, source: str, outcome: Outcome) -> Record:
    """Return the record of a text that was run, with the result of each stage."""
    record = compiled(trace, source)
    record["diagnostics"] = [d.model_dump(mode="json") for d in outcome.diagnostics]
    record["requests"] = [_sent(sent) for sent in trace.requests]
    record["milliseconds"] = {stage: round(ms, 3) for stage, ms in trace.stage_ms.items()}
    # A question back by the translator ran nothing itself: the stages before it are all that there is.
    record["milliseconds"]["all"] = outcome.stats.took_ms or round(sum(trace.stage_ms.values()), 3)
    record["outcome"] = outcome.model_dump(mode="json", exclude={"diagnostics", "stats", "fields", "query"})
    if trace.failure:
        record["failure"] = trace.failure
    return record


def compiled(trace: Trace, source: str) -> Record:
    record: Record = {"source": source}
    if trace.words:
        record["translation"] = [{"by": step.by, "what": step.what, **step.detail} for step in trace.translation]
        record["fixed"] = list(trace.fixed)
    if trace.checked is None:
        return record
    record["canonical"] = trace.checked.text
    if trace.checked.computed:
        record["computed"] = dict(trace.checked.computed)
    record["fields"] = list(trace.checked.fields)
    if trace.plan is not None:
        record["typed"] = describe(trace.plan.statement)
        record["plan"] = levels(trace.plan)
    return record


def describe(node: Any) -> Any:
    """Convert a typed node to plain data: its kind, fields by name and type, entities by name."""
    if isinstance(node, Field):
        kind = f"reference to {node.reference.entity}" if node.reference is not None else node.kind.value
        return f"{node.name}: {kind}{f' in {node.shown_unit}' if node.shown_unit else ''} at {node.mapped.path}"
    if isinstance(node, tuple | list):
        return [describe(item) for item in node]
    if hasattr(node, "plural"):
        return node.plural
    if hasattr(node, "path") and hasattr(node, "fields"):
        return f"{node.name}: list at {node.path}"
    names = [name for name in getattr(type(node), "__dataclass_fields__", ()) if name != "span"]
    if not names:
        return "everything" if isinstance(node, typed.All) else node
    shown = {name: describe(value) for name in names if (value := getattr(node, name)) not in (None, (), False, "")}
    return {type(node).__name__: shown}


def _sent(sent: Sent) -> Record:
    request = sent.request
    return {
        "round trip": sent.level,
        "purpose": request.purpose,
        "index": request.index,
        "body": request.body,
        "milliseconds": round(sent.took_ms, 3),
    }
