"""The circuit breaker: a server that failed again and again is left alone for a while, and callers fail at once."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal
from weakref import WeakKeyDictionary

from qlc.errors import RequestFailed, UsageError

CIRCUIT_OPEN = "circuit-open"
FAILURES = 10
PAUSE = 5.0
UNHEALTHY = frozenset({"unreachable", "unavailable", "overloaded", "garbled"})
"""Reasons that speak of the server as a whole. Any other answer shows that it works."""
LONG_ENOUGH = 1.0
"""A time-out of a request that was given less than these seconds tells more of the caller than of the server."""

State = Literal["closed", "open", "half-open"]


class CircuitBreaker:
    """Opens after `failures` attempts in a row that the server failed, retries counted.

    Open, it refuses every attempt for `pause` seconds. Then it is half-open: one attempt goes through while the others
    are still refused. If that succeeds the breaker closes, else the pause begins again. Safe under threads and tasks;
    one breaker may serve several compilers. `failures=math.inf` never opens.

    Raises UsageError for numbers that make no sense.
    """

    def __init__(self, failures: float = FAILURES, pause: float = PAUSE) -> None:
        numbers = isinstance(failures, int | float) and isinstance(pause, int | float)
        if not numbers or not failures >= 1 or not pause >= 0:
            raise UsageError("a circuit breaker opens after at least one failure, and its pause is not negative")
        self.failures = failures
        self.pause = pause
        self._lock = threading.Lock()
        self._failed = 0
        self._opened_at: float | None = None
        self._trial: object | None = None
        self._generation = 0

    def __repr__(self) -> str:
        return f"CircuitBreaker(failures={self.failures}, pause={self.pause}, state={self.state!r})"

    @property
    def state(self) -> State:
        with self._lock:
            if self._opened_at is None:
                return "closed"
            return "half-open" if self._trial is not None or self._left() <= 0 else "open"

    @contextmanager
    def attempt(self) -> Iterator[None]:
        """Around one attempt. Raises RequestFailed("circuit-open") in place of it while the breaker is open."""
        mine = self._admit()
        started = time.monotonic()
        try:
            yield
        except RequestFailed as problem:
            if problem.reason in UNHEALTHY:
                self._ended(mine, failed=True)
            elif problem.reason == "timeout":
                self._ended(mine, failed=True if time.monotonic() - started >= LONG_ENOUGH else None)
            else:
                self._ended(mine, failed=False)
            raise
        except BaseException:
            self._ended(mine, failed=None)
            raise
        else:
            self._ended(mine, failed=False)

    def _left(self) -> float:
        assert self._opened_at is not None
        return self._opened_at + self.pause - time.monotonic()

    def _admit(self) -> tuple[int, object]:
        token = object()
        with self._lock:
            if self._opened_at is not None:
                if self._trial is not None or self._left() > 0:
                    raise RequestFailed(CIRCUIT_OPEN, f"{self._failed} attempts in a row failed; none is made now")
                self._trial = token
            return self._generation, token

    def _ended(self, mine: tuple[int, object], *, failed: bool | None) -> None:
        """`failed` is None for what tells nothing about the server: it was given up, or had no time."""
        generation, token = mine
        with self._lock:
            if token is self._trial:
                self._trial = None
            elif generation != self._generation:
                return  # begun before the breaker opened or closed: it tells of a time that is over
            if failed is None:
                return
            if not failed:
                self._failed = 0
                if self._opened_at is not None:
                    self._opened_at = None
                    self._generation += 1
                return
            self._failed += 1
            if self._opened_at is not None or self._failed >= self.failures:
                self._opened_at = time.monotonic()
                self._generation += 1


_BREAKERS: WeakKeyDictionary[Any, CircuitBreaker] = WeakKeyDictionary()
_BREAKERS_LOCK = threading.Lock()


def breaker_of(client: Any) -> CircuitBreaker:
    """The breaker that all compilers of a client share unless they are given another."""
    with _BREAKERS_LOCK:
        found = _BREAKERS.get(client)
        if found is None:
            found = _BREAKERS[client] = CircuitBreaker()
        return found
