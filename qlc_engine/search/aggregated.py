"""What a search lends to its aggregations: masks of filters, hits of buckets, the clock."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggcontext import AggDocs, AggSegment, BoolMask
from qlc_engine.errors import EngineError, illegal_argument, not_implemented
from qlc_engine.leaf import Leaf
from qlc_engine.mapping import FieldLookup
from qlc_engine.queries.base import printed_score
from qlc_engine.queries.parse import parse_query
from qlc_engine.reading import reading
from qlc_engine.search.hits import fetch_hits
from qlc_engine.search.nested_hits import nested_hits
from qlc_engine.search.ranking import Ranking
from qlc_engine.search.request import FetchOptions, parse_fetch, sort_of
from qlc_engine.search.shard import Shard
from qlc_engine.search.sort_spec import SCORE, SortKey, parse_sort

_BY_SCORE: tuple[list[Any], ...] = (["_score"], [{"_score": "desc"}], [{"_score": {"order": "desc"}}])


class SearchAggregations:
    """The aggregations of one request, parsed; `compute` runs them."""

    def __init__(self, spec: dict[str, Any], mapping: FieldLookup) -> None:
        from qlc_engine.aggregations import parse_aggregations  # heavy, and most searches have none

        with reading("[aggs]"):
            self._parsed = parse_aggregations(spec, mapping)
            self.needs_scores = _has_top_hits(spec)
        self._mapping = mapping

    def compute(self, segments: Sequence[AggSegment], owners: Sequence[tuple[Shard, Leaf]]) -> dict[str, Any]:
        now_ms = owners[0][0].context.now_ms if owners else 0
        context = _Context(segments, self._mapping, now_ms, owners)
        computed: dict[str, Any] = self._parsed.compute(context)
        return computed


def _has_top_hits(spec: Mapping[str, Any]) -> bool:
    for aggregation in spec.values():
        if not isinstance(aggregation, dict):
            continue
        if "top_hits" in aggregation:
            return True
        if any(_has_top_hits(aggregation.get(key) or {}) for key in ("aggs", "aggregations")):
            return True
    return False


@reading("[top_hits]")
def _top_hits_options(left: dict[str, Any]) -> tuple[int, int, Any, bool, FetchOptions]:
    first, size = int(left.pop("from", 0)), int(left.pop("size", 3))
    if first < 0 or size < 0:
        raise illegal_argument(f"[from] and [size] must be positive, found [{first}] and [{size}]")
    sort = sort_of(left.pop("sort", None))
    if (sort if isinstance(sort, list) else [sort]) in _BY_SCORE:
        # the order that there is without any
        sort = None
    track_scores = bool(left.pop("track_scores", False))
    options = parse_fetch(left)
    for key in left:
        raise not_implemented(f"top_hits [{key}]")
    return first, size, sort, track_scores, options


@dataclass(frozen=True, slots=True)
class _Context:
    """See `qlc_engine.aggcontext.AggContext`."""

    segments: Sequence[AggSegment]
    mapping: FieldLookup
    now_ms: int
    owners: Sequence[tuple[Shard, Leaf]]

    def _leaf(self, segment: int, nested_path: str | None) -> Leaf | None:
        leaf = self.owners[segment][1]
        if nested_path is None:
            return leaf
        below = leaf.child(nested_path)
        return None if below is None else below[0]

    def filter_mask(self, query: dict[str, Any], segment: int, nested_path: str | None) -> BoolMask:
        context = dataclasses.replace(self.owners[segment][0].context, tells_query=False)
        if nested_path is not None:
            context = context.below(nested_path)
        with reading("[aggs]"):
            parsed = parse_query(query, context)
        leaf = self._leaf(segment, nested_path)
        return np.zeros(0, np.bool_) if leaf is None else parsed.docs(leaf).mask

    def top_hits(self, body: dict[str, Any], docs: Sequence[AggDocs]) -> dict[str, Any]:
        first, size, sort, track_scores, options = _top_hits_options(dict(body))
        most = min((shard.index.effective.whole("max_inner_result_window") for shard, _ in self.owners), default=100)
        if first + size > most:
            raise EngineError(
                "illegal_argument_exception",
                "Top hits result window is too large, the top hits aggregator's from + size must be less than or equal "
                f"to: [{most}] but was [{first + size}]. This limit can be set by changing the "
                "[index.max_inner_result_window] index level setting.",
                on_shard=True,
            )
        shards = list(dict.fromkeys(id(shard) for shard, _ in self.owners))
        by_number = {number: shard for shard, _ in self.owners for number in [shards.index(id(shard))]}
        keys: list[SortKey] = [SortKey(SCORE, SCORE, descending=True)]
        ranking: Ranking | None = None
        total, best = 0, None
        base = 0
        with_scores, scored = sort is None or track_scores, False
        for group in docs:
            shard, top = self.owners[group.segment]
            context = shard.context if group.nested_path is None else shard.context.below(group.nested_path)
            if sort is not None:
                keys = parse_sort(sort, context, with_pit=False)
                scored = any(key.kind == SCORE for key in keys)
            if ranking is None:
                ranking = Ranking(keys, first + size, None)
            leaf = self._leaf(group.segment, group.nested_path)
            if leaf is None or len(group.docs) == 0:
                continue
            scores = None
            all_scores = self.segments[group.segment].scores
            if with_scores or scored:
                scores = np.ones(len(group.docs), np.float64)
                if all_scores is not None:
                    # an element has the score of its document
                    below = None if group.nested_path is None else top.child(group.nested_path)
                    at = group.docs if below is None else below[1][group.docs]
                    scores = all_scores[at].astype(np.float64)
                if with_scores:
                    best = max(best or 0.0, float(scores.max()))
            total += len(group.docs)
            ranking.collect(shards.index(id(shard)), leaf, group.docs, scores, base, keys)
            base += top.n_places
        ranked = [] if ranking is None else ranking.best()[first:]
        printed_keys = None if sort is None else keys
        fetch = nested_hits if docs and docs[0].nested_path is not None else fetch_hits
        all_shards = [by_number[number] for number in range(len(shards))]
        hits = fetch(all_shards, ranked, printed_keys, options, with_scores=with_scores)
        max_score = None if best is None else printed_score(best)
        return {"hits": {"total": {"value": total, "relation": "eq"}, "max_score": max_score, "hits": hits}}
