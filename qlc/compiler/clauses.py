"""Queries put together: what every generator of conditions uses."""

from __future__ import annotations

from elasticsearch.dsl.query import Bool, MatchNone, Query

from qlc.compiler.environment import Bindings
from qlc.mapping.schema import Field


def any_of(queries: list[Query]) -> Query:
    if not queries:
        return MatchNone()
    return queries[0] if len(queries) == 1 else Bool(should=queries, minimum_should_match=1)


def all_of(queries: list[Query]) -> Query:
    flat = [part for query in queries for part in filter_parts(query)]
    return flat[0] if len(flat) == 1 else Bool(filter=flat)


def filter_parts(query: Query) -> list[Query]:
    """The clauses of a bool that only filters, so that conjunctions stay flat."""
    if isinstance(query, Bool) and query._params.keys() == {"filter"}:
        return list(query._params["filter"])
    return [query]


def tell_swapped(env: Bindings, field: Field) -> None:
    env.tell(f"The ends of the range of '{field.name}' were the wrong way round and have been swapped.")
