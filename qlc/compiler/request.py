"""Requests as values: stages that read from Elasticsearch are generators that yield requests and receive responses.

Generators know no client. The resolver sends the requests of several generators as one `_msearch`; a synchronous and an
asynchronous driver run the same generators. Clauses are queries of `elasticsearch.dsl`; they become JSON (`to_dict`)
when a request is built.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from elasticsearch.dsl import AsyncSearch, Search
from elasticsearch.dsl.aggs import Agg as DslAgg
from elasticsearch.dsl.query import Bool, MatchAll, MatchNone, Nested, Query

Clause = Query
"""A query of `elasticsearch.dsl`. Searches share it, so it must not be changed."""
AnyQuery = TypeVar("AnyQuery", bound=Query)


def on(kind: type[AnyQuery], path: str, value: Any, **parameters: Any) -> AnyQuery:
    """Make a query on one field: `on(Term, "type", {"value": "W2"})` is `{"term": {"type": {"value": "W2"}}}`.

    `Term(path, value)` takes a field `a__b` for `a.b`, `from_` for `from`, and fails for one called `self`; here the
    path is set as it is.
    """
    query = kind(**parameters)
    query._params[path] = value
    return query


def disjunction(clauses: Sequence[Clause]) -> Clause:
    if not clauses:
        return MatchNone()
    return clauses[0] if len(clauses) == 1 else Bool(should=list(clauses), minimum_should_match=1)


def conjunction(clauses: Iterable[Clause]) -> Clause:
    flat = [part for clause in clauses for part in filter_parts(clause)]
    return flat[0] if len(flat) == 1 else all_filtering(flat)


def all_filtering(clauses: Iterable[Clause]) -> Clause:
    """Join clauses as filters, which do not score; without clauses, match everything."""
    filters = list(clauses)
    return Bool(filter=filters) if filters else MatchAll()


def filter_parts(clause: Clause) -> list[Clause]:
    """The clauses of a bool that only filters, so that conjunctions stay flat."""
    if isinstance(clause, Bool) and clause._params.keys() == {"filter"}:
        return list(clause._params["filter"])
    return [clause]


def nested(path: str | None, clause: Clause) -> Clause:
    """Wrap a clause in a nested query; without a path it is returned as it is."""
    return Nested(path=path, query=clause) if path else clause


Agg = DslAgg[Any]
"""An aggregation of `elasticsearch.dsl`, with those inside it."""
Aggs = dict[str, Agg]
Body = dict[str, Any]


def aggregation_body(query: Clause, aggs: Aggs, **more: Any) -> Body:
    """Return the body of a search that returns aggregations over the documents of a query, and no hits."""
    parts = {"query": query, "aggs": aggs, "size": 0, "track_total_hits": False, **more}
    return body_of(Search[Any]().update_from_dict(parts))


def body_of(search: Search[Any] | AsyncSearch[Any]) -> Body:
    """Return the JSON of a search. Without a query it gets `match_all`, which `to_dict` leaves out."""
    return {"query": {"match_all": {}}, **search.to_dict()}


Response = Mapping[str, Any]
Action = Literal["search", "open point in time", "close point in time", "read mapping", "read settings", "wait"]


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One `_search`, or another `action`. `purpose` describes it for explain.

    `continues` marks the second and later pages of one reading (buckets, sets): round trips that are counted apart.
    `ranked`: hits are ordered by scores, which must not depend on how documents are spread over shards.
    """

    index: str
    body: Body
    purpose: str
    continues: bool = False
    action: Action = "search"
    ranked: bool = False


WAIT = SearchRequest("", {}, "what another reading of the run is reading now", action="wait")
"""A request that is never sent: the generator continues after the others of its round were answered."""

T = TypeVar("T")
Reading = Generator[SearchRequest, Response, T]
"""A generator of requests: yields one at a time, receives its response (the body of `_search`), returns a value."""


class CannotAnswer(Exception):
    """Raised for a correct query without an exact answer: a bound is exceeded, or the index lacks something.

    `code` is a diagnostic's code; `message` and `hint` are plain words.
    """

    def __init__(self, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
