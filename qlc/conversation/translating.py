"""The stage that makes the words of tasks programs."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from qlc.conversation.context import Task
from qlc.conversation.following import carried, followed, standing
from qlc.conversation.history import History
from qlc.conversation.needs import Doing, Need, Translate
from qlc.conversation.working import Said, Working, ledger_of
from qlc.translator.protocol import Translated, Turn


def translate(working: Working, history: History) -> Doing:
    assert working.context is not None
    if working.context.whole is not None:
        whole = yield from said_of(working.context.whole, history.for_translators(), history, (), by_rules=True)
        if whole.outcome is None or whole.outcome["kind"] != "declined":
            return {"said": (whole,)}
    said: list[Said] = []
    for task in working.context.tasks:
        if task.waits:
            said.append(Said())  # its turn comes when the others are answered
        else:
            said.append((yield from said_of(task, history.for_translators(), history, said)))
    return {"said": tuple(said)}


def said_of(
    task: Task, turns: tuple[Turn, ...], history: History, before: Iterable[Said], *, by_rules: bool = False
) -> Generator[Need, Any, Said]:
    """What a task's words become in the light of some turns. `before`: what others of the same turn became."""
    if task.program or task.request:
        return Said(program=task.program, choices=task.choices, follows=task.follows)
    ledger = ledger_of(before)
    words = task.words
    became, milliseconds = yield Translate(words, turns, standing(words, turns), ledger, by_rules)
    spent = {model: (u.input, u.output, u.read, u.written, seconds) for model, (u, seconds) in ledger.own.items()}
    if not isinstance(became, Translated):
        return Said(outcome=became.model_dump(mode="json"), milliseconds=milliseconds, spent=spent)
    follows = _list_of(became.follows or followed(became.program, words, turns), history)
    return Said(
        program=became.program,
        notes=became.notes,
        milliseconds=milliseconds,
        follows=follows,
        size=_size_of(follows, history),
        choices={**carried(became.program, words, turns), **task.choices},
        spent=spent,
    )


def _list_of(turn: int | None, history: History) -> int | None:
    """The list that a turn showed, by the number of the turn where it began."""
    if turn is None:
        return None
    shown = (part.execution for one, part in history.parts() if one.number == turn)
    return next((at.list for at in shown if at is not None), None)


def _size_of(list_: int | None, history: History) -> int | None:
    """The hits of a page of a list, where the question for it said how many: they hold for what is made of it."""
    began = (part.execution for _, part in history.parts())
    return next((at.size for at in began if at is not None and at.list == list_ and not at.first and at.paged), None)
