"""How the terms that a pattern stands for are scored (`rewrite`).

Source: org.apache.lucene.search.ScoringRewrite, TopTermsRewrite and org.elasticsearch.index.query.support.QueryParsers.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.errors import illegal_argument
from qlc_engine.leaf import Leaf, inverse_document_frequency
from qlc_engine.queries.base import MatchNone, Query, Scores
from qlc_engine.queries.compound import Boosted, ConstantScore
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.fuzzy import Fuzzy
from qlc_engine.queries.terms import Term

_PLAIN = ("constant_score", "constant_score_blended", "constant_score_boolean")
_TOP = re.compile(r"(top_terms|top_terms_boost|top_terms_blended_freqs)_([0-9]+)")


@dataclass(frozen=True)
class ExpandedTerms(Query):
    """The terms of the index that fit, each scored: by itself, or all as if they were as frequent as the commonest."""

    inner: Query
    path: str
    fits: Callable[[bytes], bool]
    most: int | None
    #: "each", "constant" or "blended"
    way: str

    def docs(self, leaf: Leaf) -> DocSet:
        if self.most is None:
            return self.inner.docs(leaf)
        found = np.zeros(leaf.n, np.bool_)
        for term in self._terms(leaf):
            found[Term(self.path, term).docs(leaf).ids] = True
        return DocSet(leaf.n, mask=found)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        total = np.zeros(len(ids), np.float64)
        terms = self._terms(leaf)
        statistics = leaf.statistics
        for term in terms:
            query = Term(self.path, term)
            if self.way == "constant":
                total += query.docs(leaf).contains_each(ids) * float(np.float32(boost))
            elif self.way == "blended":
                frequency = max(statistics.doc_freq(self.path, other) for other in terms)
                idf = inverse_document_frequency(frequency, statistics.of_field(self.path).doc_count)
                total += query.score_with_idf(leaf, ids, boost, idf)
            else:
                total += query.score(leaf, ids, boost)
        scores: Scores = total.astype(np.float32).astype(np.float64)
        return scores

    def _terms(self, leaf: Leaf) -> list[bytes]:
        terms = {term for part in leaf.statistics.postings(self.path) for term in part.terms.as_bytes()}
        return sorted(filter(self.fits, terms))[: self.most]


def rewritten(query: Query, rewrite: Any, context: QueryContext) -> Query:
    """A query on patterns with its `rewrite`. Raises EngineError for one that there is not."""
    if rewrite is None:
        return query
    name = str(rewrite)
    top = _TOP.fullmatch(name)
    with context.on_shard():
        if name not in (*_PLAIN, "scoring_boolean") and top is None:
            raise illegal_argument(f"Failed to parse rewrite_method [{name}]")
    inner = query
    while isinstance(inner, Boosted | ConstantScore):
        inner = inner.inner
    if name in _PLAIN or isinstance(inner, MatchNone):
        if not isinstance(inner, Fuzzy):
            return query
        # what scores no term by itself leaves none out either
        return ConstantScore(dataclasses.replace(inner, max_expansions=sys.maxsize))
    from qlc_engine.highlight.matching import term_test  # needs all kinds of queries

    fits, path = term_test(inner), getattr(inner, "path", None)
    if fits is None or path is None or isinstance(inner, Fuzzy):
        return query
    ways = {None: "each", "top_terms": "each", "top_terms_boost": "constant", "top_terms_blended_freqs": "blended"}
    way = ways[top.group(1) if top else None]
    return ExpandedTerms(inner, path, fits, int(top.group(2)) if top else None, way)
