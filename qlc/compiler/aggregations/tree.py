"""Aggregation requests as chains of steps: each step is one aggregation inside the one before it.

The same chain builds the request and reads its answer, so the two cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from elasticsearch.dsl import aggs
from elasticsearch.dsl.query import MatchAll

from qlc.base.deadline import checkpoint
from qlc.compiler.aggregations.groupings import Bucket, Grouping
from qlc.compiler.aggregations.scope import Scope
from qlc.compiler.aggregations.statistics import Cell, Leaf
from qlc.compiler.environment import Bindings
from qlc.compiler.request import Agg, Aggs, Clause
from qlc.compiler.typed import Scalar

Keys = tuple[Scalar, ...]

MAX_BUCKETS = 60_000
"""Buckets of one response that we ask for: below Elasticsearch's default `search.max_buckets` of 65,536."""

PAGE = 10_000
"""Rows of one page of a composite aggregation, and values of a `terms` level that is read whole."""


class Step(Protocol):
    """One aggregation of a chain."""

    @property
    def name(self) -> str: ...

    def agg(self, inner: Aggs) -> Agg: ...

    def buckets(self, answer: Mapping[str, Any]) -> Iterator[tuple[Keys, Bucket]]: ...


class _OneBucket:
    __slots__ = ()

    def buckets(self, answer: Mapping[str, Any]) -> Iterator[tuple[Keys, Bucket]]:
        yield (), answer


@dataclass(frozen=True, slots=True)
class Only(_OneBucket):
    """The documents (or elements) that meet a query; without a query, all of them, to count them."""

    query: Clause | None = None
    name: str = "only"

    def agg(self, inner: Aggs) -> Agg:
        return aggs.Filter(filter=self.query if self.query is not None else MatchAll(), aggs=inner)


@dataclass(frozen=True, slots=True)
class Elements(_OneBucket):
    """From documents to the elements of a nested list."""

    path: str
    name: str = "elements"

    def agg(self, inner: Aggs) -> Agg:
        return aggs.Nested(path=self.path, aggs=inner)


@dataclass(frozen=True, slots=True)
class BackToDocuments(_OneBucket):
    """From elements to the documents that they are in."""

    name: str = "documents"

    def agg(self, inner: Aggs) -> Agg:
        return aggs.ReverseNested(aggs=inner)


@dataclass(frozen=True, slots=True)
class Level:
    """The buckets of one grouping, `only` those of the given keys."""

    grouping: Grouping
    only: frozenset[Scalar] | None = None
    size: int = PAGE
    name: str = "level"

    def agg(self, inner: Aggs) -> Agg:
        return self.grouping.level(inner, self.only, self.size)

    def buckets(self, answer: Mapping[str, Any]) -> Iterator[tuple[Keys, Bucket]]:
        """Yield the buckets. Raises Truncated if not all were returned, unless the keys were named."""
        complete = answer if self.only is None else dict(answer) | {"sum_other_doc_count": 0}
        for key, bucket in self.grouping.buckets(complete):
            if self.only is None or key in self.only:
                yield (key,), bucket


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the combinations of several groupings."""

    groupings: tuple[Grouping, ...]
    size: int
    after: Mapping[str, Any] | None = None
    name: str = "page"

    def agg(self, inner: Aggs) -> Agg:
        sources = [{str(n): source} for n, one in enumerate(self.groupings) if (source := one.source()) is not None]
        start: dict[str, Any] = {"after": dict(self.after)} if self.after is not None else {}
        return aggs.Composite(sources=sources, size=self.size, aggs=inner, **start)

    def buckets(self, answer: Mapping[str, Any]) -> Iterator[tuple[Keys, Bucket]]:
        for bucket in answer["buckets"]:
            yield tuple(g.key(bucket["key"][str(n)]) for n, g in enumerate(self.groupings)), bucket

    def next(self, answer: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the key after which the next page begins; None after the last page."""
        if len(answer["buckets"]) < self.size:
            return None
        after: Mapping[str, Any] = answer.get("after_key") or answer["buckets"][-1]["key"]
        return after


def into(scope: Scope, env: Bindings) -> tuple[Step, ...]:
    """Return the steps from the documents to the elements of a scope."""
    if scope.path is None:
        return ()
    narrowed = () if scope.narrowed is None else (Only(env.query(scope.narrowed), "narrowed"),)
    return (Elements(scope.path), *narrowed)


def out_of(scope: Scope) -> tuple[Step, ...]:
    """Return the steps from the elements of a scope back to their documents."""
    return () if scope.path is None else (BackToDocuments(),)


def build(steps: Sequence[Step], leaf: Aggs) -> Aggs:
    inner = leaf
    for step in reversed(steps):
        inner = {step.name: step.agg(inner)}
    return inner


def read(steps: Sequence[Step], leaf: Leaf, answer: Bucket) -> Iterator[tuple[Keys, Cell]]:
    """The rows of the answer: keys in the order of the steps. Empty buckets make no row. Raises Truncated."""
    if not steps:
        yield (), leaf.read(answer)
        return
    for keys, bucket in steps[0].buckets(answer[steps[0].name]):
        checkpoint()
        if not keys or bucket["doc_count"]:
            for further, cell in read(steps[1:], leaf, bucket):
                yield keys + further, cell


def answer_at(steps: Sequence[Step], answer: Bucket) -> Bucket:
    """Return the response of the last step, below single-bucket steps."""
    for step in steps:
        answer = answer[step.name]
    return answer
