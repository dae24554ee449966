"""`sampler` and `diversified_sampler`: aggregations over the best documents only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.body import Body
from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.aggregations.source import Source, read_source
from qlc_engine.aggregations.tree import Aggregator, SingleBucket, single_bucket
from qlc_engine.columns import IntArray, KeywordColumn
from qlc_engine.errors import illegal_argument
from qlc_engine.mapping import FieldLookup


@dataclass
class SamplerAggregator(Aggregator):
    shard_size: int
    source: Source | None = None
    max_per_value: int = 1

    def collect(self, selection: Selection) -> SingleBucket:
        kept: list[list[int]] = [[] for _ in selection.slices]
        for owner in range(selection.n_owners):
            for number, position in self._best(selection, owner):
                kept[number].append(position)
        slices = []
        for part, positions in zip(selection.slices, kept, strict=True):
            at = np.array(sorted(positions), np.int64)
            slices.append(part.pick(at, None if part.owners is None else part.owners[at]))
        return single_bucket("sampler", selection.with_slices(slices), self.children)

    def _best(self, selection: Selection, owner: int) -> list[tuple[int, int]]:
        """The places of the documents with the highest scores: number of the slice, position in it."""
        ranked: list[tuple[float, int, int]] = []
        for number, part in enumerate(selection.slices):
            scores = selection.run.context.segments[part.segment].scores
            at = np.flatnonzero(part.owner_array() == owner)
            own = np.zeros(len(at)) if scores is None or selection.path is not None else scores[part.docs[at]]
            ranked += [(-score, number, position) for score, position in zip(own.tolist(), at.tolist(), strict=True)]
        ranked.sort()
        if self.source is None:
            return [(number, position) for _, number, position in ranked[: self.shard_size]]
        return self._diverse(selection, ranked)

    def _diverse(self, selection: Selection, ranked: list[tuple[float, int, int]]) -> list[tuple[int, int]]:
        taken: dict[Any, int] = {}
        out: list[tuple[int, int]] = []
        values = [self._values(part) for part in selection.slices]
        for _, number, position in ranked:
            value = values[number][position]
            if taken.get(value, 0) >= self.max_per_value:
                continue
            taken[value] = taken.get(value, 0) + 1
            out.append((number, position))
            if len(out) == self.shard_size:
                break
        return out

    def _values(self, part: Slice) -> list[Any]:
        column = None if self.source is None else self.source.column(part)
        if column is None:
            return [None] * len(part.docs)
        raw = column.ords if isinstance(column, KeywordColumn) else column.values
        starts: IntArray = column.starts
        out: list[Any] = []
        for doc in part.docs.tolist():
            first, last = starts.item(doc), starts.item(doc + 1)
            if last - first > 1:
                raise illegal_argument(
                    "Sample diversifying key must be a single valued-field", on_shard=True
                )
            # to the server a document without a value has the first of all terms, or the number 0
            value = 0 if first == last else raw.item(first)
            out.append(column.terms[int(value)] if isinstance(column, KeywordColumn) else value)
        return out


def parse_sampler(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    return {"shard_size": body.integer("shard_size", 100)}


def parse_diversified_sampler(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    body.text("execution_hint")
    return {
        "shard_size": body.integer("shard_size", 100, at_least=1),
        "max_per_value": body.integer("max_docs_per_value", 1, at_least=1),
        "source": read_source(body, mapping, accepts="keyed"),
    }
