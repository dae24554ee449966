"""`terms_set`: documents with as many of some terms as a field of theirs says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.errors import EngineError, illegal_argument, no_scripts, parsing_error
from qlc_engine.leaf import Leaf
from qlc_engine.queries.base import MatchNone, Query, Scores
from qlc_engine.queries.by_type import term_query
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.minimum import minimum_should_match
from qlc_engine.queries.params import Params, checked_term


@dataclass(frozen=True)
class TermsSet(Query):
    """`needed_in` is the number field of how many of `clauses` have to match; None: `needed`."""

    clauses: Sequence[Query]
    needed_in: str | None
    needed: int = 0

    def docs(self, leaf: Leaf) -> DocSet:
        counts = np.zeros(leaf.n, np.int64)
        for clause in self.clauses:
            counts[clause.docs(leaf).ids] += 1
        needed = np.full(leaf.n, self.needed, np.int64)
        if self.needed_in is not None:
            column = leaf.numeric_column(self.needed_in)
            if column is None:
                return DocSet.none(leaf.n)
            present = column.starts[1:] > column.starts[:-1]
            needed = np.full(leaf.n, np.iinfo(np.int64).max)
            needed[present] = column.values[column.starts[:-1][present]].astype(np.int64)
        return DocSet(leaf.n, mask=(counts >= np.maximum(needed, 1)))

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        matching = self.docs(leaf).contains_each(ids)
        total = np.zeros(len(ids), np.float64)
        for clause in self.clauses:
            total += clause.score(leaf, ids, boost)
        scores: Scores = np.where(matching, total.astype(np.float32).astype(np.float64), 0.0)
        return scores


def parse_terms_set(body: Any, context: QueryContext) -> Query:
    path, given = Params("terms_set", body).single_field()
    params = Params("terms_set", given)
    params.take("boost")
    params.take("_name")
    values = params.take("terms")
    needed_in = params.take("minimum_should_match_field")
    minimum = params.take("minimum_should_match")
    script = params.take("minimum_should_match_script")
    params.finish()
    if values is None:
        raise illegal_argument("[terms] cannot be null")
    if not isinstance(values, list):
        raise parsing_error("[terms_set] query does not support [terms]")
    for value in values:
        checked_term(value)
    ways = sum(part is not None for part in (needed_in, minimum, script))
    if ways == 0:
        raise EngineError(
            "query_shard_exception",
            "No minimum should match has been specified",
            on_shard=True,
            details={"index": context.index},
        )
    if script is not None:
        with context.on_shard():
            raise no_scripts("[minimum_should_match_script]", on_shard=False)
    field = context.field(path)
    if field is None or not values:
        return MatchNone()
    with context.on_shard():
        clauses = [term_query(field, value, context) for value in values]
        if needed_in is None:
            return TermsSet(clauses, None, minimum_should_match(minimum, len(clauses)))
        counted = context.field(str(needed_in))
        if counted is None:
            raise EngineError(
                "query_shard_exception",
                f"failed to find minimum_should_match field [{needed_in}]",
                on_shard=True,
                details={"index": context.index},
            )
        return TermsSet(clauses, counted.path)
