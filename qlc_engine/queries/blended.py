"""A term in several fields that are searched as one: how rare it is, is judged by all of them together."""

from __future__ import annotations

from dataclasses import dataclass

from qlc_engine.docset import DocSet, Ordinals, union
from qlc_engine.leaf import IndexStatistics, Leaf, inverse_document_frequency
from qlc_engine.queries.base import Query, Scores
from qlc_engine.queries.compound import dis_max_scores
from qlc_engine.queries.terms import Term


@dataclass(frozen=True)
class BlendedTerm(Query):
    """The best field counts, and the others as the tie breaker says.

    Source: org.elasticsearch.lucene.queries.BlendedTermQuery. Every field takes the frequency of the term in the field
    where it is in most documents, and one more for each step down to rarer fields.
    """

    #: paths and boosts
    fields: tuple[tuple[str, float], ...]
    term: bytes
    tie_breaker: float

    def docs(self, leaf: Leaf) -> DocSet:
        return union([Term(path, self.term).docs(leaf) for path, _ in self.fields], leaf.n)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        frequencies = self._frequencies(leaf.statistics)
        parts = []
        for path, own_boost in self.fields:
            if path not in frequencies:
                continue
            doc_count = leaf.statistics.of_field(path).doc_count
            idf = inverse_document_frequency(min(doc_count, frequencies[path]), doc_count)
            parts.append(Term(path, self.term).score_with_idf(leaf, ids, boost * own_boost, idf))
        return dis_max_scores(parts, ids, self.tie_breaker)

    def _frequencies(self, statistics: IndexStatistics) -> dict[str, int]:
        """By path, of the fields that have the term."""
        own = {path: statistics.doc_freq(path, self.term) for path, _ in self.fields}
        falling = sorted((path for path in own if own[path]), key=lambda path: -own[path])
        out: dict[str, int] = {}
        blended = previous = 0
        for path in falling:
            blended = own[path] if not out else blended + (own[path] < previous)
            previous = own[path]
            out[path] = blended
        return out
