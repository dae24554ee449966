"""`filter`, `filters` and `missing`: buckets by query, or by absence of a field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.body import Body, token_of
from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.aggregations.source import Source, count_per_doc, read_source
from qlc_engine.aggregations.tree import Aggregator, BucketList, SingleBucket, single_bucket
from qlc_engine.columns import IntArray
from qlc_engine.errors import illegal_argument, parsing_error
from qlc_engine.mapping import FieldLookup


@dataclass
class FilterAggregator(Aggregator):
    query: dict[str, Any]

    def collect(self, selection: Selection) -> SingleBucket:
        slices = [part.keep(_matches(selection, part, self.query)) for part in selection.slices]
        return single_bucket(selection.with_slices(slices), self.children)


def _matches(selection: Selection, part: Slice, query: dict[str, Any]) -> np.ndarray:
    mask = selection.run.context.filter_mask(query, part.segment, selection.path)
    return mask[part.docs]


@dataclass(frozen=True, slots=True)
class FilterNames:
    names: list[str]
    keyed: bool
    with_key: bool

    def key_fields(self, bucket: int) -> dict[str, Any]:
        return {"key": self.key_text(bucket)} if self.with_key else {}

    def key_text(self, bucket: int) -> str:
        return self.names[bucket % len(self.names)]


@dataclass
class FiltersAggregator(Aggregator):
    """Named or numbered filters. `other_key` names the bucket of documents that match none (None: no such bucket)."""

    names: list[str]
    queries: list[dict[str, Any]]
    other_key: str | None
    is_named: bool
    keyed: bool

    def collect(self, selection: Selection) -> BucketList:
        names = self.names + ([self.other_key] if self.other_key is not None else [])
        slices = []
        for part in selection.slices:
            masks = [_matches(selection, part, query) for query in self.queries]
            if self.other_key is not None:
                masks.append(~np.logical_or.reduce(masks))
            at = [np.flatnonzero(mask) for mask in masks]
            owners = part.owner_array()
            buckets: list[IntArray] = [owners[found] * len(names) + number for number, found in enumerate(at)]
            slices.append(part.pick(np.concatenate(at), np.concatenate(buckets)))
        number = selection.n_owners * len(names)
        selection.run.count_buckets(selection.occupied() * len(names))
        below = Selection(selection.run, selection.path, number, slices)
        return BucketList(
            starts=np.arange(selection.n_owners + 1) * len(names),
            doc_counts=below.doc_counts(),
            renderer=FilterNames(names, self.keyed, with_key=self.is_named and not self.keyed),
            children=self.children.collect(below),
            keyed=self.is_named and self.keyed,
        )


def parse_filters(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    given = body.take("filters")
    keyed = body.boolean("keyed", True)
    other = body.boolean("other_bucket")
    other_key = body.text("other_bucket_key")
    if other_key is not None:
        other = True
    if given is None:
        raise illegal_argument("[filters] cannot be empty.")
    if not isinstance(given, dict | list):
        raise parsing_error(f"Unknown key for a {token_of(given)} in [{body.name}]: [filters].")
    if not given:
        raise illegal_argument("[filters] cannot be empty.")
    is_named = isinstance(given, dict)
    # named filters stand in the answer in the order of their names
    pairs = sorted(given.items()) if isinstance(given, dict) else [(str(n), query) for n, query in enumerate(given)]
    for _, query in pairs:
        if not isinstance(query, dict):
            raise parsing_error("[_na] query malformed, must start with start_object")
    return {
        "names": [name for name, _ in pairs],
        "queries": [query for _, query in pairs],
        "other_key": (other_key or "_other_") if other else None,
        "is_named": is_named,
        "keyed": keyed,
    }


@dataclass
class MissingAggregator(Aggregator):
    source: Source

    def collect(self, selection: Selection) -> SingleBucket:
        slices = []
        for part in selection.slices:
            counts = count_per_doc(self.source, part)
            absent = counts == 0 if self.source.missing is None else np.zeros(len(counts), np.bool_)
            slices.append(part.keep(absent))
        return single_bucket(selection.with_slices(slices), self.children)


def parse_missing(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    return {"source": read_source(body, mapping, accepts="counted")}
