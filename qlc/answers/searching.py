"""The searches of an answer: each is a program that runs through the compiler, and is kept with what it found."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from qlc.corpus.index import placed_fields
from qlc.corpus.schema import CorpusSchema
from qlc.corpus.status import Document, Place, read_documents
from qlc.options import DEFAULT_DEADLINE, Options
from qlc.outcome import AnswerStep, Count, Failed, Hit, Hits, Outcome, ValueOut
from qlc.pipeline import Compiler

from .linking import Linked
from .trace import Record

MOST_DOCUMENTS = 100
"""Documents of an answer; more are an overload."""


class Stopped(Exception):
    """A search ended in an outcome that the question ends in too: a failure, a denied access."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome


class Answering(Protocol):
    """A language model that answers what the rules do not; `otherwise` is what they make of it."""

    def answer(self, linked: Linked, searches: Searches, otherwise: Callable[[], Outcome]) -> Outcome: ...


@dataclass
class Searches:
    """Runs programs for one question, within its options, and remembers them."""

    compiler: Compiler
    client: Any
    index: str
    schema: CorpusSchema
    options: Mapping[str, Any]
    reader: Answering | None = None
    """A language model for what the rules do not answer exactly."""
    earlier: str = ""
    """What it is told of the turns before."""
    steps: list[AnswerStep] = field(default_factory=list)
    record: Record = field(default_factory=Record)
    _known: dict[str, Outcome] = field(default_factory=dict)
    _started: float = field(default_factory=time.monotonic)

    def __post_init__(self) -> None:
        """Raises OptionError for options that cannot be used."""
        Options.of(self.options)

    def run(self, tool: str, program: str, why: str, **options: Any) -> Outcome:
        """Raises Stopped where the search fails. `options` are those of this run alone."""
        key = f"{program}\0{sorted(options.items())}" if options else program
        if key in self._known:
            return self._known[key]
        given = {**self.options, "size": MOST_DOCUMENTS, **options, "deadline": self._left()}
        outcome = self.compiler.run(program, **given)
        if isinstance(outcome, Failed):
            raise Stopped(outcome)
        matches = _matches(outcome)
        kept = len(outcome.hits) if isinstance(outcome, Hits) else matches
        self.steps.append(
            AnswerStep(tool=tool, program=program, matches=matches, kept=kept, took_ms=outcome.stats.took_ms, why=why)
        )
        self._known[key] = outcome
        return outcome

    def kept(self, tool: str, count: int) -> None:
        """How much of its last search a tool kept."""
        if self.steps and self.steps[-1].tool == tool:
            self.steps[-1] = self.steps[-1].model_copy(update={"kept": count})

    def chosen(self, token: str) -> str | None:
        """What was chosen of the options of an earlier question with this token."""
        choices = self.options.get("choices") or {}
        found: str | None = choices.get(token)
        return found

    def _left(self) -> float:
        """Seconds of the deadline, which is that of the whole answer."""
        given = float(self.options.get("deadline", DEFAULT_DEADLINE))
        return max(given - (time.monotonic() - self._started), 0.0)

    def hits(self, tool: str, program: str, why: str) -> tuple[int, Sequence[Hit]]:
        """How many match, and the first of them; none where the program cannot be answered."""
        outcome = self.run(tool, program, why)
        return (outcome.total, outcome.hits) if isinstance(outcome, Hits) else (0, ())

    def count(self, program: str, why: str) -> int:
        outcome = self.run("count", program, why)
        return outcome.value if isinstance(outcome, Count) else 0

    def documents(self, ids: Sequence[str]) -> list[Document]:
        """Documents that a program found, with the places of their values."""
        return read_documents(self.client, self.index, self.schema, ids) if ids else []

    def place(self, document: Document, name: str) -> Place | None:
        """Where the value of a field stands; None where it has none, or places disagree."""
        found = [one for one in document.places if one.field == name and not one.is_disputed]
        return found[0] if found else None

    def unit(self, bucket: str, name: str) -> str:
        """The unit that a field is kept in."""
        part = next((one.part for one in placed_fields(self.schema) if (one.bucket, one.name) == (bucket, name)), None)
        return part.unit if part is not None else ""


def _matches(outcome: Outcome) -> int:
    match outcome:
        case Hits():
            return outcome.total
        case Count():
            return outcome.value
        case ValueOut():
            return 1
        case _:
            return 0
