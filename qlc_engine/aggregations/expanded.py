"""Numbers that stand for the values of a field which are none themselves: the steps of a histogram that a range
covers, the tile that a point lies on.

Source: org.elasticsearch.search.aggregations.bucket.histogram.RangeHistogramAggregator, DateRangeHistogramAggregator.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.derived import derived
from qlc_engine.columns import GeoColumn, KeywordColumn, NumericColumn
from qlc_engine.range_types import decode_range

#: a range of a document with both its ends
Covered = Callable[[Any, Any], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Expansion:
    """`numbers` of each value of a column, in its order; `identity` names it in the cache."""

    identity: Hashable
    numbers: Callable[[Any], Iterable[NDArray[Any]]]

    def of(self, column: KeywordColumn | NumericColumn | GeoColumn) -> NumericColumn:
        own = column.lat if isinstance(column, GeoColumn) else column.starts
        return derived((own, column.starts), ("expanded", self.identity), lambda: self._column(column))

    def _column(self, column: Any) -> NumericColumn:
        """The distinct numbers of each document, ascending."""
        starts = column.starts.tolist()
        every = list(self.numbers(column))
        runs = [
            np.unique(np.concatenate(every[first:last])) if last > first else np.empty(0, np.int64)
            for first, last in pairwise(starts)
        ]
        lengths = np.array([0, *map(len, runs)], np.int64)
        return NumericColumn(np.cumsum(lengths), np.concatenate(runs) if runs else np.empty(0, np.int64))


def of_ranges(kind: str, identity: Hashable, covered: Covered) -> Expansion:
    """The numbers that `covered` gives for the two ends of each range."""

    def numbers(column: KeywordColumn) -> Iterable[NDArray[Any]]:
        by_term = [covered(*decode_range(kind, term)) for term in column.terms]
        return (by_term[ordinal] for ordinal in column.ords.tolist())

    return Expansion((kind, identity), numbers)


def of_points(identity: Hashable, cell: Callable[[float, float], int | None]) -> Expansion:
    """The number of the cell that each point lies in; None: it counts as no point."""

    def numbers(column: GeoColumn) -> Iterable[NDArray[Any]]:
        for lat, lon in zip(column.lat.tolist(), column.lon.tolist(), strict=True):
            found = cell(lat, lon)
            yield np.array([] if found is None else [found], np.int64)

    return Expansion(identity, numbers)
