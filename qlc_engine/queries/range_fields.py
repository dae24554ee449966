"""Queries on fields of ranges: those that a range or a value stands to as asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from qlc_engine.docset import DocSet
from qlc_engine.errors import illegal_argument
from qlc_engine.leaf import Leaf
from qlc_engine.mapping import Field
from qlc_engine.queries.base import MatchNone, Query
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.terms import docs_of_terms
from qlc_engine.range_types import beside, decode_range, greatest, least, parse_bound

#: how a range of a document stands to the one asked for
RELATIONS: dict[str, Callable[[Any, Any, Any, Any], bool]] = {
    "intersects": lambda low, high, first, last: low <= last and high >= first,
    "within": lambda low, high, first, last: first <= low and high <= last,
    "contains": lambda low, high, first, last: low <= first and high >= last,
}


@dataclass(frozen=True)
class RangesLike(Query):
    """Documents with a range of which `relation` to [first, last] holds."""

    path: str
    kind: str
    first: Any
    last: Any
    relation: str = "intersects"

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        holds = RELATIONS[self.relation]
        found = [
            ordinal
            for ordinal, term in enumerate(postings.terms)
            if holds(*decode_range(self.kind, term), self.first, self.last)
        ]
        return docs_of_terms(postings, found, leaf.n)


def range_field_query(
    field: Field,
    context: QueryContext,
    ends: tuple[Any, Any],
    include: tuple[bool, bool],
    relation: str,
    format: str | None,
    zone: str | None,
) -> Query:
    """A range query; None is an open end."""
    kind = field.type
    low, high = least(kind), greatest(kind)
    own_format = format or field.format

    def read(end: Any, *, round_up: bool) -> Any:
        return parse_bound(
            kind, end, own_format, now_ms=context.now_ms, round_up=round_up, zone=zone, exact=True
        )

    try:
        if ends[0] is not None:
            low = read(ends[0], round_up=not include[0])
            low = low if include[0] else beside(kind, low, above=True)
        if ends[1] is not None:
            high = read(ends[1], round_up=include[1])
            high = high if include[1] else beside(kind, high, above=False)
    except ValueError as error:
        raise illegal_argument(str(error)) from None
    return MatchNone() if low > high else RangesLike(field.path, kind, low, high, relation)


def value_in_range(field: Field, context: QueryContext, value: Any) -> Query:
    """Ranges that a value lies in."""
    return range_field_query(field, context, (value, value), (True, True), "intersects", None, None)
