"""The nodes of an aggregation tree and their results, without the rules of any family."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.selection import Selection
from qlc_engine.columns import IntArray
from qlc_engine.time_limit import timed

FloatArray = NDArray[np.float64]


class Result(ABC):
    """The result of an aggregation, for all buckets that own it."""

    @abstractmethod
    def render(self, owner: int) -> dict[str, Any]:
        """The JSON in one owning bucket."""

    def metric(self, path: Sequence[str]) -> FloatArray:
        """The number by which owning buckets are ordered. `path` leads below this aggregation (empty: its value)."""
        raise InvalidOrderError(_NOT_SORTABLE)


@dataclass
class Children:
    """The aggregations directly below a bucket (or at the top), in the order of the request."""

    aggregators: list[Aggregator] = field(default_factory=list)

    def collect(self, selection: Selection) -> ChildResults:
        return ChildResults(self, {child.name: child.collect(selection) for child in timed(self.aggregators)})

    def collect_below(self, select: Callable[[], Selection]) -> ChildResults:
        """As `collect`, selecting documents only if there is an aggregation to see them."""
        return self.collect(select()) if self.aggregators else ChildResults(self, {})

    def find(self, name: str) -> Aggregator | None:
        return next((child for child in self.aggregators if child.name == name), None)

    def __bool__(self) -> bool:
        return bool(self.aggregators)


@dataclass(frozen=True)
class ChildResults:
    children: Children
    results: dict[str, Result]
    #: what was rendered of a bucket without documents, which is the same for all of these
    _empty: list[dict[str, Any]] = field(default_factory=list)

    def render_counted(self, owner: int, doc_count: int) -> dict[str, Any]:
        """As `render`; conditions make many empty buckets, which are rendered once."""
        if doc_count:
            return self.render(owner)
        if not self._empty:
            self._empty.append(self.render(owner))
        return self._empty[0]

    def render(self, owner: int) -> dict[str, Any]:
        return {name: result.render(owner) for name, result in self.results.items()}


@dataclass
class Aggregator(ABC):
    """One aggregation of a request: parameters already read and checked."""

    name: str
    type: str
    children: Children

    #: whether sub-aggregations are allowed
    takes_children = True

    @abstractmethod
    def collect(self, selection: Selection) -> Result: ...


@dataclass(frozen=True)
class SingleBucket(Result):
    """An aggregation that puts each owner's documents into one bucket (filter, nested, missing...)."""

    doc_counts: IntArray
    children: ChildResults

    def render(self, owner: int) -> dict[str, Any]:
        count = int(self.doc_counts[owner])
        return {"doc_count": count, **self.children.render_counted(owner, count)}

    def metric(self, path: Sequence[str]) -> FloatArray:
        if not path:
            return self.doc_counts.astype(np.float64)
        if path[0] in ("_count", "doc_count"):
            raise InvalidOrderError(_NOT_SORTABLE)
        return metric_of(self.children.results, path)


def single_bucket(selection: Selection, children: Children) -> SingleBucket:
    return SingleBucket(selection.doc_counts(), children.collect(selection))


def metric_of(results: dict[str, Result], path: Sequence[str]) -> FloatArray:
    found = results.get(path[0])
    if found is None:
        raise no_such_aggregation(path[0])
    return found.metric(path[1:])


_NOT_SORTABLE = (
    "Buckets can only be sorted on a sub-aggregator path that is built out of zero or more single-bucket aggregations "
    "within the path and a final single-bucket or a metrics aggregation at the path end."
)


class InvalidOrderError(Exception):
    """Why buckets cannot be ordered as asked; `ordering` adds the path and makes it an `EngineError`."""


def no_such_aggregation(name: str) -> InvalidOrderError:
    return InvalidOrderError(
        f"The provided aggregation [{name}] either does not exist, or is a pipeline aggregation and cannot be used to "
        "sort the buckets."
    )


class BucketRenderer(Protocol):
    """How a family prints one of its buckets, without count and sub-aggregations."""

    def key_fields(self, bucket: int) -> dict[str, Any]: ...


@dataclass(frozen=True)
class BucketList(Result):
    """Buckets in their final order, those of one owner together: `starts[o] .. starts[o + 1]`."""

    starts: IntArray
    doc_counts: IntArray
    renderer: BucketRenderer
    children: ChildResults
    #: of the buckets of each owner, where the answer has them by name
    names: Sequence[str] | None = None
    #: per owner, the keys that come before `buckets`
    heads: Sequence[dict[str, Any]] = ()

    def render(self, owner: int) -> dict[str, Any]:
        first, last = int(self.starts[owner]), int(self.starts[owner + 1])
        buckets: list[dict[str, Any]] = []
        for bucket, count in enumerate(timed(self.doc_counts[first:last].tolist()), first):
            made = self.renderer.key_fields(bucket)
            made["doc_count"] = count
            made.update(self.children.render_counted(bucket, count))
            buckets.append(made)
        if self.names is not None:
            return {"buckets": dict(zip(self.names, buckets, strict=True))}
        return {**(self.heads[owner] if self.heads else {}), "buckets": buckets}
