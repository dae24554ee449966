"""What names were found to mean, and the lexicons, kept for a while. Safe under threads."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, TypeVar

from qlc.resolver.names.found import Found
from qlc.resolver.names.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class CacheKey:
    """Whose names: nothing that one access context saw is seen by another, nor after a change of the catalog.

    `indices` are the ones read, by the names that the catalog has for them. `detail` is what else the value depends
    on: the text looked up, the wanted fields, the time zone of labels.
    """

    indices: frozenset[str]
    version: str
    entity: str
    access: Hashable
    detail: Hashable = None


@dataclass(frozen=True, slots=True)
class TooManyNames:
    """Kept in place of a lexicon: there are more names than the bound, and they need not be read again to know it."""


V = TypeVar("V")


class NameCache:
    """Results and lexicons by `CacheKey`, each for `seconds` and within a size; the least recently used go first.

    A writer calls `clear` for the index written to. A reading takes `generation` before it reads and hands it back with
    what it read: an answer from before a write is not kept after it.
    """

    def __init__(
        self,
        seconds: float = 60.0,
        *,
        candidates: int = 100_000,
        names: int = 1_000_000,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`candidates` kept in all results together, `names` in all lexicons together."""
        self._lock = threading.Lock()
        self._cleared: dict[str, int] = {}
        self._all_cleared = 0
        self._being_read: set[tuple[CacheKey, int]] = set()
        self._results: _Shelf[Found] = _Shelf(seconds, candidates, clock)
        self._lexicons: _Shelf[Lexicon | TooManyNames] = _Shelf(seconds, names, clock)

    def generation(self, key: CacheKey) -> int:
        with self._lock:
            return self._generation(key)

    def result(self, key: CacheKey) -> Found | None:
        with self._lock:
            return self._results.get(key)

    def keep_result(self, key: CacheKey, found: Found, generation: int) -> None:
        with self._lock:
            if generation == self._generation(key):
                self._results.put(key, found, 1 + len(found.candidates))

    def lexicon(self, key: CacheKey) -> Lexicon | TooManyNames | None:
        with self._lock:
            return self._lexicons.get(key)

    def keep_lexicon(self, key: CacheKey, lexicon: Lexicon | TooManyNames, generation: int) -> Lexicon | TooManyNames:
        """What to use: lookups of one round read the same names, and share the indices of who is first."""
        with self._lock:
            if generation != self._generation(key):
                return lexicon
            kept = self._lexicons.get(key)
            if kept is None:
                self._lexicons.put(key, lexicon, 1 + len(lexicon) if isinstance(lexicon, Lexicon) else 1)
            return lexicon if kept is None else kept

    def is_being_read(self, key: CacheKey, run: int) -> bool:
        """Whether another lookup of the same run reads this lexicon now."""
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

    def clear(self, index: str | None = None) -> None:
        """Forgets what was read from an index, by the name that the catalog has for it; None: everything."""
        with self._lock:
            if index is None:
                self._all_cleared += 1
            else:
                self._cleared[index] = self._cleared.get(index, 0) + 1
            self._results.drop(index)
            self._lexicons.drop(index)

    def _generation(self, key: CacheKey) -> int:
        return self._all_cleared + sum(self._cleared.get(index, 0) for index in key.indices)


class _Shelf(Generic[V]):
    """Values of different weight with a bound on their sum; not locked, its owner is."""

    def __init__(self, seconds: float, room: int, clock: Callable[[], float]) -> None:
        self._seconds = seconds
        self._room = room
        self._clock = clock
        self._kept: OrderedDict[CacheKey, tuple[float, int, V]] = OrderedDict()
        self._weight = 0

    def get(self, key: CacheKey) -> V | None:
        entry = self._kept.get(key)
        if entry is None:
            return None
        until, _, value = entry
        if self._clock() >= until:
            self._remove(key)
            return None
        self._kept.move_to_end(key)
        return value

    def put(self, key: CacheKey, value: V, weight: int) -> None:
        self._remove(key)
        if weight > self._room:
            return
        self._kept[key] = (self._clock() + self._seconds, weight, value)
        self._weight += weight
        while self._weight > self._room:
            self._remove(next(iter(self._kept)))

    def drop(self, index: str | None) -> None:
        for key in [key for key in self._kept if index is None or index in key.indices]:
            self._remove(key)

    def _remove(self, key: CacheKey) -> None:
        entry = self._kept.pop(key, None)
        if entry is not None:
            self._weight -= entry[1]
