"""Questions to a corpus: answers with their sources, and how a question was taken apart."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from qlc.base.errors import UsageError
from qlc.cli import render
from qlc.cli.asking import budget_of
from qlc.cli.settings import Asking, Decompose, Eval, Run, Serve
from qlc.cli.target import open_corpus, options_of

if TYPE_CHECKING:
    from qlc.answers.model import Reader
    from qlc.answers.trace import AnswerTrace
    from qlc.outcome import Outcome


def ask_corpus(question: str, options: Asking, choices: Mapping[str, str]) -> Outcome | None:
    """Answer a question from the documents; None if it is surely one about another index, or if they do not surely
    answer it, but a model or another index may."""
    from qlc.conversation.documents import is_unknown
    from qlc.conversation.tables_first import is_sure, tables_asked
    from qlc.translator.entry import Asker

    reader = reader_of(options)
    with open_corpus(options) as corpus:
        given = {**options_of(options), "choices": choices}
        if corpus.has_other_indices:
            asker = Asker(corpus.compiler())
            read = asker.program_of(question, read_as="words", **given)
            if is_sure(read) and tables_asked(read, asker.compiler, corpus):
                return None
        outcome = corpus.ask(question, reader=reader, budget=budget_of(options), **given)
        is_for_others = corpus.has_other_indices and is_unknown(outcome)
    return None if is_for_others or (outcome.kind == "declined" and reader is not None) else outcome


def reader_of(options: Asking) -> Reader | None:
    """Return the language model for questions that the rules do not answer; None if none is configured.

    Raises UsageError if a model is asked for that cannot be used.
    """
    from qlc.cli.asking import model_of

    model = model_of(options)
    if model is None:
        return None
    from qlc.answers.model import Reader
    from qlc.models.budgets import Budget

    seconds = options.deadline if isinstance(options, Eval | Serve) else None
    return Reader(model, Budget(seconds=seconds) if seconds else Budget(), options.mode)


def export_rows(answer: Outcome, options: Run) -> int:
    """Print every row of an answer to standard output; for a clarification without rows, the question."""
    from qlc.answers.rows import all_rows_of, export_answer
    from qlc.cli.exits import exit_of
    from qlc.cli.writing import write_rows

    with open_corpus(options) as corpus:
        if all_rows_of(answer, corpus, options_of(options)) is None and answer.kind != "hits":
            print(render.outcome(answer, options.query, render.Style.of(sys.stderr)), file=sys.stderr)
            return exit_of(answer)
        given = options_of(options)
        write_rows(lambda format, safe: export_answer(answer, format, corpus, for_spreadsheets=safe, **given), options)
    sys.stderr.writelines(f"Note: {note}\n" for note in answer.notes)
    return 0


def decompose(options: Decompose) -> int:
    from qlc.answers.model import NoReply

    try:
        with open_corpus(options) as corpus:
            given = options_of(options)
            found = corpus.decompose(options.query, reader=reader_of(options), budget=budget_of(options), **given)
    except NoReply as problem:
        raise UsageError(f"the language model did not analyse the question: {problem.reason}") from None
    print(found.model_dump_json(indent=2))
    return 0


def explain_answer(question: str, options: Asking) -> int:
    """Print how a question to a corpus is answered."""
    from qlc.cli.exits import exit_of

    with open_corpus(options) as corpus:
        given = options_of(options)
        trace = corpus.explain(question, reader=reader_of(options), budget=budget_of(options), **given)
    print(trace.model_dump_json(indent=2) if options.json else _as_text(trace, question))
    return exit_of(trace.outcome)


def _as_text(trace: AnswerTrace, question: str) -> str:
    style = render.Style.of(sys.stdout)
    lines: list[str] = []

    def part(name: str, entries: Iterable[str]) -> None:
        shown = [f"  {' '.join(one.split())}" for one in entries]
        if shown:
            lines.extend(["", style.paint(name, render.BOLD), *shown])

    made = trace.decomposition
    part("Taken apart", _items(made.model_dump(mode="json", exclude_defaults=True)) if made is not None else ())
    for one in trace.routes:
        part(f"Route: {one.route}, {one.bucket}", [*_items(one.signals), f"ended: {one.ended}"])
    steps = (f"{one.tool}: {one.program} -> {one.matches:,} ({one.kept:,} kept, {one.took_ms:.1f} ms): {one.why}"
             for one in trace.steps)  # fmt: skip
    part("Steps", steps)
    part("Left out", (f"{one.what} ({one.why})" for one in trace.pruned))
    checks = (
        f"{'true' if one.is_verified else 'FALSE'} {one.claim} <- {one.file}"
        f"{f', page {one.page}' if one.page else ''}: {json.dumps(one.quote, ensure_ascii=False)}"
        for one in trace.checked
    )
    part("Checked", checks)
    spent = trace.outcome.stats.spent
    part("Spent", _items(spent.model_dump(exclude_none=True)) if spent is not None else ())
    part("Time", (f"{name}: {ms:.1f} ms" for name, ms in trace.milliseconds.items()))
    return "\n".join([*lines[1:], "", style.paint("Outcome", render.BOLD),
                      render.outcome(trace.outcome, question, style)])  # fmt: skip


def _items(data: Mapping[str, Any]) -> list[str]:
    return [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in data.items() if value]
