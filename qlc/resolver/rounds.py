"""Readings in step: what several of them ask for at the same time goes out as one batch."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, TypeVar

from qlc.compiler.request import Reading, Response, SearchRequest

T = TypeVar("T")

Rounds = Generator[tuple[SearchRequest, ...], Sequence[Response], T]
"""Yields the requests of one round trip, is sent their responses in the same order, and returns a value."""


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
        advance(number, None)
    while pending:
        asked = dict(pending)
        responses = yield tuple(asked.values())
        for number, response in zip(asked, responses, strict=True):
            advance(number, response)
    return results


def alone(reading: Reading[T]) -> Rounds[T]:
    (result,) = yield from in_step([reading])
    return result  # type: ignore[no-any-return]
