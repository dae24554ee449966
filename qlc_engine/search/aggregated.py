"""The context of aggregations in a search: masks of filters, hits of buckets, the clock."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.aggcontext import AggDocs, AggSegment, BoolMask
from qlc_engine.errors import illegal_argument
from qlc_engine.leaf import Leaf
from qlc_engine.mapping import FieldLookup
from qlc_engine.queries.base import printed_score
from qlc_engine.queries.parse import parse_query
from qlc_engine.reading import reading
from qlc_engine.search.hits import fetch_hits
from qlc_engine.search.ranking import Ranking
from qlc_engine.search.request import FetchOptions, parse_source_option
from qlc_engine.search.shard import Shard
from qlc_engine.search.sort_spec import SCORE, SortKey, parse_sort


def has_top_hits(spec: Mapping[str, Any]) -> bool:
    for aggregation in spec.values():
        if not isinstance(aggregation, dict):
            continue
        if "top_hits" in aggregation:
            return True
        if any(has_top_hits(aggregation.get(key) or {}) for key in ("aggs", "aggregations")):
            return True
    return False


@dataclass(frozen=True, slots=True)
class SearchContext:
    """See `qlc_engine.aggcontext.AggContext`."""

    segments: Sequence[AggSegment]
    mapping: FieldLookup
    now_ms: int
    owners: Sequence[tuple[Shard, Leaf]]

    def filter_mask(self, query: dict[str, Any], segment: int, nested_path: str | None) -> BoolMask:
        context = self.owners[segment][0].context
        if nested_path is not None:
            context = context.below(nested_path)
        with reading("[aggs]"):
            parsed = parse_query(query, context)
        leaf = self.owners[segment][1]
        below = (leaf,) if nested_path is None else leaf.child(nested_path)
        return np.zeros(0, np.bool_) if below is None else parsed.docs(below[0]).mask

    def top_hits(self, size: int, source: Any, sort: Any, docs: Sequence[AggDocs]) -> dict[str, Any]:
        most = min((shard.index.effective.whole("max_inner_result_window") for shard, _ in self.owners), default=100)
        if size > most:
            raise illegal_argument(
                "Top hits result window is too large, the top hits aggregator's from + size must be less than or equal "
                f"to: [{most}] but was [{size}]. This limit can be set by changing the "
                "[index.max_inner_result_window] index level setting."
            )
        shards = list({id(shard): shard for shard, _ in self.owners}.values())
        by_score = [SortKey(SCORE, SCORE, descending=True)]
        of_shards = [by_score if sort is None else parse_sort(sort, shard.context, with_pit=False) for shard in shards]
        ranking = Ranking(of_shards[0] if of_shards else by_score, size, None)
        total, best, base = 0, None, 0
        for group in docs:
            shard, leaf = self.owners[group.segment]
            scores = np.ones(len(group.docs), np.float64)
            all_scores = self.segments[group.segment].scores
            if all_scores is not None:
                scores = all_scores[group.docs].astype(np.float64)
            best = max(best or 0.0, float(scores.max()))
            total += len(group.docs)
            number = next(at for at, one in enumerate(shards) if one is shard)
            ranking.collect(number, leaf, group.docs, scores, base, of_shards[number])
            base += leaf.n_places
        options = FetchOptions(source=parse_source_option(source))
        by_sort = None if sort is None or not of_shards else of_shards[0]
        hits = fetch_hits(shards, ranking.best(), by_sort, options, with_scores=by_sort is None)
        max_score = None if best is None or by_sort is not None else printed_score(best)
        return {"hits": {"total": {"value": total, "relation": "eq"}, "max_score": max_score, "hits": hits}}
