"""A turn: one question with all that it took, reported as a span, as metrics and as one event."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from qlc.telemetry import names
from qlc.telemetry.content import is_captured, without_values
from qlc.telemetry.stages import Stage, current, instruments, measured

log = logging.getLogger("qlc.turn")

O = TypeVar("O")  # noqa: E741  an outcome, of which nothing is imported here

_QUESTIONS_BACK = frozenset({"reading", "list", "bucket", "field", "document", "overload"})
NO_ANSWER = frozenset({"not_found", "unsupported", "refuse", "declined", "exhausted", "rejected_query", "invalid",
                       "failed", "not_in_corpus"})  # fmt: skip


class Turn(Stage):
    """The outermost turn reports; one within it, such as the run of a translated program, is a span alone."""

    def __init__(self, name: str, question: str = "", *, route: str = "", conversation: str = "") -> None:
        super().__init__(name, {names.CONVERSATION: conversation} if conversation else None)
        self.question = question
        self.route = route
        self.translator = ""
        self.outcome: Any = None

    def all_ended(self, outcomes: Sequence[O]) -> tuple[O, ...]:
        """As `ended`, of several outcomes: the last counts what the others do not."""
        *others, last = outcomes
        return (*others, self.ended(last, *others))

    def ended(self, outcome: O, *others: Any) -> O:
        """Take note of what the turn ends in, and give it back with stats of all that was sent for it. `others` are
        further outcomes of the turn, whose own requests are not counted again."""
        counts, stats = self.counts, outcome.stats  # type: ignore[attr-defined]
        sent = [counts.searches, counts.round_trips, counts.further]
        for one in others:
            known = one.stats.searches, one.stats.round_trips, one.stats.further
            sent = [max(all_ - part, 0) for all_, part in zip(sent, known, strict=True)]
        if stats.spent is not None:  # of an answer from documents, whose meter counts them
            sent[1:] = [stats.round_trips, stats.further]
        if sent != [stats.searches, stats.round_trips, stats.further]:
            update = dict(zip(("searches", "round_trips", "further"), sent, strict=True))
            outcome = outcome.model_copy(update={"stats": stats.model_copy(update=update)})  # type: ignore[attr-defined]
        self.outcome = outcome
        return outcome

    @property
    def parent_turn(self) -> Turn | None:
        around = self.around()
        next(around)
        return next((one for one in around if isinstance(one, Turn)), None)

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_whole = self.parent is None or self.parent_turn is None
        is_measured = is_whole and instruments() is not None
        is_logged = is_whole and log.isEnabledFor(logging.INFO)
        if self.span is not None or is_measured or is_logged:
            said = self._said(kind.__name__ if kind is not None else "")
            for name, value in said.items():
                self.set(name, value)
            if is_measured:
                self._measure(said)
            if is_logged:
                log.info("%s: %s", self.name, said[names.KIND], extra={"event.name": names.TURN, **self._event(said)})
        super().__exit__(kind, problem, trace)

    def _said(self, error: str) -> dict[str, str]:
        """What the turn is counted by: a few words each, and nothing that a user wrote."""
        kind = "raised" if error else str(getattr(self.outcome, "kind", ""))
        said = {names.KIND: kind, names.ROUTE: self.route, names.TRANSLATOR: self.translator,
                names.CAUSE: error or cause_of(self.outcome)}  # fmt: skip
        return {name: value for name, value in said.items() if value or name == names.KIND}

    def _measure(self, said: Mapping[str, str]) -> None:
        counts, kind = self.counts, said[names.KIND]
        by_cause = {name: said[name] for name in (names.KIND, names.CAUSE) if name in said}
        measured("qlc.questions", 1, {name: said[name] for name in said if name != names.CAUSE})
        measured("qlc.question.duration", self.seconds, {name: said[name] for name in said if name != names.CAUSE})
        if kind == "clarify":
            measured("qlc.clarifications", 1, by_cause)
        elif kind in NO_ANSWER:
            measured("qlc.declines", 1, by_cause)
        if counts.searches:
            measured("qlc.searches", counts.searches, {names.KIND: kind})
        for cache, hits in counts.hits.items():
            measured("qlc.cache.hits", hits, {names.CACHE: cache})

    def _event(self, said: Mapping[str, str]) -> dict[str, Any]:
        counts, outcome = self.counts, self.outcome
        program = getattr(outcome, "query", "")
        event: dict[str, Any] = {
            **said,
            names.PROGRAM: program if is_captured() else without_values(program),
            names.DURATION: round(self.seconds, 6),
            names.COUNT_SEARCHES: counts.searches,
            names.COUNT_ROUND_TRIPS: counts.round_trips + counts.further,
            names.COUNT_HITS: sum(counts.hits.values()),
            names.COUNT_CALLS: counts.calls,
            names.INPUT_TOKENS: counts.input,
            names.OUTPUT_TOKENS: counts.output,
            names.COST: None if counts.cost is None else round(counts.cost, 6),
            names.COUNT_FOUND: getattr(outcome, "total", None),
            names.STAGES: dict(outcome.stats.stages) if hasattr(outcome, "stats") else {},
        }
        if is_captured() and self.question:
            event[names.QUESTION] = self.question
        return event


def mark(*, route: str = "", translator: str = "") -> None:
    """Say how the question is answered, in the turns around."""
    stage = current()
    for one in stage.around() if stage is not None else ():
        if isinstance(one, Turn):
            one.route, one.translator = route or one.route, translator or one.translator


def cause_of(outcome: Any) -> str:
    """Why there is no answer, as one of few codes; empty where there is one."""
    match getattr(outcome, "kind", ""):
        case "failed" | "not_found" | "rejected_query":
            return str(outcome.reason)
        case "refuse":
            return str(outcome.intent)
        case "unsupported":
            return str(outcome.what) if outcome.query else "not-held"  # of words, `what` is what was asked for
        case "invalid":
            return next((one.code for one in outcome.diagnostics if one.severity == "error"), "")
        case "declined":
            return "unknown-words" if outcome.words else "unsure"
        case "clarify":
            return str(outcome.what) if outcome.what in _QUESTIONS_BACK else "name"
        case "not_in_corpus":
            return "unknown-words" if outcome.words else "nothing-found"
        case _:
            return ""
