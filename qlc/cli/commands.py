"""Runs the commands. Answers go to standard output, everything else to standard error."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from qlc.base.errors import UsageError
from qlc.cli import render
from qlc.cli.asking import open_asker
from qlc.cli.exits import EXIT_OF_KIND, exit_of
from qlc.cli.settings import Check, Complete, Reading, Run
from qlc.cli.target import open_compiler, options_of, source_of
from qlc.cli.writing import write_rows
from qlc.outcome import Clarify, Explain, Several, is_empty
from qlc.outcome.export import EXPORTED, PAGE, export
from qlc.outcome.files import format_of
from qlc.translator.recognise import looks_like_program
from qlc.translator.several import joined

if TYPE_CHECKING:
    from qlc.conversation import Reply
    from qlc.outcome import Outcome
    from qlc.pasted.recognise import Pasted
    from qlc.pipeline.compiler import Compiler
    from qlc.translator.entry import Asker


def run(options: Run) -> int:
    source = source_of(options.query)
    if options.chart:
        from qlc.cli.chart import needed

        if options.json:
            raise UsageError("--chart draws for people, --json writes for programs: leave one of them out")
        needed()
    is_written = options.export is not None or options.export_to is not None
    if is_written and options.json:
        raise UsageError("give --json, --csv, --ndjson or --export, not two of them")
    if options.export_to is not None:
        format_of(options.export_to)
    if options.all_columns and options.corpus:
        raise UsageError("--all-columns is for lists of an index; 'qlc corpus show' shows the values of a file")
    are_words = options.read_as != "program" and not looks_like_program(source)
    if options.corpus and are_words and (code := _run_on_corpus(source, options)) is not None:
        return code
    pasted = pasted_in(source, options)
    asker = open_asker(options, source if pasted is None else "")
    every = options.all or is_written
    given = {**options_of(options), "size": PAGE if every else options.size, "all_columns": options.all_columns}
    if options.cursor:
        given["cursor"] = options.cursor
    given["choices"] = _choices(
        options, lambda made: asker.ask(source, read_as=options.read_as, **{**given, "choices": made})
    )
    if pasted is not None:
        return _run_pasted(pasted, asker.compiler, source, options, given)
    # A choice, a page and a file are of one answer alone.
    if are_words and not (options.choose or options.cursor or is_written) and _has_several(source):
        reply = _all_answers(source, asker, given, every=options.all)
        if len(reply.outcomes) > 1:
            if options.json:
                told = {"narrative": reply.narrative, "narrated": [*reply.narrated], "notes": [*reply.notes]}
                print(joined(reply.outcomes).model_copy(update=told).model_dump_json(indent=2))
            else:
                print(render.reply(reply, render.Style.asked(options), talking=False, every=options.all))
            return max(exit_of(one) for one in reply.outcomes)
    outcome = asker.ask(source, read_as=options.read_as, **given)
    if is_written:
        program = outcome.query
        return _export(outcome, source, options, lambda at: asker.compiler.run(program, **{**given, "cursor": at}))
    if options.all:
        outcome = _with_all_pages(outcome, asker.compiler, given)
    if is_empty(outcome) and not options.json and not options.cursor:
        outcome = _with_ways_on(outcome, source, asker, given)
    return print_outcome(outcome, source, options, words=are_words, every=options.all)


def _run_on_corpus(source: str, options: Run) -> int | None:
    """Answer words from the documents of a corpus; None if the index or a model may know more."""
    from qlc.cli.answers import ask_corpus, export_rows

    chosen = _choices(options, lambda made: ask_corpus(source, options, made))
    answer = ask_corpus(source, options, chosen)
    if answer is None:
        return None
    if (options.export or options.export_to) and answer.kind in ("answer", "hits", "passages", "clarify"):
        return export_rows(answer, options)
    if options.all and answer.kind == "hits" and answer.cursor is not None:
        whole = answer.model_copy(update={"query": re.sub(r" limit \d+$", "", answer.query)})
        answer = _with_all_pages(whole, open_compiler(options), {**options_of(options), "size": PAGE})
    return print_outcome(answer, source, options, every=options.all)


def _run_pasted(pasted: Pasted, compiler: Compiler, source: str, options: Run, given: Mapping[str, Any]) -> int:
    from qlc.pasted.entry import all_pages_pasted, run_pasted

    if options.export or options.export_to:
        outcome = run_pasted(pasted, compiler, **given)[-1]
        return _export(
            outcome, source, options, lambda at: run_pasted(pasted, compiler, **{**given, "cursor": at})[-1]
        )
    run_all = all_pages_pasted if options.all else run_pasted
    return max([print_outcome(one, source, options) for one in run_all(pasted, compiler, **given)])


def _with_all_pages(outcome: Outcome, compiler: Compiler, given: Mapping[str, Any]) -> Outcome:
    """An outcome with every page of its list."""
    from qlc.pipeline.compiler import all_pages

    has_more = outcome.kind == "hits" and outcome.cursor is not None
    return all_pages(compiler, outcome.query, **given) if has_more else outcome


def _has_several(source: str) -> bool:
    from qlc.translator.splitting import questions_in

    return len(questions_in(source)) > 1


def _all_answers(source: str, asker: Asker, given: Mapping[str, Any], *, every: bool) -> Reply:
    """The answer to each question, in their order; one answer where it is one question after all.

    `given` are the options of a run; `every`: all pages of each list.
    """
    from qlc.conversation import Conversation

    options = {name: value for name, value in given.items() if name not in ("choices", "cursor")}
    reply = Conversation(asker, **options).turn(source)
    if not every:
        return reply
    return replace(reply, outcomes=tuple(_with_all_pages(one, asker.compiler, given) for one in reply.outcomes))


def pasted_in(source: str, options: Reading) -> Pasted | None:
    """Return the Elasticsearch request in a text that has no other words; else None."""
    from qlc.pasted.recognise import recognise
    from qlc.translator.recognise import what_is_too_long

    return recognise(source) if options.read_as == "auto" and not what_is_too_long(source) else None


def _export(outcome: Outcome, source: str, options: Run, more: Callable[[str], Outcome]) -> int:
    """Write the rows to standard output or a file; notes, and outcomes without rows, go to standard error."""
    if outcome.kind not in EXPORTED:
        if isinstance(outcome, Several):
            count = len(outcome.outcomes)
            print(f"These are {count} questions. A file holds the answer to one: ask them one by one.", file=sys.stderr)
            return EXIT_OF_KIND["declined"]
        print(render.outcome(outcome, source, render.Style.of(sys.stderr)), file=sys.stderr)
        return exit_of(outcome)
    write_rows(lambda format, safe: export(outcome, format, more, for_spreadsheets=safe), options)
    sys.stderr.writelines(f"Note: {note}\n" for note in outcome.notes)
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
    """Return the ids of chosen options by token. `--choose` may be the number of an option as printed. `ask` runs the
    question again, to know its options."""
    if len(options.token) != len(options.choose):
        raise UsageError("--choose answers the clarification that --token names: give both, as its last line does")
    pairs = dict(zip(options.token, options.choose, strict=True))
    made = {token: chosen for token, chosen in pairs.items() if not chosen.isdecimal()}
    for token, chosen in pairs.items():
        question = ask({one: id for one, id in made.items() if one != token})
        made[token] = chosen
        if not isinstance(question, Clarify) or question.token != token:
            if isinstance(question, Clarify):
                print(f"qlc: --token {token} is not of the clarification below", file=sys.stderr)
            elif question is not None and exit_of(question) == 0:
                raise UsageError(f"--token {token} is of no clarification of this question: leave it out")
            continue
        ids = [one.id for one in question.options]
        if ids and chosen not in ids:
            if chosen.isdecimal() and 0 < int(chosen) <= len(ids):
                made[token] = ids[int(chosen) - 1]
            elif chosen.isdecimal() or len(ids) >= (question.total or 0):
                raise UsageError(f"--choose {chosen}: the question has the options 1 to {len(ids)}")
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
            from qlc.cli.chart import NOTHING
            from qlc.outcome.chart import can_draw

            if exit_of(outcome) == 0 and not can_draw(outcome):
                print(f"Note: {NOTHING}", file=sys.stderr)
    return exit_of(outcome)


def check(options: Check) -> int:
    source = source_of(options.query)
    found = open_compiler(options).diagnose(source, **options_of(options))
    if options.json:
        from qlc.pipeline.present import note

        notes = [note(one).model_dump(mode="json") for one in found.diagnostics]
        print(json.dumps(notes, indent=2, ensure_ascii=False))
    else:
        style = render.Style.of(sys.stdout)
        for diagnostic in found.diagnostics:
            print(render.diagnostic(diagnostic, source, style))
        if not found.failed:
            print(found.text)
    return 1 if found.failed else 0


def complete(options: Complete) -> int:
    source = source_of(options.query, keep_spaces=True)
    cursor = len(source) if options.cursor is None else options.cursor
    found = open_compiler(options).complete(source, cursor, context=options_of(options)["context"])
    if options.json:
        print(json.dumps([asdict(candidate) for candidate in found], ensure_ascii=False))
    else:
        print(render.completions(found, render.Style.of(sys.stdout)))
    return 0
