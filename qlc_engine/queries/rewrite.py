"""What the server leaves out before it makes a query: clauses beside one that matches nothing are never looked at.

So an error in them (a word for a number, a phrase without positions) stays unseen. This is asked only if there is one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qlc_engine.queries.context import QueryContext

_OCCURRENCES = ("must", "filter", "should", "must_not")
#: Queries that become `match_none` when a shard finds that their field is not mapped.
_BY_FIELD = frozenset({"term", "range", "prefix", "wildcard", "fuzzy"})


def matches_nothing(body: Any, context: QueryContext | None) -> bool:
    """Whether the server rewrites a query to `match_none`. Without a context: before it looks at any mapping."""
    kind, inner = next(iter(body.items()))
    if kind == "bool":
        return _bool_matches_nothing(inner, context)
    if kind == "match_none":
        return True
    if kind == "ids":
        return not inner.get("values")
    if kind == "terms" and [] in inner.values():
        return True
    if kind == "constant_score":
        return matches_nothing(inner["filter"], context)
    if kind == "boosting":
        return matches_nothing(inner["positive"], context)
    if kind == "nested":
        return matches_nothing(inner["query"], context)
    return context is not None and _is_unmapped(kind, inner, context)


def _bool_matches_nothing(inner: dict[str, Any], context: QueryContext | None) -> bool:
    clauses = {occur: _listed(inner.get(occur)) for occur in _OCCURRENCES}
    if any(matches_nothing(clause, context) for clause in (*clauses["must"], *clauses["filter"])):
        return True
    if any(_matches_all(clause) for clause in clauses["must_not"]):
        return True
    only_wishes = clauses["should"] and not (clauses["must"] or clauses["filter"] or clauses["must_not"])
    return bool(only_wishes) and all(matches_nothing(clause, context) for clause in clauses["should"])


def _listed(clauses: Any) -> list[Any]:
    if clauses is None:
        return []
    return clauses if isinstance(clauses, list) else [clauses]


def _matches_all(body: Any) -> bool:
    kind, inner = next(iter(body.items()))
    return kind == "match_all" or (kind == "bool" and not any(inner.get(occur) for occur in _OCCURRENCES))


def _is_unmapped(kind: str, inner: dict[str, Any], context: QueryContext) -> bool:
    fields: Iterable[str] = ()
    if kind in _BY_FIELD:
        fields = inner
    elif kind == "terms":
        fields = (name for name in inner if name not in ("boost", "_name"))
    elif kind == "exists":
        path = str(inner.get("field"))
        return context.mapping.object(path) is None and not context.mapping.expand(path)
    return any(not name.startswith("_") and context.field(name) is None for name in fields)
