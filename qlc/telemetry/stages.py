"""The interface for stages: a span if OpenTelemetry is active, and counts of requests, always.

A stage is entered with `with` in a function or a coroutine, never in a generator that others drive, since its steps can
run in different contexts. A generator uses `opened` and `ended` instead.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar, Token
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from qlc.base.lazy import optional
from qlc.base.version import VERSION
from qlc.telemetry import names
from qlc.telemetry.content import IsKnown, is_captured, without_values

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

log = logging.getLogger("qlc.turn")

O = TypeVar("O")  # noqa: E741  an outcome, of which nothing is imported here

_QUESTIONS_BACK = frozenset({"reading", "list", "bucket", "field", "document", "overload", "reference"})
NO_ANSWER = frozenset({"not_found", "unsupported", "refuse", "declined", "exhausted", "rejected_query", "invalid",
                       "failed", "not_in_corpus", "passages"})  # fmt: skip
_CURRENT: ContextVar[Stage | None] = ContextVar("qlc_stage", default=None)
_ADDING = threading.Lock()


class Counts:
    """Counts of requests, and their cost. `cost` is None after a call without a known price."""

    # Zeros are of the class: every question makes some of these, and most stages count little.
    round_trips = further = searches = calls = 0
    input = output = cache_read = cache_write = 0
    cost: float | None = 0.0

    def __init__(self) -> None:
        self.hits: dict[str, int] = {}


class Stage:
    """One stage of a question. Counts go to it and to all stages around it."""

    around: tuple[Stage, ...] = ()
    """The stages entered when this one was, including itself."""
    started = 0.0
    span: Span | None = None
    tracer: Tracer | None = None
    _token: Token[Stage | None] | None = None
    _using: AbstractContextManager[Any] | None = None

    def __init__(self, name: str, attributes: Mapping[str, Any] | None = None, *, client: bool = False) -> None:
        self.name = name
        self.counts = Counts()
        self._attributes = attributes
        self._client = client

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def set(self, name: str, value: Any) -> None:
        """Set an attribute of the span, if there is one."""
        if self.span is not None and value is not None:
            self.span.set_attribute(name, value)

    def __enter__(self) -> Self:
        self.started = time.perf_counter()
        parent = _CURRENT.get()
        if parent is None:
            self.around, self.tracer = (self,), tracer()  # asked once for all of a question
        else:
            self.around, self.tracer = (self, *parent.around), parent.tracer
        self._token = _CURRENT.set(self)
        if self.tracer is not None:
            self.span = opened(self.name, self._attributes, client=self._client)
            self._using = inside(self.span)
            self._using.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._using is not None:
            self._using.__exit__(None, None, None)
            ended(self.span, kind.__name__ if kind is not None else "")
        if self._token is not None:
            try:  # noqa: SIM105  `suppress` takes as long as all the rest
                _CURRENT.reset(self._token)
            except ValueError:  # a coroutine that was given up is closed from elsewhere
                pass


def stage(name: str) -> Stage:
    """Return a stage without attributes."""
    return Stage(name)


def retrieval(source: str) -> Stage:
    """Return the stage of a search for passages, by the GenAI conventions."""
    return Stage(f"{names.RETRIEVAL} {source}", {names.OPERATION: names.RETRIEVAL, names.DATA_SOURCE: source})


def counted(searches: int, *, continues: bool) -> None:
    """Count a round trip; `continues` marks a further page of an earlier one."""
    with _ADDING:
        for one in _stages():
            one.counts.searches += searches
            if continues:
                one.counts.further += 1
            else:
                one.counts.round_trips += 1


def hit(cache: str) -> None:
    """Count a cache hit."""
    with _ADDING:
        for one in _stages():
            one.counts.hits[cache] = one.counts.hits.get(cache, 0) + 1


def add_call(input: int, output: int, read: int, written: int, cost: float | None) -> None:
    """Count a call of a language model. `input` includes cached tokens."""
    with _ADDING:
        for one in _stages():
            counts = one.counts
            counts.calls += 1
            counts.input += input
            counts.output += output
            counts.cache_read += read
            counts.cache_write += written
            counts.cost = None if counts.cost is None or cost is None else counts.cost + cost


def _stages() -> tuple[Stage, ...]:
    current = _CURRENT.get()
    return current.around if current is not None else ()


# --- spans -----------------------------------------------------------------------------------------------------------

class _Provider:
    """The provider of one signal, and its tracer or meter. `global_name` is the attribute of the API that holds it,
    None without an SDK; it is read directly, because the API's own function reads the environment each time."""

    def __init__(self, module: str, function: str, home: str, global_name: str, make: Callable[[Any], Any]) -> None:
        self._module, self._function, self._home, self._global_name = module, function, home, global_name
        self._make = make
        self._api: tuple[dict[str, Any], Callable[[], Any]] | None = None
        self._is_missing = False
        self._kept: tuple[Any, Any] = None, None

    def made(self) -> Any:
        """Return the tracer or the meter; None without the API of OpenTelemetry, or without an SDK."""
        if self._is_missing:
            return None
        if self._api is None:
            api, home = optional(self._module), optional(self._home)
            if api is None or home is None:
                self._is_missing = True
                return None
            by_environment = any(name in os.environ for name in _BY_ENVIRONMENT)
            self._api = {} if by_environment else vars(home), getattr(api, self._function)
        known, get = self._api
        if known.get(self._global_name, self) is None:
            return None
        provider = get()
        if provider is not self._kept[0]:
            self._kept = provider, None if type(provider).__name__ in _SILENT else self._make(provider)
        return self._kept[1]


_SILENT = frozenset({"ProxyTracerProvider", "NoOpTracerProvider", "_ProxyMeterProvider", "NoOpMeterProvider"})
_BY_ENVIRONMENT = ("OTEL_PYTHON_TRACER_PROVIDER", "OTEL_PYTHON_METER_PROVIDER")


def _instruments_of(provider: Any) -> dict[str, Any]:
    meter = provider.get_meter("qlc", VERSION)
    return {
        name: getattr(meter, f"create_{kind}")(name, unit=unit, description=text)
        for name, (kind, unit, text) in names.METRICS.items()
    }


_TRACING = _Provider(
    "opentelemetry.trace", "get_tracer_provider", "opentelemetry.trace", "_TRACER_PROVIDER",
    lambda provider: provider.get_tracer("qlc", VERSION),
)  # fmt: skip
_METERING = _Provider(
    "opentelemetry.metrics", "get_meter_provider", "opentelemetry.metrics._internal", "_METER_PROVIDER",
    _instruments_of,
)  # fmt: skip


def tracer() -> Tracer | None:
    """Return the tracer; None if tracing is not active."""
    found: Tracer | None = _TRACING.made()
    return found


def instruments() -> dict[str, Any] | None:
    """Return the instruments; None if metrics are not active."""
    found: dict[str, Any] | None = _METERING.made()
    return found


def opened(name: str, attributes: Mapping[str, Any] | None = None, *, client: bool = False) -> Span | None:
    """Open a span inside the current one, for `inside` and `ended`; None if tracing is not active."""
    around = _CURRENT.get()
    listening = around.tracer if around is not None else tracer()
    if listening is None:
        return None
    from opentelemetry.trace import SpanKind

    return listening.start_span(name, kind=SpanKind.CLIENT if client else SpanKind.INTERNAL, attributes=attributes)


def inside(span: Span | None) -> AbstractContextManager[Any]:
    """Make the span current inside the context."""
    if span is None:
        return nullcontext()
    from opentelemetry.trace import use_span

    return use_span(span, record_exception=False, set_status_on_exception=False)


def ended(span: Span | None, error: str = "") -> None:
    """End a span, if there is one. Only the kind of an error is recorded, since its text can contain values."""
    if span is None:
        return
    if error:
        from opentelemetry.trace import StatusCode

        span.set_attribute(names.ERROR_TYPE, error)
        span.set_status(StatusCode.ERROR)
    span.end()


# --- metrics ---------------------------------------------------------------------------------------------------------

def measured(name: str, value: float, attributes: Mapping[str, str]) -> None:
    """Add to a counter, or record in a histogram, of `names.METRICS`."""
    found = instruments()
    if found is not None:
        one = found[name]
        (one.add if names.METRICS[name][0] == "counter" else one.record)(value, attributes)


@contextmanager
def model_call(model: Any, max_tokens: int) -> Iterator[Any]:
    """Wrap one call of a language model with its retries; pass the result to `replied`."""
    name, provider = str(model.name), str(getattr(model, "provider", "unknown"))
    attributes: dict[str, Any] = {names.OPERATION: names.CHAT, names.PROVIDER: provider, names.MODEL: name}
    with _ModelCall(f"{names.CHAT} {name}", {**attributes, names.MAX_TOKENS: max_tokens}, client=True) as call:
        call.labels = attributes
        yield call


class _ModelCall(Stage):
    labels: dict[str, Any]

    def replied(self, reply: Any, price: Any) -> None:
        """Record the result: `reply` is a ModelReply or ModelFailed, `price` a Price or None."""
        error = str(getattr(reply, "reason", ""))
        failed = {names.ERROR_TYPE: error} if error else {}
        measured(names.MODEL_DURATION, self.seconds, {**self.labels, **failed})
        if error:
            add_call(0, 0, 0, 0, 0.0)
            self.set(names.ERROR_TYPE, error)
            return
        used = reply.usage
        whole = used.input + used.read + used.written
        cost = price.of(used) if price is not None else None
        add_call(whole, used.output, used.read, used.written, cost)
        self.set(names.FINISH_REASONS, (reply.stop,))
        for attribute, metric, value in (
            (names.INPUT_TOKENS, names.USED_INPUT, whole),
            (names.OUTPUT_TOKENS, names.USED_OUTPUT, used.output),
            (names.CACHE_READ, names.USED_CACHE_READ, used.read),
            (names.CACHE_WRITE, names.USED_CACHE_WRITE, used.written),
        ):
            if value:
                self.set(attribute, value)
                measured(metric, value, self.labels)
        if cost:
            self.set(names.COST, cost)
            measured(names.COST, cost, self.labels)


# --- turns -----------------------------------------------------------------------------------------------------------


class Turn(Stage):
    """A turn. Only the outermost one reports; an inner one, such as the run of a translated program, is only a span."""

    def __init__(self, name: str, question: str = "", *, route: str = "", conversation: str = "") -> None:
        super().__init__(name, {names.CONVERSATION: conversation} if conversation else None)
        self.question = question
        self.route = route
        self.translator = ""
        self.outcome: Any = None
        self.known: dict[str, IsKnown] = {}
        """For each schema version used: whether a word is a name of the schema, or of the language."""

    def _is_known(self, word: str, is_part: bool) -> bool:
        return any(one(word, is_part) for one in self.known.values())

    def all_ended(self, outcomes: Sequence[O]) -> tuple[O, ...]:
        """End with several outcomes: counts of all of them go to the last."""
        *others, last = outcomes
        return (*others, self.ended(last, *others))

    def ended(self, outcome: O, *others: Any) -> O:
        """Record the outcome of the turn, and return it with stats of all its requests. `others` are further outcomes
        of the turn, whose own requests are not counted again."""
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

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        is_whole = len(self.around) < 2 or not any(isinstance(one, Turn) for one in self.around[1:])
        is_measured = is_whole and instruments() is not None
        is_logged = is_whole and log.isEnabledFor(logging.INFO)
        if self.span is not None or is_measured or is_logged:
            said = self._labels(kind.__name__ if kind is not None else "")
            for name, value in said.items():
                self.set(name, value)
            if is_measured:
                self._measure(said)
            if is_logged:
                log.info("%s: %s", self.name, said[names.KIND], extra={"event.name": names.TURN, **self._event(said)})
        super().__exit__(kind, problem, trace)

    def _labels(self, error: str) -> dict[str, str]:
        """Return the labels for metrics: a few fixed words each, never a user's text."""
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
            names.PROGRAM: program if is_captured() else without_values(program, self._is_known),
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


def mark(*, route: str = "", translator: str = "", known: tuple[str, IsKnown] | None = None) -> None:
    """Set how the question is answered, in the turns around. `known`: the version of the schema, and the words of a
    program that may be reported."""
    for one in _stages():
        if isinstance(one, Turn):
            one.route, one.translator = route or one.route, translator or one.translator
            if known is not None:
                one.known[known[0]] = known[1]


def cause_of(outcome: Any) -> str:
    """Return the reason for a missing answer, as one of few codes; empty for an answer."""
    match getattr(outcome, "kind", ""):
        case "failed" | "not_found" | "rejected_query":
            return str(outcome.reason)
        case "refuse":
            return str(outcome.intent)
        case "unsupported":
            return str(outcome.what) if outcome.query else "not-held"  # of words, `what` is what was asked for
        case "invalid":
            return next((one.code for one in outcome.diagnostics if one.severity == "error"), "")
        case "declined" | "passages":
            return "unknown-words" if outcome.words else "unsure"
        case "clarify":
            return str(outcome.what) if outcome.what in _QUESTIONS_BACK else "name"
        case "not_in_corpus":
            return "unknown-words" if outcome.words else "nothing-found"
        case _:
            return ""


# --- progress --------------------------------------------------------------------------------------------------------
# For whoever waits for an answer: stages report what is done. Without a listener it costs a tenth of a microsecond.

Listener = Callable[[str, dict[str, Any]], None]
"""Called with the name of a stage and its details, on any thread. It must not wait, nor raise."""

_LISTENER: ContextVar[Listener | None] = ContextVar("qlc_progress", default=None)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Send reports to a listener inside the context, and in threads and tasks started there."""
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


def report(stage: str, **details: Any) -> None:
    """Report that a stage is done. `details` must be visible to the caller of the run."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(stage, details)
