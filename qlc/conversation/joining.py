"""The stage that makes one text of several answers."""

from __future__ import annotations

from typing import Any

from qlc.conversation.context import Task
from qlc.conversation.effects import Doing, Narrate
from qlc.conversation.history import History
from qlc.conversation.working import Joined, Working, ledger_of, tasks_of
from qlc.translator.protocol import Fact

_FACTS = ("count", "value")
"""Outcomes that are put into words. Lists and tables are shown as they are, and so is what needs an answer."""


def join(working: Working, history: History) -> Doing:
    tasks = tasks_of(working)
    facts = {n: _fact(tasks[one.task], one.outcome) for n, one in enumerate(working.answers)
             if one.outcome["kind"] in _FACTS and one.outcome["query"]}  # fmt: skip
    if len(tasks) < 2 or working.context is None or working.context.origin != "words" or not facts:
        return {"joined": None}
    said = (*working.said, *(one.said for one in working.answers if one.said is not None))
    narrated = yield Narrate(tuple(facts.values()), ledger_of(said))
    if narrated is None:
        return {"joined": None}
    places = tuple(facts)
    covered = tuple(places[n] for n in narrated.covered)
    return {"joined": Joined(text=narrated.text, covered=covered, notes=narrated.notes)}


def _fact(task: Task, outcome: dict[str, Any]) -> Fact:
    return Fact(task.words, outcome["query"], outcome["message"], outcome["value"], outcome.get("units") or {})
