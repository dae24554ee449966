"""Asks a corpus the questions of a file, and writes the answers as lines for a grading program.

A question is `{"id", "question", "now"?, "conversation"?}`. An answer has `id`, `text`, `outcome` (answer, table, hits,
clarify, passages, not_found, refused), and what there is of `values`, `computed`, `files`, `table`, `clarify` and
`citations`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from qlc.answers.corpora import Corpus
from qlc.conversation import Conversation
from qlc.evaluation.questions import lines, wrong
from qlc.outcome import Answer, Cell, Citation, Clarify, Count, Hits, NotInCorpus, Outcome, Passages, ValueOut


def read_corpus_questions(path: Path) -> list[Mapping[str, Any]]:
    """Read the questions. Raises UsageError for an invalid line."""
    found: list[Mapping[str, Any]] = []
    for number, one in lines(path):
        if not all(isinstance(one.get(key), str) for key in ("id", "question")):
            raise wrong(path, number, 'a question is {"id": "...", "question": "..."}')
        found.append(one)
    return found


def answers(
    questions: Sequence[Mapping[str, Any]], corpus: Corpus, options: Mapping[str, Any], parallel: int = 1
) -> Iterator[dict[str, Any]]:
    """Yield the answer to each question in the answers format, asking `parallel` of them at a time.

    Questions with the same `conversation` are its turns, in order. If it is a list of earlier messages, `[{"role":
    "user", "text"}, ...]`, the user's messages are asked first.
    """
    talks: dict[str, list[Mapping[str, Any]]] = {}
    for number, one in enumerate(questions):
        talk = one.get("conversation")
        talks.setdefault(f"={talk}" if isinstance(talk, str) and talk else str(number), []).append(one)
    with ThreadPoolExecutor(parallel) as pool:
        for answered in pool.map(lambda turns: list(_talk(turns, corpus, options)), talks.values()):
            yield from answered


def _talk(turns: Sequence[Mapping[str, Any]], corpus: Corpus, options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Answer a question, or those of one conversation."""
    reader = options.get("reader")
    talk = Conversation(corpus, reader=reader)
    for one in turns:
        given = {key: value for key, value in options.items() if key != "reader"}
        if "now" in one:
            given["now"] = one["now"] if "T" in one["now"] else f"{one['now']}T12:00:00Z"
        before = one.get("conversation")
        if not before:
            yield {"id": one["id"], **answer_line(corpus.ask(one["question"], reader=reader, **given))}
            continue
        for turn in before if isinstance(before, list) else ():
            if turn.get("role") == "user":
                talk.turn(turn["text"], **given)
        yield {"id": one["id"], **answer_line(talk.turn(one["question"], **given).outcome)}


def answer_line(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome in the answers format."""
    line: dict[str, Any] = {"text": outcome.message}
    match outcome:
        case Answer():
            is_table = bool(outcome.rows) and not outcome.computed
            cited = [one for claim in outcome.claims for one in claim.citations]
            if is_table:
                cited += [one for row in outcome.rows for cell in row.cells.values() for one in cell.citations]
                rows = [
                    {"row": row.name, "file": row.file, "cells": {name: _value(one) for name, one in row.cells.items()}}
                    for row in outcome.rows
                ]
                line["table"] = {"columns": outcome.columns, "rows": rows}
            if outcome.computed:
                line["computed"] = [one.value for one in outcome.values]
            values = [_value(one) for one in outcome.values]
            line |= {"outcome": "table" if is_table else "answer", "values": values, "citations": _cited(cited)}
            return {**line, "files": outcome.covered}
        case Hits():
            files = [one for hit in outcome.hits for one in (hit.values.get("file") or ())[:1]]
            return {**line, "outcome": "hits", "files": files}
        case Count() | ValueOut():
            return {**line, "outcome": "answer", "values": [{"value": outcome.value}]}
        case Clarify(what="overload"):
            return {**line, "outcome": "clarify", "clarify": {"type": "overload", "count": outcome.total}}
        case NotInCorpus():
            return {**line, "outcome": "not_found"}
        case Passages():
            return {**line, "outcome": "passages", "citations": _cited(outcome.passages)}
        case _:
            return {**line, "outcome": "refused"}


def _value(one: Cell) -> dict[str, Any]:
    return {"value": one.value, "unit": one.unit} if one.unit else {"value": one.value}


def _cited(citations: Sequence[Citation]) -> list[dict[str, Any]]:
    return [{"file": one.file, "page": one.page, "quote": one.quote} for one in dict.fromkeys(citations)]
