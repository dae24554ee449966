"""Query clauses put together: what every generator of conditions uses.

The generators write a clause as the JSON that Elasticsearch takes; what is combined further is an `elasticsearch.dsl`
query (`as_query`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from qlc.compiler.environment import Bindings
from qlc.mapping.schema import Field

if TYPE_CHECKING:
    from elasticsearch.dsl.query import Query

Clause = dict[str, Any]



def disjunction(clauses: list[Clause]) -> Clause:
    if not clauses:
        return {"match_none": {}}
    return clauses[0] if len(clauses) == 1 else {"bool": {"should": clauses, "minimum_should_match": 1}}


def conjunction(clauses: Iterable[Clause]) -> Clause:
    flat = [part for clause in clauses for part in filter_parts(clause)]
    return flat[0] if len(flat) == 1 else {"bool": {"filter": flat}}


def filter_parts(clause: Clause) -> list[Clause]:
    """The clauses of a bool that only filters, so that conjunctions stay flat."""
    inside = clause.get("bool")
    if inside is not None and inside.keys() == {"filter"}:
        return list(inside["filter"])
    return [clause]


def as_query(clause: Clause) -> Query:
    from elasticsearch.dsl import Q

    return Q(clause)


def all_of(queries: list[Query]) -> Query:
    """As `conjunction`, of queries."""
    return as_query(conjunction(query.to_dict() for query in queries))


def note_swapped(env: Bindings, field: Field) -> None:
    env.tell(f"The ends of the range of '{field.name}' were the wrong way round and have been swapped.")
