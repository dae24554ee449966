"""Entry point for pasted requests: a text in, outcomes out."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Unpack, get_args

from qlc import telemetry
from qlc.base.beside import beside
from qlc.base.diagnostics import Diagnostic
from qlc.base.errors import RequestFailed, UsageError
from qlc.base.options import Options, RunOptions, access_key, moment, permitted, source_text, zone_of
from qlc.base.texts import with_capital
from qlc.compiler.environment import Bindings
from qlc.compiler.periods import Clock
from qlc.compiler.request import Reading
from qlc.mapping.known import is_known
from qlc.mapping.schema import Schema
from qlc.outcome import AggregateOut, Count, Hits, Outcome, Refuse, RejectedQuery, Stats
from qlc.pasted.checking import Checked, check, place_of
from qlc.pasted.endpoint import Write
from qlc.pasted.problems import Problem, weightiest
from qlc.pasted.recognise import Pasted, Want, recognise
from qlc.pasted.request import WINDOW
from qlc.pasted.running import Answer, field_notes, reading
from qlc.pasted.translate import Translation, translate
from qlc.pipeline.compiler import Compiler, check_compiler, with_all_pages
from qlc.pipeline.cursor import Cursor, of_a_page
from qlc.pipeline.prepared import ending, read_options
from qlc.pipeline.present import note
from qlc.resolver.field_notes import tell_of_left_out
from qlc.resolver.hits import Position
from qlc.telemetry.names import ASK


class NotPasted(UsageError):
    """Raised for a text without an Elasticsearch request."""


def run_pasted(
    source: str | Pasted,
    compiler: Compiler,
    *,
    want: Want | None = None,
    page: int | None = None,
    **options: Unpack[RunOptions],
) -> tuple[Outcome, ...]:
    """Run, explain, or fix and run the Elasticsearch request in a text.

        (outcome,) = qlc.run_pasted('GET entities-v4/_count {"query": {"match_all": {}}}', compiler)

    `want` is "run", "explain" or "fix", in place of the words around the request; `page` is the page size, in place of
    the request's. `options` are those of `Compiler.run`. Returns one outcome, or for a request with aggregations one
    for each table, then the list. A wrong request returns `RejectedQuery`. Raises NotPasted if there is no request.
    """
    pasted, given = _pasted(source, want), read_options(options)
    if not isinstance(given, Options):
        return (given,)
    attempt = _Attempt(pasted, compiler, given, page)
    with telemetry.Turn(ASK, pasted.text, route="pasted") as turn:
        with attempt:
            telemetry.mark(known=(compiler.schema.version, partial(is_known, compiler.schema)))
            if attempt.checked(compiler.schema):
                attempt.take(compiler.read(attempt.reading, given.context, attempt.left(), aside=attempt.aside,
                                           **attempt.clock_options()))
                if attempt.translation.count:
                    attempt.confirm(compiler.run(attempt.translation.count, **attempt.counting()))
        return turn.all_ended(attempt.outcomes)


async def run_pasted_async(
    source: str | Pasted,
    compiler: Compiler,
    *,
    want: Want | None = None,
    page: int | None = None,
    **options: Unpack[RunOptions],
) -> tuple[Outcome, ...]:
    """As `run_pasted`, over a compiler with an asynchronous client."""
    pasted, given = await beside(_pasted, source, want), read_options(options)
    if not isinstance(given, Options):
        return (given,)
    attempt = _Attempt(pasted, compiler, given, page)
    with telemetry.Turn(ASK, pasted.text, route="pasted") as turn:
        with attempt:
            await compiler.load()
            telemetry.mark(known=(compiler.schema.version, partial(is_known, compiler.schema)))
            if await beside(attempt.checked, compiler.schema):
                clock, left = attempt.clock_options(), attempt.left()
                attempt.take(await compiler.read_async(attempt.reading, given.context, left, aside=attempt.aside,
                                                       **clock))
                if attempt.translation.count:
                    attempt.confirm(await compiler.run_async(attempt.translation.count, **attempt.counting()))
        return turn.all_ended(attempt.outcomes)


def all_pages_pasted(source: str | Pasted, compiler: Compiler, **options: Unpack[RunOptions]) -> tuple[Outcome, ...]:
    """Run a request as `run_pasted`, with all pages of the list as one."""

    def page(cursor: str) -> Outcome:
        further: RunOptions = {**options, "cursor": cursor}
        return run_pasted(source, compiler, **further)[-1]

    *others, last = run_pasted(source, compiler, **options)
    whole = with_all_pages(last, page)
    return (*others, whole) if whole.kind == last.kind else (whole,)


def _pasted(source: str | Pasted, want: Want | None) -> Pasted:
    """Recognize the request in a text. Raises NotPasted, UsageError."""
    if want is not None and want not in get_args(Want):
        raise UsageError(f"want must be run, explain or fix, not {want!r}")
    found = source if isinstance(source, Pasted) else recognise(source_text(source))
    if found is None:
        raise NotPasted("the text holds no Elasticsearch request")
    return found if want is None else replace(found, want=want)


@dataclass(slots=True)
class _Attempt:
    """One request. Only this class turns early exits into outcomes. Raises UsageError for wrong parts."""

    pasted: Pasted
    compiler: Compiler
    options: Options
    page: int | None = None
    outcomes: tuple[Outcome, ...] = ()
    found: Checked | None = None
    position: Position | None = None
    field_notes: list[str] = field(default_factory=list)
    now: Any = None
    translation: Translation = field(default_factory=Translation)
    started: float = 0.0

    def __post_init__(self) -> None:
        check_compiler(self.compiler)
        if self.page is not None and not (isinstance(self.page, int) and self.page >= 0):
            raise UsageError(f"page must be a number of hits, not {self.page!r}")

    def __enter__(self) -> None:
        self.started = time.perf_counter()
        self.now = self.options.instant

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: Any) -> bool:
        if self.position is not None:
            problem = of_a_page(problem)
        if isinstance(problem, RequestFailed) and problem.reason == "rejected":
            ended: Outcome | None = ending(problem, self.common)
            assert ended is not None
            message = "The search server does not accept this request. The log has its reason."
            self.outcomes = (RejectedQuery(**{**self.common(message), "notes": []}, reason="not_accepted"),)
            return True
        if problem is not None:
            ended = ending(problem, self.common)
            if ended is not None:
                self.outcomes = (ended,)
            return ended is not None
        return False

    def left(self) -> float:
        return max(self.options.deadline - (time.perf_counter() - self.started), 0.0)

    def clock_options(self) -> dict[str, Any]:
        """Return the clock options for access rules, which use the run's clock, not the request's `now`."""
        return {"now": self.options.now, "timezone": self.options.timezone}

    def checked(self, schema: Schema) -> bool:
        """Check the request, and return whether to run it; if not, the outcome is set."""
        if self.options.cursor is not None:
            cursor = self.compiler.cursors.read(self.options.cursor, self.fingerprint(schema))
            self.now, self.position = moment(cursor.now), cursor.position
        clock = Clock(self.now, zone_of(self.options.timezone), schema.week_start)
        found = check(self.pasted, schema, clock, permitted(self.options.context), self.options.size)
        self.found = found
        if self.pasted.want == "explain":
            from qlc.pasted.explain import explain

            self.outcomes = (explain(found, schema, clock, self.common(""), self.pasted.text),)
            return False
        if isinstance(found.endpoint, Write):
            self.outcomes = (self.refused(found.endpoint),)
            return False
        if found.problems:
            self.outcomes = (self.rejected(found),)
            return False
        self.translation = translate(found, schema, clock)
        return True

    def reading(self, env: Bindings, names: Any, access: Any) -> Any:
        found = self.found
        assert found is not None
        assert found.search is not None
        assert found.reach is not None
        search = found.search
        if self.pasted.counts and not search.aggregations:
            search = replace(search, only_count=True)
        if self.page is not None and search.size != 0:
            search = replace(search, size=max(1, min(self.page, WINDOW)))
        return reading(search, found.reach, env, self.options.size, self.position)

    def aside(self, env: Bindings, names: Any, access: Any) -> Reading[None]:
        """Read notes on the fields in the round trip of the answer."""
        found = self.found
        assert found is not None
        assert found.search is not None
        assert found.reach is not None
        known = self.compiler.field_notes
        self.field_notes = yield from field_notes(found.search, found.reach, env, access, known)

    def take(self, answer: Answer) -> None:
        cursor = None
        if answer.next is not None:
            at = Cursor(self.fingerprint(self.compiler.schema), answer.next, self.now.isoformat())
            cursor = self.compiler.cursors.write(at)
        found = self.found
        assert found is not None
        fixes = found.fixes or (("There was nothing to fix.",) if found.pasted.want == "fix" else ())
        notes = [*fixes, *found.notes, *self.field_notes, *answer.notes]
        common = {**self.common(""), "notes": notes}
        common["stats"] = Stats(round_trips=answer.requests, took_ms=common["stats"].took_ms)
        del common["message"], common["diagnostics"]
        self.outcomes = tuple(
            one.model_copy(update={**common, **({"cursor": cursor} if isinstance(one, Hits) else {})})
            for one in answer.outcomes
        )
        if self.translation.without_empty_rows and self._sees_all() and not any(map(_has_empty_rows, self.outcomes)):
            self.outcomes = tuple(one.model_copy(update={"query": self.translation.list}) for one in self.outcomes)

    def counting(self) -> dict[str, Any]:
        """Return the options for a run that only counts."""
        given = self.options
        return {**self.clock_options(), "as_of": self.now, "context": given.context, "params": given.params,
                "deadline": self.left()}

    def confirm(self, counted: Outcome) -> None:
        """Accept a program that finds at least the documents of the request, if its count is equal."""
        (found,) = self.outcomes[-1:]
        if not self._sees_all():
            return
        total = found.total if isinstance(found, Hits) else found.value if isinstance(found, Count) else None
        if isinstance(counted, Count) and counted.value == total:
            self.outcomes = tuple(
                one.model_copy(update={"query": self.translation.list}) for one in self.outcomes)

    def _sees_all(self) -> bool:
        """Whether the program means the same although it also sees values that the index left out."""
        return not tell_of_left_out(self.field_notes)

    # --- what is not run ---------------------------------------------------------------------------------------------

    def refused(self, write: Write) -> Refuse:
        message = f"This request {write.does}. Only requests that read are run here, so nothing was changed."
        return Refuse(**self.common(message), intent=write.intent)

    def rejected(self, found: Checked) -> RejectedQuery:
        first = weightiest(found.problems)
        message = _sentence(first, self.pasted.text)
        others = len(found.problems) - 1
        if others:
            message += f" {others} more {'problem is' if others == 1 else 'problems are'} reported."
        if found.fixed:
            message += " Say 'fix and run' to have it fixed and run."
        ordered = sorted(found.problems, key=lambda one: one.span)
        diagnostics = [one.diagnostic(found.fixed if number == 0 and found.fixed else None)
                       for number, one in enumerate(ordered)]
        return RejectedQuery(**self.common(message, tuple(diagnostics)), reason=first.reason, detail=first.what)

    def common(self, message: str, diagnostics: Sequence[Diagnostic] = ()) -> dict[str, Any]:
        took = 1000 * (time.perf_counter() - self.started)
        return {
            "query": self.translation.list if self.translation.same_documents and self._sees_all() else "",
            "message": message,
            "notes": list(self.found.notes) if self.found is not None else [],
            "diagnostics": [note(one) for one in diagnostics],
            "stats": Stats(took_ms=round(took, 3)),
        }

    def fingerprint(self, schema: Schema) -> str:
        indices = sorted({one.index for one in schema.entities.values()})
        parts = [self.pasted.text, schema.version, *indices, repr(access_key(self.options.context)),
                 str(self.options.timezone)]
        return hashlib.blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=8).hexdigest()


def _has_empty_rows(outcome: Outcome) -> bool:
    if not isinstance(outcome, AggregateOut):
        return False
    counted = [row.value["count"] if isinstance(row.value, dict) else row.value for row in outcome.rows]
    return 0 in counted


def _sentence(problem: Problem, text: str) -> str:
    where = place_of(problem.span, text)
    hint = f" {with_capital(problem.hint)}{'' if problem.hint.endswith(('?', '.')) else '.'}"
    return f"The request is not run: {problem.message}{where}.{hint if problem.hint else ''}"
