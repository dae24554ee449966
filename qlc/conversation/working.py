"""A turn on its way: what each stage kept. It is JSON, and all that is needed to go on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import AliasChoices, Field

from qlc.conversation.context import Context, Task
from qlc.conversation.history import Exchange, Instant, Number, Remembered
from qlc.models.budgets import Ledger, Usage
from qlc.translator.rights import Rights


class Given(Remembered):
    """The fixed options of a turn: the instant from which relative dates count, the hits of a page, the caller's
    rights.

    `corpus`: words are answered from documents.
    """

    now: Instant
    size: Number
    rights: Rights = Rights()
    corpus: bool = False


Spent = dict[str, tuple[int, int, int, int, float]]
"""Cost by language model: tokens (input, output, read, written; see `Usage`) and seconds."""


class Said(Remembered):
    """The translation of a task's words: a program, or the outcome if there is none. `spent` is its cost.

    `size` is the page size of the list that it replaces, if that was asked for.
    """

    program: str = ""
    notes: tuple[str, ...] = ()
    milliseconds: float = 0.0
    follows: int | None = None
    size: int | None = None
    choices: dict[str, str] = Field(default_factory=dict)
    outcome: dict[str, Any] | None = None
    spent: Spent = Field(default_factory=dict)


class Answered(Remembered):
    """One outcome, of the task of this number. A pasted request may have several.

    `said` is what the words of a task became that waited for the ones before it.
    """

    task: int
    outcome: dict[str, Any]
    said: Said | None = None


class Joined(Remembered):
    """One text over those answers whose places are `covered`, with sentences about how it came about."""

    text: str
    covered: tuple[int, ...] = Field(validation_alias=AliasChoices("covered", "told"))
    notes: tuple[str, ...] = ()


class Working(Remembered):
    """A turn on its way: what each stage up to `stage` kept. It is JSON, and all that is needed to go on. `replies` is
    what a language model said inside of the stage that follows (`qlc.answers.journal`)."""

    number: int
    text: str
    given: Given
    stage: str = "received"
    replies: dict[str, tuple[dict[str, Any], float]] = Field(default_factory=dict)
    context: Context | None = None
    said: tuple[Said, ...] = ()
    answers: tuple[Answered, ...] = ()
    joined: Joined | None = None
    outcomes: tuple[dict[str, Any], ...] = ()
    exchange: Exchange | None = None

    @property
    def is_done(self) -> bool:
        return self.exchange is not None


def tasks_of(working: Working) -> tuple[Task, ...]:
    """Return the tasks of a turn: the whole message if it was understood, else its parts."""
    assert working.context is not None
    whole = working.context.whole
    return working.context.tasks if whole is None or len(working.said) > 1 else (whole,)


def ledger_of(before: Iterable[Said]) -> Ledger:
    """Return the cost of the turn so far."""
    ledger = Ledger()
    for said in before:
        for model, (*tokens, seconds) in said.spent.items():
            ledger.add(model, Usage(*tokens), seconds)
    return Ledger(ledger.own)
