"""`rescore`: the best hits of a query ordered anew by a second one.

Source: org.elasticsearch.search.rescore.QueryRescorer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.errors import EngineError, illegal_argument, parsing_error, xcontent_error
from qlc_engine.json_input import json_token
from qlc_engine.queries.base import Query
from qlc_engine.queries.params import Params
from qlc_engine.queries.parse import parse_query
from qlc_engine.reading import reading
from qlc_engine.search.ranking import Ranked
from qlc_engine.search.shard import Shard
from qlc_engine.time_limit import timed

"""`index.max_rescore_window`"""

_MODES: dict[str, Callable[[float, float], float]] = {
    "total": lambda first, second: first + second,
    "multiply": lambda first, second: first * second,
    "avg": lambda first, second: (first + second) / 2,
    "max": max,
    "min": min,
}


@dataclass(frozen=True, slots=True)
class Rescore:
    query: Any
    window: int = 10
    query_weight: float = 1.0
    rescore_weight: float = 1.0
    mode: str = "total"


@reading("[rescore]")
def parse_rescores(given: Any) -> tuple[Rescore, ...]:
    """Raises EngineError for what is malformed."""
    if given is None:
        return ()
    return tuple(_parse(entry) for entry in (given if isinstance(given, list) else [given]))


def _parse(given: Any) -> Rescore:
    if not isinstance(given, dict):
        raise parsing_error(f"Unexpected token {json_token(given)} in [rescore].")
    left = dict(given)
    window = left.pop("window_size", 10)
    if isinstance(window, bool) or not isinstance(window, int | float | str):
        raise parsing_error("rescore doesn't support [window_size]")
    if not left:
        raise parsing_error("missing rescore type")
    (kind, body), *_ = left.items()
    if kind != "query":
        raise EngineError("named_object_not_found_exception", f"[1:1] unknown field [{kind}]")
    params = Params("query", body, object_parser=True)
    query = params.take("rescore_query")
    mode = str(params.take("score_mode", "total")).lower()
    weights = params.number("query_weight", 1.0), params.number("rescore_query_weight", 1.0)
    params.finish()
    if query is None:
        raise illegal_argument("rescore_query cannot be null")
    if mode not in _MODES:
        raise xcontent_error(
            "[1:1] [query] failed to parse field [score_mode]",
            caused_by=illegal_argument(f"illegal score_mode [{mode}]"),
        )
    return Rescore(query, int(window), *weights, mode)


def check_window(rescores: Sequence[Rescore], most: int) -> None:
    for rescore in rescores:
        if rescore.window > most:
            raise illegal_argument(
                f"Rescore window [{rescore.window}] is too large. It must be less than [{most}]. This prevents "
                "allocating massive heaps for storing the results to be rescored. This limit can be set by changing "
                "the [index.max_rescore_window] index level setting.",
                on_shard=True,
            )


@reading("[rescore]")
def queries_of(rescores: Sequence[Rescore], shard: Shard) -> list[Query]:
    return [parse_query(rescore.query, shard.context) for rescore in rescores]


def rescored(ranked: Sequence[Ranked], rescores: Sequence[Rescore], queries: Sequence[list[Query]]) -> list[Ranked]:
    """The hits by their new scores. `queries` are those of each shard."""
    found = list(ranked)
    for number, rescore in enumerate(rescores):
        by_shard: dict[int, int] = {}
        new: list[Ranked] = []
        for hit in timed(found):
            place = by_shard[hit.shard] = by_shard.get(hit.shard, 0) + 1
            score = np.float32(hit.score or 0.0) * np.float32(rescore.query_weight)
            if place <= rescore.window:
                query, ids = queries[hit.shard][number], np.array([hit.doc])
                if query.docs(hit.leaf).contains_each(ids)[0]:
                    second = np.float32(query.score_matching(hit.leaf, ids, 1.0)[0])
                    combined = _MODES[rescore.mode](float(score), float(second * np.float32(rescore.rescore_weight)))
                    score = np.float32(combined)
            order = ((1, -float(score)), *hit.order[1:])
            new.append(dataclasses.replace(hit, score=float(score), order=order))
        found = sorted(new, key=lambda each: each.order)
    return found
