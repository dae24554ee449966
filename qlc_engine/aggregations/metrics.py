"""Metrics of one number or a few: sum, avg, min, max, stats, extended_stats, value_count, cardinality; `top_hits`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.keyed import count_cells, key_selection
from qlc_engine.aggregations.selection import Selection
from qlc_engine.aggregations.source import Source, count_per_doc, owned_values, read_source
from qlc_engine.aggregations.sums import (
    FloatArray,
    count_by_owner,
    greatest_by_owner,
    least_by_owner,
    sum_by_owner,
)
from qlc_engine.aggregations.tree import Aggregator, InvalidOrderError, Result
from qlc_engine.aggregations.value_format import BooleanValueFormat, ValueFormat, json_number
from qlc_engine.columns import IntArray
from qlc_engine.errors import illegal_argument, not_implemented
from qlc_engine.mapping import FieldLookup
from qlc_engine.params import Params


@dataclass(frozen=True)
class SingleValue(Result):
    """One number per bucket; what no value gives prints as null."""

    kind: str
    values: FloatArray
    format: ValueFormat

    def render(self, owner: int) -> dict[str, Any]:
        value = self.values.item(owner)
        if not math.isfinite(value):
            nothing = math.isnan(value) or self.kind in ("min", "max")
            return {"value": None if nothing else json_number(value)}
        text = self.format.as_string(value)
        return {"value": value} if text is None else {"value": value, "value_as_string": text}

    def metric(self, path: Sequence[str]) -> FloatArray:
        if path and list(path) != ["value"]:
            raise illegal_argument(f"Unknown value key [{'.'.join(path)}] for single-value metric")
        return self.values


@dataclass
class SingleValueAggregator(Aggregator):
    """`sum`, `avg`, `min` or `max`, by `type`."""

    source: Source
    takes_children = False

    def collect(self, selection: Selection) -> SingleValue:
        found = owned_values(self.source, selection)
        values, owners, number = found.doubles(), found.owners, selection.n_owners
        if self.type == "sum":
            result = sum_by_owner(found.values, owners, number)
        elif self.type == "avg":
            result = sum_by_owner(found.values, owners, number) / count_by_owner(len(values), owners, number)
        elif self.type == "min":
            result = least_by_owner(values, owners, number)
        else:
            result = greatest_by_owner(values, owners, number)
        return SingleValue(self.type, result, self.source.format)


def parse_metric(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    return {"source": read_source(body, mapping, accepts="numeric")}


@dataclass(frozen=True)
class Count(Result):
    """A whole number per bucket."""

    values: IntArray

    def render(self, owner: int) -> dict[str, Any]:
        return {"value": int(self.values[owner])}

    def metric(self, path: Sequence[str]) -> FloatArray:
        return self.values.astype(np.float64)


@dataclass
class ValueCountAggregator(Aggregator):
    source: Source
    takes_children = False

    def collect(self, selection: Selection) -> Count:
        total = np.zeros(selection.n_owners, np.int64)
        for part in selection.slices:
            counts = count_per_doc(self.source, part)
            if self.source.missing is not None:
                counts = np.maximum(counts, 1)
            if part.owners is None:
                total[0] += int(counts.sum())
            else:
                total += np.bincount(part.owners, weights=counts, minlength=selection.n_owners).astype(np.int64)
        return Count(total)


def parse_value_count(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    return {"source": read_source(body, mapping, accepts="any")}


@dataclass
class CardinalityAggregator(Aggregator):
    """How many distinct values. Exact here, where the server estimates above its precision threshold."""

    source: Source
    takes_children = False

    def collect(self, selection: Selection) -> Count:
        cells = count_cells(key_selection(self.source, selection), selection.n_owners)
        return Count(np.bincount(cells.owners, minlength=selection.n_owners))


def parse_cardinality(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    body.integer("precision_threshold", 3_000, at_least=0)
    return {"source": read_source(body, mapping, accepts="keyed")}


@dataclass(frozen=True)
class Stats(Result):
    """Count, sum, least and greatest value per bucket, and what follows from them.

    `sums_of_squares` and `sigma` are set for `extended_stats`.
    """

    counts: IntArray
    sums: FloatArray
    least: FloatArray
    greatest: FloatArray
    format: ValueFormat
    sums_of_squares: FloatArray | None = None
    sigma: float = 2.0

    def numbers(self, owner: int) -> dict[str, float]:
        """All numbers of one bucket by the name they have in order paths."""
        count = int(self.counts[owner])
        total = float(self.sums[owner])
        found = {
            "count": float(count),
            "min": float(self.least[owner]),
            "max": float(self.greatest[owner]),
            "avg": total / count if count else math.nan,
            "sum": total,
        }
        if self.sums_of_squares is None:
            return found
        squares = float(self.sums_of_squares[owner])
        spread = squares - total * total / count if count else math.nan
        found["sum_of_squares"] = squares
        population = max(spread / count, 0.0) if count else math.nan
        sampling = max(spread / (count - 1), 0.0) if count > 1 else math.nan
        found["variance"] = found["variance_population"] = population
        found["variance_sampling"] = sampling
        for name in ("variance", "variance_population", "variance_sampling"):
            found[name.replace("variance", "std_deviation")] = math.sqrt(found[name])
        for suffix, deviation in (("", population), ("_population", population), ("_sampling", sampling)):
            found[f"std_upper{suffix}"] = found["avg"] + self.sigma * math.sqrt(deviation)
            found[f"std_lower{suffix}"] = found["avg"] - self.sigma * math.sqrt(deviation)
        return found

    def render(self, owner: int) -> dict[str, Any]:
        numbers = self.numbers(owner)
        count = int(self.counts[owner])
        out: dict[str, Any] = {"count": count}
        for name in ("min", "max", "avg"):
            out[name] = json_number(numbers[name]) if count else None
        out["sum"] = json_number(numbers["sum"])
        if count:
            self._add_texts(out, numbers, ("min", "max", "avg", "sum"))
        if self.sums_of_squares is not None:
            self._add_extended(out, numbers, count)
        return out

    def _add_extended(self, out: dict[str, Any], numbers: dict[str, float], count: int) -> None:
        for name in _EXTENDED:
            out[name] = json_number(numbers[name]) if count else None
        bounds = {key: json_number(numbers[f"std_{key}"]) if count else None for key in _BOUNDS}
        out["std_deviation_bounds"] = bounds
        if count and self.format.as_string(0.0) is not None:
            self._add_texts(out, numbers, _EXTENDED)
            out["std_deviation_bounds_as_string"] = {key: self._text(numbers[f"std_{key}"]) for key in _BOUNDS}

    def _add_texts(self, out: dict[str, Any], numbers: dict[str, float], names: Sequence[str]) -> None:
        if self.format.as_string(0.0) is None:
            return
        for name in names:
            # the server prints the texts of booleans as JSON booleans here, but not those of deviations
            is_boolean = isinstance(self.format, BooleanValueFormat) and not name.startswith("std_")
            out[f"{name}_as_string"] = numbers[name] != 0 if is_boolean else self._text(numbers[name])

    def _text(self, value: float) -> str | None:
        return self.format.as_string(value) if abs(value) < 2.0**63 else None

    def metric(self, path: Sequence[str]) -> FloatArray:
        if len(path) != 1:
            raise InvalidOrderError(
                "When ordering on a multi-value metrics aggregation a metric name must be specified."
            )
        if len(self.counts) and path[0] not in self.numbers(0):
            raise InvalidOrderError(f"Unknown metric name [{path[0]}] on multi-value metrics aggregation")
        return np.array([self.numbers(owner)[path[0]] for owner in range(len(self.counts))], np.float64)


_EXTENDED = (
    "sum_of_squares", "variance", "variance_population", "variance_sampling",
    "std_deviation", "std_deviation_population", "std_deviation_sampling",
)  # fmt: skip
_BOUNDS = ("upper", "lower", "upper_population", "lower_population", "upper_sampling", "lower_sampling")


@dataclass
class StatsAggregator(Aggregator):
    source: Source
    sigma: float = 2.0
    takes_children = False

    def collect(self, selection: Selection) -> Stats:
        found = owned_values(self.source, selection)
        values, owners, number = found.doubles(), found.owners, selection.n_owners
        squares = None
        if self.type == "extended_stats":
            squares = sum_by_owner(values * values, owners, number)
        return Stats(
            counts=count_by_owner(len(values), owners, number),
            sums=sum_by_owner(found.values, owners, number),
            least=least_by_owner(values, owners, number),
            greatest=greatest_by_owner(values, owners, number),
            format=self.source.format,
            sums_of_squares=squares,
            sigma=self.sigma,
        )


def parse_extended_stats(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    sigma = body.number("sigma", 2.0)
    if sigma < 0:
        reason = f"[sigma] must be greater than or equal to 0. Found [{sigma}] in [{body.name}]"
        raise body.failed("sigma", reason)
    return {"source": read_source(body, mapping, accepts="numeric"), "sigma": sigma}


@dataclass(frozen=True)
class TopHits(Result):
    selection: Selection
    size: int
    source: Any
    sort: Any

    def render(self, owner: int) -> dict[str, Any]:
        return self.selection.run.context.top_hits(self.size, self.source, self.sort, self.selection.docs_of(owner))


@dataclass
class TopHitsAggregator(Aggregator):
    size: int
    source: Any
    sort: Any
    takes_children = False

    def collect(self, selection: Selection) -> TopHits:
        if selection.path is not None:
            raise not_implemented("[top_hits] of nested elements")
        return TopHits(selection, self.size, self.source, self.sort)


def parse_top_hits(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    for key in ("from", "fields", "docvalue_fields", "highlight", "track_scores", "version", "explain"):
        if key in body:
            raise not_implemented(f"top_hits [{key}]")
    size = body.integer("size", 3, at_least=0)
    return {"size": size, "source": body.take("_source"), "sort": body.take("sort")}
