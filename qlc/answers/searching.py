"""Runs the searches of an answer: each is a program for the compiler, and is recorded with its result."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, TypeVar

from qlc import telemetry
from qlc.base.errors import RequestFailed
from qlc.base.options import Options, RunOptions
from qlc.corpus.index import placed_fields
from qlc.corpus.rights import MOST_QUOTING, Stopped, quoting_program, with_seen_places
from qlc.corpus.schema import CorpusSchema
from qlc.corpus.status import Document, Place, read_documents
from qlc.corpus.unread import read_condition, unread_program, unread_sentence
from qlc.outcome import AnswerStep, Count, Failed, Hit, Hits, Outcome, ValueOut
from qlc.pipeline.compiler import Compiler
from qlc.planner.plan import InStep
from qlc.translator.outcomes import untranslated

from .journal import Journal
from .linking import Linked
from .meter import Meter
from .trace import Record

MOST_DOCUMENTS = 100
"""Documents of an answer; more are an overload."""
CHECK = "verify"
"""Name of the tool that checks whether a citation is at its place."""

PASSAGES = "search_text"
"""The tool that searches passages."""

Search: TypeAlias = tuple[str, str, str]
"""The tool, its program, and why it is run."""

T = TypeVar("T")
Reading: TypeAlias = Generator[Search, Outcome, T]


class Answering(Protocol):
    """A language model that answers what the rules do not; `otherwise` is what they make of it."""

    def answer(self, linked: Linked, searches: Searches, otherwise: Callable[[], Outcome]) -> Outcome: ...

    def refuses(self, linked: Linked, outcome: Outcome, searches: Searches) -> bool:
        """Whether an exact outcome of the rules does not answer the question."""


@dataclass
class Searches:
    """Runs programs for one question, within its options, and remembers them."""

    compiler: Compiler
    client: Any
    index: str
    schema: CorpusSchema
    options: Mapping[str, Any]
    meter: Meter
    reader: Answering | None = None
    """A language model for what the rules do not answer exactly."""
    journal: Journal = field(default_factory=Journal)
    embed: Callable[[Sequence[str]], Sequence[Sequence[float]]] | None = None
    """Makes vectors of texts; returns an empty list if there is no time for all of them. None if the corpus cannot
    compare meanings."""
    hides_passages: bool = False
    """Whether a caller may see a document and only some of its passages."""
    earlier: str = ""
    """Summary of the earlier turns for the language model."""
    steps: list[AnswerStep] = field(default_factory=list)
    record: Record = field(default_factory=Record)
    _known: dict[str, Outcome] = field(default_factory=dict)
    _documents: dict[tuple[str, ...], list[Document]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raises OptionError for options that cannot be used."""
        Options.of(self.options)

    def run(self, tool: str, program: str, why: str, **options: Any) -> Outcome:
        """Run one program. Raises Stopped if it fails. `options` are those of this run alone."""
        return self.together([(tool, program, why)], **options)[0]

    def together(self, asked: Sequence[Search], **options: Any) -> list[Outcome]:
        """Return the outcomes of several independent programs, sent as one request.

        Raises Stopped if a search fails, OutOfBudget if the budget has no searches left.
        """
        keys = [f"{program}\0{sorted(options.items())}" if options else program for _, program, _ in asked]
        new = {key: one for key, one in zip(keys, asked, strict=True) if key not in self._known}
        if new:
            self.meter.search(len(new), is_check=all(tool == CHECK for tool, _, _ in new.values()))
            given: RunOptions = {**self.options, "size": MOST_DOCUMENTS, **options, "deadline": self.meter.left}  # type: ignore[typeddict-item]
            try:
                passages = any(tool == PASSAGES for tool, _, _ in new.values())
                with telemetry.retrieval(self.index) if passages else nullcontext():
                    programs = [program for _, program, _ in new.values()]
                    outcomes, requests = self.compiler.run_together(programs, **given)
            except RequestFailed as problem:  # the deadline, before anything was sent
                raise Stopped(untranslated(problem)) from None
            self.meter.requests += requests
            for (key, (tool, program, why)), outcome in zip(new.items(), outcomes, strict=True):
                if isinstance(outcome, Failed):
                    raise Stopped(outcome)
                matches = matches_of(outcome)
                kept = len(outcome.hits) if isinstance(outcome, Hits) else matches
                took = outcome.stats.took_ms
                self.steps.append(
                    AnswerStep(tool=tool, program=program, matches=matches, kept=kept, took_ms=took, why=why)
                )
                self._known[key] = outcome
        return [self._known[key] for key in keys]

    def in_step(self, readings: Sequence[Reading[T]]) -> list[T]:
        """Run readings to their end; searches that they request at the same time are sent as one request."""
        step = InStep[Search, T](readings)
        while step.pending:
            asked = dict(step.pending)
            for number, outcome in zip(asked, self.together([*asked.values()]), strict=True):
                step.send(number, outcome)
        return step.results

    def kept(self, tool: str, count: int) -> None:
        """Record how many results of its last search a tool kept."""
        if self.steps and self.steps[-1].tool == tool:
            self.steps[-1] = self.steps[-1].model_copy(update={"kept": count})

    def chosen(self, token: str) -> str | None:
        """Return the id of the option that was chosen in an earlier clarification with this token."""
        choices = self.options.get("choices") or {}
        found: str | None = choices.get(token)
        return found

    def hits(self, tool: str, program: str, why: str) -> tuple[int, Sequence[Hit]]:
        """Return the number of matches, without the limit of the program, and the first of them; 0 and none if the
        program cannot be answered."""
        outcome = self.run(tool, program, why)
        return (matches_of(outcome), outcome.hits) if isinstance(outcome, Hits) else (0, ())

    def count(self, program: str, why: str) -> int:
        outcome = self.run("count", program, why)
        return outcome.value if isinstance(outcome, Count) else 0

    def counts(self, asked: Iterable[tuple[str, str]]) -> list[int]:
        """Return the counts of several programs, in one round trip; each has a reason, as for `count`."""
        found = self.together([("count", program, why) for program, why in asked])
        return [one.value if isinstance(one, Count) else 0 for one in found]

    def coverage(self, bucket: str, fields: Sequence[str]) -> dict[str, tuple[int, int]]:
        """Return in how many of the documents of a bucket that have text some fields are known: `rent` -> (5, 7)."""
        declared = self.schema.fields(bucket)
        known = [one for one in fields if one in declared and declared[one].type != "rows"]
        if not known:
            return {}
        read = read_condition(self.schema)
        programs = [f"count {bucket}{f' where {read}' if read else ''}"]
        programs += [f"count {bucket} where {name} exists" for name in known]
        found = self.together([(CHECK, one, "how many tell a field") for one in programs])
        whole, *counts = (matches_of(one) for one in found)
        return {name: (count, whole) for name, count in zip(known, counts, strict=True)}

    def unread(self, bucket: str = "") -> str:
        """Return the sentence that names the files that could not be read; empty where the caller sees none."""
        return next((unread_sentence(one) for one in self.together(self.for_unread(bucket))), "")

    def for_unread(self, bucket: str) -> list[Search]:
        """Return the search of `unread`, which others can be sent with."""
        program = unread_program(self.schema, bucket)
        return [(CHECK, program, "which files could not be read")] if program else []

    def documents(self, ids: Sequence[str]) -> list[Document]:
        """Return the documents with these ids, with the places of their values. Each set of them is read once."""
        if not ids:
            return []
        if (known := self._documents.get(tuple(ids))) is None:
            known = self._documents[tuple(ids)] = self._read_documents(ids)
        return [*known]

    def _read_documents(self, ids: Sequence[str]) -> list[Document]:
        self.meter.requests += 1
        telemetry.counted(1, continues=False)
        found = read_documents(self.client, self.index, self.schema, ids)
        if not self.hides_passages:
            return found
        quoting = self.run(CHECK, quoting_program(ids), "which quotes may be seen", size=MOST_QUOTING)
        return with_seen_places(found, quoting)

    def place(self, document: Document, name: str) -> Place | None:
        """Return the place of a field's value; None if it has none, or if places disagree."""
        found = [one for one in document.places if one.field == name and not one.is_disputed]
        return found[0] if found else None

    def unit(self, bucket: str, name: str) -> str:
        """Return the unit in which a field is stored."""
        part = next((one.part for one in placed_fields(self.schema) if (one.bucket, one.name) == (bucket, name)), None)
        return part.unit if part is not None else ""


def label_of(key: object) -> str:
    """Return the label of a group: its value, or the name of the document that it refers to."""
    if isinstance(key, Mapping):
        key = key.get("name") or key.get("id")
    return "" if key is None else str(key)


def matches_of(outcome: Outcome) -> int:
    """Return the number of matches of a program, without its limit."""
    match outcome:
        case Hits():
            return outcome.total if outcome.matching is None else outcome.matching
        case Count():
            return outcome.value
        case ValueOut():
            return 1
        case _:
            return 0
