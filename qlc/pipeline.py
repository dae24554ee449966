"""The chain: text -> tree -> typed query -> plan -> round trips -> outcome. The one module that knows the order."""

from __future__ import annotations

import hashlib
import itertools
import logging
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from qlc.compiler import typed
from qlc.compiler.check import Checked, check
from qlc.compiler.consistency import inconsistencies
from qlc.compiler.environment import Bindings, ContextMissing
from qlc.compiler.mending import confirmed
from qlc.compiler.parameters import BindingError
from qlc.compiler.periods import Clock
from qlc.compiler.request import Body, CannotAnswer, Reading
from qlc.cursor import Cursor, read_cursor, write_cursor
from qlc.diagnostics import Diagnostic
from qlc.endings import ending
from qlc.errors import ConfigurationError, RequestFailed
from qlc.grammar import SyntaxProblem, parse, print_value
from qlc.grammar.tree import Program, String
from qlc.mapping.schema import Entity, Schema
from qlc.options import DEFAULT_DEADLINE, Options, access_key, moment, permitted, zone_of
from qlc.outcome import AggregateOut, Count, Failed, Hits, Invalid, NotFound, Outcome, Stats
from qlc.planner.plan import Plan, plan_query
from qlc.present import note, present
from qlc.resolver.breaker import CircuitBreaker, breaker_of
from qlc.resolver.driver import Traffic, drive, drive_async
from qlc.resolver.first_pages import FirstPages
from qlc.resolver.known_values import KnownValues
from qlc.resolver.names import NameCache, names_like
from qlc.resolver.rounds import Rounds, alone
from qlc.resolver.run import HitsAnswer, first_page, read_levels, run_plan
from qlc.resolver.steps import Run
from qlc.resolver.stops import Ask, Missing
from qlc.schema_source import MAPPING_AGE, Basis, SchemaSource, index_names
from qlc.trace import Trace

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch, Elasticsearch

    from qlc.compiler.completion import Candidate
    from qlc.mapping.catalog import Catalog
    from qlc.mapping.fields import IndexMapping

__all__ = ["Compiler", "Diagnosis", "Prepared", "all_pages", "index_names"]

log = logging.getLogger("qlc")

T = TypeVar("T")
MakeReading = Callable[[Bindings, NameCache, Hashable], Reading[T]]
"""What makes a reading of the index, given the bindings, the cache of names and the access."""

MAX_PARSED = 1024
LONGEST_KEPT = 10_000
"""Programs of more characters are parsed each time: their trees are large."""
MAX_FORMS = 64
"""How many schemas and sets of permissions a prepared query is kept compiled for."""
_READINGS = itertools.count()
JUST_NOW = 1.0
"""A mapping that was read less than these seconds before a run is not read again because nothing was found."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was found in a program that was not run. `text` is its canonical form, empty after a syntax error."""

    diagnostics: tuple[Diagnostic, ...]
    text: str

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)


class Compiler:
    """Catalog, mapping and client together: what a service keeps. Safe under threads.

    `client` is the official client, synchronous (`run`) or asynchronous (`run_async`). `catalog` is a path, a loaded
    catalog or None (every field by its mapping path). `index` is needed without a catalog. `mapping` spares reading the
    mapping from the index. `embedder` turns a text into a vector for `about`. `mapping_age`: a mapping that was read
    more seconds ago is read again before a run. `breaker` in place of the one that all compilers of a client share.

    Raises ConfigurationError where catalog and mapping do not fit each other.
    """

    def __init__(
        self,
        client: Elasticsearch | AsyncElasticsearch | None = None,
        catalog: str | Path | Catalog | None = None,
        index: str | None = None,
        *,
        mapping: IndexMapping | Mapping[str, IndexMapping] | None = None,
        embedder: Any = None,
        mapping_age: float = MAPPING_AGE,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        self._client: Any = client
        self._source = SchemaSource(client, _loaded(catalog), index, mapping, mapping_age)
        self._embedder = embedder
        self._names = NameCache()
        self._known = KnownValues()
        self._pages = FirstPages()
        self._reading = next(_READINGS)
        self._parsed = lru_cache(maxsize=MAX_PARSED)(parse)
        self.breaker = breaker or (CircuitBreaker() if client is None else breaker_of(client))

    # --- schema ------------------------------------------------------------------------------------------------------

    @property
    def schema(self) -> Schema:
        """The schema, its mapping read from the index when first needed. Raises ConfigurationError, RequestFailed."""
        return self._basis().schema

    def _basis(self) -> Basis:
        return self._source.current(self._traffic())

    def _traffic(self, deadline: float = DEFAULT_DEADLINE) -> Traffic:
        return Traffic(time.monotonic() + deadline, self.breaker)

    def refresh(self) -> None:
        """Read the mapping again and forget what was cached: after the mapping changed, or the index was written to."""
        self.forget()
        self._source.read(self._traffic(), since=time.monotonic())

    async def refresh_async(self) -> None:
        """As `refresh`, through an asynchronous client."""
        self.forget()
        await self._source.read_async(self._traffic(), since=time.monotonic())

    def forget(self) -> None:
        """Forget cached names and values, after a write."""
        self._names.clear()
        self._known.clear()
        self._pages.clear()
        self._reading = next(_READINGS)

    @property
    def reading(self) -> int:
        """Another number for every compiler, and after each `forget`: for caches of what was read through it."""
        return self._reading

    async def load(self) -> None:
        """Read the mapping through an asynchronous client. `run_async` does so by itself."""
        await self._source.current_async(self._traffic())

    def _parse(self, source: str) -> Program:
        return self._parsed(source) if len(source) <= LONGEST_KEPT else parse(source)

    # --- public ------------------------------------------------------------------------------------------------------

    def diagnose(
        self,
        source: str,
        *,
        now: datetime | str | None = None,
        timezone: str | tzinfo | None = None,
        context: Mapping[str, Any] | None = None,
        params: Mapping[str, Any] | None = None,
        trace: Trace | None = None,
    ) -> Diagnosis:
        """Check a program without running it: the one syntax error, or everything else at once."""
        basis, given, sensitive, text = self._basis(), params or {}, permitted(context or {}), ""
        env = self.environment({"now": now, "timezone": timezone, "context": context or {}, "params": given}, basis)
        try:
            checked, _ = Prepared(self, source).compiled(given, sensitive, trace, basis)
            found, text = (*checked.diagnostics, *inconsistencies(checked, env)), checked.text
        except SyntaxProblem as problem:
            found = (problem.diagnostic,)
        return Diagnosis(confirmed(found, env, given, sensitive), text)

    def environment(self, options: Mapping[str, Any], basis: Basis | None = None) -> Bindings:
        """What the values of a query stand for under some options (see `Options`)."""
        given = Options(**options)
        basis = basis or self._basis()
        clock = Clock(moment(given.now), zone_of(given.timezone), basis.schema.week_start)
        return Bindings(basis.schema, clock, given.params, given.context, embed=self._embedder, access=basis.access)

    def complete(
        self, source: str, cursor: int | None = None, *, context: Mapping[str, Any] | None = None, names: int = 20
    ) -> list[Candidate]:
        """What can be written at the cursor (default: the end): values and names, then keywords.

        Names of entities are read from the index, within the access of the context, at most `names` of them.
        """
        from qlc.compiler.completion import Candidate, complete

        given = context or {}
        found = complete(source, len(source) if cursor is None else cursor, self.schema, permitted(given))
        entity = found.names_of
        if entity is None or self._client is None:
            return list(found.candidates)
        rounds = self._names_like(entity, found.word, given, names)
        try:
            told = drive(rounds, self._client, self._traffic())
        except (ContextMissing, BindingError, RequestFailed, CannotAnswer, Ask, Missing) as problem:
            log.info("no names to complete with: %s", problem)
            told = []
        return [Candidate(print_value(String(name)), "name", entity.name) for name in told] + list(found.candidates)

    def _names_like(self, entity: Entity, word: str, context: Mapping[str, Any], names: int) -> Rounds[list[str]]:
        def reading(env: Bindings, cache: NameCache, access: Hashable) -> Reading[list[str]]:
            return names_like(entity, word, env, cache, names, schema=self.schema, access=access)

        return self._guarded(reading, context, [entity])

    def read(
        self,
        reading: MakeReading[T],
        context: Mapping[str, Any],
        deadline: float = DEFAULT_DEADLINE,
        *,
        now: datetime | str | None = None,
        timezone: str | tzinfo | None = None,
    ) -> T:
        """Read the index within the access of a context. Raises RequestFailed."""
        rounds = self._guarded(reading, context, self._real_entities(), now=now, timezone=timezone)
        return drive(rounds, self._client, self._traffic(deadline))

    async def read_async(
        self,
        reading: MakeReading[T],
        context: Mapping[str, Any],
        deadline: float = DEFAULT_DEADLINE,
        *,
        now: datetime | str | None = None,
        timezone: str | tzinfo | None = None,
    ) -> T:
        """As `read`, through an asynchronous client."""
        rounds = self._guarded(reading, context, self._real_entities(), now=now, timezone=timezone)
        return await drive_async(rounds, self._client, self._traffic(deadline))

    def _real_entities(self) -> list[Entity]:
        return [entity for entity in self.schema.entities.values() if not entity.virtual]

    def _guarded(
        self, reading: MakeReading[T], context: Mapping[str, Any], entities: Sequence[Entity], **clock: Any
    ) -> Rounds[T]:
        """What the access rules of the entities look up is to be known before they are read."""
        basis = self._basis()
        env, access = self.environment({"context": context, **clock}, basis), access_key(context)
        for entity in entities:
            guarded = plan_query(typed.Find(entity, typed.All()), basis.access, basis.schema)
            yield from read_levels(guarded, Run(env, self._names, access))
        return (yield from alone(reading(env, self._names, access)))

    def run(self, source: str, *, trace: Trace | None = None, **options: Any) -> Outcome:
        """Run a program. Nothing raises for bad input: what is wrong with it is the outcome."""
        return self.prepare(source).run(trace=trace, **options)

    async def run_async(self, source: str, *, trace: Trace | None = None, **options: Any) -> Outcome:
        """As `run`, over an asynchronous client."""
        return await self.prepare(source).run_async(trace=trace, **options)

    def prepare(self, source: str) -> Prepared:
        """Compile once, run many times: with another now, zone, context or parameters it equals a cold compile."""
        return Prepared(self, source)


class Prepared:
    """A program that is parsed, checked and planned once for each schema and set of permissions."""

    def __init__(self, compiler: Compiler, source: str) -> None:
        self._compiler = compiler
        self._source = source
        self._compiled: dict[Hashable, tuple[Checked, Plan | None]] = {}
        self._fixed: dict[Hashable, tuple[tuple[Diagnostic, ...], Body | None]] = {}

    def run(self, *, trace: Trace | None = None, **options: Any) -> Outcome:
        compiler = self._compiler
        attempt = _Attempt(self, Options(**options), trace)
        with attempt:
            attempt.basis = compiler._source.current(attempt.traffic)
            drive(attempt.rounds(), compiler._client, attempt.traffic)
        if attempt.is_doubtful():
            again = attempt.anew()
            with again:
                compiler._source.read(again.traffic, since=again.began)
                if again.is_on(compiler._source.known):
                    drive(again.rounds(), compiler._client, again.traffic)
            attempt = attempt.or_rather(again)
        return attempt.ended()

    async def run_async(self, *, trace: Trace | None = None, **options: Any) -> Outcome:
        compiler = self._compiler
        attempt = _Attempt(self, Options(**options), trace)
        with attempt:
            attempt.basis = await compiler._source.current_async(attempt.traffic)
            await drive_async(attempt.rounds(), compiler._client, attempt.traffic)
        if attempt.is_doubtful():
            again = attempt.anew()
            with again:
                await compiler._source.read_async(again.traffic, since=again.began)
                if again.is_on(compiler._source.known):
                    await drive_async(again.rounds(), compiler._client, again.traffic)
            attempt = attempt.or_rather(again)
        return attempt.ended()

    def compiled(
        self,
        params: Mapping[str, Any],
        sensitive: frozenset[str] | None,
        trace: Trace | None,
        basis: Basis | None = None,
    ) -> tuple[Checked, Plan | None]:
        """Tree, typed query and plan. Raises SyntaxProblem."""
        basis = basis or self._compiler._basis()
        schema = basis.schema
        # Only the entities that parameters are bound to change what a program means to the checker.
        entities = tuple(sorted((k, str(v.get("entity"))) for k, v in params.items() if isinstance(v, Mapping)))
        key = (schema.version, sensitive, entities)
        if key not in self._compiled or trace is not None:
            started = time.perf_counter()
            tree = self._compiler._parse(self._source)
            parsed = time.perf_counter()
            checked = check(tree, schema, self._source, params, sensitive)
            typed_at = time.perf_counter()
            plan = None
            if checked.statement is not None:
                plan = plan_query(checked.statement, basis.access, schema)
            planned = time.perf_counter()
            if trace is not None:
                trace.compiled(self._source, tree, checked, plan, basis.access)
                trace.times(parse=parsed - started, check=typed_at - parsed, plan=planned - typed_at)
            if len(self._compiled) >= MAX_FORMS:
                self._compiled.clear()
            self._compiled[key] = (checked, plan)
            return checked, plan
        return self._compiled[key]


class _Attempt:
    """One run: everything that can end it early becomes an outcome here, and only here."""

    def __init__(self, prepared: Prepared, options: Options, trace: Trace | None) -> None:
        self.prepared = prepared
        self.compiler = prepared._compiler
        self.options = options
        self.trace = trace
        self.started = time.perf_counter()
        self.began = time.monotonic()
        self.traffic = self.compiler._traffic(options.deadline)
        self.traffic.sent = [] if trace is not None else None
        self.basis: Basis | None = None
        self.before: Basis | None = None
        self.outcome: Outcome | None = None
        self.checked: Checked | None = None
        self.plan: Plan | None = None
        self.env: Bindings | None = None
        self.cursor: Cursor | None = None
        self.compile_ms = 0.0
        self.warnings: tuple[Diagnostic, ...] = ()
        self.body: Body | None = None
        self.state: Run | None = None

    def __enter__(self) -> None:
        pass

    def _compile(self) -> None:
        options, basis = self.options, self.basis
        assert basis is not None
        sensitive = permitted(options.context)
        self.checked, self.plan = self.prepared.compiled(options.params, sensitive, self.trace, basis)
        if self.plan is None:
            self.outcome = Invalid(**self._common("The query has errors."))
            return
        if options.cursor is not None:
            self.cursor = read_cursor(options.cursor, self._fingerprint())
        now = self.cursor.now if self.cursor is not None else options.now
        self.env = self.compiler.environment(
            {"now": now, "timezone": options.timezone, "params": options.params, "context": options.context}, basis
        )
        fixed = self._kept()
        found = fixed[0] if fixed is not None else inconsistencies(self.checked, self.env)
        self.body = fixed[1] if fixed is not None else None
        if any(d.severity == "error" for d in found):
            self.outcome = Invalid(**self._common("The query has errors.", found))
        self.warnings = found
        self.compile_ms = 1000 * (time.perf_counter() - self.started)

    def _kept(self) -> tuple[tuple[Diagnostic, ...], Body | None] | None:
        """What an earlier run of the same prepared query worked out, where nothing in it depends on the run."""
        assert self.plan is not None
        return self.prepared._fixed.get(self._fixed_key()) if self.plan.fixed else None

    def _fixed_key(self) -> Hashable:
        assert self.basis is not None
        return self.basis.schema.version, str(self.options.timezone), permitted(self.options.context)

    def rounds(self) -> Rounds[None]:
        """Compile and run; then `outcome` is there."""
        self._compile()
        if self.outcome is not None:
            return
        assert self.checked is not None
        assert self.plan is not None
        assert self.env is not None
        access, pages = access_key(self.options.context), self.compiler._pages
        run = Run(self.env, self.compiler._names, access, self.options.choices, body=self.body)
        position = self.cursor.position if self.cursor is not None else None
        run.first = pages.get(self._list_key()) if position is not None else None
        answer = yield from run_plan(
            self.plan, run, size=self.options.size, position=position, literals=self.checked.literals,
            known=self.compiler._known,
        )
        if self.plan.fixed:
            self.prepared._fixed[self._fixed_key()] = (self.warnings, run.body)
        cursor = None
        if isinstance(answer, HitsAnswer) and answer.page.next is not None:
            list_key = self._list_key()
            cursor = write_cursor(Cursor(list_key[0], answer.page.next, list_key[1]))
            first = first_page(self.plan, run) if run.first is None else None
            if first is not None:
                pages.keep(list_key, first)
        self.outcome = present(answer, cursor, self._common(""), self.env.clock.zone)

    def _list_key(self) -> tuple[str, str]:
        """What the pages of one list have in common: the query with all that it is asked with, and the clock."""
        assert self.env is not None
        return self._fingerprint(), self.env.clock.now.isoformat()

    def _fingerprint(self) -> str:
        assert self.checked is not None
        assert self.basis is not None
        parts = [self.checked.text, self.basis.schema.version, repr(access_key(self.options.context)),
                 _written(dict(self.options.params)), repr(sorted(self.options.choices.items())),
                 str(self.options.timezone)]
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: Any) -> bool:
        if problem is not None:
            self.outcome = ending(problem, self._common)
        if self.trace is not None and self.traffic.sent is not None and self.outcome is not None:
            self.trace.sent(self.traffic.sent)
            self.trace.ended(self.outcome, problem.detail if isinstance(problem, RequestFailed) else "")
        return self.outcome is not None

    # --- the mapping may have changed meanwhile ----------------------------------------------------------------------

    def is_doubtful(self) -> bool:
        """Whether the outcome can come from a mapping that is no more. Where nothing was found it is only asked after
        when the mapping was not read just now."""
        match self.outcome:
            case Failed(reason="rejected" | "no-index" | "partial" | "internal"):
                suspected = True
            case Hits(total=0) | Count(value=0) | AggregateOut(rows=[]) | NotFound():
                suspected = self.compiler._source.read_at < self.began - JUST_NOW
            case _:
                suspected = False
        return suspected and self.basis is not None and self.compiler._source.can_change

    def anew(self) -> _Attempt:
        """The same run within the same deadline, on another basis."""
        again = _Attempt(self.prepared, self.options, self.trace)
        again.started, again.began, again.before = self.started, self.began, self.basis
        again.traffic = replace(self.traffic, sent=[] if self.trace is not None else None)
        return again

    def is_on(self, basis: Basis | None) -> bool:
        """Whether the basis is another one, which is taken."""
        self.basis = basis if basis is not self.before else None
        return self.basis is not None

    def or_rather(self, again: _Attempt) -> _Attempt:
        """The attempt that counts: the second, where the mapping did change."""
        misfit = isinstance(again.outcome, Failed) and again.outcome.reason == "changed"
        return again if again.basis is not None or misfit else self

    def ended(self) -> Outcome:
        assert self.outcome is not None
        return self.outcome

    def _common(self, message: str, found: tuple[Diagnostic, ...] = ()) -> dict[str, Any]:
        checked = self.checked
        diagnostics = (*(checked.diagnostics if checked is not None else ()), *(found or self.warnings))
        if any(d.mended is not None for d in diagnostics):
            options = self.options
            given: dict[str, Any] = {"now": options.now, "timezone": options.timezone}
            given |= {"params": options.params, "context": options.context}
            env = self.env or self.compiler.environment(given, self.basis)
            diagnostics = confirmed(diagnostics, env, options.params, permitted(options.context))
        total = 1000 * (time.perf_counter() - self.started)
        stages = {"compile": round(self.compile_ms, 3), "run": round(total - self.compile_ms, 3)}
        return {
            "query": checked.text if checked is not None else "",
            "message": message,
            "notes": list(self.env.notes) if self.env is not None else [],
            "diagnostics": [note(d) for d in diagnostics],
            "stats": Stats(round_trips=self.traffic.round_trips, further=self.traffic.further,
                           took_ms=round(total, 3), stages=stages),
            "fields": list(checked.fields) if checked is not None else [],
        }


def _written(value: Any) -> str:
    """A value as a text; whole numbers by their hexadecimal digits, of which Python writes down any number."""
    match value:
        case dict():
            return "{" + ",".join(sorted(f"{key!r}:{_written(one)}" for key, one in value.items())) + "}"
        case list() | tuple() | set() | frozenset():
            return "[" + ",".join(map(_written, value)) + "]"
        case int():
            return hex(value)
        case _:
            return repr(value)


def all_pages(compiler: Compiler, source: str, **options: Any) -> Hits | Outcome:
    """Every page of a `find` as one outcome; any other outcome as it is."""
    outcome = compiler.run(source, **options)
    if not isinstance(outcome, Hits):
        return outcome
    hits, cursor = list(outcome.hits), outcome.cursor
    while cursor is not None:
        page = compiler.run(source, **{**options, "cursor": cursor})
        if not isinstance(page, Hits):
            return page
        hits += page.hits
        cursor = page.cursor
    message = outcome.message.split(". ")[0].rstrip(".") + "."
    whole = {"hits": hits, "ids": [h.id for h in hits], "cursor": None, "has_more": False, "message": message}
    return outcome.model_copy(update=whole)


def _loaded(catalog: str | Path | Catalog | None) -> Catalog | None:
    if isinstance(catalog, str | Path):
        from qlc.mapping.catalog import load_catalog
        from qlc.mapping.errors import CatalogError

        try:
            return load_catalog(catalog)
        except CatalogError as problem:
            raise ConfigurationError(str(problem)) from problem
    return catalog
