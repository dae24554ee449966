"""A cache with expiry and a bound on its size. Thread-safe."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Weighted values, each kept for `seconds`, with a bound on the sum of weights; the least recently used go
    first."""

    def __init__(self, seconds: float, room: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._room = room
        self._clock = clock
        self._kept: OrderedDict[K, tuple[float, int, V]] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()

    def get(self, key: K) -> V | None:
        with self._lock:
            entry = self._kept.get(key)
            if entry is None:
                return None
            until, _, value = entry
            if self._clock() >= until:
                self._remove(key)
                return None
            self._kept.move_to_end(key)
            return value

    def put(self, key: K, value: V, weight: int = 1) -> None:
        with self._lock:
            self._remove(key)
            if weight > self._room:
                return
            self._kept[key] = (self._clock() + self._seconds, weight, value)
            self._weight += weight
            while self._weight > self._room:
                self._remove(next(iter(self._kept)))

    def clear(self) -> None:
        with self._lock:
            self._kept.clear()
            self._weight = 0

    def _remove(self, key: K) -> None:
        entry = self._kept.pop(key, None)
        if entry is not None:
            self._weight -= entry[1]
