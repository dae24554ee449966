"""A search from its request to the body of its answer."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qlc_engine.aggcontext import AggSegment, NumberBounds
from qlc_engine.docset import DocSet
from qlc_engine.errors import EngineError, illegal_argument, parsing_error
from qlc_engine.json_input import json_token
from qlc_engine.leaf import Leaf
from qlc_engine.mapping import JoinedMappings
from qlc_engine.params import Params
from qlc_engine.queries.base import MatchAll, Query, printed_score
from qlc_engine.queries.best import Sums, contenders_of_any, least_matches, parts_in, sums_of
from qlc_engine.queries.compound import Bool, Boosted, unwrapped
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.numeric import NumberRange
from qlc_engine.queries.parse import parse_nearest, parse_query
from qlc_engine.queries.vectors import NearestVectors
from qlc_engine.reading import reading
from qlc_engine.search.aggregated import SearchContext, has_top_hits
from qlc_engine.search.collapse import (
    Collapse,
    InnerGroup,
    best_of_each,
    check_after,
    collapsed_field,
    first_of_each,
    group_of,
    group_query,
    parse_collapse,
)
from qlc_engine.search.hits import fetch_hits
from qlc_engine.search.ranking import Part, Ranked, Ranking
from qlc_engine.search.request import SearchRequest, check_window, parse_search
from qlc_engine.search.shard import Shard
from qlc_engine.search.sort_spec import SCORE, SortKey, check_comparable, parse_sort
from qlc_engine.time_limit import TimeOver, check_time, time_limit

if TYPE_CHECKING:
    from qlc_engine.aggregations import Aggregations

BY_SCORE = SortKey(SCORE, SCORE, descending=True)


@reading("the query")
def make_query(body: Any, context: QueryContext) -> Query:
    """The query of a request; without one all documents match."""
    return MatchAll() if body is None else parse_query(body, context)


@dataclass(slots=True)
class _Collected:
    """The results of the query phase over all segments."""

    total: int = 0
    max_score: float | None = None
    segments: list[AggSegment] = field(default_factory=list)
    owners: list[tuple[Shard, Leaf]] = field(default_factory=list)
    #: with `collapse`, the best documents of the groups of each segment
    parts: list[Part] = field(default_factory=list)


class Search:
    """One request on its shards.

    Shards whose mapping the request does not fit are reported in the answer; if that is all of them, it is an error.
    """

    def __init__(self, shards: Sequence[Shard], request: SearchRequest) -> None:
        self._request = request
        self._n_shards = sum(shard.index.n_shards for shard in shards)
        self._shards: list[Shard] = []
        self._queries: list[Query] = []
        self._post_filters: list[Query | None] = []
        self._keys: list[list[SortKey]] = []
        self._failures: list[tuple[Shard, EngineError]] = []
        for shard in shards:
            try:
                self._add(shard)
            except EngineError as error:
                if error.status != 400 or isinstance(error, TimeOver):
                    raise
                self._failures.append((shard, error))
        if self._failures and not self._shards:
            raise self._failures[0][1]
        check_comparable(self._keys)
        self._aggregations: Aggregations | None = None
        if request.aggregations is not None:
            from qlc_engine.aggregations import parse_aggregations  # heavy, and most searches have none

            self._mapping = JoinedMappings([shard.mapping for shard in self._shards])
            with reading("[aggs]"):
                self._aggregations = parse_aggregations(request.aggregations, self._mapping)
                self._needs_scores = has_top_hits(request.aggregations)

    def _add(self, shard: Shard) -> None:
        """Binds the request to one shard. Raises EngineError for what does not fit its mapping."""
        request = self._request
        check_window(request, shard.index.result_window)
        query = self._query_of(shard)
        post_filter = None if request.post_filter is None else make_query(request.post_filter, shard.context)
        keys = self._keys_of(shard)
        if request.collapse is not None:
            collapsed_field(request.collapse, shard.context)
        self._shards.append(shard)
        self._queries.append(query)
        self._post_filters.append(post_filter)
        self._keys.append(keys)

    def run(self) -> dict[str, Any]:
        """The body of the answer. Raises EngineError for what fits no order, and for what a shard refuses meanwhile."""
        started = time.perf_counter()
        order = self._keys[0] if self._keys else [BY_SCORE]
        self._check_search_after(order)
        try:
            with time_limit(self._request.seconds):
                body = self._search_body(order)
        except TimeOver:
            check_time()
            # its own time is over, and not that of the request around it
            body = {**self._answer(_Collected(), []), "timed_out": True}
        body["took"] = int((time.perf_counter() - started) * 1000)
        return body

    def _search_body(self, order: Sequence[SortKey]) -> dict[str, Any]:
        ranking = Ranking(order, self._wanted(), self._request.search_after)
        collected = self._collect_all(ranking)
        page = self._page(ranking, collected)
        return self._answer(collected, self._hits(page, order))

    def _check_search_after(self, order: Sequence[SortKey]) -> None:
        request = self._request
        if request.search_after is None:
            return
        if request.sort is None:
            raise illegal_argument("Sort must contain at least one field.")
        if request.collapse is not None:
            check_after(request.collapse, order)
        if len(request.search_after) != len(order):
            raise illegal_argument(f"search_after has {len(request.search_after)} value(s) but sort has {len(order)}.")

    def _collect_all(self, ranking: Ranking) -> _Collected:
        collected = _Collected()
        for number, shard in enumerate(self._shards):
            sums = self._sums(number)
            if sums is not None:
                self._collect_best(number, shard, sums, ranking, collected)
            else:
                self._collect(number, shard, ranking, collected)
        return collected

    def _page(self, ranking: Ranking, collected: _Collected) -> list[Ranked]:
        """Return the hits to show: one per group, from the first one requested."""
        request, last = self._request, self._wanted()
        ranked, wanted = ranking.best(), last
        if request.collapse is None:
            return ranked[request.first :]
        while True:
            # two segments may have documents of one group: with too few groups more documents are ranked
            found = best_of_each(ranked, self._shards, request.collapse)
            if len(found) >= last or len(ranked) < wanted:
                return found[request.first : last]
            wanted *= 4
            ranking = Ranking(ranking.keys, wanted, request.search_after)
            for part in collected.parts:
                ranking.collect(*part)
            ranked = ranking.best()

    def _hits(self, page: list[Ranked], order: Sequence[SortKey]) -> list[dict[str, Any]]:
        request = self._request
        hits = fetch_hits(
            self._shards,
            page,
            None if request.sort is None else order,
            request.fetch,
            with_scores=self._prints_scores(order),
        )
        if request.collapse is not None:
            self._show_groups(request.collapse, page, hits)
        return hits

    def _answer(self, collected: _Collected, hits: list[dict[str, Any]]) -> dict[str, Any]:
        """The body, its keys in the order in which the server prints them."""
        request = self._request
        body: dict[str, Any] = {
            "took": 0,
            "timed_out": False,
            "_shards": self._counted_shards(),
            "hits": {**self._total(collected.total), "max_score": None, "hits": hits},
        }
        if collected.max_score is not None:
            body["hits"]["max_score"] = printed_score(collected.max_score)
        if not self._shards:
            body["hits"]["max_score"] = 0.0
        if request.size == 0 and request.total_up_to == -1 and self._aggregations is None:
            # the server says so wherever it only counts, and counts all
            body["terminated_early"] = False
        if self._aggregations is not None and self._n_shards:
            now_ms = self._shards[0].context.now_ms if self._shards else 0
            context = SearchContext(collected.segments, self._mapping, now_ms, collected.owners)
            body["aggregations"] = self._aggregations.compute(context)
        return body if request.pit_id is None else {"pit_id": request.pit_id, **body}

    def _counted_shards(self) -> dict[str, Any]:
        failed = sum(shard.index.n_shards for shard, _ in self._failures)
        counted: dict[str, Any] = {
            "total": self._n_shards, "successful": self._n_shards - failed, "skipped": 0, "failed": failed,
        }  # fmt: skip
        if self._failures:
            counted["failures"] = [
                {"shard": 0, "index": shard.index.name, "node": "embedded", "reason": error.to_dict()}
                for shard, error in self._failures
            ]
        return counted

    def _query_of(self, shard: Shard) -> Query:
        request = self._request
        query = make_query(request.query, shard.context)
        shard.context.main.append(query)
        if request.knn:
            nearest: list[Query] = []
            for section in request.knn:
                found, boost = _nearest(section, shard.context)
                given: Query = found.find(shard.snapshot.statistics, None)
                nearest.append(given if boost == 1.0 else Boosted(given, boost))
            scoring = nearest if request.query is None else [*nearest, query]
            query = Bool(should=scoring, minimum=1)
        return query

    def _wanted(self) -> int:
        """How many of the best documents the query phase has to find."""
        return self._request.first + self._request.size if self._request.size else 0

    def _show_groups(self, collapse: Collapse, ranked: Sequence[Ranked], hits: list[dict[str, Any]]) -> None:
        """Adds to each hit the value it stands for, and the hits after it where they are asked for."""
        for found, hit in zip(ranked, hits, strict=True):
            value = group_of(found, collapsed_field(collapse, self._shards[found.shard].context))
            if value is not None:
                hit["fields"] = {**hit.get("fields", {}), collapse.field: [value]}
            if collapse.inner:
                hit["inner_hits"] = {inner.name: self._inner(collapse.field, value, inner) for inner in collapse.inner}

    def _inner(self, path: str, value: Any, inner: InnerGroup) -> dict[str, Any]:
        body = {"size": 3, **inner.body}
        request = dataclasses.replace(
            parse_search({**body, "query": group_query(self._request.query, path, value)}),
            post_filter=self._request.post_filter,
            total_up_to=-1,
            collapse=parse_collapse(inner.collapse),
        )
        answer = Search([shard.anew() for shard in self._shards], request).run()
        return {"hits": answer["hits"]}

    def _keys_of(self, shard: Shard) -> list[SortKey]:
        if self._request.sort is None:
            return [BY_SCORE]
        request = self._request
        return parse_sort(request.sort, shard.context, with_pit=request.pit_id is not None, after=request.search_after)

    def _prints_scores(self, order: Sequence[SortKey]) -> bool:
        return self._request.track_scores or any(key.kind == SCORE for key in order)

    def _collect(self, number: int, shard: Shard, ranking: Ranking, collected: _Collected) -> None:
        request, keys, query = self._request, self._keys[number], self._queries[number]
        hits_wanted = request.size > 0
        scoring = self._prints_scores(keys) and hits_wanted
        for_aggregations = self._aggregations is not None and self._needs_scores
        base = 0
        only_range = None if self._aggregations is None else _range(query)
        for leaf in shard.leaves():
            docs = matching(query, leaf)
            scores = None
            if scoring or for_aggregations:
                scores = query.score_matching(leaf, docs.ids, 1.0)
            if self._aggregations is not None:
                by_document = _by_document(leaf, docs, scores)
                collected.segments.append(AggSegment(leaf.space, docs.ids, by_document, only_range))
                collected.owners.append((shard, leaf))
            post_filter = self._post_filters[number]
            if post_filter is not None:
                kept = post_filter.docs(leaf).contains_each(docs.ids)
                docs, scores = DocSet(leaf.n, ids=docs.ids[kept]), None if scores is None else scores[kept]
            collected.total += len(docs)
            if hits_wanted and len(docs):
                if scores is not None and (request.sort is None or request.track_scores):
                    collected.max_score = max(collected.max_score or 0.0, float(scores.max()))
                is_whole = scores is not None or request.collapse is not None
                ids = docs.ids if is_whole else ranking.first_in_order(number, leaf, docs, keys)
                part: Part = (number, leaf, ids, scores, base, keys)
                if request.collapse is not None:
                    part = ranking.best_of_groups(part, partial(first_of_each, leaf, request.collapse.field))
                    collected.parts.append(part)
                ranking.collect(*part)
            base += leaf.n_places

    def _sums(self, number: int) -> Sums | None:
        """The terms whose scores the query of a shard adds up, if its best documents are all that is asked for."""
        request, first = self._request, self._keys[number][0]
        beside = (request.search_after, request.aggregations, request.post_filter, request.collapse)
        if request.size == 0 or first.kind != SCORE or not first.descending or any(part is not None for part in beside):
            return None
        return sums_of(self._queries[number])

    def _collect_best(self, number: int, shard: Shard, sums: Sums, ranking: Ranking, collected: _Collected) -> None:
        leaves, query = shard.leaves(), self._queries[number]
        parts = [[parts_in(summed, leaf) for summed in sums.each] for leaf in leaves]
        total = 0
        if not sums.filters:
            total = sum(
                max(least_matches(each, leaf) for each in found) for found, leaf in zip(parts, leaves, strict=True)
            )
        up_to = self._request.total_up_to
        if up_to is not None and not 0 <= up_to < total:
            total = sum(len(matching(query, leaf)) for leaf in leaves)
        collected.total += total
        base, count = 0, self._request.first + self._request.size
        for leaf, found in zip(leaves, parts, strict=True):
            ids = contenders_of_any(found, sums.filters, leaf, count, ranking.least_score())
            if ids is None:
                ids = matching(query, leaf).ids
            if len(ids):
                scores = query.score_matching(leaf, ids, 1.0)
                if self._request.sort is None or self._request.track_scores:
                    collected.max_score = max(collected.max_score or 0.0, float(scores.max()))
                ranking.collect(number, leaf, ids, scores, base, self._keys[number])
            base += leaf.n_places

    def _total(self, total: int) -> dict[str, Any]:
        up_to = self._request.total_up_to
        if up_to is None:
            return {}
        if 0 <= up_to < total:
            return {"total": {"value": up_to, "relation": "gte"}}
        return {"total": {"value": total, "relation": "eq"}}


@reading("[knn]")
def _nearest(section: Any, context: QueryContext) -> tuple[NearestVectors, float]:
    """Parse a knn section; return the query and its boost."""
    if not isinstance(section, dict):
        raise parsing_error(f"Unknown key for a {json_token(section)} in [knn].")
    section = dict(section)
    boost = float(section.pop("boost", 1.0))
    return parse_nearest(Params("knn", section), context), boost


def _range(query: Query) -> NumberBounds | None:
    """The range that a query is, if it is nothing else."""
    query = unwrapped(query)
    return NumberBounds(query.path, query.low, query.high) if isinstance(query, NumberRange) else None


def matching(query: Query, leaf: Leaf) -> DocSet:
    """The live documents that match."""
    docs = query.docs(leaf)
    live = leaf.space.live
    return docs if live is None else docs & DocSet(leaf.n, mask=live)


def _by_document(leaf: Leaf, docs: DocSet, scores: NDArray[np.float64] | None) -> NDArray[np.float32] | None:
    if scores is None:
        return None
    out = np.zeros(leaf.n, np.float32)
    out[docs.ids] = scores
    return out
