"""Records written to the index in bulk; what a server turned away because it was busy is sent again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any

from elastic_transport import TransportError
from elasticsearch import ApiError

from qlc.base.errors import RequestFailed
from qlc.resolver.failures import failure_of, failure_of_error

PAUSES = (0.5, 2.0, 8.0, 20.0)
"""Seconds before what a server could not take is sent again: it is busy, or a node is lost and its shard moves."""

Record = dict[str, Any]


def written(client: Any, index: str, operations: Sequence[Record], *, may_be_gone: bool = False) -> None:
    """Send operations of a bulk request until all are carried out. They must be ones that can be repeated.

    `may_be_gone`: an update of a record that is not there any more is none. Raises RequestFailed with what could not be
    written; what was written before stays.
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
    """What is to be sent again, and why; the reason is one that does not pass where any operation has such a one."""
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
    """Each action with its body; a deletion has none."""
    rest = iter(operations)
    for action in rest:
        yield [action] if "delete" in action else [action, next(rest)]
