"""The chain: text -> tree -> typed query -> plan -> round trips -> outcome. The one module that knows the order."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import lru_cache
from inspect import iscoroutinefunction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qlc.compiler import typed
from qlc.compiler.check import Checked, check, check_access
from qlc.compiler.consistency import inconsistencies
from qlc.compiler.environment import BindingError, Bindings, ContextMissing
from qlc.compiler.periods import Clock
from qlc.compiler.request import Body, CannotAnswer
from qlc.cursor import Cursor, read_cursor, write_cursor
from qlc.diagnostics import Diagnostic
from qlc.endings import ending
from qlc.errors import ConfigurationError, RequestFailed, UsageError
from qlc.grammar import SyntaxProblem, parse, print_value
from qlc.grammar.tree import Program, String
from qlc.mapping.schema import Entity, Schema
from qlc.options import DEFAULT_DEADLINE, Options, access_key, moment, permitted, zone_of
from qlc.outcome import Hits, Invalid, Outcome, Stats
from qlc.planner.plan import Plan, plan_query
from qlc.resolver.driver import Traffic, drive, drive_async, translated_errors
from qlc.resolver.known_values import KnownValues
from qlc.resolver.names import NameCache, names_like
from qlc.resolver.rounds import Rounds, alone
from qlc.resolver.run import Answer, HitsAnswer, read_levels, run_plan
from qlc.resolver.steps import Run
from qlc.resolver.stops import Ask, Missing
from qlc.trace import Trace

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch, Elasticsearch

    from qlc.compiler.completion import Candidate
    from qlc.mapping.catalog import Catalog
    from qlc.mapping.fields import IndexMapping

log = logging.getLogger("qlc")

MAX_PARSED = 1024
LONGEST_KEPT = 10_000
"""Programs of more characters are parsed each time: their trees are large."""


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
    mapping from the index. `embedder` turns a text into a vector for `about`.

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
    ) -> None:
        self._client: Any = client
        self._catalog = _loaded(catalog)
        self._index = index
        self._mapping = mapping
        self._embedder = embedder
        self._names = NameCache()
        self._known = KnownValues()
        self._lock = threading.Lock()
        self._schema: Schema | None = None
        self._access: dict[str, typed.Condition] = {}
        self._parsed = lru_cache(maxsize=MAX_PARSED)(parse)
        if mapping is not None:
            self._use(mapping)

    # --- schema ------------------------------------------------------------------------------------------------------

    @property
    def schema(self) -> Schema:
        """The schema, its mapping read from the index when first needed. Raises ConfigurationError, RequestFailed."""
        if self._schema is None:
            with self._lock:
                if self._schema is None:
                    self._use(self._fetched())
        assert self._schema is not None
        return self._schema

    def refresh(self) -> None:
        """Read the mapping again and forget what was cached: after the mapping changed, or the index was written to."""
        self._names.clear()
        self._known.clear()
        if self._mapping is None:
            self._use(self._fetched())

    async def refresh_async(self) -> None:
        """As `refresh`, through an asynchronous client."""
        self.forget()
        if self._mapping is None:
            self._use(await self._fetched_async())

    def forget(self) -> None:
        """Forget cached names and values, after a write."""
        self._names.clear()
        self._known.clear()

    def _use(self, mapping: Any) -> None:
        from qlc.mapping.build import build_schema
        from qlc.mapping.errors import CatalogError

        try:
            schema = build_schema(self._catalog, mapping)
            self._access = {name: check_access(schema, e) for name, e in schema.entities.items() if e.access}
        except (CatalogError, ValueError) as problem:
            raise ConfigurationError(str(problem)) from problem
        self._schema = schema

    def _fetched(self) -> dict[str, IndexMapping]:
        from qlc.mapping.index_mapping import fetch_mapping

        if self._client is None:
            raise UsageError("a compiler without a client needs a mapping")
        if iscoroutinefunction(self._client.perform_request):
            raise UsageError("with an asynchronous client, await 'load' first")
        with _reaching():
            return {name: fetch_mapping(self._client, name) for name in self._index_names()}

    def _index_names(self) -> list[str]:
        if self._catalog is None:
            if self._index is None:
                raise UsageError("without a catalog the compiler needs the name of an index")
            return [self._index]
        return index_names(self._catalog)

    def _parse(self, source: str) -> Program:
        return self._parsed(source) if len(source) <= LONGEST_KEPT else parse(source)

    async def load(self) -> None:
        """Read the mapping through an asynchronous client. `run_async` does so by itself."""
        if self._schema is None:
            self._use(await self._fetched_async())

    async def _fetched_async(self) -> dict[str, IndexMapping]:
        from qlc.mapping.index_mapping import mapping_from_responses

        if self._client is None:
            raise UsageError("a compiler without a client needs a mapping")
        fetched = {}
        with _reaching():
            for name in self._index_names():
                mappings = await self._client.indices.get_mapping(index=name)
                settings = await self._client.indices.get_settings(index=name)
                fetched[name] = mapping_from_responses(name, mappings.body, settings.body)
        return fetched

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
        try:
            checked, _ = Prepared(self, source).compiled(params or {}, permitted(context or {}), trace)
        except SyntaxProblem as problem:
            return Diagnosis((problem.diagnostic,), "")
        env = self.environment({"now": now, "timezone": timezone, "context": context or {}, "params": params or {}})
        return Diagnosis((*checked.diagnostics, *inconsistencies(checked, env)), checked.text)

    def environment(self, options: Mapping[str, Any]) -> Bindings:
        """What the values of a query stand for under some options (see `Options`)."""
        given = Options(**options)
        schema = self.schema
        clock = Clock(moment(given.now), zone_of(given.timezone), schema.week_start)
        return Bindings(schema, clock, given.params, given.context, embed=self._embedder, access=self._access)

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
            told = drive(rounds, self._client, Traffic(time.monotonic() + DEFAULT_DEADLINE))
        except (ContextMissing, BindingError, RequestFailed, CannotAnswer, Ask, Missing) as problem:
            log.info("no names to complete with: %s", problem)
            told = []
        return [Candidate(print_value(String(name)), "name", entity.name) for name in told] + list(found.candidates)

    def _names_like(self, entity: Entity, word: str, context: Mapping[str, Any], names: int) -> Rounds[list[str]]:
        env, access = self.environment({"context": context}), access_key(context)
        # What the access rule of the entity looks up is to be known before its names are read.
        guarded = plan_query(typed.Find(entity, typed.All()), self._access, self.schema)
        yield from read_levels(guarded, Run(env, self._names, access))
        reading = names_like(entity, word, env, self._names, names, schema=self.schema, access=access)
        return (yield from alone(reading))

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
        attempt = _Attempt(self, Options(**options), trace)
        with attempt as started:
            if started:
                attempt.finish(drive(attempt.rounds(), self._compiler._client, attempt.traffic))
        assert attempt.outcome is not None
        return attempt.outcome

    async def run_async(self, *, trace: Trace | None = None, **options: Any) -> Outcome:
        attempt = _Attempt(self, Options(**options), trace)
        try:
            await self._compiler.load()
        except Exception as problem:
            if not attempt.__exit__(type(problem), problem, None):
                raise
            assert attempt.outcome is not None
            return attempt.outcome
        with attempt as started:
            if started:
                attempt.finish(await drive_async(attempt.rounds(), self._compiler._client, attempt.traffic))
        assert attempt.outcome is not None
        return attempt.outcome

    def compiled(
        self, params: Mapping[str, Any], sensitive: frozenset[str] | None, trace: Trace | None
    ) -> tuple[Checked, Plan | None]:
        """Tree, typed query and plan. Raises SyntaxProblem."""
        schema = self._compiler.schema
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
                plan = plan_query(checked.statement, self._compiler._access, schema)
            planned = time.perf_counter()
            if trace is not None:
                trace.compiled(self._source, tree, checked, plan, self._compiler._access)
                trace.times(parse=parsed - started, check=typed_at - parsed, plan=planned - typed_at)
            self._compiled[key] = (checked, plan)
        return self._compiled[key]


class _Attempt:
    """One run: everything that can end it early becomes an outcome here, and only here."""

    def __init__(self, prepared: Prepared, options: Options, trace: Trace | None) -> None:
        self.prepared = prepared
        self.compiler = prepared._compiler
        self.options = options
        self.trace = trace
        self.started = time.perf_counter()
        self.traffic = Traffic(time.monotonic() + options.deadline, sent=[] if trace is not None else None)
        self.outcome: Outcome | None = None
        self.checked: Checked | None = None
        self.plan: Plan | None = None
        self.env: Bindings | None = None
        self.cursor: Cursor | None = None
        self.compile_ms = 0.0
        self.warnings: tuple[Diagnostic, ...] = ()
        self.body: Body | None = None
        self.state: Run | None = None

    def __enter__(self) -> bool:
        try:
            self._compile()
        except BaseException as problem:
            if not self.__exit__(type(problem), problem, None):
                raise
        return self.outcome is None

    def _compile(self) -> None:
        options = self.options
        sensitive = permitted(options.context)
        self.checked, self.plan = self.prepared.compiled(options.params, sensitive, self.trace)
        if self.plan is None:
            self.outcome = Invalid(**self._common("The query has errors."))
            return
        if options.cursor is not None:
            self.cursor = read_cursor(options.cursor, self._fingerprint())
        now = self.cursor.now if self.cursor is not None else options.now
        self.env = self.compiler.environment(
            {"now": now, "timezone": options.timezone, "params": options.params, "context": options.context}
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
        return self.compiler.schema.version, str(self.options.timezone), permitted(self.options.context)

    def rounds(self) -> Rounds[Answer]:
        assert self.checked is not None
        assert self.plan is not None
        assert self.env is not None
        access = access_key(self.options.context)
        self.state = run = Run(self.env, self.compiler._names, access, self.options.choices, body=self.body)
        position = self.cursor.position if self.cursor is not None else None
        return run_plan(
            self.plan, run, size=self.options.size, position=position, literals=self.checked.literals,
            known=self.compiler._known,
        )

    def finish(self, answer: Answer) -> None:
        from qlc.present import present

        assert self.env is not None
        assert self.plan is not None
        if self.plan.fixed:
            assert self.state is not None
            self.prepared._fixed[self._fixed_key()] = (self.warnings, self.state.body)
        cursor = None
        if isinstance(answer, HitsAnswer) and answer.page.next is not None:
            cursor = write_cursor(Cursor(self._fingerprint(), answer.page.next, self.env.clock.now.isoformat()))
        self.outcome = present(answer, cursor, self._common(""))

    def _fingerprint(self) -> str:
        assert self.checked is not None
        parts = [self.checked.text, self.compiler.schema.version, repr(access_key(self.options.context)),
                 repr(sorted(self.options.params.items(), key=repr)), repr(sorted(self.options.choices.items())),
                 str(self.options.timezone)]
        return hashlib.blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()

    def __exit__(self, kind: type[BaseException] | None, problem: BaseException | None, trace: Any) -> bool:
        if problem is not None:
            self.outcome = ending(problem, self._common)
        if self.trace is not None and self.traffic.sent is not None:
            self.trace.sent(self.traffic.sent)
            self.trace.ended(self.outcome)
        return self.outcome is not None

    def _common(self, message: str, found: tuple[Diagnostic, ...] = ()) -> dict[str, Any]:
        from qlc.present import note

        checked = self.checked
        diagnostics = (*(checked.diagnostics if checked is not None else ()), *(found or self.warnings))
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


def compile_and_run(source: str, compiler: Compiler, **options: Any) -> Outcome:
    """Run a program (see `Options` for what can be given). Nothing raises for bad input."""
    return compiler.run(source, **options)


async def compile_and_run_async(source: str, compiler: Compiler, **options: Any) -> Outcome:
    """As `compile_and_run`, over a compiler with an asynchronous client."""
    return await compiler.run_async(source, **options)


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
    return outcome.model_copy(update={"hits": hits, "ids": [h.id for h in hits], "cursor": None, "message": message})


@contextmanager
def _reaching() -> Iterator[None]:
    """What goes wrong while a mapping is read, in the terms of every other request. Raises RequestFailed."""
    from qlc.mapping.errors import MappingError

    try:
        with translated_errors():
            yield
    except MappingError as problem:
        raise RequestFailed("no-index", str(problem)) from problem


def index_names(catalog: Catalog) -> list[str]:
    """The indices, aliases and patterns that a catalog speaks of."""
    from qlc.mapping.effective import entity_definitions

    return sorted({one.index for one in entity_definitions(catalog).values() if not one.virtual})


def _loaded(catalog: str | Path | Catalog | None) -> Catalog | None:
    if isinstance(catalog, str | Path):
        from qlc.mapping.catalog import load_catalog
        from qlc.mapping.errors import CatalogError

        try:
            return load_catalog(catalog)
        except CatalogError as problem:
            raise ConfigurationError(str(problem)) from problem
    return catalog
