"""`qlc explain`: the record that the stages wrote, as plain data or for people."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from functools import partial
from typing import Any

from qlc.base.errors import UsageError
from qlc.cli import render, settings
from qlc.cli.asking import open_asker
from qlc.cli.commands import pasted_in, print_outcome
from qlc.cli.exits import EXIT_OF_KIND
from qlc.cli.target import options_of, source_of
from qlc.compiler.environment import ContextMissing
from qlc.compiler.parameters import BindingError
from qlc.compiler.request import CannotAnswer
from qlc.mapping.known import is_known as known_to
from qlc.pipeline.explain import Record, compiled, record_of
from qlc.pipeline.present import note
from qlc.pipeline.trace import Trace
from qlc.resolver.run import dry_requests
from qlc.translator.asking import ReadAs
from qlc.translator.entry import Asker
from qlc.translator.protocol import Translated


def explain(options: settings.Explain) -> int:
    source = source_of(options.query)
    if options.corpus and options.share:
        raise UsageError("--share takes a question to an index: its record of a corpus would quote the documents")
    if options.corpus and options.read_as != "program" and not options.dry:
        from qlc.translator.recognise import looks_like_program

        if not looks_like_program(source):
            from qlc.cli.answers import explain_answer

            return explain_answer(source, options)
    asker = open_asker(options)
    pasted = pasted_in(source, options)
    if pasted is not None and options.share:
        raise UsageError("--share takes words or a query: a pasted request is all values")
    if pasted is not None:
        from qlc.pasted.entry import run_pasted

        (outcome,) = run_pasted(pasted, asker.compiler, want="explain", **options_of(options))
        return print_outcome(outcome, source, options)
    shown = explain_dry if options.dry else explain_run
    record, code = shown(asker, source, options.read_as, options_of(options))
    if options.share:
        from qlc.cli.sharing import shared

        is_known = partial(known_to, asker.compiler.schema)
        print(json.dumps(shared(record, is_known), indent=2, ensure_ascii=False))
    elif options.json:
        print(json.dumps(record, indent=2, ensure_ascii=False, default=str))
    else:
        print(render.explanation(record, render.Style.of(sys.stdout)))
    return code


def explain_run(asker: Asker, source: str, read_as: ReadAs, options: Mapping[str, Any]) -> tuple[Record, int]:
    """Run the query and record what each stage made of it. Return the record and the exit code."""
    trace = Trace()
    outcome = asker.ask(source, read_as=read_as, trace=trace, **options)
    return record_of(trace, source, outcome), EXIT_OF_KIND.get(outcome.kind, 0)


def explain_dry(asker: Asker, source: str, read_as: ReadAs, options: Mapping[str, Any]) -> tuple[Record, int]:
    """Compile only. In a request that needs the results of a lookup, a placeholder says what would replace it.

    Words are translated, which reads the names and values of the index.
    """
    trace = Trace()
    said = asker.program_of(source, read_as=read_as, trace=trace, **options)
    if not isinstance(said, Translated):
        record = compiled(trace, source)
        record["outcome"] = said.model_dump(mode="json", exclude={"diagnostics", "stats", "fields", "query"})
        return record, EXIT_OF_KIND.get(said.kind, 0)
    compiler, program = asker.compiler, said.program
    found = compiler.diagnose(program, trace=trace, **options)
    record = compiled(trace, source)
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
