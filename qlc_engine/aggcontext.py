"""The interface between a search and its aggregations: matching documents of each segment, and the mapping.

`qlc_engine.aggregations.parse_aggregations(spec, mapping) -> Aggregations` is the other direction;
`Aggregations.compute(context) -> dict` is the value of `aggregations` in the response.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import DocSpace
from qlc_engine.docset import Ordinals
from qlc_engine.mapping import FieldLookup

BoolMask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class NumberBounds:
    """Numbers of a field, both ends included; None is open."""

    path: str
    low: int | float | None
    high: int | float | None


@dataclass(frozen=True, slots=True)
class AggSegment:
    """One segment under aggregation. `matching` are top-level documents, ascending and without deleted ones.

    `scores` has one float32 per top-level document (0 where not matching), or is None when no aggregation needs it.
    `range` is set where the query is a range of one field and nothing else.
    """

    space: DocSpace
    matching: Ordinals
    scores: NDArray[np.float32] | None = None
    range: NumberBounds | None = None


@dataclass(frozen=True, slots=True)
class AggDocs:
    """Top-level documents of one bucket in one segment, for `top_hits`."""

    segment: int
    docs: Ordinals


class AggContext(Protocol):
    """Given to `Aggregations.compute`. Segments of all searched indices are in one list."""

    @property
    def segments(self) -> Sequence[AggSegment]: ...

    @property
    def mapping(self) -> FieldLookup: ...

    @property
    def now_ms(self) -> int:
        """The request's clock in epoch milliseconds, the same for all `now` of one request."""

    def filter_mask(self, query: dict[str, Any], segment: int, nested_path: str | None) -> BoolMask:
        """Return a mask of documents that match the query, in the DocSpace of `nested_path` (None: the top) of a
        segment.

        Raises the engine's error for a query that Elasticsearch would refuse.
        """

    def top_hits(self, size: int, source: Any, sort: Any, docs: Sequence[AggDocs]) -> dict[str, Any]:
        """The value of a `top_hits` aggregation (`{"hits": {...}}`) for these documents, with parts of their source;
        by score without `sort`."""


def space_of(space: DocSpace, nested_path: str | None) -> DocSpace | None:
    """The DocSpace of a nested path below `space`; None where the segment holds no such element."""
    if nested_path is None:
        return space
    for path, child in space.children.items():
        if path == nested_path:
            return child
        if nested_path.startswith(path + "."):
            return space_of(child, nested_path)
    return None
