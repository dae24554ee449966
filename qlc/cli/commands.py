"""Runs the commands. Answers go to standard output, everything else to standard error."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from qlc.base.diagnostics import Diagnostic
from qlc.base.errors import UsageError
from qlc.cli import render
from qlc.cli.asking import open_asker
from qlc.cli.exits import EXIT_OF_KIND, exit_of
from qlc.cli.settings import Check, Complete, Reading, Run
from qlc.cli.several import answered, has_several, print_all
from qlc.cli.target import open_compiler, options_of, source_of
from qlc.outcome import Clarify, Explain, Several, is_empty
from qlc.outcome.export import EXPORTED, PAGE, Format, export

if TYPE_CHECKING:
    from qlc.outcome import Outcome
    from qlc.pasted.recognise import Pasted
    from qlc.translator.entry import Asker

_ONE_FORMAT = "give --json, --csv or --ndjson, not two of them"


def run(options: Run) -> int:
    from qlc.pipeline.compiler import all_pages
    from qlc.translator.recognise import looks_like_program

    source = source_of(options.query)
    if options.chart:
        from qlc.cli.chart import needed

        if options.json:
            raise UsageError("--chart draws for people, --json writes for programs: leave one of them out")
        needed()
    if options.corpus and options.read_as != "program" and not looks_like_program(source):
        from qlc.cli.answers import ask_corpus

        if options.export and options.json:
            raise UsageError(_ONE_FORMAT)
        chosen = _choices(options, lambda made: ask_corpus(source, options, made))
        if (answer := ask_corpus(source, options, chosen)) is not None:
            if options.export and answer.kind in ("answer", "hits", "passages", "clarify"):
                from qlc.cli.answers import export_rows

                return export_rows(answer, options)
            if options.all and answer.kind == "hits" and answer.cursor is not None:
                every_page = {**options_of(options), "size": PAGE}
                answer = all_pages(open_compiler(options), re.sub(r" limit \d+$", "", answer.query), **every_page)
            return print_outcome(answer, source, options, every=options.all)
    asker = open_asker(options, "" if pasted_in(source, options) else source)
    if options.export and options.json:
        raise UsageError(_ONE_FORMAT)
    every = options.all or options.export is not None
    given = {**options_of(options), "size": PAGE if every else options.size}
    if options.cursor:
        given["cursor"] = options.cursor
    pasted = pasted_in(source, options)
    given["choices"] = _choices(
        options, lambda made: asker.ask(source, read_as=options.read_as, **{**given, "choices": made})
    )
    if pasted is not None:
        from qlc.pasted.entry import all_pages_pasted, run_pasted

        if options.export:
            outcome = run_pasted(pasted, asker.compiler, **given)[-1]
            more = lambda at: run_pasted(pasted, asker.compiler, **{**given, "cursor": at})[-1]  # noqa: E731
            return _export(outcome, source, options, more)
        run_all = all_pages_pasted if options.all else run_pasted
        outcomes = run_all(pasted, asker.compiler, **given)
        return max([print_outcome(one, source, options) for one in outcomes])
    if has_several(source, options):
        reply = answered(source, asker, given, every=options.all)
        if len(reply.outcomes) > 1:
            print_all(reply, options)
            return max(exit_of(one) for one in reply.outcomes)
    outcome = asker.ask(source, read_as=options.read_as, **given)
    if options.export:
        program = outcome.query
        return _export(outcome, source, options, lambda at: asker.compiler.run(program, **{**given, "cursor": at}))
    if options.all and outcome.kind == "hits" and outcome.cursor is not None:
        outcome = all_pages(asker.compiler, outcome.query, **given)
    if is_empty(outcome) and not options.json and not options.cursor:
        outcome = _with_ways_on(outcome, source, asker, given)
    asked = options.read_as != "program" and not looks_like_program(source)
    return print_outcome(outcome, source, options, words=asked, every=options.all)


def pasted_in(source: str, options: Reading) -> Pasted | None:
    """Return the Elasticsearch request in a text that has no other words; else None."""
    from qlc.pasted.recognise import recognise
    from qlc.translator.recognise import what_is_too_long

    return recognise(source) if options.read_as == "auto" and not what_is_too_long(source) else None


def _export(outcome: Outcome, source: str, options: Run, more: Callable[[str], Outcome]) -> int:
    """Print the rows to standard output; notes, and outcomes without rows, go to standard error."""
    if outcome.kind not in EXPORTED:
        if isinstance(outcome, Several):
            count = len(outcome.outcomes)
            print(f"These are {count} questions. A file holds the answer to one: ask them one by one.", file=sys.stderr)
            return EXIT_OF_KIND["declined"]
        print(render.outcome(outcome, source, render.Style.of(sys.stderr)), file=sys.stderr)
        return exit_of(outcome)
    format: Format = "ndjson" if options.export == "ndjson" else "csv"
    for line in export(outcome, format, more, for_spreadsheets=options.export == "csv"):
        sys.stdout.write(line)
    for note in outcome.notes:
        print(f"Note: {note}", file=sys.stderr)
    return 0


def _with_ways_on(outcome: Outcome, source: str, asker: Asker, given: Mapping[str, Any]) -> Outcome:
    """Add to an empty answer why it is empty, and queries that find something."""
    from qlc.translator.entry import Asker
    from qlc.translator.explanations.explaining import WHY_NOTHING
    from qlc.translator.protocol import Turn

    turn = Turn(source, outcome.query, outcome.model_dump(mode="json"), given["choices"], 1)
    by_rules = Asker(asker.compiler, asker.translators[:1])
    why = by_rules.program_of(WHY_NOTHING, history=(turn,), **{k: v for k, v in given.items() if k != "cursor"})
    if not isinstance(why, Explain):
        return outcome
    changes = {"notes": [*outcome.notes, why.message], "suggestions": why.queries}
    return outcome.model_copy(update=changes)


def _choices(options: Run, ask: Callable[[dict[str, str]], Outcome | None]) -> dict[str, str]:
    """Return the ids of chosen options by token. `--choose` may be the number of an option as printed: then `ask` runs
    the question again, to know its options."""
    if len(options.token) != len(options.choose):
        raise UsageError("give one --choose for each --token")
    made: dict[str, str] = {}
    for token, chosen in zip(options.token, options.choose, strict=True):
        made[token] = chosen
        question = ask({one: id for one, id in made.items() if one != token}) if chosen.isdecimal() else None
        ids = [one.id for one in question.options] if isinstance(question, Clarify) and question.token == token else []
        if ids and chosen not in ids:
            if not 0 < int(chosen) <= len(ids):
                raise UsageError(f"--choose {chosen}: the question has the options 1 to {len(ids)}")
            made[token] = ids[int(chosen) - 1]
    return made


def print_outcome(outcome: Outcome, source: str, options: Reading, *, words: bool = False, every: bool = False) -> int:
    """Print an outcome. `words`: the source is not a query, so its query is shown as well. `every`: with all rows."""
    style = render.Style.asked(options)
    if options.json:
        print(outcome.model_dump_json(indent=2))
    else:
        query = render.asked_as(outcome, style) if words else ""
        print("\n".join(filter(None, (query, render.outcome(outcome, source, style, every=every)))))
        if style.bars:
            from qlc.cli.chart import NOTHING, can_draw

            if exit_of(outcome) == 0 and not can_draw(outcome):
                print(f"Note: {NOTHING}", file=sys.stderr)
    return exit_of(outcome)


def check(options: Check) -> int:
    source = source_of(options.query)
    found = open_compiler(options).diagnose(source, **options_of(options))
    if options.json:
        print(json.dumps([_as_data(d) for d in found.diagnostics], indent=2, ensure_ascii=False))
    else:
        style = render.Style.of(sys.stdout)
        for diagnostic in found.diagnostics:
            print(render.diagnostic(diagnostic, source, style))
        if not found.failed:
            print(found.text)
    return 1 if found.failed else 0


def _as_data(diagnostic: Diagnostic) -> dict[str, Any]:
    from qlc.pipeline.present import note

    return note(diagnostic).model_dump(mode="json")


def complete(options: Complete) -> int:
    source = source_of(options.query, keep_spaces=True)
    cursor = len(source) if options.cursor is None else options.cursor
    found = open_compiler(options).complete(source, cursor, context=options_of(options)["context"])
    if options.json:
        print(json.dumps([asdict(candidate) for candidate in found], ensure_ascii=False))
    else:
        print(render.completions(found, render.Style.of(sys.stdout)))
    return 0
