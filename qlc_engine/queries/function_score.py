"""`function_score`: scores changed by functions of the documents.

Source: org.elasticsearch.common.lucene.search.function.FunctionScoreQuery and FieldValueFactorFunction, and
org.elasticsearch.index.query.functionscore.DecayFunctionBuilder.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.columns import GeoColumn, NumericColumn
from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.errors import EngineError, illegal_argument
from qlc_engine.geo import distances
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import Query, Scores
from qlc_engine.time_limit import timed

Numbers = NDArray[np.float64]


class Factor(ABC):
    """One function of `function_score` without its weight."""

    @abstractmethod
    def of(self, leaf: Leaf, ids: Ordinals) -> Numbers: ...


class One(Factor):
    def of(self, leaf: Leaf, ids: Ordinals) -> Numbers:
        return np.ones(len(ids))


MODIFIERS: dict[str, Callable[[Any], Any]] = {
    "none": lambda number: number,
    "log": np.log10,
    "log1p": lambda number: np.log10(number + 1),
    "log2p": lambda number: np.log10(number + 2),
    "ln": np.log,
    "ln1p": np.log1p,
    "ln2p": lambda number: np.log1p(number + 1),
    "square": np.square,
    "sqrt": np.sqrt,
    "reciprocal": np.reciprocal,
}


@dataclass(frozen=True)
class FieldValue(Factor):
    """`field_value_factor`: the least value of a number field, times a factor, through a modifier."""

    path: str
    factor: float
    modifier: str
    missing: float | None

    def of(self, leaf: Leaf, ids: Ordinals) -> Numbers:
        column = leaf.numeric_column(self.path)
        values, present = np.zeros(len(ids)), np.zeros(len(ids), np.bool_)
        if column is not None:
            values, present = _least(column.starts, column.values.astype(np.float64), ids)
        if not present.all():
            if self.missing is None:
                reason = f"Missing value for field [{self.path}]"
                raise EngineError("exception", reason, status=500)
            values = np.where(present, values, self.missing)
        found: Numbers = MODIFIERS[self.modifier](values * float(np.float32(self.factor)))
        if (found < 0).any():
            least = float(np.nanmin(found))
            reason = f"field value function must not produce negative scores, but got: [{least}]"
            raise illegal_argument(reason)
        if np.isnan(found).any():
            reason = f"Result of field modification [{self.modifier}] must be a number"
            raise EngineError("exception", reason, status=500)
        return found


def gauss(distance: Numbers, scale: float, decay: float) -> Numbers:
    found: Numbers = np.exp(0.5 * distance**2 / (0.5 * scale**2 / np.log(decay)))
    return found


def exponential(distance: Numbers, scale: float, decay: float) -> Numbers:
    found: Numbers = np.exp(np.log(decay) / scale * distance)
    return found


def linear(distance: Numbers, scale: float, decay: float) -> Numbers:
    reach = scale / (1.0 - decay)
    found: Numbers = np.maximum(0.0, (reach - distance) / reach)
    return found


DECAYS: dict[str, Callable[[Numbers, float, float], Numbers]] = {"gauss": gauss, "exp": exponential, "linear": linear}


@dataclass(frozen=True)
class Decay(Factor):
    """The further the value of a field is from the origin, the less. A document without a value is at the origin."""

    shape: str
    path: str
    #: a number, or latitude and longitude
    origin: float | tuple[float, float]
    #: in the unit of the field: milliseconds for dates, metres for places
    scale: float
    offset: float
    decay: float
    #: how many units of the column make one of the field
    unit: int = 1

    def of(self, leaf: Leaf, ids: Ordinals) -> Numbers:
        column = leaf.space.columns.get(self.path)
        distance, present = np.zeros(len(ids)), np.zeros(len(ids), np.bool_)
        if isinstance(column, NumericColumn | GeoColumn):
            away = np.maximum(0.0, self._away(column) - self.offset)
            distance, present = _least(column.starts, away, ids)
        return DECAYS[self.shape](np.where(present, distance, 0.0), self.scale, self.decay)

    def _away(self, column: NumericColumn | GeoColumn) -> Numbers:
        if isinstance(self.origin, tuple):
            if not isinstance(column, GeoColumn):
                raise TypeError(f"{self.path} holds no places")
            return distances(*self.origin, column.lat, column.lon)
        if isinstance(column, GeoColumn):
            raise TypeError(f"{self.path} holds no numbers")
        values = column.values if self.unit == 1 else column.values // self.unit
        found: Numbers = np.abs(values.astype(np.float64) - self.origin)
        return found


def _least(starts: NDArray[Any], numbers: Numbers, ids: Ordinals) -> tuple[Numbers, NDArray[np.bool_]]:
    """The least number of each document, and which have any."""
    present = starts[1:] > starts[:-1]
    out = np.zeros(len(present))
    if present.any():
        out[present] = np.minimum.reduceat(numbers, starts[:-1][present])
    return out[ids], present[ids]


@dataclass(frozen=True)
class Function:
    """A factor for the documents that a filter lets through (None: all)."""

    factor: Factor
    filter: Query | None = None
    #: None: none is given
    weight: float | None = None

    def of(self, leaf: Leaf, ids: Ordinals) -> tuple[Numbers, NDArray[np.bool_]]:
        """The factor of each document, and whether it counts."""
        applies = np.ones(len(ids), np.bool_) if self.filter is None else self.filter.docs(leaf).contains_each(ids)
        found = np.zeros(len(ids))
        found[applies] = self.factor.of(leaf, ids[applies])
        return found * (1.0 if self.weight is None else float(np.float32(self.weight))), applies


SCORE_MODES = ("first", "max", "min", "multiply", "avg", "sum")
BOOST_MODES: dict[str, Callable[[Numbers, Numbers], Numbers]] = {
    "multiply": np.multiply,
    "replace": lambda score, factor: factor,
    "sum": np.add,
    "avg": lambda score, factor: (score + factor) / 2,
    "min": np.minimum,
    "max": np.maximum,
}


@dataclass(frozen=True)
class FunctionScore(Query):
    query: Query
    functions: Sequence[Function]
    score_mode: str
    boost_mode: str
    max_boost: float

    def docs(self, leaf: Leaf) -> DocSet:
        return self.query.docs(leaf)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        matching = self.docs(leaf).contains_each(ids)
        out = np.zeros(len(ids))
        out[matching] = self.score_matching(leaf, ids[matching], boost)
        return out

    def score_matching(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        scores = self.query.score_matching(leaf, ids, boost)
        if not self.functions:
            return scores
        factors = np.minimum(self._factors(leaf, ids), self.max_boost)
        combined: Scores = BOOST_MODES[self.boost_mode](scores, factors).astype(np.float32).astype(np.float64)
        if len(combined) and not combined.min() >= 0:
            raise illegal_argument(f"function score query returned an invalid score: {combined.min()}")
        return combined

    def _factors(self, leaf: Leaf, ids: Ordinals) -> Numbers:
        parts = [function.of(leaf, ids) for function in timed(self.functions)]
        values = np.array([found for found, _ in parts])
        applies = np.array([applied for _, applied in parts])
        any_applies = applies.any(axis=0)
        factors: Numbers
        if self.score_mode == "first":
            factors = values[applies.argmax(axis=0), np.arange(len(ids))]
        elif self.score_mode == "max":
            factors = np.where(applies, values, -np.inf).max(axis=0)
        elif self.score_mode == "min":
            factors = np.where(applies, values, np.inf).min(axis=0)
        elif self.score_mode == "multiply":
            factors = np.where(applies, values, 1.0).prod(axis=0)
        else:
            factors = np.where(applies, values, 0.0).sum(axis=0)
            weights = np.array([1.0 if part.weight is None else part.weight for part in self.functions])
            total = np.where(applies, weights[:, None], 0.0).sum(axis=0)
            any_applies = total != 0
            if self.score_mode == "avg":
                factors = factors / np.where(any_applies, total, 1.0)
        return np.where(any_applies, factors, 1.0)
