"""`qlc explain`: the record that the stages wrote, as plain data or for people."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from qlc.cli import render
from qlc.cli.asking import open_asker
from qlc.cli.commands import pasted_in, print_outcome
from qlc.cli.exits import EXIT_OF_KIND
from qlc.cli.target import options_of, source_of
from qlc.compiler import typed
from qlc.compiler.environment import ContextMissing
from qlc.compiler.parameters import BindingError
from qlc.compiler.request import CannotAnswer
from qlc.mapping.schema import Field
from qlc.planner.describe import levels
from qlc.present import note
from qlc.resolver.driver import Sent
from qlc.resolver.run import dry_requests
from qlc.trace import Trace
from qlc.translator.asking import ReadAs
from qlc.translator.entry import Asker
from qlc.translator.protocol import Translated

Record = dict[str, Any]


def explain(options: Namespace) -> int:
    source = source_of(options.query)
    if getattr(options, "corpus", None) and options.read_as != "program" and not options.dry:
        from qlc.translator.recognise import looks_like_program

        if not looks_like_program(source):
            from qlc.cli.answers import explain_answer

            return explain_answer(source, options)
    asker = open_asker(options)
    pasted = pasted_in(source, options)
    if pasted is not None:
        from qlc.pasted.entry import run_pasted

        (outcome,) = run_pasted(pasted, asker.compiler, want="explain", **options_of(options))
        return print_outcome(outcome, source, as_json=options.json)
    shown = explain_dry if options.dry else explain_run
    record, code = shown(asker, source, options.read_as, options_of(options))
    if options.json:
        print(json.dumps(record, indent=2, ensure_ascii=False, default=str))
    else:
        print(render.explanation(record, render.Style.of(sys.stdout)))
    return code


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
    """Compile only; where a request needs what a lookup finds, a placeholder says what would take its place.

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
    try:
        requests = dry_requests(trace.plan, compiler.environment(options))
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
        record["translation"] = [{"by": step.by, "what": step.what, **step.detail} for step in trace.translation]
        record["fixed"] = list(trace.fixed)
    if trace.checked is None:
        return record
    record["canonical"] = trace.checked.text
    record["fields"] = list(trace.checked.fields)
    if trace.plan is not None:
        record["typed"] = describe(trace.plan.statement)
        record["plan"] = levels(trace.plan)
    return record


def describe(node: Any) -> Any:
    """A typed node as plain data: the kind of each node, fields by name and type, entities by name."""
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
    shown = {name: describe(value) for name in names if (value := getattr(node, name)) not in (None, (), False)}
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
