"""Readings in step: what several of them ask for at the same time goes out as one batch."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from qlc.compiler.request import Reading, Response, SearchRequest
from qlc.deadline import checkpoint

T = TypeVar("T")

Rounds = Generator[tuple[SearchRequest, ...] | float, Sequence[Response], T]
"""Yields the requests of one round trip, is sent their responses in the same order, and returns a value.

Or yields the seconds to wait before it looks again for what somebody else does.
"""


def in_step(readings: Sequence[Reading[Any]]) -> Rounds[list[Any]]:
    """Run readings together until all are done; their results in the order given."""
    results: list[Any] = [None] * len(readings)
    pending: dict[int, SearchRequest] = {}

    def advance(number: int, response: Response | None) -> None:
        pending.pop(number, None)
        try:
            pending[number] = readings[number].send(response)  # type: ignore[arg-type]
        except StopIteration as end:
            results[number] = end.value

    for number in range(len(readings)):
        checkpoint()
        advance(number, None)
    while pending:
        asked = {number: request for number, request in pending.items() if request.action != "wait"}
        waiting = [number for number in pending if number not in asked]
        responses = (yield tuple(asked.values())) if asked else ()
        for number, response in zip(asked, responses, strict=True):
            checkpoint()
            advance(number, response)
        for number in waiting:
            advance(number, {})
    return results


def alone(reading: Reading[T]) -> Rounds[T]:
    (result,) = yield from in_step([reading])
    return result  # type: ignore[no-any-return]
