"""`variable_width_histogram`: buckets of values that lie near each other.

Source: org.elasticsearch.search.aggregations.bucket.histogram.VariableWidthHistogramAggregator (values are put together
in a shard) and InternalVariableWidthHistogram (the nearest buckets become one, until they are few enough).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggregations.body import Body
from qlc_engine.aggregations.selection import Selection, Slice
from qlc_engine.aggregations.source import Source, numeric_parts, read_source
from qlc_engine.aggregations.tree import Aggregator, BucketList
from qlc_engine.aggregations.value_format import ValueFormat, json_number
from qlc_engine.errors import illegal_argument, not_implemented
from qlc_engine.mapping import FieldLookup


@dataclass(slots=True)
class _Cluster:
    """Values next to each other, by their places in ascending order."""

    first: int
    end: int
    centroid: float

    @property
    def count(self) -> int:
        return self.end - self.first


@dataclass(frozen=True, slots=True)
class ClusterRenderer:
    least: list[float]
    centroids: list[float]
    greatest: list[float]
    format: ValueFormat

    def key_fields(self, bucket: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        named = (("min", self.least), ("key", self.centroids), ("max", self.greatest))
        for name, values in named:
            out[name] = json_number(values[bucket])
            text = self.format.as_string(values[bucket])
            if text is not None:
                out[f"{name}_as_string"] = text
        return out

    def key_text(self, bucket: int) -> str:
        return self.format.text(self.centroids[bucket])


@dataclass
class VariableWidthHistogramAggregator(Aggregator):
    source: Source
    buckets: int
    shard_size: int
    #: so many values the server looks at before it makes clusters
    buffer: int

    def collect(self, selection: Selection) -> BucketList:
        if selection.path is not None and self.children:
            # see below: which documents these are depends on the order in which elements happen to be stored
            raise not_implemented("aggregations below [variable_width_histogram] inside [nested]")
        found = list(numeric_parts(self.source, selection))
        values = np.concatenate([part.astype(np.float64) for *_, part in found] or [np.empty(0)])
        if len(values) > self.buffer:
            raise not_implemented(f"[variable_width_histogram] of more than [{self.buffer}] values")
        order = np.argsort(values, kind="stable")
        ordered = values[order]
        clusters = _nearest_merged(_of_shard(ordered, self.shard_size), self.buckets)
        clusters = _of_one_least_value(clusters, ordered)
        selection.run.count_buckets(len(clusters))
        of_place = np.repeat(np.arange(len(clusters)), [cluster.count for cluster in clusters])
        # the server hands the documents on by the permutation that sorts them where its inverse is meant: what is
        # below a bucket is not of the documents that it counts
        bucket_of = of_place[order]
        slices, at = [], 0
        for part, positions, own in found:
            docs = part.docs if positions is None else part.docs[positions]
            slices.append(Slice(part.segment, part.space, docs, bucket_of[at : at + len(own)]))
            at += len(own)
        below = Selection(selection.run, selection.path, len(clusters), slices)
        return BucketList(
            kind=self.type,
            starts=np.array([0, len(clusters)]),
            doc_counts=np.array([cluster.count for cluster in clusters], np.int64),
            renderer=ClusterRenderer(
                [float(ordered[cluster.first]) for cluster in clusters],
                [cluster.centroid for cluster in clusters],
                [float(ordered[cluster.end - 1]) for cluster in clusters],
                self.source.format,
            ),
            children=self.children.collect(below),
        )


def _of_shard(ordered: NDArray[np.float64], shard_size: int) -> list[_Cluster]:
    """So many values to a cluster that three quarters of `shard_size` are not exceeded."""
    each = math.ceil(len(ordered) / max(1, int(shard_size * 0.75))) or 1
    return [
        _Cluster(first, min(first + each, len(ordered)), float(ordered[first : first + each].mean()))
        for first in range(0, len(ordered), each)
    ]


def _nearest_merged(clusters: list[_Cluster], most: int) -> list[_Cluster]:
    merged: list[_Cluster] = []
    for cluster in clusters:
        if merged and merged[-1].centroid == cluster.centroid:
            merged[-1].end = cluster.end
        else:
            merged.append(cluster)
    while len(merged) > most:
        gaps = [right.centroid - left.centroid for left, right in pairwise(merged)]
        at = gaps.index(min(gaps))
        _join(merged, at)
    return merged


def _of_one_least_value(clusters: list[_Cluster], ordered: NDArray[np.float64]) -> list[_Cluster]:
    at = 0
    while at + 1 < len(clusters):
        if ordered[clusters[at].first] == ordered[clusters[at + 1].first]:
            _join(clusters, at)
        else:
            at += 1
    return clusters


def _join(clusters: list[_Cluster], at: int) -> None:
    """A cluster and the one after it as one."""
    left, right = clusters[at], clusters.pop(at + 1)
    left.centroid = (left.centroid * left.count + right.centroid * right.count) / (left.count + right.count)
    left.end = right.end


def parse_variable_width_histogram(body: Body, mapping: FieldLookup) -> dict[str, Any]:
    source = read_source(body, mapping, accepts="number")
    buckets = _positive(body, "buckets", 10, above=0)
    shard_size = _positive(body, "shard_size", buckets * 50, above=1)
    buffer = _positive(body, "initial_buffer", min(10 * shard_size, 50_000), above=0)
    first = int(shard_size * 0.75)
    for told, number in (("3/4 of shard_size", first), ("initial_buffer", buffer)):
        if number < buckets:
            reason = f"{told} must be at least buckets but was [{number}<{buckets}] for [{body.name}]"
            raise illegal_argument(reason, on_shard=True)
    return {"source": source, "buckets": buckets, "shard_size": shard_size, "buffer": buffer}


def _positive(body: Body, key: str, default: int, *, above: int) -> int:
    given = body.integer(key, default)
    if given <= above:
        reason = f"{key} must be greater than [{above}] for [{body.name}]"
        raise body.failed(key, illegal_argument(reason))
    return given
