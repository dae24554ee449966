"""Measures of a row as sub-aggregations: they are built, parsed, and merged when rows are folded into one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from elasticsearch.dsl import aggs

from qlc.base.frozen import unguarded_dataclass
from qlc.compiler.aggregations.groupings import Bucket
from qlc.compiler.aggregations.scope import DOCUMENTS, Scope, measured_in_bucket, scope_of
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Agg, Aggs
from qlc.compiler.scripts import value_script
from qlc.compiler.typed import ComputedField, Condition, Measure

Measured = str | ComputedField
"""The path of a measured field, or a calculation."""


@unguarded_dataclass(frozen=True, slots=True)
class Summary:
    """Request for count, sum, minimum and maximum of a number or date field."""

    of: Measured
    scope: Scope


@unguarded_dataclass(frozen=True, slots=True)
class Percentile:
    """The value below which `percent` (0 to 100) of the values lie, as Elasticsearch estimates it."""

    of: Measured
    percent: float
    scope: Scope


@unguarded_dataclass(frozen=True, slots=True)
class Meeting:
    """How many of the documents meet a condition."""

    condition: Condition
    scope: Scope = DOCUMENTS


Statistic = Summary | Percentile | Meeting


@unguarded_dataclass(frozen=True, slots=True)
class Summarised:
    """Result of a Summary. `low` and `high` are None without values. Dates are epoch milliseconds."""

    count: int
    sum: float
    low: float | None
    high: float | None

    def __add__(self, other: Summarised) -> Summarised:
        lows = [v for v in (self.low, other.low) if v is not None]
        highs = [v for v in (self.high, other.high) if v is not None]
        return Summarised(
            self.count + other.count, self.sum + other.sum, min(lows, default=None), max(highs, default=None)
        )


Part = Summarised | int | float | None


@unguarded_dataclass(frozen=True, slots=True)
class Cell:
    """The count of a row's documents, and their statistics in the order of the leaf."""

    documents: int = 0
    parts: tuple[Part, ...] = ()

    def __add__(self, other: Cell) -> Cell:
        """Merge two cells that share no document."""
        parts = tuple(_added(mine, theirs) for mine, theirs in zip(self.parts, other.parts, strict=True))
        return Cell(self.documents + other.documents, parts)


def _added(mine: Part, theirs: Part) -> Part:
    if isinstance(mine, Summarised) and isinstance(theirs, Summarised):
        return mine + theirs
    if isinstance(mine, int) and isinstance(theirs, int):
        return mine + theirs
    raise TypeError("percentiles cannot be added up")


def statistic_of(measure: Measure) -> Statistic | None:
    """Return the statistic that a measure needs; None for `count` and `distinct`, which need only numbers of
    buckets."""
    if measure.condition is not None:
        return Meeting(measure.condition)
    if measure.field is None or measure.function in ("distinct", "calculation"):
        return None
    of = measure.field if isinstance(measure.field, ComputedField) else measure.field.mapped.term_path
    scope = scope_of(measure.field, measure.element, measure.narrowed)
    if measure.function in ("median", "percentile"):
        return Percentile(of, 50.0 if measure.argument is None else measure.argument, scope)
    return Summary(of, scope)


@dataclass(frozen=True, slots=True)
class Leaf:
    """The statistics below one bucket, whose documents are of `scope`: the documents themselves, or elements.

    `counted`: the number of documents is requested; a group of keys alone does not need it.
    """

    scope: Scope
    statistics: Sequence[Statistic]
    counted: bool = True

    def aggs(self, env: Bindings) -> Aggs:
        here: Aggs = {}
        documents: Aggs = {}
        for number, statistic in enumerate(self.statistics):
            home = here if self._in_bucket(statistic.scope) else documents
            home[f"m{number}"] = self._agg(statistic, env)
        if self.scope.path is None:
            return here | documents
        if self.counted:
            here["documents"] = aggs.ReverseNested(aggs=documents)
        return here

    def _in_bucket(self, scope: Scope) -> bool:
        return scope == self.scope or measured_in_bucket(scope, self.scope)

    def _agg(self, statistic: Statistic, env: Bindings) -> Agg:
        if isinstance(statistic, Meeting):
            return aggs.Filter(filter=env.query(statistic.condition))
        if isinstance(statistic, Summary):
            metric: Agg = aggs.Stats(**values_of(statistic.of, env))
        else:
            metric = aggs.Percentiles(**values_of(statistic.of, env), percents=[statistic.percent])
        return self._reached(metric, statistic.scope, env)

    def _reached(self, metric: Agg, scope: Scope, env: Bindings) -> Agg:
        here = scope.path is None or self._in_bucket(scope)
        if scope.narrowed is not None and not (here and scope.narrowed == self.scope.narrowed):
            metric = aggs.Filter(filter=env.query(scope.narrowed), aggs={"of": metric})
        return metric if here or scope.path is None else aggs.Nested(path=scope.path, aggs={"of": metric})

    def read(self, bucket: Bucket) -> Cell:
        if not self.counted:
            return Cell()
        documents = bucket if self.scope.path is None else bucket["documents"]
        parts = (
            _part(statistic, (bucket if self._in_bucket(statistic.scope) else documents)[f"m{number}"])
            for number, statistic in enumerate(self.statistics)
        )
        return Cell(documents["doc_count"], tuple(parts))


def _part(statistic: Statistic, answer: Mapping[str, Any]) -> Part:
    if isinstance(statistic, Meeting):
        return int(answer["doc_count"])
    while "of" in answer:
        answer = answer["of"]
    if isinstance(statistic, Summary):
        return Summarised(answer["count"], answer["sum"], answer["min"], answer["max"])
    # A date comes twice: in milliseconds, and as text beside it.
    (value,) = (one for name, one in answer["values"].items() if not name.endswith("_as_string"))
    return None if value is None else float(value)


def values_of(of: Measured, env: Bindings) -> dict[str, Any]:
    """Return the parameters with which an aggregation takes its values: a field, or a script."""
    return {"field": of} if isinstance(of, str) else {"script": value_script(of, env)}
