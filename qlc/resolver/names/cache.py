"""Cache of resolved names and lexicons. Thread-safe."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from qlc import telemetry
from qlc.compiler.environment import Bindings
from qlc.mapping.schema import Entity, Schema
from qlc.resolver.kept import Kept
from qlc.resolver.names.entries import Found
from qlc.resolver.names.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class CacheKey:
    """The key of cached names: no access context sees names of another, and a changed catalog starts afresh.

    `indices`: the indices read, by their names in the catalog. `detail`: further inputs of the value, such as the text
    looked up, the wanted fields, the time zone of labels.
    """

    indices: frozenset[str]
    version: str
    entity: str
    access: Hashable
    detail: Hashable = None


@dataclass(frozen=True, slots=True)
class TooManyNames:
    """Cached in place of a lexicon that would exceed the bound, so that its names are not read again."""


class NameCache:
    """Results and lexicons by `CacheKey`, each for `seconds` and within a size; the least recently used go first.

    A writer calls `clear`. A reader takes `generation` before it reads and passes it with the result, so that results
    from before a write are not cached after it.
    """

    def __init__(
        self,
        seconds: float = 60.0,
        *,
        candidates: int = 100_000,
        names: int = 1_000_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`candidates`: most candidates in all results together; `names`: most names in all lexicons together."""
        self._lock = threading.Lock()
        self.generation = 0
        self._being_read: set[tuple[CacheKey, int]] = set()
        self._results: Kept[CacheKey, Found] = Kept(seconds, candidates, clock)
        self._lexicons: Kept[CacheKey, Lexicon | TooManyNames] = Kept(seconds, names, clock)

    def result(self, key: CacheKey) -> Found | None:
        found = self._results.get(key)
        _count(found)
        return found

    def keep_result(self, key: CacheKey, found: Found, generation: int) -> None:
        with self._lock:
            if generation == self.generation:
                self._results.put(key, found, 1 + len(found.candidates))

    def lexicon(self, key: CacheKey) -> Lexicon | TooManyNames | None:
        found = self._lexicons.get(key)
        _count(found)
        return found

    def keep_lexicon(self, key: CacheKey, lexicon: Lexicon | TooManyNames, generation: int) -> Lexicon | TooManyNames:
        """Cache a lexicon, and return the one to use: lookups of one round share the first one's indices."""
        with self._lock:
            if generation != self.generation:
                return lexicon
            kept = self._lexicons.get(key)
            if kept is None:
                self._lexicons.put(key, lexicon, 1 + len(lexicon) if isinstance(lexicon, Lexicon) else 1)
            return lexicon if kept is None else kept

    def is_being_read(self, key: CacheKey, run: int) -> bool:
        """Whether another lookup of the same run is reading this lexicon."""
        with self._lock:
            return (key, run) in self._being_read

    @contextmanager
    def being_read(self, key: CacheKey, run: int) -> Iterator[None]:
        with self._lock:
            self._being_read.add((key, run))
        try:
            yield
        finally:
            with self._lock:
                self._being_read.discard((key, run))

    def clear(self) -> None:
        with self._lock:
            self.generation += 1
            self._results.clear()
            self._lexicons.clear()


def _count(found: object) -> None:
    if found is not None:
        telemetry.hit("names")


@dataclass(frozen=True, slots=True)
class Place:
    """The place of lookups. `access` identifies all inputs of `env.scope`; each access has its own cached results."""

    schema: Schema
    env: Bindings
    cache: NameCache
    access: Hashable

    def key(self, entity: Entity, detail: Hashable = None) -> CacheKey:
        indices = frozenset(holder.index for holder in self.holders(entity))
        return CacheKey(indices, self.schema.version, entity.rule_key, self.access, detail)

    def holders(self, entity: Entity) -> tuple[Entity, ...]:
        """Return the entities whose documents hold the names: itself, or those of the sources of a virtual entity."""
        return tuple(self.schema.entities[source.entity] for source in entity.sources) or (entity,)

    def entity_above(self, entity: Entity) -> Entity | None:
        """Return the target of the entity's hierarchical reference, if it has documents."""
        reference = entity.fields[entity.parent].reference if entity.parent else None
        above = self.schema.entities.get(reference.entity) if reference else None
        return above if above is not None and not above.virtual else None

    def constants_above(self, entity: Entity) -> frozenset[str]:
        """Return the constants that a path can begin with, such as `root`."""
        reference = entity.fields[entity.parent].reference if entity.parent else None
        return frozenset(reference.constants) if reference else frozenset()
