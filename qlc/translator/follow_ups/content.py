"""What is read of a follow-up, and what it can mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qlc.grammar.tree import Statement
from qlc.mapping.schema import Schema
from qlc.translator.follow_ups.editing import LEFT_OUT
from qlc.translator.follow_ups.history import Base, Earlier
from qlc.translator.follow_ups.merging import Joined
from qlc.translator.follow_ups.speech import Beginning
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.questions.forms import finished
from qlc.translator.rules.words.phrases import Phrases


@dataclass(frozen=True, slots=True)
class Meaning:
    """A program that a follow-up may mean: the first of the `ways` that holds together. `changes`: it is the earlier
    program, changed. `sure`: it is said in so many words, and what others read of them does not count."""

    ways: tuple[Joined, ...]
    cost: float
    changes: bool = True
    sure: bool = False

    @property
    def drops(self) -> bool:
        """Whether a condition is left out."""
        return any(note.startswith(LEFT_OUT) for way in self.ways for note in way.notes)


@dataclass(frozen=True, slots=True)
class Content:
    """The rest of a follow-up behind its beginning, with what it goes on from."""

    p: Parse
    said: Beginning
    base: Base | None
    last: Earlier | None
    earlier: Sequence[Earlier] = ()

    @property
    def at(self) -> int:
        return self.said.at

    @property
    def schema(self) -> Schema:
        return self.p.schema

    def whole(self, table: Phrases, at: int | None = None) -> bool:
        """Whether a phrase of a table is all that is left."""
        return any(finished(self.p, end) for end in self.p.phrases(self.at if at is None else at, table))


def alone(statement: Statement, cost: float = 0.0, *notes: str) -> Meaning:
    return Meaning((Joined(statement, notes),), cost)


def surely(statement: Statement, cost: float = 0.0, *notes: str) -> Meaning:
    return Meaning((Joined(statement, notes),), cost, sure=True)


def counts(spoken: tuple[str, ...], noun: str) -> bool:
    """Whether a field is called `number of documents`."""
    return f"number of {noun.casefold()}" in {one.casefold() for one in spoken}
