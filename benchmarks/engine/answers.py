"""Whether two answers to one request say the same."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any


def difference(one: Mapping[str, Any], other: Mapping[str, Any]) -> str | None:
    """What differs between two answers; None if nothing does. Documents of one score may come in any order."""
    if one["hits"].get("total") != other["hits"].get("total"):
        return f"totals {one['hits'].get('total')} and {other['hits'].get('total')}"
    hits, others = one["hits"]["hits"], other["hits"]["hits"]
    if len(hits) != len(others):
        return f"{len(hits)} and {len(others)} hits"
    if any(hit.get("sort") != found.get("sort") for hit, found in zip(hits, others, strict=True)):
        return "sort values"
    if hits and "sort" not in hits[0]:
        return _by_score(hits, others)
    if [hit["_id"] for hit in hits] != [hit["_id"] for hit in others]:
        return "ids"
    return _values(one.get("aggregations"), other.get("aggregations"), "aggregations")


def _by_score(hits: list[dict[str, Any]], others: list[dict[str, Any]]) -> str | None:
    for hit, found in zip(hits, others, strict=True):
        if not math.isclose(hit["_score"], found["_score"], rel_tol=1e-5):
            return f"scores {hit['_score']} and {found['_score']}"
    # the last score may stand for more documents than the answer shows
    last = hits[-1]["_score"] * (1 + 1e-5)
    shown, expected = ({hit["_id"] for hit in part if hit["_score"] > last} for part in (hits, others))
    return None if shown == expected else "ids"


def _values(one: Any, other: Any, where: str) -> str | None:
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return next((found for key in one if (found := _values(one[key], other[key], f"{where}.{key}"))), None)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return next((found for at, (a, b) in pairs if (found := _values(a, b, f"{where}.{at}"))), None)
    if isinstance(one, float) and isinstance(other, float) and math.isclose(one, other, rel_tol=1e-9):
        return None
    return None if one == other else f"{where}: {one!r} and {other!r}"
