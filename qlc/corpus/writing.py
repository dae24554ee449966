"""Writes records to the index in bulk; operations that a busy server rejected are repeated."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from elastic_transport import TransportError
from elasticsearch import ApiError

from qlc.base.errors import RequestFailed
from qlc.resolver.failures import failure_of, failure_of_error

PAUSES = (0.5, 2.0, 8.0, 20.0)
"""Seconds before each repetition: the server is busy, or a node is lost and its shard moves."""

Record = dict[str, Any]


def written(client: Any, index: str, operations: Sequence[Record], *, may_be_gone: bool = False) -> None:
    """Send operations of a bulk request until all succeed. They must be idempotent.

    `may_be_gone`: updates of deleted records are ignored. Raises RequestFailed for what could not be written; the rest
    stays written.
    """
    left = [*_pairs(operations)]
    for pause in (*PAUSES, None):
        try:
            left, problem = _sent(client, index, left, ("delete", "update") if may_be_gone else ("delete",))
        except (ApiError, TransportError) as error:
            problem = failure_of(error)
            problem.retryable |= problem.reason == "timeout"
        if problem is None:
            return
        if pause is None or not problem.retryable:
            raise problem
        time.sleep(problem.pause or pause)


def _sent(
    client: Any, index: str, pairs: list[list[Record]], of_what_is_gone: tuple[str, ...]
) -> tuple[list[list[Record]], RequestFailed | None]:
    """Send pairs once, and return those to repeat with a failure; a permanent one if there is any."""
    answer = client.bulk(index=index, operations=[part for pair in pairs for part in pair])
    again, problem = [], None
    for pair, item in zip(pairs, answer["items"], strict=True):
        ((action, told),) = item.items()
        if told["status"] < 300 or (told["status"] == 404 and action in of_what_is_gone):
            continue
        again.append(pair)
        if problem is None or problem.retryable:
            problem = failure_of_error(told["status"], told.get("error"))
    return again, problem


def _pairs(operations: Sequence[Record]) -> Iterator[list[Record]]:
    """Yield each action with its body; a deletion has none."""
    rest = iter(operations)
    for action in rest:
        yield [action] if "delete" in action else [action, next(rest)]
