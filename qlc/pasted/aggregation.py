"""One aggregation of a request: its kind, its body, its size."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from typing import Any

from qlc.pasted.clauses import Clause
from qlc.pasted.reach import FieldUse

MAX_BUCKETS = 1_000
"""Most buckets of one aggregation on terms; further ones are dropped with a note."""
DEFAULT_BUCKETS = 10
BUCKETS = frozenset({"terms", "composite", "date_histogram", "histogram", "range", "date_range", "filter", "filters",
                     "missing", "nested", "reverse_nested"})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Aggregation:
    """A named aggregation. `filters`: its queries by key; `inner`: the aggregations in its buckets; `sources`: the
    sources of a `composite`."""

    name: str
    kind: str
    field: FieldUse | None = None
    params: Mapping[str, Any] = attribute(default_factory=dict)
    filters: Mapping[str, Clause] = attribute(default_factory=dict)
    inner: tuple[Aggregation, ...] = ()
    sources: tuple[Aggregation, ...] = ()

    @property
    def makes_buckets(self) -> bool:
        return self.kind in BUCKETS

    def body(self) -> dict[str, Any]:
        params: dict[str, Any] = dict(self.params)
        if self.field is not None:
            params["field"] = self.field.path
        if self.kind == "filter":
            params = self.filters["filter"].body()
        elif self.kind == "filters":
            params["filters"] = {key: one.body() for key, one in self.filters.items()}
        elif self.kind == "composite":
            params["sources"] = [{one.name: one.body()} for one in self.sources]
        found: dict[str, Any] = {self.kind: params}
        if self.inner:
            found["aggs"] = {one.name: one.body() for one in self.inner}
        return found

    def walk(self) -> Iterator[Aggregation]:
        yield self
        for one in self.inner:
            yield from one.walk()
