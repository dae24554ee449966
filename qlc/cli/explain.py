"""What `qlc explain` tells: the record that the stages wrote, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from qlc.compiler import typed
from qlc.compiler.environment import ContextMissing
from qlc.compiler.parameters import BindingError
from qlc.compiler.request import CannotAnswer
from qlc.mapping.schema import Field
from qlc.planner.plan import Step
from qlc.present import note
from qlc.resolver.driver import Sent
from qlc.trace import Trace
from qlc.translator.asking import ReadAs
from qlc.translator.door import Asker
from qlc.translator.protocol import Translated

Record = dict[str, Any]

EXIT_OF_KIND = {
    "invalid": 1, "clarify": 3, "not_found": 4, "unsupported": 4, "refuse": 4, "declined": 4, "failed": 5,
}  # fmt: skip


def explain_run(asker: Asker, source: str, read_as: ReadAs, options: Mapping[str, Any]) -> tuple[Record, int]:
    """Run the query and tell what each stage made of it. The record and the exit code."""
    trace = Trace()
    outcome = asker.ask(source, read_as=read_as, trace=trace, **options)
    record = _compiled(trace, source)
    record["diagnostics"] = [d.model_dump(mode="json") for d in outcome.diagnostics]
    record["requests"] = [_sent(sent) for sent in trace.requests]
    record["milliseconds"] = {stage: round(ms, 3) for stage, ms in trace.stage_ms.items()}
    record["milliseconds"]["all"] = outcome.stats.took_ms
    record["outcome"] = outcome.model_dump(mode="json", exclude={"diagnostics", "stats", "fields", "query"})
    if trace.failure:
        record["failure"] = trace.failure
    return record, EXIT_OF_KIND.get(outcome.kind, 0)


def explain_dry(asker: Asker, source: str, read_as: ReadAs, options: Mapping[str, Any]) -> tuple[Record, int]:
    """Compile only; where a request needs what a lookup finds, a placeholder says what would stand there.

    Words are translated, which reads the names and values of the index.
    """
    trace = Trace()
    said = asker.program_of(source, read_as=read_as, trace=trace, **options)
    if not isinstance(said, Translated):
        record = _compiled(trace, source)
        record["outcome"] = said.model_dump(mode="json", exclude={"diagnostics", "stats", "fields", "query"})
        return record, EXIT_OF_KIND.get(said.kind, 0)
    compiler, program = asker.compiler, said.program
    found = compiler.diagnose(program, trace=trace, **options)
    record = _compiled(trace, source)
    record["diagnostics"] = [note(d).model_dump(mode="json") for d in found.diagnostics]
    if found.failed or trace.plan is None:
        return record, 1
    from qlc.dry_run import dry_requests

    try:
        requests = dry_requests(compiler, trace.plan, options)
    except BindingError as problem:
        record["diagnostics"].append(note(problem.diagnostic).model_dump(mode="json"))
        return record, 1
    except ContextMissing as problem:
        record["outcome"] = {"kind": "failed", "reason": "context-missing", "message": str(problem)}
        return record, EXIT_OF_KIND["failed"]
    except CannotAnswer as problem:
        record["outcome"] = {"kind": "unsupported", "what": problem.code, "message": problem.message}
        return record, EXIT_OF_KIND["unsupported"]
    record["requests"] = [
        {"level": level, "purpose": r.purpose, "index": r.index, "body": r.body} for level, r in requests
    ]
    return record, 0


def _compiled(trace: Trace, source: str) -> Record:
    record: Record = {"source": source}
    if trace.words:
        record["translation"] = [_translation(step) for step in trace.translation]
        record["mended"] = list(trace.mended)
    if trace.checked is None:
        return record
    record["canonical"] = trace.checked.text
    record["fields"] = list(trace.checked.fields)
    if trace.plan is not None:
        record["typed"] = describe(trace.plan.statement)
        record["plan"] = [[_step(step) for step in level] for level in trace.plan.levels]
    return record


def _translation(step: Any) -> Record:
    return {"by": step.by, "what": step.what, **step.detail}


def _step(step: Step) -> Record:
    takes = [taken.name if taken is not None else "id" for taken in step.takes]
    return {"step": step.number, "reads": say_source(step.source), "takes": takes, "needs": list(step.needs)}


def say_source(source: typed.Source) -> str:
    """A source in a few words."""
    match source:
        case typed.Lookup(name=str() as name):
            return f"{source.entity.name} called '{name}'"
        case typed.Lookup():
            return f"{source.entity.name} that a parameter names"
        case typed.Search():
            return f"{source.find.entity.plural} of a sub-query"
        case typed.Rows():
            return f"column '{source.column}' of rows over {source.aggregate.entity.plural}"
        case typed.Pairs():
            return f"values that {source.left.name} and {source.right.name} share"
        case typed.Extent():
            return f"first and last {source.field.name}"
        case typed.Descendants():
            return f"{source.entity.plural} below"


def describe(node: Any) -> Any:
    """A typed node as plain data: the kind of each node, fields by name and type, entities by name."""
    if isinstance(node, Field):
        kind = f"reference to {node.reference.entity}" if node.reference is not None else node.kind.value
        return f"{node.name}: {kind}{f' in {node.told_in}' if node.told_in else ''} at {node.mapped.path}"
    if isinstance(node, tuple | list):
        return [describe(item) for item in node]
    if hasattr(node, "plural"):
        return node.plural
    if hasattr(node, "path") and hasattr(node, "fields"):
        return f"{node.name}: list at {node.path}"
    names = [name for name in getattr(type(node), "__dataclass_fields__", ()) if name != "span"]
    if not names:
        return "everything" if isinstance(node, typed.All) else node
    shown = {name: describe(value) for name in names if (value := getattr(node, name)) not in (None, (), False)}
    return {type(node).__name__: shown}


def _sent(sent: Sent) -> Record:
    request = sent.request
    return {"round trip": sent.level, "purpose": request.purpose, "index": request.index, "body": request.body,
            "milliseconds": round(sent.took_ms, 3)}

