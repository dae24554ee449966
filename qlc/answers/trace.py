"""The record of the stages of an answer, for `qlc explain --corpus`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

from qlc.outcome import AnswerStep, Outcome

from .decomposition import Decomposition

MOST_WRITTEN = 200
"""Most entries of each kind."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Tried(_Frozen):
    """A route that was tried, on which bucket, what spoke for it, and how it ended."""

    route: str
    bucket: str
    signals: dict[str, Any]
    ended: str


class Pruned(_Frozen):
    """Something that was found or considered and not used, and why."""

    what: str
    why: str


class Checked(_Frozen):
    """A citation of a claim, held to its page."""

    claim: str
    file: str
    page: int | None
    quote: str
    is_verified: bool = Field(validation_alias=AliasChoices("is_verified", "stands"))

    @property
    def stands(self) -> bool:
        """The old name of `is_verified`, for one version."""
        return self.is_verified


class AnswerTrace(_Frozen):
    """How a question was answered. `steps` are all searches in their order, those of the check included; `milliseconds`
    are of each stage, and of all."""

    question: str
    decomposition: Decomposition | None
    routes: tuple[Tried, ...]
    steps: tuple[AnswerStep, ...]
    pruned: tuple[Pruned, ...]
    checked: tuple[Checked, ...]
    outcome: Outcome
    milliseconds: dict[str, float]


@dataclass
class Record:
    """Collects the entries of the stages."""

    decomposition: Decomposition | None = None
    routes: list[Tried] = field(default_factory=list)
    pruned: list[Pruned] = field(default_factory=list)
    checked: list[Checked] = field(default_factory=list)
    milliseconds: dict[str, float] = field(default_factory=dict)

    def tried(self, route: str, bucket: str, signals: dict[str, Any], ended: str) -> None:
        if len(self.routes) < MOST_WRITTEN:
            self.routes.append(Tried(route=route, bucket=bucket, signals=signals, ended=ended))

    def left_out(self, what: str, why: str) -> None:
        if len(self.pruned) < MOST_WRITTEN:
            self.pruned.append(Pruned(what=what, why=why))

    def trace(self, question: str, steps: list[AnswerStep], outcome: Outcome) -> AnswerTrace:
        """Return the complete record, when the answer is there."""
        return AnswerTrace(question=question, steps=tuple(steps), outcome=outcome, **vars(self))
