"""`inner_hits`: which elements of a hit's nested objects matched the nested query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qlc_engine.errors import not_implemented
from qlc_engine.queries.base import printed_score
from qlc_engine.queries.context import InnerHits
from qlc_engine.search.nested_hits import nested_hits
from qlc_engine.search.ranking import Ranked, Ranking
from qlc_engine.search.request import parse_fetch
from qlc_engine.search.shard import Shard
from qlc_engine.search.sort_spec import SCORE, SortKey, by_score_alone, parse_sort


def inner_hits(shards: Sequence[Shard], asked: Sequence[InnerHits], hit: Ranked) -> dict[str, Any]:
    """For each nested query with `inner_hits` its matching elements in a hit (or in an element of one), by name."""
    shard = shards[hit.shard]
    out: dict[str, Any] = {}
    for inner in asked:
        path, query = inner.path, inner.query
        left = {key: value for key, value in inner.options.items() if key not in ("name", "ignore_unmapped")}
        first, size, sort = int(left.pop("from", 0)), int(left.pop("size", 3)), left.pop("sort", None)
        track_scores = bool(left.pop("track_scores", False))
        options = parse_fetch(left)
        if left:
            raise not_implemented(f"inner_hits [{min(left)}]")
        keys = [SortKey(SCORE, SCORE, descending=True)]
        if sort is not None:
            keys = parse_sort(sort, shard.context.below(path), with_pit=False)
        if by_score_alone(keys):
            sort = None
        with_scores = sort is None or track_scores
        ranking = Ranking(keys, first + size, None)
        total, best = 0, None
        below = hit.leaf.child(path)
        if below is not None:
            child, parents = below
            low, high = np.searchsorted(parents, [hit.doc, hit.doc + 1])
            elements = np.arange(low, high)
            elements = elements[query.docs(child).contains_each(elements)]
            total = len(elements)
            scores = query.score(child, elements, 1.0)
            if total and with_scores:
                best = printed_score(scores.max())
            ranking.collect(hit.shard, child, elements, scores, 0, keys)
        printed_keys = None if sort is None else keys
        best_elements = ranking.best()[first:]
        hits = nested_hits(shards, best_elements, printed_keys, options, with_scores=with_scores, query=query)
        if inner.below:
            for found, element in zip(best_elements, hits, strict=True):
                element["inner_hits"] = inner_hits(shards, inner.below, found)
        out[inner.name] = {"hits": {"total": {"value": total, "relation": "eq"}, "max_score": best, "hits": hits}}
    return out
