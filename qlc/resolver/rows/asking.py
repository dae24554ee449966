"""Generators of aggregation requests; several of them share one request."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeVar

from elasticsearch.dsl.aggs import DateHistogram, Nested
from elasticsearch.dsl.query import Bool

from qlc.compiler.environment import Bindings
from qlc.compiler.request import (
    Agg,
    Aggs,
    Body,
    Clause,
    Reading,
    Response,
    SearchRequest,
    aggregation_body,
    all_filtering,
)
from qlc.compiler.typed import All, Condition
from qlc.mapping.schema import Entity
from qlc.planner.plan import InStep

T = TypeVar("T")
Answer = Mapping[str, Any]
BucketReading = Generator[Aggs | SearchRequest, Answer, T]
"""A generator that yields named aggregations over the documents and receives their results by the same names.

It can also yield a whole request to another entity and receive the response, or `{}` to wait for lookups of others that
share its request.
"""

MOST_IDLE = 1_000
"""Most rounds in a row in which no generator has a request."""


def ask(aggs: Aggs) -> BucketReading[Answer]:
    """Run one round of aggregations."""
    return (yield aggs)


def together(readings: Sequence[BucketReading[T]]) -> BucketReading[list[T]]:
    """Run several generators in step; their requests of one round are combined."""
    step: InStep[Aggs | SearchRequest, T] = InStep(readings)
    while step.pending:
        alone = next(((n, wanted) for n, wanted in step.pending.items() if isinstance(wanted, SearchRequest)), None)
        if alone is not None:
            step.send(alone[0], (yield alone[1]))
            continue
        asked = {n: wanted for n, wanted in step.pending.items() if not isinstance(wanted, SearchRequest)}
        # Nothing at all is passed on too: the reading that all of these wait for may be at an outer level.
        answer = yield {f"{n}-{name}": agg for n, wanted in asked.items() for name, agg in wanted.items()}
        for n, wanted in asked.items():
            step.send(n, {name: answer[f"{n}-{name}"] for name in wanted})
    return step.results


def matching(entity: Entity, where: Condition, env: Bindings) -> list[Clause]:
    """Return the filters for the documents of a condition."""
    return [*env.scope(entity)] + ([] if isinstance(where, All) else [env.query(where)])


def filtered_body(filters: Sequence[Clause], aggs: Aggs | None = None, **more: Any) -> Body:
    """Return the body of a search for aggregations without hits."""
    return aggregation_body(all_filtering(filters), aggs or {}, **more)


def _dates_of_elements(aggs: Mapping[str, Agg], *, nested: bool = False) -> bool:
    """Whether dates of a nested list are grouped by the calendar."""
    for agg in aggs.values():
        inside, below = nested or isinstance(agg, Nested), agg._params.get("aggs", {})
        if (inside and isinstance(agg, DateHistogram)) or _dates_of_elements(below, nested=inside):
            return True
    return False


def _unseen(filters: Sequence[Clause]) -> list[Clause]:
    """Hide the filters from Elasticsearch's optimizer. It uses a range in the query as the bounds of a date histogram,
    even for a nested list; there, elements outside the range, in documents matched by another element, would be lost or
    counted in the last bucket."""
    return [unseen(Bool(filter=list(filters)))] if filters else []


def unseen(clause: Clause) -> Clause:
    """Negate the clause twice: Elasticsearch does not look inside a negation."""
    return Bool(must_not=[Bool(must_not=[clause])])


def over_documents(
    reading: BucketReading[T], entity: Entity, filters: Sequence[Clause], purpose: str, *, continues: bool = False
) -> Reading[T]:
    """Run the generator as searches over the documents of an entity that pass the filters."""
    answer: Response | None = None
    page, idle = 1, 0
    while True:
        try:
            asked = reading.send(answer)  # type: ignore[arg-type]
        except StopIteration as end:
            result: T = end.value
            return result
        if isinstance(asked, SearchRequest):
            answer = yield asked
            continue
        if not asked:
            # One of them has just learnt what the others wait for; in a circle they would wait for ever.
            answer, idle = {}, idle + 1
            assert idle < MOST_IDLE, "readings wait for each other"
            continue
        idle = 0
        body = filtered_body(_unseen(filters) if _dates_of_elements(asked) else filters, aggs=asked)
        title = purpose if page == 1 else f"{purpose}, page {page}"
        answer = (yield SearchRequest(entity.index, body, title, continues or page > 1))["aggregations"]
        page += 1
