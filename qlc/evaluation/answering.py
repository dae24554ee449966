"""Asks the questions of a file one after another, and stores the answers in a file, so that a run can be continued."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from qlc.conversation import Conversation, Reply
from qlc.evaluation.questions import Asked, Line, answer_line, read_answers
from qlc.outcome import Hits
from qlc.pasted.entry import all_pages_pasted
from qlc.pipeline.compiler import all_pages
from qlc.translator.entry import Asker

PAGE = 10
"""Hits that are stored with values; for further hits only ids are stored."""

FURTHER = 1_000
"""Page size for reading ids only."""


def answers(asker: Asker, one: Asked, options: Mapping[str, Any]) -> list[Line]:
    """Return the outcomes of a question's turns as data, asked in order as one conversation.

    A turn that asks for a certain page gets that page, others the ids of all pages. `options` are those of a run with a
    fixed `now`, so that all pages show one moment.
    """
    return list(turns(asker, one, options))


def turns(asker: Asker, one: Asked, options: Mapping[str, Any]) -> Iterator[Line]:
    """Yield the outcomes of `answers` turn by turn."""
    talk = Conversation(asker, **{**options, "size": PAGE})
    for text in one.texts:
        yield _as_line(asker, text, talk.turn(text), options)


def _as_line(asker: Asker, text: str, reply: Reply, options: Mapping[str, Any]) -> Line:
    """Return the outcome of a turn. For several questions it has the last one's attributes, and all in `outcomes`."""
    request = text if reply.origin == "pasted" else ""
    parts = reply.history["turns"][-1].get("parts", ())
    found = []
    for at, outcome in enumerate(reply.outcomes):
        if isinstance(outcome, Hits) and outcome.cursor is not None and not reply.paged:
            choices = parts[at].get("choices", {}) if at < len(parts) else reply.choices
            outcome = _whole(asker, request, outcome, choices, options)
        found.append(outcome.model_dump(mode="json"))
    return {**found[-1], "outcomes": found} if len(found) > 1 else found[-1]


def _whole(asker: Asker, request: str, page: Hits, choices: Mapping[str, str], options: Mapping[str, Any]) -> Any:
    """Return the outcome with the ids of all pages; `request` is the pasted request that it answers, if any."""
    given = {**options, "size": FURTHER, "choices": choices}
    compiler = asker.compiler
    found = all_pages_pasted(request, compiler, **given)[-1] if request else all_pages(compiler, page.query, **given)
    whole = {"cursor": None, "has_more": False}
    return page.model_copy(update={**whole, "ids": found.ids}) if isinstance(found, Hits) else found


class Kept:
    """The stored answers, in memory and optionally in a file to which new ones are appended.

    A truncated last line and failed answers are removed from the file, so that they are asked again. Raises UsageError
    for a file with other content.
    """

    def __init__(self, path: Path | None, questions: Sequence[Asked]) -> None:
        self.path = path
        self.outcomes: dict[str, list[Line]] = {}
        if path is None or not path.exists():
            return
        found, is_open = read_answers(path, questions)
        self.outcomes = {id: one for id, one in found.items() if all(o.get("kind") != "failed" for o in one)}
        if is_open or len(self.outcomes) < len(found):
            self._rewrite(questions)

    def _rewrite(self, questions: Sequence[Asked]) -> None:
        assert self.path is not None
        by_id = {one.id: one for one in questions}
        lines = []
        for id, outcomes in self.outcomes.items():
            one = by_id.get(id) or Asked(id, ("",) * len(outcomes), len(outcomes) > 1)
            lines.append(answer_line(one, outcomes))
        made = self.path.with_name(f"{self.path.name}.new")
        made.write_text("".join(lines), encoding="utf-8")
        os.replace(made, self.path)

    def add(self, one: Asked, outcomes: list[Line]) -> None:
        self.outcomes[one.id] = outcomes
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(answer_line(one, outcomes).encode())


def ask_all(
    asker: Asker, questions: Sequence[Asked], kept: Kept, options: Mapping[str, Any]
) -> Iterator[tuple[int, Asked]]:
    """Ask the unanswered questions; yield after each question how many are done."""
    for number, one in enumerate(questions, 1):
        if one.id not in kept.outcomes:
            kept.add(one, answers(asker, one, options))
        yield number, one
