"""`filter`, `filters` and `missing`: buckets by query, or by absence of a field; `nested` and `reverse_nested`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggregations.selection import Selection, Slice, ascend, descend
from qlc_engine.aggregations.source import Source, count_per_doc, read_source
from qlc_engine.aggregations.tree import Aggregator, BucketList, SingleBucket, single_bucket
from qlc_engine.columns import IntArray
from qlc_engine.errors import illegal_argument, not_implemented, parsing_error
from qlc_engine.json_input import json_token
from qlc_engine.mapping import FieldLookup
from qlc_engine.params import Params


@dataclass
class FilterAggregator(Aggregator):
    query: dict[str, Any]

    def collect(self, selection: Selection) -> SingleBucket:
        slices = [part.keep(_matches(selection, part, self.query)) for part in selection.slices]
        return single_bucket(selection.with_slices(slices), self.children)


def _matches(selection: Selection, part: Slice, query: dict[str, Any]) -> np.ndarray:
    mask = selection.run.context.filter_mask(query, part.segment, selection.path)
    return mask[part.docs]


class _NoKeys:
    """Buckets of filters are distinguished by their names in the answer."""

    def key_fields(self, bucket: int) -> dict[str, Any]:
        return {}


@dataclass
class FiltersAggregator(Aggregator):
    """`other_key` names the bucket of documents that match none (None: no such bucket)."""

    queries: dict[str, dict[str, Any]]
    other_key: str | None

    def collect(self, selection: Selection) -> BucketList:
        names = [*self.queries, *([self.other_key] if self.other_key is not None else [])]
        slices = []
        for part in selection.slices:
            masks = [_matches(selection, part, query) for query in self.queries.values()]
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
            renderer=_NoKeys(),
            children=self.children.collect(below),
            names=names,
        )


def parse_filters(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    given = body.take("filters")
    other = body.boolean("other_bucket")
    other_key = body.text("other_bucket_key")
    if isinstance(given, list):
        raise not_implemented("[filters] without names in aggregation [filters]")
    if given is not None and not isinstance(given, dict):
        raise parsing_error(f"Unknown key for a {json_token(given)} in [{body.name}]: [filters].")
    if not given:
        raise illegal_argument("[filters] cannot be empty.")
    for query in given.values():
        if not isinstance(query, dict):
            raise parsing_error("[_na] query malformed, must start with start_object")
    return {
        # they are in the answer in the order of their names
        "queries": dict(sorted(given.items())),
        "other_key": other_key or ("_other_" if other else None),
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


def parse_missing(body: Params, mapping: FieldLookup) -> dict[str, Any]:
    return {"source": read_source(body, mapping, accepts="counted")}


@dataclass
class NestedAggregator(Aggregator):
    """The elements of a nested list. `path` None: the path is not a nested object, so there are no documents."""

    path: str | None

    def collect(self, selection: Selection) -> SingleBucket:
        is_below = self.path is not None and (selection.path is None or self.path.startswith(selection.path + "."))
        if self.path is None or not is_below:
            below = selection.with_slices((), path=self.path, same_path=False)
        else:
            below = descend(selection, self.path)
        return single_bucket(below, self.children)


@dataclass
class ReverseNestedAggregator(Aggregator):
    """`path` None: up to the top-level documents."""

    path: str | None

    def collect(self, selection: Selection) -> SingleBucket:
        inside = selection.path or ""
        if self.path is not None and not (inside == self.path or inside.startswith(self.path + ".")):
            raise illegal_argument(
                f"Reverse nested path [{self.path}] is not a parent of the current nested scope [{inside}]"
            )
        if selection.path == self.path:
            return single_bucket(selection, self.children)
        roots = [segment.space for segment in selection.run.context.segments]
        return single_bucket(ascend(selection, self.path, roots), self.children)
