"""Query clauses put together: what every generator of conditions uses.

A clause is written as the JSON that Elasticsearch takes; each is one that `elasticsearch.dsl` knows.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

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


def nested(path: str | None, clause: Clause) -> Clause:
    """The clause within the elements of a nested list; as it is where there is no list."""
    return {"nested": {"path": path, "query": clause}} if path else clause
