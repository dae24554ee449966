"""Readings of buckets: generators that ask for aggregations, several of which share one request."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import Any, TypeVar

from elasticsearch.dsl.aggs import DateHistogram, Nested
from elasticsearch.dsl.query import Bool

from qlc.compiler.request import (
    Agg,
    Aggs,
    Body,
    Clause,
    Environment,
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
"""A reading yields named aggregations over the documents in question and is sent what they answered, by the same names.
It may also yield a whole request to another entity, and is sent the response; or nothing (`{}`), to wait for what
others of the same request look up."""

MOST_IDLE = 1_000
"""Times in a row that readings may have nothing to ask."""


def ask(aggs: Aggs) -> BucketReading[Answer]:
    """One round of aggregations and nothing more."""
    return (yield aggs)


def together(readings: Sequence[BucketReading[T]]) -> BucketReading[list[T]]:
    """Several readings in step: what they ask for in the same round goes into one request."""
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


def matching(entity: Entity, where: Condition, env: Environment) -> list[Clause]:
    """The filters that make the documents in question."""
    return [*env.scope(entity)] + ([] if isinstance(where, All) else [env.query(where)])


def filtered_body(filters: Sequence[Clause], aggs: Aggs | None = None, **more: Any) -> Body:
    """A search for no hits at all, only for aggregations and what else `more` says."""
    return aggregation_body(all_filtering(filters), aggs or {}, **more)


def _dates_of_elements(aggs: Mapping[str, Agg], *, nested: bool = False) -> bool:
    """Whether dates of a nested list are grouped by the calendar."""
    for agg in aggs.values():
        inside, below = nested or isinstance(agg, Nested), agg._params.get("aggs", {})
        if (inside and isinstance(agg, DateHistogram)) or _dates_of_elements(below, nested=inside):
            return True
    return False


def _unseen(filters: Sequence[Clause]) -> list[Clause]:
    """The same filters as Elasticsearch does not look into. It takes a range of the query that it finds for the bounds
    of a date histogram, also where it is on a nested list: then an element outside of the range, in a document that
    another element brought in, is left out or counted in the last bucket."""
    return [unseen(Bool(filter=list(filters)))] if filters else []


def unseen(clause: Clause) -> Clause:
    """The clause denied twice: Elasticsearch does not look after a negation."""
    return Bool(must_not=[Bool(must_not=[clause])])


def over_documents(
    reading: BucketReading[T], entity: Entity, filters: Sequence[Clause], purpose: str, *, continues: bool = False
) -> Reading[T]:
    """The reading as searches over the documents of an entity that meet the filters."""
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
