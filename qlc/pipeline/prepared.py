"""A program that is compiled once, and its runs: text -> tree -> typed query -> plan -> round trips -> outcome.

Only this module knows the order of the stages.
"""

from __future__ import annotations

import hashlib
import logging
import time
import uuid
from collections.abc import Callable, Hashable, Mapping
from functools import partial
from typing import Any, Unpack

from qlc import telemetry
from qlc.base.diagnostics import Diagnostic
from qlc.base.errors import ConfigurationError, OptionError, RequestFailed, UsageError
from qlc.base.options import Options, RunOptions, access_key, permitted, source_text
from qlc.base.texts import whole, with_capital
from qlc.compiler import typed
from qlc.compiler.check import Checked, check
from qlc.compiler.consistency import OUTSIDE_CALENDAR, inconsistencies
from qlc.compiler.environment import Bindings, ContextMissing, RuleUndecided
from qlc.compiler.fixes import confirmed
from qlc.compiler.names import with_all_columns
from qlc.compiler.parameters import BindingError
from qlc.compiler.periods import InvalidDate
from qlc.compiler.request import CannotAnswer
from qlc.grammar import SyntaxProblem, parse
from qlc.mapping.known import is_known
from qlc.outcome import (
    AggregateOut,
    Clarify,
    Count,
    Failed,
    Hits,
    Invalid,
    NotFound,
    Option,
    Outcome,
    Stats,
    Unsupported,
)
from qlc.pipeline.cursor import Cursor, CursorError, of_a_page
from qlc.pipeline.present import failure_message, found_names, note, plain, present, with_near_values
from qlc.pipeline.searches import NoSearch
from qlc.pipeline.shared import Basis, Shared
from qlc.pipeline.trace import Trace
from qlc.planner.plan import Plan, Rounds, plan_query
from qlc.resolver.driver import CIRCUIT_OPEN, Traffic
from qlc.resolver.early_exits import Ask, Missing
from qlc.resolver.field_notes import FieldUses, closed_note, read_entity_notes, too_long_names, uses_of
from qlc.resolver.hits import AnySearch, CompiledSearch
from qlc.resolver.run import HitsAnswer, first_page, read_search, run_plan
from qlc.resolver.steps import Run
from qlc.telemetry.names import COMPILE, RUN

MAX_FORMS = 64
"""Most schemas and sets of permissions for which a prepared query is cached."""
JUST_NOW = 1.0
"""Seconds before a run in which a mapping counts as fresh; it is not read again because nothing was found."""


class Prepared:
    """A compiled program, from `Compiler.prepare`. It is parsed, checked and planned once for each schema and set of
    permissions, and can run many times."""

    def __init__(self, shared: Shared, source: str) -> None:
        """Prepare a source. Raises UsageError if it is not a text."""
        self._shared = shared
        self._source = source_text(source)
        self._compiled: dict[Hashable, tuple[Checked, Plan | None]] = {}
        self._uses: dict[int, FieldUses] = {}
        self._fixed: dict[Hashable, tuple[tuple[Diagnostic, ...], CompiledSearch | None]] = {}

    def run(self, *, trace: Trace | None = None, **options: Unpack[RunOptions]) -> Outcome:
        """Run the program with these options, as `Compiler.run`."""
        given = read_options(options)
        if not isinstance(given, Options):
            return given
        traffic = self._shared.traffic(given.deadline)
        with telemetry.Turn(RUN, self._source, route="program") as turn:
            return turn.ended(self._shared.drive(self.running(given, traffic, trace), traffic))

    async def run_async(self, *, trace: Trace | None = None, **options: Unpack[RunOptions]) -> Outcome:
        """As `run`, over an asynchronous client."""
        given = read_options(options)
        if not isinstance(given, Options):
            return given
        traffic = self._shared.traffic(given.deadline)
        with telemetry.Turn(RUN, self._source, route="program") as turn:
            return turn.ended(await self._shared.drive_async(self.running(given, traffic, trace), traffic))

    def running(self, options: Options, traffic: Traffic, trace: Trace | None = None) -> Rounds[Outcome]:
        """Return a run whose requests the caller sends."""
        source, attempt = self._shared.source, _Attempt(self, options, trace, traffic)
        with attempt:
            attempt.basis = yield from source.current()
            yield from attempt.rounds()
        if attempt.is_doubtful():
            again = attempt.anew()
            with again:
                yield from source.read(since=again.began)
                if source.known is not again.before:
                    again.basis = source.known
                    yield from again.rounds()
            misfit = isinstance(again.outcome, Failed) and again.outcome.reason == "changed"
            if again.basis is not None or misfit:  # the mapping changed, so the first attempt does not count
                attempt = again
        assert attempt.outcome is not None
        return attempt.outcome

    def searching(self, options: Options, traffic: Traffic, made: type[AnySearch]) -> Rounds[AnySearch]:
        """Return the search of a list after its lookups. Raises NoSearch."""
        attempt, found = _Attempt(self, options, None, traffic), None
        with attempt:
            attempt.basis = yield from self._shared.source.current()
            found = yield from attempt.one_search(made)
        if found is None or attempt.outcome is not None:
            assert attempt.outcome is not None
            raise NoSearch.of(attempt.outcome)
        return found

    def compiled(
        self,
        params: Mapping[str, Any],
        sensitive: frozenset[str] | None,
        trace: Trace | None,
        basis: Basis | None = None,
        *,
        all_columns: bool = False,
    ) -> tuple[Checked, Plan | None]:
        """Return tree, typed query and plan, with `all_columns` of a list that shows every field. Raises
        SyntaxProblem."""
        basis = basis or self._shared.basis()
        schema = basis.schema
        # Only the entities that parameters are bound to change what a program means to the checker.
        entities = tuple(sorted((k, str(v.get("entity"))) for k, v in params.items() if isinstance(v, Mapping)))
        key = (schema.version, sensitive, entities, all_columns)
        kept = self._compiled.get(key)
        if kept is not None and trace is None:
            telemetry.hit("programs")
            return kept
        started = time.perf_counter()
        with telemetry.stage(COMPILE):
            tree = parse(self._source)
            parsed = time.perf_counter()
            checked = check(tree, schema, self._source, params, sensitive)
            typed_at = time.perf_counter()
            statement, access = checked.statement, basis.access
            if all_columns and isinstance(statement, typed.Find):
                statement = with_all_columns(statement, sensitive)
            plan = plan_query(statement, access, schema, checked.parts) if statement is not None else None
            planned = time.perf_counter()
        if trace is not None:
            trace.compiled(self._source, tree, checked, plan, basis.access)
            trace.times(parse=parsed - started, check=typed_at - parsed, plan=planned - typed_at)
        if len(self._compiled) >= MAX_FORMS:
            self._compiled.clear()
            self._uses.clear()
        self._compiled[key] = (checked, plan)
        return checked, plan

    def field_uses(self, checked: Checked, plan: Plan) -> FieldUses:
        """Return the fields of the program that may need a note."""
        found = self._uses.get(id(plan))
        if found is None:
            found = self._uses[id(plan)] = uses_of(plan.statement, checked.parts)
        return found


class _Attempt:
    """One run. Only this class turns early exits into outcomes."""

    def __init__(self, prepared: Prepared, options: Options, trace: Trace | None, traffic: Traffic) -> None:
        self.prepared = prepared
        self.shared = prepared._shared
        self.options = options
        self.trace = trace
        self.started = time.perf_counter()
        self.began = time.monotonic()
        self.traffic = traffic
        traffic.sent = [] if trace is not None else None
        self.basis: Basis | None = None
        self.before: Basis | None = None
        self.outcome: Outcome | None = None
        self.checked: Checked | None = None
        self.plan: Plan | None = None
        self.env: Bindings | None = None
        self.cursor: Cursor | None = None
        self.compile_ms = 0.0
        self.warnings: tuple[Diagnostic, ...] = ()
        self.search: CompiledSearch | None = None
        self.state: Run | None = None

    def __enter__(self) -> None: ...

    def _compile(self) -> tuple[Checked, Plan, Bindings, Basis] | None:
        """Check and plan the program; None if there is an outcome already."""
        options, basis = self.options, self.basis
        assert basis is not None
        sensitive = permitted(options.context)
        telemetry.mark(known=(basis.schema.version, partial(is_known, basis.schema)))
        self.checked, self.plan = self.prepared.compiled(
            options.params, sensitive, self.trace, basis, all_columns=options.all_columns
        )
        if self.plan is None:
            self.outcome = Invalid(**self._common("The query has errors."))
            return None
        if options.cursor is not None:
            self.cursor = self.shared.cursors.read(options.cursor, self._fingerprint())
        self.env = self.shared.environment(self._given(), basis)
        # Those of an earlier run, if they do not depend on the run.
        fixed = self.prepared._fixed.get(self._fixed_key()) if self.plan.fixed else None
        found, self.search = fixed if fixed is not None else (inconsistencies(self.checked, self.env), None)
        if any(d.severity == "error" for d in found):
            self.outcome = Invalid(**self._common("The query has errors.", found))
        self.warnings = found
        self.compile_ms = 1000 * (time.perf_counter() - self.started)
        return None if self.outcome is not None else (self.checked, self.plan, self.env, basis)

    def _given(self) -> dict[str, Any]:
        options = self.options
        as_of = self.cursor.now if self.cursor is not None else options.as_of
        return {"now": options.now, "as_of": as_of, "timezone": options.timezone, "params": options.params,
                "context": options.context}

    def _fixed_key(self) -> Hashable:
        assert self.basis is not None
        options = self.options
        return self.basis.schema.version, str(options.timezone), permitted(options.context), options.all_columns

    def rounds(self) -> Rounds[None]:
        """Compile and run, then set `outcome`."""
        compiled = self._compile()
        if compiled is None:
            return
        checked, plan, env, basis = compiled
        access, pages = self.shared.access(env, basis), self.shared.pages
        run = Run(env, self.shared.names, access, self.options.choices, search=self.search)
        position = self.cursor.position if self.cursor is not None else None
        run.first = pages.get(self._page_key()) if position is not None else None
        uses = self.prepared.field_uses(checked, plan)
        notes = self.shared.field_notes
        aside = [read_entity_notes(entity, fields, env, access, notes) for entity, fields in uses]
        for told in closed_note(checked.parts):
            env.tell(told)
        answer = yield from run_plan(
            plan, run, size=self.options.size, position=position, literals=checked.literals, known=self.shared.known,
            aside=aside,
        )
        if plan.fixed:
            self.prepared._fixed[self._fixed_key()] = (self.warnings, run.search)
        cursor = None
        if isinstance(answer, HitsAnswer) and answer.page.next is not None:
            list_key = self._list_key()
            cursor = self.shared.cursors.write(Cursor(list_key[0], answer.page.next, list_key[1]))
            first = first_page(plan, run) if run.first is None and not basis.varies else None
            if first is not None:
                pages.put(self._page_key(), first)
        common = {**self._common(""), "names": found_names(run.candidates, checked.text)}
        outcome = present(answer, cursor, common, env.clock, begins=position is None)
        self.outcome = with_near_values(outcome, self.prepared._source, run.near)

    def one_search(self, made: type[AnySearch]) -> Rounds[AnySearch | None]:
        """Compile and look up; None if there is an outcome instead."""
        compiled = self._compile()
        if compiled is None:
            return None
        _, plan, env, basis = compiled
        run = Run(env, self.shared.names, self.shared.access(env, basis), self.options.choices)
        return (yield from read_search(plan, run, made))

    def _list_key(self) -> tuple[str, str]:
        """Return the key that all pages of a list share: the query with its options, and the clock."""
        assert self.env is not None
        return self._fingerprint(), self.env.clock.now.isoformat()

    def _page_key(self) -> Hashable:
        """Return the key of the search that further pages continue, which reads the shown columns."""
        return (*self._list_key(), self.options.all_columns)

    def _fingerprint(self) -> str:
        assert self.checked is not None
        assert self.basis is not None
        indices = sorted({one.index for one in self.basis.schema.entities.values()})
        parts = [self.checked.text, self.basis.schema.version, *indices, repr(access_key(self.options.context)),
                 _written(dict(self.options.params)), repr(sorted(self.options.choices.items())),
                 str(self.options.timezone)]
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: Any) -> bool:
        if self.cursor is not None:
            problem = of_a_page(problem)
        if isinstance(problem, Missing) and self.env is not None and self.checked is not None:
            self.env.notes += too_long_names(self.checked.parts)
        if problem is not None:
            self.outcome = ending(problem, self._common)
        if self.trace is not None and self.traffic.sent is not None and self.outcome is not None:
            self.trace.sent(self.traffic.sent)
            self.trace.ended(self.outcome, problem.detail if isinstance(problem, RequestFailed) else "")
        return self.outcome is not None

    # --- the mapping may have changed meanwhile ----------------------------------------------------------------------

    def is_doubtful(self) -> bool:
        """Whether the outcome may come from an outdated mapping. An empty result counts only if the mapping was not
        read just now."""
        match self.outcome:
            case Failed(reason="rejected" | "no-index" | "partial" | "internal"):
                suspected = True
            case Hits(total=0) | Count(value=0) | AggregateOut(rows=[]) | NotFound():
                suspected = self.shared.source.read_at < self.began - JUST_NOW
            case _:
                suspected = False
        return suspected and self.basis is not None and self.shared.source.can_change

    def anew(self) -> _Attempt:
        """Return the same run with the same deadline on the current basis."""
        again = _Attempt(self.prepared, self.options, self.trace, self.traffic)
        again.started, again.began, again.before = self.started, self.began, self.basis
        return again

    def _common(self, message: str, found: tuple[Diagnostic, ...] = ()) -> dict[str, Any]:
        checked = self.checked
        diagnostics = (*(checked.diagnostics if checked is not None else ()), *(found or self.warnings))
        if any(d.fixed is not None for d in diagnostics):
            options = self.options
            env = self.env or self.shared.environment(self._given(), self.basis)
            diagnostics = confirmed(diagnostics, env, options.params, permitted(options.context))
        total = 1000 * (time.perf_counter() - self.started)
        stages = {"compile": round(self.compile_ms, 3), "run": round(total - self.compile_ms, 3)}
        return {
            "query": checked.text if checked is not None else "",
            "message": message,
            "notes": list(self.env.notes) if self.env is not None else [],
            "diagnostics": [note(d) for d in diagnostics],
            "stats": Stats(round_trips=self.traffic.round_trips, further=self.traffic.further,
                           searches=self.traffic.searches, took_ms=round(total, 3), stages=stages),
            "fields": list(checked.fields) if checked is not None else [],
        }


def _written(value: Any) -> str:
    """Return a value as text; whole numbers in hexadecimal, which Python prints at any length."""
    match value:
        case dict():
            return "{" + ",".join(sorted(f"{key!r}:{_written(one)}" for key, one in value.items())) + "}"
        case list() | tuple() | set() | frozenset():
            return "[" + ",".join(map(_written, value)) + "]"
        case int():
            return hex(value)
        case _:
            return repr(value)


# --- every exception that the stages raise, as an outcome: only here -------------------------------------------------


log = logging.getLogger("qlc")

Common = Callable[..., dict[str, Any]]
"""Returns the attributes that all outcomes have, from a message and further diagnostics."""


def ending(problem: BaseException, common: Common) -> Outcome | None:
    """Return the outcome for an exception; None for a mistake of the calling program, which is raised again."""
    match problem:
        case SyntaxProblem():
            return Invalid(**common("The query cannot be read.", (problem.diagnostic,)))
        case BindingError():
            return Invalid(**common(_sentence(problem.diagnostic.message), (problem.diagnostic,)))
        case CursorError() | InvalidDate():
            code = "invalid-date" if isinstance(problem, InvalidDate) else "invalid-cursor"
            hint = OUTSIDE_CALENDAR if isinstance(problem, InvalidDate) else "run the query without the cursor"
            return Invalid(**common(_sentence(str(problem)), (Diagnostic(code, str(problem), hint=hint),)))
        case Ask():
            options = [
                Option(id=str(plain(c.id)), label=c.label, name=c.name, entity=c.entity, details=dict(c.details))
                for c in problem.choices
            ]
            return Clarify(**common(problem.message), what=problem.what, options=options, token=problem.token,
                           total=problem.total)
        case Missing():
            return NotFound(**common(problem.message), what=problem.what, reason=problem.reason,
                            suggestions=list(problem.suggestions))
        case CannotAnswer():
            message = " ".join(f"{with_capital(one)}." for one in (problem.message, problem.hint) if one)
            return Unsupported(**common(message), what=problem.code)
        case RuleUndecided():
            message = "It cannot be determined what may be searched here, so nothing was. The log has the details."
            return Failed(**common(message), reason="context-missing", id=_logged(problem))
        case ContextMissing():
            given = f"context={{'{problem.name}': ...}}, or --context {problem.name}=... of the command"
            message = f"This search needs '{problem.name}' of the caller, which was not given: {given}."
            return Failed(**common(message), reason="context-missing", id=_logged(problem))
        case RequestFailed():
            message = failure_message(problem)
            return Failed(**common(message), reason=problem.reason, id=_logged(problem),
                          retryable=problem.retryable or problem.reason in ("timeout", CIRCUIT_OPEN))
        case OptionError():
            return wrong_option(problem)
        case UsageError() | ConfigurationError():
            return None
        case Exception():
            message = "Something went wrong inside qlc. The log has the details under this id."
            return Failed(**common(message), reason="internal", id=_logged(problem))
        case _:
            return None


def read_options(given: Mapping[str, Any]) -> Options | Invalid:
    """Return the options of a run, or an outcome if one has an invalid value.

    Raises UsageError for mistakes that no user makes: an unknown option, an invalid context.
    """
    try:
        return Options.of(given)
    except OptionError as problem:
        return wrong_option(problem)


def wrong_option(problem: OptionError) -> Invalid:
    found = Diagnostic(problem.code, str(problem), hint=problem.hint)
    return Invalid(message=_sentence(found.message), diagnostics=[note(found)])


def _sentence(text: str) -> str:
    return with_capital(text) + ("" if text.endswith(".") else ".")


def _logged(problem: BaseException) -> str:
    identity = uuid.uuid4().hex[:12]
    expected = isinstance(problem, RequestFailed | ContextMissing)
    level = logging.WARNING if expected else logging.ERROR
    log.log(level, "%s: %s", identity, whole(str(problem)), exc_info=not expected)
    return identity
