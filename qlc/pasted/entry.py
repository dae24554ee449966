"""Entry point for pasted requests: a text in, outcomes out."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Unpack, get_args

from qlc import telemetry
from qlc.base.beside import beside
from qlc.base.deadline import until
from qlc.base.diagnostics import Diagnostic
from qlc.base.driving import Call, call, drive, drive_async, itself
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
from qlc.pasted.problems import weightiest
from qlc.pasted.reach import Reach
from qlc.pasted.recognise import Pasted, Want, recognise
from qlc.pasted.request import WINDOW, Search
from qlc.pasted.running import Answer, field_notes, reading
from qlc.pasted.translate import Translation, translate
from qlc.pipeline.compiler import Compiler, check_compiler, with_all_pages
from qlc.pipeline.cursor import Cursor, of_a_page
from qlc.pipeline.prepared import ending, read_options
from qlc.pipeline.present import note
from qlc.resolver.field_notes import closed_note, tell_of_left_out
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
    with telemetry.Turn(ASK, pasted.text, route="pasted") as turn, until(time.monotonic() + given.deadline):
        return turn.all_ended(drive(attempt.run(), itself))


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
    with telemetry.Turn(ASK, pasted.text, route="pasted") as turn, until(time.monotonic() + given.deadline):
        return turn.all_ended(await drive_async(attempt.run(), itself))


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

    def run(self) -> Generator[Call, Any, tuple[Outcome, ...]]:
        """Check the request, and run it with the program that counts its documents."""
        compiler = self.compiler
        with self:
            yield call(lambda: compiler.schema, compiler.load)
            telemetry.mark(known=(compiler.schema.version, partial(is_known, compiler.schema)))
            if self.checked(compiler.schema):
                self.take((yield call(
                    compiler.read, compiler.read_async, self.reading, self.options.context, self.left(),
                    aside=self.aside, now=self.options.now, timezone=self.options.timezone)))  # fmt: skip
                if self.translation.count:
                    counting = self.counting()
                    self.confirm((yield call(compiler.run, compiler.run_async, self.translation.count, **counting)))
        return self.outcomes

    def __enter__(self) -> None:
        self.started = time.perf_counter()
        self.now = self.options.instant

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: Any) -> bool:
        if self.position is not None:
            problem = of_a_page(problem)
        ended: Outcome | None = ending(problem, self.common) if problem is not None else None
        if ended is None:
            return False
        if isinstance(problem, RequestFailed) and problem.reason == "rejected":
            message = "The search server does not accept this request. The log has its reason."
            ended = RejectedQuery(**{**self.common(message), "notes": []}, reason="not_accepted")
        self.outcomes = (ended,)
        return True

    def took(self) -> float:
        return time.perf_counter() - self.started

    def left(self) -> float:
        return max(self.options.deadline - self.took(), 0.0)

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
        elif isinstance(found.endpoint, Write):
            does = found.endpoint.does
            message = f"This request {does}. Only requests that read are run here, so nothing was changed."
            self.outcomes = (Refuse(**self.common(message), intent=found.endpoint.intent),)
        elif found.problems:
            self.outcomes = (self.rejected(found),)
        else:
            self.translation = translate(found, schema, clock)
        return not self.outcomes

    def asked(self) -> tuple[Search, Reach]:
        """Return what is searched, where the request has no problems."""
        assert self.found is not None
        assert self.found.search is not None
        assert self.found.reach is not None
        return self.found.search, self.found.reach

    def reading(self, env: Bindings, names: Any, access: Any) -> Any:
        search, reach = self.asked()
        if self.pasted.counts and not search.aggregations:
            search = replace(search, only_count=True)
        if self.page is not None and search.size != 0:
            search = replace(search, size=max(1, min(self.page, WINDOW)))
        return reading(search, reach, env, self.options.size, self.position)

    def aside(self, env: Bindings, names: Any, access: Any) -> Reading[None]:
        """Read notes on the fields in the round trip of the answer."""
        self.field_notes = yield from field_notes(*self.asked(), env, access, self.compiler.field_notes)

    def take(self, answer: Answer) -> None:
        cursor = None
        if answer.next is not None:
            at = Cursor(self.fingerprint(self.compiler.schema), answer.next, self.now.isoformat())
            cursor = self.compiler.cursors.write(at)
        found = self.found
        assert found is not None
        fixes = found.fixes or (("There was nothing to fix.",) if found.pasted.want == "fix" else ())
        notes = [*fixes, *found.notes, *closed_note(self.asked()[1].within), *self.field_notes, *answer.notes]
        common = {"query": self.program(), "notes": notes,
                  "stats": Stats(round_trips=answer.requests, took_ms=round(1000 * self.took(), 3))}  # fmt: skip
        self.outcomes = tuple(
            one.model_copy(update={**common, **({"cursor": cursor} if isinstance(one, Hits) else {})})
            for one in answer.outcomes
        )
        if self.translation.without_empty_rows and self._sees_all() and not any(map(_has_empty_rows, self.outcomes)):
            self.show_program()

    def counting(self) -> dict[str, Any]:
        """Return the options for a run that only counts. Access rules use the run's clock, not the request's `now`."""
        given = self.options
        return {"now": given.now, "timezone": given.timezone, "as_of": self.now, "context": given.context,
                "params": given.params, "deadline": self.left()}  # fmt: skip

    def confirm(self, counted: Outcome) -> None:
        """Accept a program that finds at least the documents of the request, if its count is equal."""
        found = self.outcomes[-1]
        total = found.total if isinstance(found, Hits) else found.value if isinstance(found, Count) else None
        if self._sees_all() and isinstance(counted, Count) and counted.value == total:
            self.show_program()

    def show_program(self) -> None:
        self.outcomes = tuple(one.model_copy(update={"query": self.translation.list}) for one in self.outcomes)

    def _sees_all(self) -> bool:
        """Whether the program means the same although it also sees values that the index left out."""
        return not tell_of_left_out(self.field_notes)

    # --- what is not run ---------------------------------------------------------------------------------------------

    def rejected(self, found: Checked) -> RejectedQuery:
        first = weightiest(found.problems)
        message = f"The request is not run: {first.message}{place_of(first.span, self.pasted.text)}."
        if first.hint:
            message += f" {with_capital(first.hint)}{'' if first.hint.endswith(('?', '.')) else '.'}"
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
        return {
            "query": self.program(),
            "message": message,
            "notes": list(self.found.notes) if self.found is not None else [],
            "diagnostics": [note(one) for one in diagnostics],
            "stats": Stats(took_ms=round(1000 * self.took(), 3)),
        }

    def program(self) -> str:
        return self.translation.list if self.translation.same_documents and self._sees_all() else ""

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
