"""Groupings: each kind of group as a level of buckets and as a source of a composite aggregation.

A key is the value as stored (str, bool, int, float; dates as epoch milliseconds), the lower end of a step, or the
position of a bin or of a chosen key.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, Literal

from elasticsearch.dsl import aggs
from elasticsearch.dsl.query import Exists, MatchNone, Range

from qlc.compiler.numbers import held, within, written
from qlc.compiler.request import Agg, Aggs, CannotAnswer, Clause, on
from qlc.compiler.typed import Scalar
from qlc.mapping.fields import FieldKind, MappedField

Bucket = Mapping[str, Any]
CalendarUnit = Literal["year", "quarter", "month", "week", "day", "hour"]


class Truncated(Exception):
    """Raised if a `terms` level has more buckets than requested; another way of reading is needed then."""


class Grouping(ABC):
    """One group of a row. `known`: its keys, if they are few and known before the request."""

    known: Sequence[Scalar] | None = None
    sourced_once: bool = False
    """Whether `composite` counts a document once whose field has several values in one bucket."""

    @abstractmethod
    def level(self, inner: Aggs, only: frozenset[Scalar] | None, size: int) -> Agg:
        """Build the buckets as a level of a tree; `size` limits the kinds that take a limit."""

    @abstractmethod
    def key(self, raw: Any) -> Scalar:
        """Convert the `key` of a bucket to the group's key."""

    def source(self) -> Agg | None:
        """Return the source for a composite aggregation; None if composite aggregations cannot read this grouping."""
        return None

    def narrowing(self, only: Iterable[Scalar]) -> Clause | None:
        """Return a condition that skips documents with none of these keys; None if the level filters by itself."""
        return None

    def buckets(self, answer: Mapping[str, Any]) -> Iterator[tuple[Scalar, Bucket]]:
        """Yield the key and content of each bucket. Raises Truncated if not all buckets were returned."""
        if answer.get("sum_other_doc_count"):
            raise Truncated
        for bucket in answer["buckets"]:
            yield self.key(bucket["key"]), bucket


@dataclass(frozen=True, slots=True)
class Values(Grouping):
    """Group by each value of a field. `paged`: whether composite aggregations read it correctly.

    They do not for a key of a flattened field, for which they return the values of all its keys.
    """

    path: str
    kind: FieldKind
    paged: bool = True
    mapped: MappedField | None = None

    @property
    def known(self) -> Sequence[Scalar] | None:  # type: ignore[override]
        return (False, True) if self.kind is FieldKind.BOOLEAN else None

    @property
    def sourced_once(self) -> bool:  # type: ignore[override]
        return self.kind in (FieldKind.KEYWORD, FieldKind.IP)

    def level(self, inner: Aggs, only: frozenset[Scalar] | None, size: int) -> Agg:
        if only is None or self.kind is FieldKind.BOOLEAN:
            return aggs.Terms(field=self.path, size=size, aggs=inner)
        # Without a format a date would be read in the mapping's own, which may be any.
        dates: dict[str, Any] = {"format": "epoch_millis"} if self.kind is FieldKind.DATE else {}
        listed: Any = sorted(map(self._raw, only))  # numbers too, which the client's types do not know
        return aggs.Terms(field=self.path, size=len(only), include=listed, aggs=inner, **dates)

    def source(self) -> Agg | None:
        return aggs.Terms(field=self.path) if self.paged else None

    def key(self, raw: Any) -> Scalar:
        if self.kind is FieldKind.BOOLEAN:
            return bool(raw)
        if self.kind in (FieldKind.DATE, FieldKind.WHOLE_NUMBER):
            return int(raw)
        if self.kind is FieldKind.NUMBER:
            if raw == 0 and math.copysign(1, raw) < 0:
                raise CannotAnswer("two-zeros", f"'{self.path}' holds -0, which Elasticsearch counts separately from 0",
                                   "group by step(...) or bins(...)")
            return float(raw) if self.mapped is None else written(self.mapped, float(raw))
        return str(raw)

    def _raw(self, key: Scalar) -> Scalar:
        return held(self.mapped, key) if self.mapped is not None and isinstance(key, float) else key


class _Dates(Grouping):
    """Group by periods of a date field. `longest`: milliseconds of the longest period."""

    path: str
    longest: ClassVar[int]

    @abstractmethod
    def rounding(self) -> dict[str, Any]:
        """Return the interval parameters of the aggregation: `{"calendar_interval": "month"}`."""

    def level(self, inner: Aggs, only: frozenset[Scalar] | None, size: int) -> Agg:
        return aggs.DateHistogram(field=self.path, min_doc_count=1, aggs=inner, **self.rounding())

    def source(self) -> Agg | None:
        return aggs.DateHistogram(field=self.path, **self.rounding())

    def narrowing(self, only: Iterable[Scalar]) -> Clause | None:
        # The range can also match other keys, whose buckets are dropped.
        keys = [int(key) for key in only]
        return between(self.path, min(keys), max(keys) + self.longest, dates=True)

    def key(self, raw: Any) -> Scalar:
        return int(raw)


@dataclass(frozen=True, slots=True)
class Calendar(_Dates):
    """Calendar units of a date field in a time zone (an IANA name or an offset); weeks begin on Monday."""

    path: str
    unit: CalendarUnit
    zone: str
    longest: ClassVar[int] = 367 * 86_400_000

    def rounding(self) -> dict[str, Any]:
        return {"calendar_interval": self.unit, "time_zone": self.zone}


QUARTER_HOUR = 900_000
"""In milliseconds."""


@dataclass(frozen=True, slots=True)
class QuarterHours(_Dates):
    """Quarters of an hour of a date field, from any full hour in UTC."""

    path: str
    longest: ClassVar[int] = QUARTER_HOUR

    def rounding(self) -> dict[str, Any]:
        return {"fixed_interval": "15m"}


LEAST_WIDTH = 1e-280
"""Least width of steps. Below it, a server puts every value into a step whose number is NaN."""

MOST_STEPS = 2.0**50
"""Most steps from zero to a value. Beyond it, the end of a step can be rounded into the next one."""


@dataclass(frozen=True, slots=True)
class Steps(Grouping):
    """Steps of equal width from zero, by their number (below zero: negative), as Elasticsearch's floats find them."""

    path: str
    width: float
    mapped: MappedField | None = None
    script: Mapping[str, Any] | None = None

    def __post_init__(self) -> None:
        """Check the width. Raises CannotAnswer if ordinary values would have step numbers that no float can hold."""
        if self.width < LEAST_WIDTH:
            raise CannotAnswer("step-too-small", f"steps of {self.width:g} are too small: numbers are not kept that "
                               "exactly", "group by larger steps, or by the values themselves")

    def level(self, inner: Aggs, only: frozenset[Scalar] | None, size: int) -> Agg:
        return aggs.Histogram(**_values(self), interval=self.width, min_doc_count=1, aggs=inner)

    def source(self) -> Agg | None:
        return aggs.Histogram(**_values(self), interval=self.width)

    def narrowing(self, only: Iterable[Scalar]) -> Clause | None:
        if self.script is not None:
            return None
        keys = [int(key) for key in only]
        return self.between(min(keys) - 1, max(keys) + 2)

    def between(self, first: int, end: int) -> Clause:
        """Return the range from the lower end of one step up to the lower end of another."""
        return between(self.path, self.edge(first), self.edge(end), mapped=self.mapped)

    def key(self, raw: Any) -> Scalar:
        """Return the number of the step. Raises CannotAnswer beyond `MOST_STEPS`, where floats cannot tell steps
        apart."""
        steps = float(raw) / self.width
        if not abs(steps) < MOST_STEPS:
            raise CannotAnswer("step-too-small", f"steps of {self.width:g} are too small for values such as "
                               f"{abs(float(raw)):.4g}: numbers are not stored that exactly",
                               "group by larger steps, or by the values themselves")
        return round(steps)

    def edge(self, number: int) -> float:
        """The lower end of a step: the float nearest to the exact product, so that 3 steps of 0.1 begin at 0.3."""
        return float(number * Fraction(repr(self.width)))


_END = {"gte": "from", "lt": "to"}
_NO_RANGE = {"key": "0", "from": 0, "to": 0}
"""A placeholder: Elasticsearch requires at least one range."""


@dataclass(frozen=True, slots=True)
class Bins(Grouping):
    """Group by ranges: below the first edge, from each edge up to the next, from the last edge on."""

    path: str
    edges: tuple[float, ...]
    mapped: MappedField
    script: Mapping[str, Any] | None = None

    @property
    def known(self) -> Sequence[Scalar] | None:  # type: ignore[override]
        return range(len(self.edges) + 1)

    def level(self, inner: Aggs, only: frozenset[Scalar] | None, size: int) -> Agg:
        ends = [None, *self.edges, None]
        ranges: list[dict[str, Any]] = []
        for position, (low, high) in enumerate(pairwise(ends)):
            if only is None or position in only:
                bounds = {name: end for name, end in (("gte", low), ("lt", high)) if end is not None}
                met = bounds if self.script is not None else within(self.mapped, bounds)
                if met is not None:
                    ranges.append({"key": str(position)} | {_END[name]: end for name, end in met.items()})
        return aggs.Range(**_values(self), ranges=ranges or [_NO_RANGE], aggs=inner)

    def key(self, raw: Any) -> Scalar:
        return int(raw)


def _values(grouping: Steps | Bins) -> dict[str, Any]:
    return {"field": grouping.path} if grouping.script is None else {"script": dict(grouping.script)}


@dataclass(frozen=True, slots=True)
class Chosen(Grouping):
    """Group by conditions: a document has every key whose condition it meets."""

    conditions: Mapping[Scalar, Clause]

    @property
    def known(self) -> Sequence[Scalar] | None:  # type: ignore[override]
        return tuple(self.conditions)

    def level(self, inner: Aggs, only: frozenset[Scalar] | None, size: int) -> Agg:
        named = {str(n): q for n, (k, q) in enumerate(self.conditions.items()) if only is None or k in only}
        return aggs.Filters(filters=named, aggs=inner)

    def key(self, raw: Any) -> Scalar:
        return tuple(self.conditions)[int(raw)]

    def buckets(self, answer: Mapping[str, Any]) -> Iterator[tuple[Scalar, Bucket]]:
        keys = tuple(self.conditions)
        for position, bucket in answer["buckets"].items():
            yield keys[int(position)], bucket


def between(path: str, low: float, high: float, *, dates: bool = False, mapped: MappedField | None = None) -> Clause:
    """Return the range from `low` up to, not including, `high`; dates in epoch milliseconds."""
    given: dict[str, Any] = {"gte": low, "lt": high}
    bounds = given if mapped is None else within(mapped, given)
    if not bounds:
        return MatchNone() if bounds is None else Exists(field=path)
    return on(Range, path, bounds | ({"format": "epoch_millis"} if dates else {}))
