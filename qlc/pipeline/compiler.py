"""The compiler: checks, completes, prepares and runs programs. A service keeps one."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from contextvars import Context
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import lru_cache, partial
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

from elasticsearch import dsl
from elasticsearch.dsl.query import MatchAll

from qlc.base.deadline import earlier
from qlc.base.diagnostics import Diagnostic
from qlc.base.errors import RequestFailed, UsageError
from qlc.base.options import DEFAULT_DEADLINE, Options, RunOptions, kind_of, permitted, source_text
from qlc.base.waiting import within
from qlc.compiler import typed
from qlc.compiler.consistency import inconsistencies
from qlc.compiler.environment import Bindings, ContextMissing
from qlc.compiler.fixes import confirmed
from qlc.compiler.parameters import BindingError
from qlc.compiler.request import CannotAnswer, Reading
from qlc.grammar import SyntaxProblem
from qlc.mapping.schema import Entity, Schema
from qlc.outcome import Hits, Outcome
from qlc.pipeline.cursor import Cursors
from qlc.pipeline.prepared import Prepared, read_options
from qlc.pipeline.searches import NoSearch
from qlc.pipeline.shared import MAPPING_AGE, Basis, SchemaSource, Shared
from qlc.pipeline.trace import Trace
from qlc.planner.plan import Rounds, in_step, plan_query, together
from qlc.resolver.driver import CircuitBreaker, Traffic, is_asynchronous
from qlc.resolver.early_exits import Ask, Missing
from qlc.resolver.kept import Kept
from qlc.resolver.names import NameCache, Place, names_like
from qlc.resolver.rankers import Ranker
from qlc.resolver.run import read_levels
from qlc.resolver.steps import Run

if TYPE_CHECKING:
    from elasticsearch import AsyncElasticsearch, Elasticsearch
    from elasticsearch.dsl import AsyncSearch, Search
    from elasticsearch.dsl.query import Query

    from qlc.compiler.completion import Candidate
    from qlc.mapping.catalog import Catalog
    from qlc.mapping.fields import IndexMapping

__all__ = ["Compiler", "Diagnosis", "Prepared", "all_pages", "with_all_pages"]

log = logging.getLogger("qlc")

T = TypeVar("T")
MakeReading = Callable[[Bindings, NameCache, Hashable], Reading[T]]
"""Makes a generator of requests from the bindings, the cache of names and the access."""

_READINGS = itertools.count()

MOST_PREPARED, LONGEST_KEPT = 256, 10_000
"""Most programs that a compiler caches compiled, and most characters of each: a checked program is often run next."""


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of checking a program. `text` is its canonical form, empty after a syntax error."""

    diagnostics: tuple[Diagnostic, ...]
    text: str

    @property
    def failed(self) -> bool:
        return any(d.severity == "error" for d in self.diagnostics)


class Compiler:
    """Compiles and runs programs. It holds the catalog, the mapping, the client and the caches; a service keeps one.
    Thread-safe.

        compiler = qlc.Compiler(qlc.connect("store"), "drive.yaml")
        outcome = compiler.run('count documents where type = "W2"')

    - `client`: the official client, synchronous (for `run`) or asynchronous (for `run_async`). Without a client, the
      compiler can check programs, but not run them.
    - `catalog`: a path or a loaded catalog. Without one, `index` is required, and fields have their mapping paths as
      names.
    - `index`: the index, alias or pattern, if there is no catalog.
    - `mapping`: a loaded mapping; by default the compiler reads it from the index.
    - `embedder`: a function from a text to a vector, for `about`.
    - `mapping_age`: seconds after which the mapping is read again before a run.
    - `draft`: without a catalog, whether questions in words use a catalog that is drafted from the index.
    - `breaker`: a circuit breaker; by default all compilers of a client share one.
    - `cursor_key`: a secret of at least 16 bytes that signs cursors; the same for all processes of a service.
    - `ranker`: a ranking of passages; a corpus passes it.

    Raises ConfigurationError if catalog and mapping do not fit each other, UsageError for an argument of a wrong type.
    """

    def __init__(
        self,
        client: Elasticsearch | AsyncElasticsearch | None = None,
        catalog: str | Path | Catalog | None = None,
        index: str | None = None,
        *,
        mapping: IndexMapping | Mapping[str, IndexMapping] | None = None,
        embedder: Callable[[str], Sequence[float]] | None = None,
        mapping_age: float = MAPPING_AGE,
        draft: bool = True,
        breaker: CircuitBreaker | None = None,
        cursor_key: bytes | str | None = None,
        ranker: Ranker | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> None:
        _check_parts(client, index, mapping, breaker)
        if embedder is not None and not callable(embedder):
            raise UsageError(f"embedder must turn a text into a vector when it is called, and is {kind_of(embedder)}")
        if not isinstance(mapping_age, int | float) or not mapping_age >= 0:
            raise UsageError(f"mapping_age must be a number of seconds, not {mapping_age!r}")
        if clock is not None and not callable(clock):
            raise UsageError(f"clock must return the time of access rules when it is called, and is {kind_of(clock)}")
        source = SchemaSource(client, _loaded(catalog), index, mapping, mapping_age)
        self._shared = Shared(client, source, embedder, breaker, cursor_key, ranker, clock)
        self.breaker = self._shared.breaker
        self._reading = next(_READINGS)
        self._mapping_age = mapping_age
        reads_drafts = draft and catalog is None and mapping is None and client is not None
        reads_drafts = reads_drafts and not is_asynchronous(client)
        self._to_draft = index if reads_drafts else None
        self._drafted: Compiler | None = None
        self._draft_tried = -inf
        self._drafting = threading.Lock()
        self._prepared = lru_cache(maxsize=MOST_PREPARED)(partial(Prepared, self._shared))

    @property
    def catalog(self) -> Catalog | None:
        """The catalog as it was read, or None without a catalog."""
        return self._shared.source.catalog

    @property
    def client(self) -> Elasticsearch | AsyncElasticsearch | None:
        """The client that was passed in. Close it where you created it."""
        return self._shared.client  # type: ignore[no-any-return]

    @property
    def cursors(self) -> Cursors:
        """Writes and reads the cursors of this compiler's pages."""
        return self._shared.cursors

    @property
    def field_notes(self) -> Kept[Hashable, str]:
        """Cached notes on fields."""
        return self._shared.field_notes

    # --- schema ------------------------------------------------------------------------------------------------------

    def drafted(self) -> Compiler:
        """The compiler for questions in words: this one, or without a catalog one whose catalog is drafted from the
        index on first use. With an asynchronous client there is no draft.

        A draft takes no longer than the deadline around it: then it goes on beside, for the next question.
        """
        if self._to_draft is not None and self._drafted is None:
            now = time.monotonic()
            with suppress(TimeoutError, RequestFailed):  # a question that cannot be read without it says why
                # An empty context has no deadline: the draft is finished for the next question.
                within(earlier(now + DEFAULT_DEADLINE) - now, partial(Context().run, self._draft))
        return self._drafted or self

    def _draft(self) -> None:
        with self._drafting:
            if self._drafted is None and time.monotonic() - self._draft_tried > self._mapping_age:
                from qlc.mapping.draft import drafted_catalog

                assert self._to_draft is not None
                catalog = drafted_catalog(self._shared.client, self._to_draft)
                self._draft_tried = time.monotonic()
                self._drafted = None if catalog is None else self._with(catalog)

    def _with(self, catalog: Catalog) -> Compiler:
        shared = self._shared
        made = Compiler(self.client, catalog, embedder=shared.embedder, mapping_age=self._mapping_age,
                        breaker=self.breaker, ranker=shared.ranker, clock=shared.now)  # fmt: skip
        made._shared.cursors = shared.cursors
        return made

    @property
    def schema(self) -> Schema:
        """The schema, its mapping read from the index when first needed. Raises ConfigurationError, RequestFailed."""
        return self._shared.basis().schema

    def refresh(self) -> None:
        """Read the mapping again and clear the caches: after a change of the mapping or a write to the index.

        Raises ConfigurationError if catalog and mapping do not fit each other, RequestFailed.
        """
        self.forget()
        self._drafted, self._draft_tried = None, -inf
        self._shared.drive(self._shared.source.read(since=time.monotonic()))

    async def refresh_async(self) -> None:
        """As `refresh`, through an asynchronous client."""
        self.forget()
        await self._shared.drive_async(self._shared.source.read(since=time.monotonic()))

    def forget(self) -> None:
        """Clear cached names and values, after a write to the index."""
        self._shared.forget()
        if self._drafted is not None:
            self._drafted.forget()
        self._reading = next(_READINGS)

    def reading_now(self) -> Hashable:
        """A key for caches of what was read through the compiler: it changes with the compiler, with each `forget`, and
        every minute if access rules depend on the clock."""
        return self._reading, self._shared.minute(self._shared.basis())

    async def load(self) -> None:
        """Read the mapping through an asynchronous client. `run_async` does so by itself."""
        await self._shared.drive_async(self._shared.source.current())

    # --- programs ----------------------------------------------------------------------------------------------------

    def run(self, source: str, *, trace: Trace | None = None, **options: Unpack[RunOptions]) -> Outcome:
        """Run a program and return its outcome. A wrong program returns `Invalid`, a failed request `Failed`.

        `options` are those of `qlc.base.options.Options`: `now`, `timezone`, `context`, `params`, `choices`, `size`,
        `cursor`, `deadline` (seconds). Every stage writes to `trace`, if there is one.

        Raises UsageError for an unknown option or an invalid `context`, and ConfigurationError if the catalog does not
        fit the mapping when it is first read.
        """
        return self.prepare(source).run(trace=trace, **options)

    async def run_async(self, source: str, *, trace: Trace | None = None, **options: Unpack[RunOptions]) -> Outcome:
        """As `run`, over an asynchronous client."""
        return await self.prepare(source).run_async(trace=trace, **options)

    def search(self, source: str, **options: Unpack[RunOptions]) -> Search[Any]:
        """Compile a `find` to a search of `elasticsearch.dsl`, to go on with: sort it, highlight, aggregate, execute.

            compiler.search('find documents where folder = "Tax"').highlight("content").execute()

        Names are looked up, the mapping is checked, and the access rules are in the query. `limit` and `offset` of the
        program become `from` and `size`. Of `options`, those of pages (`size`, `cursor`) do not count. Raises a
        `qlc.pipeline.searches.NoSearch`, whose `outcome` says why there is none.
        """
        given, traffic = self._search_options(options)
        found = self._shared.drive(self.prepare(source).searching(given, traffic, dsl.Search), traffic)
        assert isinstance(found, dsl.Search)
        return found if self.client is None else found.using(self.client)

    async def search_async(self, source: str, **options: Unpack[RunOptions]) -> AsyncSearch[Any]:
        """As `search`, with an asynchronous client."""
        given, traffic = self._search_options(options)
        found = await self._shared.drive_async(self.prepare(source).searching(given, traffic, dsl.AsyncSearch), traffic)
        assert isinstance(found, dsl.AsyncSearch)
        return found if self.client is None else found.using(self.client)

    def query(self, source: str, **options: Unpack[RunOptions]) -> Query:
        """As `search`, the query alone: what makes the documents of a `find`, access rules included."""
        return self.search(source, **options).query._proxied or MatchAll()

    def _search_options(self, options: Mapping[str, Any]) -> tuple[Options, Traffic]:
        given = read_options(options)
        if not isinstance(given, Options):
            raise NoSearch.of(given)
        return replace(given, cursor=None), self._shared.traffic(given.deadline)

    def run_together(self, sources: Sequence[str], **options: Unpack[RunOptions]) -> tuple[list[Outcome], int]:
        """Run several programs in the same round trips. Returns their outcomes in order, and the number of requests."""
        given = read_options(options)
        if not isinstance(given, Options):
            return [given] * len(sources), 0
        traffic = self._shared.traffic(given.deadline)
        runs = [self.prepare(source).running(given, traffic) for source in sources]
        return self._shared.drive(together(runs), traffic), traffic.round_trips + traffic.further

    def prepare(self, source: str) -> Prepared:
        """Compile a program once, to run it many times with different options. Each run returns the same as `run`."""
        kept = isinstance(source, str) and len(source) <= LONGEST_KEPT
        return self._prepared(source) if kept else Prepared(self._shared, source)

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
        """Check a program without running it. `diagnostics` has the one syntax error, or all other errors and warnings;
        `text` is the canonical form.

        Raises UsageError for an invalid option; ConfigurationError and RequestFailed if the mapping cannot be read.
        """
        basis, given, sensitive, text = self._shared.basis(), params or {}, permitted(context or {}), ""
        env = self.environment({"now": now, "timezone": timezone, "context": context or {}, "params": given}, basis)
        try:
            checked, _ = self.prepare(source).compiled(given, sensitive, trace, basis)
            found, text = (*checked.diagnostics, *inconsistencies(checked, env)), checked.text
        except SyntaxProblem as problem:
            found = (problem.diagnostic,)
        return Diagnosis(confirmed(found, env, given, sensitive) if found else (), text)

    # --- completion --------------------------------------------------------------------------------------------------

    def complete(
        self, source: str, cursor: int | None = None, *, context: Mapping[str, Any] | None = None, names: int = 20
    ) -> list[Candidate]:
        """Completions at the cursor, best first: values and names, then keywords.

        `cursor` is an offset in characters (default: the end). At most `names` names of entities come from the index,
        only those that the `context` permits. Raises UsageError for a cursor outside the source; ConfigurationError and
        RequestFailed if the mapping cannot be read.
        """
        return self._shared.drive(self._completing(source, cursor, context or {}, names))

    async def complete_async(
        self, source: str, cursor: int | None = None, *, context: Mapping[str, Any] | None = None, names: int = 20
    ) -> list[Candidate]:
        """As `complete`, over an asynchronous client."""
        return await self._shared.drive_async(self._completing(source, cursor, context or {}, names))

    def _completing(
        self, source: str, cursor: int | None, context: Mapping[str, Any], names: int
    ) -> Rounds[list[Candidate]]:
        from qlc.compiler.completion import complete

        end = len(source_text(source))
        if cursor is not None and not 0 <= cursor <= end:
            raise UsageError(f"the cursor is an offset from 0 to {end}, and not {cursor}")
        basis = yield from self._shared.source.current()
        found = complete(source, end if cursor is None else cursor, basis.schema, permitted(context))
        entity, named = found.names_of, list[str]()
        if entity is not None and self._shared.client is not None:

            def reading(env: Bindings, cache: NameCache, access: Hashable) -> Reading[list[str]]:
                return names_like(Place(basis.schema, env, cache, access), entity, found.word, names)

            try:
                named = yield from self._guarded(reading, context, [entity])
            except (ContextMissing, BindingError, RequestFailed, CannotAnswer, Ask, Missing) as problem:
                # Without the names of the index, the other completions are still offered.
                log.info("no names to complete with: %s", problem)
        return found.with_names(named)

    # --- reading the index -------------------------------------------------------------------------------------------

    def read(
        self,
        reading: MakeReading[T],
        context: Mapping[str, Any],
        deadline: float = DEFAULT_DEADLINE,
        **given: Any,
    ) -> T:
        """For translators: read the index with the access rights of a context, in at most `deadline` seconds.

        `given`: `now` and `timezone`; `aside`, another reading in the same round trips. Raises RequestFailed.
        """
        return self._shared.drive(self._guarded(reading, context, **given), self._shared.traffic(deadline))

    async def read_async(
        self,
        reading: MakeReading[T],
        context: Mapping[str, Any],
        deadline: float = DEFAULT_DEADLINE,
        **given: Any,
    ) -> T:
        """As `read`, through an asynchronous client."""
        rounds = self._guarded(reading, context, **given)
        return await self._shared.drive_async(rounds, self._shared.traffic(deadline))

    def environment(self, options: Mapping[str, Any], basis: Basis | None = None) -> Bindings:
        """Return the values of parameters and dates for some options (see `Options`), for tools."""
        return self._shared.environment(options, basis)

    def _guarded(
        self,
        reading: MakeReading[T],
        context: Mapping[str, Any],
        entities: Sequence[Entity] | None = None,
        aside: MakeReading[None] | None = None,
        **clock: Any,
    ) -> Rounds[T]:
        """Run the lookups of the access rules of the entities (by default all with documents), then the readings."""
        basis = yield from self._shared.source.current()
        env = self.environment({"context": context, **clock}, basis)
        access = self._shared.access(env, basis)
        if entities is None:
            entities = [entity for entity in basis.schema.entities.values() if not entity.virtual]
        for entity in entities:
            guarded = plan_query(typed.Find(entity, typed.All()), basis.access, basis.schema)
            yield from read_levels(guarded, Run(env, self._shared.names, access))
        readings = [one(env, self._shared.names, access) for one in (reading, aside) if one is not None]
        found: T = (yield from in_step(readings))[0]
        return found


def all_pages(compiler: Compiler, source: str, **options: Unpack[RunOptions]) -> Outcome:
    """Return every page of a `find` as one outcome; any other outcome unchanged."""

    def page(cursor: str) -> Outcome:
        further: RunOptions = {**options, "cursor": cursor}
        return compiler.run(source, **further)

    return with_all_pages(compiler.run(source, **options), page)


def with_all_pages(outcome: Outcome, page: Callable[[str], Outcome]) -> Outcome:
    """Add all further pages to a list, read by `page` at a cursor; if a page fails, return its outcome."""
    if not isinstance(outcome, Hits):
        return outcome
    hits, cursor = list(outcome.hits), outcome.cursor
    while cursor is not None:
        following = page(cursor)
        if not isinstance(following, Hits):
            return following
        hits += following.hits
        cursor = following.cursor
    message = outcome.message.split(". ")[0].rstrip(".") + "."
    whole = {"hits": hits, "ids": [hit.id for hit in hits], "cursor": None, "has_more": False, "message": message}
    return outcome.model_copy(update=whole)


def check_compiler(given: Any) -> None:
    """Check the type of a compiler argument. Raises UsageError."""
    if not isinstance(given, Compiler):
        raise UsageError(f"compiler must be a qlc.Compiler, and is {kind_of(given)}")


def _check_parts(client: Any, index: Any, mapping: Any, breaker: Any) -> None:
    """Check the types of the parts, since a later error would look like a defect."""
    if client is not None and not hasattr(client, "perform_request"):
        raise UsageError(f"client must be a client of Elasticsearch, as qlc.connect makes it, and is {kind_of(client)}")
    # An empty name would be every index there is.
    if index is not None and not (isinstance(index, str) and index.strip()):
        raise UsageError("index must be the name of an index, an alias or a pattern, and not be empty")
    if mapping is not None:
        from qlc.mapping.fields import IndexMapping

        mappings = mapping.values() if isinstance(mapping, Mapping) else [mapping]
        if not all(isinstance(one, IndexMapping) for one in mappings):
            raise UsageError("mapping must be what qlc.mapping.index_mapping.load_mapping reads, or one for each index")
    if breaker is not None and not isinstance(breaker, CircuitBreaker):
        raise UsageError(f"breaker must be a qlc.CircuitBreaker, and is {kind_of(breaker)}")


def _loaded(catalog: str | Path | Catalog | None) -> Catalog | None:
    if catalog is None:
        return None
    from qlc.mapping.catalog import Catalog, load_catalog

    if isinstance(catalog, Catalog):
        return catalog
    if not isinstance(catalog, str | Path):
        raise UsageError(f"catalog must be the path of a file, or a loaded catalog, and is {kind_of(catalog)}")
    return load_catalog(catalog)
