"""Generators that say what they need, gone through step by step: by who waits for an answer, and by who awaits it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Generic, TypeVar

N = TypeVar("N")
T = TypeVar("T")


class Stepping(Generic[N, T]):
    """A generator on its way: what it needs next (None at its end), and what it returned."""

    need: N | None
    result: T

    def __init__(self, steps: Generator[N, Any, T]) -> None:
        self._steps = steps
        self.send(None)

    def send(self, answer: Any) -> None:
        try:
            self.need = self._steps.send(answer)
        except StopIteration as end:
            self.need, self.result = None, end.value
