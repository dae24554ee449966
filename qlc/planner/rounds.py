"""Readings in step: what several of them ask for at the same time goes out as one batch."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from qlc.compiler.request import Reading, Response, SearchRequest
from qlc.deadline import checkpoint
from qlc.errors import RequestFailed

T = TypeVar("T")
W = TypeVar("W")

Rounds = Generator[tuple[SearchRequest, ...] | float, Sequence[Response], T]
"""Yields the requests of one round trip, is sent their responses in the same order, and returns a value.

Or yields the seconds to wait before it looks again for what somebody else does.
"""


class InStep(Generic[W, T]):
    """Generators that go on together: what those wait for that are not done, by their number, and all results."""

    def __init__(self, readings: Sequence[Generator[W, Any, T]]) -> None:
        self._readings = readings
        self.pending: dict[int, W] = {}
        self.results: list[Any] = [None] * len(readings)
        for number in range(len(readings)):
            self.send(number, None)

    def send(self, number: int, answer: Any) -> None:
        checkpoint()
        self._go_on(number, partial(self._readings[number].send, answer))

    def throw(self, number: int, problem: Exception) -> None:
        self._go_on(number, partial(self._readings[number].throw, problem))

    def _go_on(self, number: int, go_on: Callable[[], W]) -> None:
        self.pending.pop(number, None)
        try:
            self.pending[number] = go_on()
        except StopIteration as end:
            self.results[number] = end.value


def in_step(readings: Sequence[Reading[Any]]) -> Rounds[list[Any]]:
    """Run readings together until all are done; their results in the order given."""
    step = InStep[SearchRequest, Any](readings)
    while step.pending:
        asked = {number: request for number, request in step.pending.items() if request.action != "wait"}
        waiting = [number for number in step.pending if number not in asked]
        responses = (yield tuple(asked.values())) if asked else ()
        for number, response in zip(asked, responses, strict=True):
            step.send(number, response)
        for number in waiting:
            step.send(number, {})
    return step.results


def together(runs: Sequence[Rounds[T]]) -> Rounds[list[T]]:
    """Go on with several at once: what they ask for at the same time is one round trip. One that fails is sent again
    for each of them alone, so that none fails for another."""
    step = InStep[Any, T](runs)
    while step.pending:
        asked = {number: wanted for number, wanted in step.pending.items() if not isinstance(wanted, float)}
        waiting = [number for number in step.pending if number not in asked]
        if not asked:
            yield min(step.pending.values())
        else:
            yield from _sent_together(asked, step)
        for number in waiting:
            step.send(number, ())
    return step.results


def _sent_together(asked: dict[int, tuple[SearchRequest, ...]], step: InStep[Any, T]) -> Rounds[None]:
    try:
        responses = list((yield tuple(one for wanted in asked.values() for one in wanted)))
    except RequestFailed as problem:
        if len(asked) == 1:
            step.throw(next(iter(asked)), problem)
            return
        for number, wanted in asked.items():
            yield from _sent_together({number: wanted}, step)
        return
    for number, wanted in asked.items():
        step.send(number, responses[: len(wanted)])
        del responses[: len(wanted)]


def alone(reading: Reading[T]) -> Rounds[T]:
    (result,) = yield from in_step([reading])
    return result  # type: ignore[no-any-return]
