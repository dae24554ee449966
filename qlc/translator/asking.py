"""One question on its way, and what its translation needs to have read."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from qlc.base.deadline import until
from qlc.base.errors import OptionError, RequestFailed
from qlc.base.options import DEFAULT_DEADLINE, DEFAULT_SIZE, Options, permitted, source_text, zone_of
from qlc.base.texts import whole
from qlc.mapping.schema import Schema
from qlc.outcome import Declined, Failed, Outcome
from qlc.pipeline.compiler import Compiler
from qlc.pipeline.prepared import wrong_option
from qlc.translator.outcomes import untranslated
from qlc.translator.protocol import FindValues, Question, ReadVocabulary, Step, Translated, Try, Turn
from qlc.translator.recognise import LONGEST
from qlc.translator.rights import Rights, may_be_shown

if TYPE_CHECKING:
    from qlc.models.budgets import Ledger

ReadAs = Literal["auto", "program", "words"]
MOST_TURNS = 50  # most turns before a question that are read: the latest
_OF_THE_PROGRAM = frozenset({"too-large", "rejected", "internal"})
"""Reasons of failures that say more about a program than about the server."""


@dataclass
class Asking:
    """One question on its way: what is known so far. `seconds`: how long the translation took; `tried`: the outcomes of
    programs that were run on trial; `message`: the whole message of which the source is a part; `compiler`: with whose
    schema it is read.

    What is computed within it (`within`) ends with the deadline of the options.
    """

    source: str
    options: Mapping[str, Any]
    history: tuple[Turn, ...] = ()
    steps: list[Step] = field(default_factory=list)
    started: float = field(default_factory=time.perf_counter)
    seconds: float = 0.0
    said: Translated | Outcome = field(default_factory=Declined)
    ledger: Ledger | None = None
    tried: dict[str, Outcome] = field(default_factory=dict)
    message: str = ""
    compiler: Compiler | None = None

    def __post_init__(self) -> None:
        """Raises UsageError for what nothing can be asked with."""
        self.source = whole(source_text(self.source))
        Options.of(self.options)

    @classmethod
    def of(cls, source: str, options: Mapping[str, Any], history: Sequence[Turn] = (), ledger: Ledger | None = None,
           message: str = "") -> Asking | Outcome:
        """A question; the outcome where an option has a value that cannot be used. Raises UsageError."""
        try:
            return cls(source, options, tuple(history), ledger=ledger, message=message)
        except OptionError as problem:
            return wrong_option(problem)

    def within(self) -> AbstractContextManager[None]:
        return until(time.monotonic() + self.run_options()["deadline"])

    @contextmanager
    def translating(self) -> Iterator[None]:
        """Set the deadline inside, and turn an exception of the translation into its outcome."""
        try:
            with self.within():
                yield
        except Exception as problem:  # noqa: BLE001  it is an outcome
            self.said = untranslated(problem)

    def run_options(self) -> dict[str, Any]:
        """Return the options for running the answer, with the seconds left as its deadline."""
        given = float(self.options.get("deadline", DEFAULT_DEADLINE))
        return {**self.options, "deadline": max(given - (time.perf_counter() - self.started), 0.0)}

    @property
    def wants_first_hits(self) -> bool:
        """Whether the answer is what a run on trial finds."""
        return self.options.get("cursor") is None and self.options.get("size", DEFAULT_SIZE) == DEFAULT_SIZE

    def trial_options(self, trial: Try) -> dict[str, Any]:
        """Return the options of a trial run: always the first page, as the first hits are enough to compare answers."""
        given = {key: value for key, value in self.run_options().items() if key not in ("cursor", "size")}
        return {**given, "choices": {**trial.choices, **(given.get("choices") or {})}}

    def reading(self, need: ReadVocabulary | FindValues) -> tuple[Any, Mapping[str, Any], float]:
        """Return the arguments of `Compiler.read`: a reader of the index, the access context, the seconds left."""
        options = self.run_options()
        context = options.get("context") or {}
        return _reader(need, permitted(context)), context, options["deadline"]

    def clock(self) -> dict[str, Any]:
        """Return the options that set the clock of access rules: `now` and `timezone`."""
        return {key: self.options[key] for key in ("now", "timezone") if key in self.options}

    def kept(self, trial: Try, outcome: Outcome) -> Outcome:
        """Keep the outcome of a trial run, and return it. Raises RequestFailed if the server did not answer: what would
        have been found decides between readings, so that without it the question has no sure answer."""
        if isinstance(outcome, Failed) and outcome.reason not in _OF_THE_PROGRAM:
            raise RequestFailed(outcome.reason, outcome.id, retryable=outcome.retryable, sentence=outcome.message)
        if not isinstance(outcome, Failed) and not trial.choices:
            self.tried[trial.program] = outcome
        return outcome

    def question(self, compiler: Compiler) -> Question:
        """Return what translators are given; of the history only the turns that the caller may still see."""
        given = Options.of(self.options)
        return Question(
            self.source,
            compiler.schema,
            given.instant,
            zone_of(given.timezone),
            given.context,
            _shown_to(given.context, compiler.schema, self.history),
            compiler.reading_now(),
            time.monotonic() + self.run_options()["deadline"],
            frozenset(given.params),
            self.ledger,
            self.message[:LONGEST],
        )


def _reader(need: ReadVocabulary | FindValues, sensitive: frozenset[str] | None) -> Any:
    """Reads names and values of the index, or looks texts up in fields with too many values to be read."""
    from qlc.translator.rules.lexicon.vocabulary import read_index_values, read_occurring

    if isinstance(need, ReadVocabulary):
        return lambda env, names, access: read_index_values(env.schema, env, names, access, sensitive)
    return lambda env, names, access: read_occurring(env.schema, env, need.texts, need.partly, sensitive)


def _shown_to(context: Mapping[str, Any], schema: Schema, history: Sequence[Turn]) -> tuple[Turn, ...]:
    """Return the latest turns that the caller may still see, with their words cut to the length of a question."""
    if not history:
        return ()
    rights = Rights.of(context)
    visible = (one for one in history[-MOST_TURNS:] if may_be_shown(rights, schema, [(one.program, one.outcome)]))
    return tuple(replace(one, text=one.text[:LONGEST]) if len(one.text) > LONGEST else one for one in visible)
