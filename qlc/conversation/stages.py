"""The stages of a turn: each does one thing, and declares what it keeps for the next ones and for the history.

A turn is a generator: it yields its needs (a checkpoint, a translation, a run) and is sent the results, so that one
serves both APIs. It can be resumed after any stage, from the kept state.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from qlc.base.errors import RequestFailed
from qlc.conversation.concluding import conclude, join
from qlc.conversation.context import Context
from qlc.conversation.effects import Doing, Save
from qlc.conversation.history import History
from qlc.conversation.reading import context_of
from qlc.conversation.running import run
from qlc.conversation.translating import translate
from qlc.conversation.working import Working
from qlc.telemetry import report
from qlc.translator.outcomes import untranslated


@dataclass(frozen=True, slots=True)
class Stage:
    """`keeps` are the attributes of `Working` that it sets, `remembers` those of a `Part` that come of it."""

    name: str
    keeps: tuple[str, ...]
    remembers: tuple[str, ...]
    work: Callable[[Working, History], Doing]


def turning(working: Working, history: History) -> Doing:
    """Do the remaining stages of a turn; return its final state and the history with the turn."""
    names = [stage.name for stage in STAGES]
    done = names.index(working.stage) + 1 if working.stage in names else 0
    if not done:
        yield Save(working, history)
    for stage in STAGES[done:]:
        found: dict[str, Any] = yield from stage.work(working, history)
        assert found.keys() == set(stage.keeps), stage.name
        working = working.model_copy(update={**found, "stage": stage.name, "replies": {}})
        if working.exchange is not None:
            history = history.with_turn(working.exchange)
        yield Save(working, history)
        report(stage.name)
    return working, history


def _understand(working: Working, history: History) -> Doing:
    try:
        return {"context": context_of(working.text, history, working.given.size, corpus=working.given.corpus)}
    except RequestFailed as problem:  # no time was left to read the message
        return {"context": Context(origin="nothing", reply=untranslated(problem).model_dump(mode="json"))}
    yield


STAGES = (
    Stage("understood", ("context",), ("words", "request", "want"), _understand),
    Stage("translated", ("said",), ("program", "choices"), translate),
    Stage("ran", ("answers",), ("execution", "outcome"), run),
    Stage("joined", ("joined",), (), join),
    Stage("concluded", ("outcomes", "exchange"), (), conclude),
)
"""The stages of a turn, in order."""
