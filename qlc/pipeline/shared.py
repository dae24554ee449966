"""State that all runs of a compiler share: the client, the mapping, caches, and the circuit breaker.

The schema is built from catalog and mapping; the mapping is read from the index and kept up to date.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from qlc.base.deadline import earlier
from qlc.base.diagnostics import Diagnostic
from qlc.base.errors import ConfigurationError, RequestFailed, UsageError
from qlc.base.options import DEFAULT_DEADLINE, Options, access_key, moment, zone_of
from qlc.compiler import typed
from qlc.compiler.access import Rules, WrongRule, access_rules, varies_with_time
from qlc.compiler.codegen import RunBindings
from qlc.compiler.environment import Bindings
from qlc.compiler.periods import Clock
from qlc.compiler.request import Response, SearchRequest
from qlc.mapping.schema import Schema
from qlc.pipeline.cursor import Cursors
from qlc.planner.plan import EndlessAccess, Rounds, plan_query
from qlc.resolver.driver import CircuitBreaker, Traffic, breaker_of, drive, drive_async, is_asynchronous
from qlc.resolver.kept import Kept
from qlc.resolver.names import NameCache
from qlc.resolver.steps import FirstPage

if TYPE_CHECKING:
    from qlc.mapping.catalog import Catalog
    from qlc.mapping.fields import IndexMapping


MAPPING_AGE = 60.0
PAUSE = 0.002
"""Seconds between checks whether another thread or task has read the mapping."""

Raw = dict[str, tuple[Response, Response]]
"""The responses of the server for each index: its mapping and its settings."""


@dataclass(frozen=True, slots=True)
class Basis:
    """The state that programs are checked and planned against. A run takes one and keeps it.

    `varies`: whether access rules depend on the clock.
    """

    schema: Schema
    access: Rules
    varies: bool = False


class SchemaSource:
    """Reads the mapping on first use, and again when it is older than `age` seconds. Safe under threads and tasks;
    concurrent callers read it once."""

    def __init__(
        self,
        client: Any,
        catalog: Catalog | None,
        index: str | None,
        mapping: IndexMapping | Mapping[str, IndexMapping] | None,
        age: float,
    ) -> None:
        self._client = client
        self.catalog = catalog
        self._index = index
        self._age = age
        self.can_change = mapping is None and client is not None
        self._raw: Raw = {}
        self.read_at = 0.0
        self._misfit = False
        self._lock = threading.Lock()
        self.known: Basis | None = None
        if mapping is not None:
            self.known = self._built(mapping)

    # --- the basis of a run ------------------------------------------------------------------------------------------

    def current(self) -> Rounds[Basis]:
        """Return the basis, after reading the mapping if it is due. Raises ConfigurationError at the first reading,
        RequestFailed."""
        if self.is_due():
            yield from self.read(since=self.read_at)
        assert self.known is not None
        return self.known

    def is_due(self) -> bool:
        """Whether the mapping must be read, for the first time or again."""
        if self.known is None:
            return True
        return self.can_change and (self._misfit or time.monotonic() - self.read_at > self._age)

    # --- reading -----------------------------------------------------------------------------------------------------

    def read(self, since: float) -> Rounds[None]:
        """Read the mapping, unless another thread or task did so after `since` (monotonic clock)."""
        if not self.can_change and self.known is not None:
            return
        while not self._lock.acquire(blocking=False):
            yield PAUSE
        try:
            if self.known is None or self._misfit or self.read_at <= since:
                began = time.monotonic()
                self._take((yield from self._reading()), began)
        finally:
            self._lock.release()

    def _reading(self) -> Rounds[Raw]:
        if self._client is None:
            raise UsageError("a compiler without a client needs a mapping")
        names = self._index_names()
        mappings = [SearchRequest(name, {}, "the mapping", action="read mapping") for name in names]
        settings = [SearchRequest(name, {}, "the settings", action="read settings") for name in names]
        found = yield (*mappings, *settings)
        return dict(zip(names, zip(found[: len(names)], found[len(names) :], strict=True), strict=True))

    def _index_names(self) -> list[str]:
        if self.catalog is not None:
            return index_names(self.catalog)
        if self._index is None:
            raise UsageError("without a catalog the compiler needs the name of an index")
        return [self._index]

    def _take(self, raw: Raw, began: float) -> None:
        if self.known is None or self._misfit or raw != self._raw:
            self._misfit = self.known is not None
            try:
                self.known = self._built(_mappings(raw))
            except ConfigurationError as problem:
                if self.known is None:
                    raise
                raise RequestFailed("changed", str(problem)) from problem
            self._misfit = False
            self._raw = raw
        self.read_at = began

    def _built(self, mapping: Any) -> Basis:
        """Build the basis. Raises ConfigurationError; CatalogError if an access rule is wrong."""
        from qlc.compiler.catalog_check import report_computed
        from qlc.compiler.computed import with_computed
        from qlc.mapping.build import build_schema
        from qlc.mapping.checks.findings import Findings
        from qlc.mapping.effective import entity_definitions
        from qlc.mapping.errors import CatalogError

        schema, wrong = with_computed(build_schema(self.catalog, mapping))
        if wrong:
            assert self.catalog is not None
            findings = Findings(self.catalog)
            report_computed(findings, wrong)
            raise CatalogError(findings.sorted(), self.catalog.text, self.catalog.name)
        try:
            rules = access_rules(schema)
            for entity in schema.entities.values():
                plan_query(typed.Find(entity), rules, schema)
        except (WrongRule, EndlessAccess) as problem:
            catalog = self.catalog
            assert catalog is not None
            span = catalog.span(entity_definitions(catalog)[problem.entity].setting_location("access"))
            found = Diagnostic("catalog-condition", str(problem), span, "'qlc catalog check' reports everything")
            raise CatalogError([found], catalog.text, catalog.name) from problem
        return Basis(schema, rules, varies_with_time(rules))


def _mappings(raw: Raw) -> dict[str, IndexMapping]:
    """Parse the mappings. Raises RequestFailed if nothing has one of the names, or for a malformed response."""
    from qlc.mapping.errors import MappingError
    from qlc.mapping.index_mapping import mapping_from_responses

    try:
        return {name: mapping_from_responses(name, *answers) for name, answers in raw.items()}
    except MappingError as problem:
        is_there = all(mappings for mappings, _ in raw.values())
        raise RequestFailed("garbled" if is_there else "no-index", str(problem)) from problem
    except (AttributeError, TypeError, ValueError, LookupError) as problem:
        raise RequestFailed("garbled", "the mapping cannot be read", retryable=True) from problem


def index_names(catalog: Catalog) -> list[str]:
    """Return the indices, aliases and patterns in a catalog."""
    from qlc.mapping.effective import entity_definitions

    return sorted({one.index for one in entity_definitions(catalog).values() if not one.virtual})


T = TypeVar("T")

VALUES_LIFE, MOST_VALUES = 300.0, 50_000
"""Seconds, and most number, of cached values that exist: they are not looked for again."""
PAGES_LIFE, MOST_PAGES = 120.0, 1_000
"""Lifetime and number of cached first pages. Lookups of a list, also in its access rule, can be this old."""


class Shared:
    """Shared state. Thread-safe. `client` is the official one of either API, or None if nothing is run."""

    def __init__(
        self,
        client: Any,
        source: SchemaSource,
        embedder: Any,
        breaker: CircuitBreaker | None,
        cursor_key: bytes | str | None = None,
        ranker: Any = None,
        now: Callable[[], datetime] | None = None,
    ) -> None:
        """Raises UsageError for an invalid key."""
        self.client = client
        self.source = source
        self.embedder = embedder
        self.ranker = ranker
        self.now = now or partial(datetime.now, UTC)
        self.names = NameCache()
        self.known: Kept[Hashable, str] = Kept(VALUES_LIFE, MOST_VALUES)
        self.field_notes: Kept[Hashable, str] = Kept(VALUES_LIFE, MOST_VALUES)
        self.pages: Kept[Hashable, FirstPage] = Kept(PAGES_LIFE, MOST_PAGES)
        self.cursors = Cursors(cursor_key)
        self.breaker = breaker or (CircuitBreaker() if client is None else breaker_of(client))

    def forget(self) -> None:
        """Clear cached names and values."""
        self.names.clear()
        self.known.clear()
        self.field_notes.clear()
        self.pages.clear()

    def traffic(self, deadline: float = DEFAULT_DEADLINE) -> Traffic:
        """Return a record of requests that ends `deadline` seconds from now, or at an earlier deadline around it."""
        return Traffic(earlier(time.monotonic() + deadline), self.breaker)

    def drive(self, rounds: Rounds[T], traffic: Traffic | None = None) -> T:
        return drive(rounds, self.client, traffic or self.traffic())

    async def drive_async(self, rounds: Rounds[T], traffic: Traffic | None = None) -> T:
        return await drive_async(rounds, self.client, traffic or self.traffic())

    def basis(self) -> Basis:
        """Return the basis, read if it is not known. Raises ConfigurationError, RequestFailed.

        With an asynchronous client nothing can be read here, so the known basis is used. Raises UsageError without one.
        """
        source = self.source
        if source.known is not None and not source.is_due():
            return source.known
        if not is_asynchronous(self.client):
            return self.drive(source.current())
        if source.known is None:
            raise UsageError("with an asynchronous client, await 'load' first")
        return source.known

    def environment(self, options: Mapping[str, Any], basis: Basis | None = None) -> Bindings:
        """Return the bindings of a query under some options (see `Options`)."""
        given = Options.of(options)
        basis = basis or self.basis()
        clock = Clock(given.instant, zone_of(given.timezone), basis.schema.week_start)
        rules_clock = Clock(moment(self.now()), basis.schema.zone, basis.schema.week_start)
        return RunBindings(basis.schema, clock, given.params, given.context, embed=self.embedder, access=basis.access,
                           rules_clock=rules_clock, ranker=self.ranker)

    def access(self, env: Bindings, basis: Basis) -> Hashable:
        """Return the part of cache keys that decides visibility: the context, and the minute if rules depend on the
        clock."""
        assert env.rules_clock is not None
        return access_key(env.context), self.minute(basis, env.rules_clock.now)

    def minute(self, basis: Basis, now: datetime | None = None) -> int:
        """Return the minute of the rules' clock if rules depend on it, else 0, for caches."""
        return int((now or self.now()).timestamp() // 60) if basis.varies else 0
