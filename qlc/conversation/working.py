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
    """What the turn is answered with: the instant that relative dates are counted from, the hits of a page, and the
    rights of whoever asks. `corpus`: words are answered from documents."""

    now: Instant
    size: Number
    rights: Rights = Rights()
    corpus: bool = False


Spent = dict[str, tuple[int, int, int, int, float]]
"""Of each language model: tokens (input, output, read, written; see `Usage`) and seconds."""


class Said(Remembered):
    """What a task's words became: a program, or the outcome of words that became none. `spent` is what that cost,
    `size` the hits of a page of the list that it takes the place of, where they were asked for."""

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
    """What is done: the message as a whole where that was understood."""
    assert working.context is not None
    whole = working.context.whole
    return working.context.tasks if whole is None or len(working.said) > 1 else (whole,)


def ledger_of(before: Iterable[Said]) -> Ledger:
    """What a turn has cost so far."""
    ledger = Ledger()
    for said in before:
        for model, (*tokens, seconds) in said.spent.items():
            ledger.add(model, Usage(*tokens), seconds)
    return Ledger(ledger.own)
