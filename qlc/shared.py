"""What all runs of a compiler share: the client, the mapping, what was read before, and the circuit breaker."""

from __future__ import annotations

import time
from collections.abc import Hashable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from qlc.compiler.codegen import RunBindings
from qlc.compiler.environment import Bindings
from qlc.compiler.periods import Clock
from qlc.cursor import Cursors
from qlc.deadline import earlier
from qlc.errors import UsageError
from qlc.options import DEFAULT_DEADLINE, Options, access_key, moment, zone_of
from qlc.planner.rounds import Rounds
from qlc.resolver.breaker import CircuitBreaker, breaker_of
from qlc.resolver.driver import Traffic, drive, drive_async, is_asynchronous
from qlc.resolver.kept import Kept
from qlc.resolver.names import NameCache
from qlc.resolver.steps import FirstPage
from qlc.schema_source import Basis, SchemaSource

T = TypeVar("T")

VALUES_LIFE, MOST_VALUES = 300.0, 50_000
"""Seconds, and the number, of values that were seen: they are not looked for again."""
PAGES_LIFE, MOST_PAGES = 120.0, 1_000
"""Of first pages. What a list finds through others, and what its access rule looks up, is as old as this."""


class Shared:
    """Safe under threads. `client` is the official one of either API, or None where nothing is to be run."""

    def __init__(
        self,
        client: Any,
        source: SchemaSource,
        embedder: Any,
        breaker: CircuitBreaker | None,
        cursor_key: bytes | str | None = None,
        ranker: Any = None,
    ) -> None:
        """Raises UsageError for a key that is none."""
        self.client = client
        self.source = source
        self.embedder = embedder
        self.ranker = ranker
        self.names = NameCache()
        self.known: Kept[Hashable, bool] = Kept(VALUES_LIFE, MOST_VALUES)
        self.pages: Kept[Hashable, FirstPage] = Kept(PAGES_LIFE, MOST_PAGES)
        self.cursors = Cursors(cursor_key)
        self.breaker = breaker or (CircuitBreaker() if client is None else breaker_of(client))

    def forget(self) -> None:
        """Forget names and values that were read."""
        self.names.clear()
        self.known.clear()
        self.pages.clear()

    def traffic(self, deadline: float = DEFAULT_DEADLINE) -> Traffic:
        """Requests that have to be answered within `deadline` seconds from now, or with what they are a part of."""
        return Traffic(earlier(time.monotonic() + deadline), self.breaker)

    def drive(self, rounds: Rounds[T], traffic: Traffic | None = None) -> T:
        return drive(rounds, self.client, traffic or self.traffic())

    async def drive_async(self, rounds: Rounds[T], traffic: Traffic | None = None) -> T:
        return await drive_async(rounds, self.client, traffic or self.traffic())

    def basis(self) -> Basis:
        """The mapping, read when it is not known. Raises ConfigurationError, RequestFailed.

        Through an asynchronous client nothing can be read here, and what is known has to do. Raises UsageError.
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
        """What the values of a query stand for under some options (see `Options`)."""
        given = Options.of(options)
        basis = basis or self.basis()
        of_run = Clock(moment(given.now), zone_of(given.timezone), basis.schema.week_start)
        clock = replace(of_run, now=given.instant) if given.as_of is not None else of_run
        return RunBindings(basis.schema, clock, given.params, given.context, embed=self.embedder, access=basis.access,
                        access_clock=of_run, ranker=self.ranker)

    def access(self, env: Bindings, basis: Basis) -> Hashable:
        """What decides about what may be seen, in cache keys: the context, and the minute where rules have a clock."""
        assert env.access_clock is not None
        return access_key(env.context), self.minute(env.access_clock.now, basis)

    def minute(self, now: datetime, basis: Basis) -> int:
        """What tells apart what may be seen at different times, where rules have a clock."""
        return int(now.timestamp() // 60) if basis.varies else 0
