"""`percentiles` and `median_absolute_deviation` over all values, sorted.

Up to a few thousand values the server's digest holds each of them and interpolates linearly; beyond that it
estimates. Here the values are always kept, so the answer is the one that the digest approaches.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.metrics import SingleValue
from qlc_engine.aggregations.selection import Selection
from qlc_engine.aggregations.source import Source, owned_values, read_source
from qlc_engine.aggregations.sums import FloatArray
from qlc_engine.aggregations.tree import Aggregator, Result
from qlc_engine.aggregations.value_format import ValueFormat
from qlc_engine.columns import IntArray
from qlc_engine.errors import illegal_argument
from qlc_engine.mapping import FieldLookup
from qlc_engine.params import Params
from qlc_engine.value_parsers import format_float

DEFAULT_PERCENTS = (1.0, 5.0, 25.0, 50.0, 75.0, 95.0, 99.0)


@dataclass(frozen=True, slots=True)
class SortedValues:
    """The values of all buckets, ascending in each: `values[starts[o] : starts[o + 1]]`."""

    values: FloatArray
    starts: IntArray

    def of(self, owner: int) -> FloatArray:
        return self.values[self.starts[owner] : self.starts[owner + 1]]


def sorted_values(source: Source, selection: Selection) -> SortedValues:
    found = owned_values(source, selection)
    values = found.doubles()
    if found.owners is None:
        return SortedValues(np.sort(values), np.array([0, len(values)]))
    order = np.lexsort((values, found.owners))
    starts = np.searchsorted(found.owners[order], np.arange(selection.n_owners + 1))
    return SortedValues(values[order], starts)


def quantile(ordered: FloatArray, fraction: float) -> float:
    """Linear interpolation between neighbours, NaN without values."""
    if len(ordered) == 0:
        return math.nan
    index = fraction * (len(ordered) - 1)
    low = math.floor(index)
    high = min(low + 1, len(ordered) - 1)
    below, above = float(ordered[low]), float(ordered[high])
    return below + (index - low) * (above - below)


@dataclass(frozen=True)
class Percentiles(Result):
    values: SortedValues
    wanted: tuple[float, ...]
    format: ValueFormat

    def _number(self, owner: int, wanted: float) -> float:
        return quantile(self.values.of(owner), wanted / 100)

    def render(self, owner: int) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for wanted in self.wanted:
            value = self._number(owner, wanted)
            number = value if math.isfinite(value) else None
            text = None if number is None else self.format.as_string(value)
            values[format_float(wanted)] = number
            if text is not None:
                values[f"{format_float(wanted)}_as_string"] = text
        return {"values": values}

    def metric(self, path: Sequence[str]) -> FloatArray:
        try:
            wanted = float(".".join(path))
        except ValueError:
            raise illegal_argument(f"Unknown percentile [{'.'.join(path)}]") from None
        return np.array([self._number(owner, wanted) for owner in range(len(self.values.starts) - 1)])


@dataclass
class PercentilesAggregator(Aggregator):
    source: Source
    wanted: tuple[float, ...]
    takes_children = False

    def collect(self, selection: Selection) -> Percentiles:
        values = sorted_values(self.source, selection)
        return Percentiles(values, self.wanted, self.source.format)


def parse_percentiles(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    given = body.take("percents")
    if given is None:
        wanted: tuple[float, ...] = DEFAULT_PERCENTS
    else:
        wanted = tuple(float(p) for p in (given if isinstance(given, list) else [given]))
    if not wanted:
        raise body.failed("percents", "it must not be empty")
    for percent in wanted:
        if not 0 <= percent <= 100:
            raise body.failed("percents", f"percent must be in [0,100], got [{percent}]")
    source = read_source(body, mapping, accepts="numeric")
    return {"source": source, "wanted": tuple(sorted(wanted))}


@dataclass
class MedianAbsoluteDeviationAggregator(Aggregator):
    source: Source
    takes_children = False

    def collect(self, selection: Selection) -> SingleValue:
        values = sorted_values(self.source, selection)
        found = np.full(selection.n_owners, np.nan)
        for owner in range(selection.n_owners):
            ordered = values.of(owner)
            if len(ordered):
                found[owner] = quantile(np.sort(np.abs(ordered - quantile(ordered, 0.5))), 0.5)
        return SingleValue(self.type, found, self.source.format)


def parse_median_absolute_deviation(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    return {"source": read_source(body, mapping, accepts="numeric")}
