"""`combined_fields`: a text looked for in several fields as if they were one (BM25F).

Source: org.apache.lucene.search.CombinedFieldQuery and MultiNormsLeafSimScorer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from qlc_engine.docset import DocSet, Ordinals, union
from qlc_engine.errors import illegal_argument, parsing_error, xcontent_error
from qlc_engine.leaf import Leaf, inverse_document_frequency
from qlc_engine.norms import LENGTHS, encode_lengths
from qlc_engine.queries.base import MatchAll, MatchNone, Query, Scores
from qlc_engine.queries.compound import Bool
from qlc_engine.queries.context import QueryContext
from qlc_engine.queries.minimum import minimum_should_match
from qlc_engine.queries.params import Params
from qlc_engine.queries.parse_multi_match import weighted_fields
from qlc_engine.queries.terms import Term
from qlc_engine.terms import encode_term
from qlc_engine.value_parsers import text_of


@dataclass(frozen=True)
class CombinedTerm(Query):
    """One term in fields with their weights; frequencies and lengths of all are added up."""

    fields: tuple[tuple[str, float], ...]
    term: bytes

    def docs(self, leaf: Leaf) -> DocSet:
        return union([Term(path, self.term).docs(leaf) for path, _ in self.fields], leaf.n)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        statistics = leaf.statistics
        doc_freq = max(statistics.doc_freq(path, self.term) for path, _ in self.fields)
        if doc_freq == 0:
            return np.zeros(len(ids), np.float64)
        doc_count = max(statistics.of_field(path).doc_count for path, _ in self.fields)
        total = sum(weight * statistics.of_field(path).total_freq for path, weight in self.fields)
        average = np.float32(np.float64(int(total)) / doc_count)
        freqs, lengths = self._frequencies(leaf, ids), self._lengths(leaf, ids)
        codes = encode_lengths(np.floor(lengths + 0.5).astype(np.int64))
        relative = np.float32(0.25) + np.float32(0.75) * LENGTHS[codes].astype(np.float32) / average
        inverse = np.float32(1) / (np.float32(1.2) * relative)
        weight = np.float32(boost) * np.float32(2.2) * np.float32(inverse_document_frequency(doc_freq, doc_count))
        scores = weight - weight / (np.float32(1) + freqs.astype(np.float32) * inverse)
        out: Scores = np.where(freqs > 0, scores, 0.0).astype(np.float64)
        return out

    def _frequencies(self, leaf: Leaf, ids: Ordinals) -> Scores:
        freqs = np.zeros(leaf.n, np.float64)
        for path, weight in self.fields:
            postings = leaf.space.postings.get(path)
            at = -1 if postings is None else postings.terms.find(self.term)
            if postings is None or at < 0:
                continue
            run = slice(postings.starts.item(at), postings.starts.item(at + 1))
            times = 1.0 if postings.freqs is None else postings.freqs[run].astype(np.float64)
            freqs[postings.docs[run]] += weight * times
        return freqs[ids]

    def _lengths(self, leaf: Leaf, ids: Ordinals) -> Scores:
        lengths = np.zeros(leaf.n, np.float64)
        for path, weight in self.fields:
            postings = leaf.space.postings.get(path)
            codes = None if postings is None else leaf.norm_codes(path, postings)
            if codes is not None:
                lengths += weight * LENGTHS[codes]
        return lengths[ids]


def parse_combined_fields(body: Any, context: QueryContext) -> Query:
    params = Params("combined_fields", body, object_parser=True)
    text, patterns = params.take("query"), params.take("fields")
    operator = str(params.take("operator", "or")).lower()
    minimum = params.take("minimum_should_match")
    zero_terms = str(params.take("zero_terms_query", "none")).lower()
    params.boolean("auto_generate_synonyms_phrase_query", True)
    params.finish()
    if text is None:
        raise illegal_argument("Required [query]")
    if not patterns:
        with context.on_shard():
            raise illegal_argument("In [combined_fields] query, at least one field must be provided")
    if operator not in ("or", "and"):
        raise parsing_error(f"operator needs to be either OR or AND, but not [{operator.upper()}]")
    weighted = [(path, weight) for path, weight in weighted_fields(patterns, context) if context.field(path)]
    for path, weight in weighted:
        if weight < 1.0:
            cause = illegal_argument(f"[combined_fields] requires field boosts to be >= 1.0, [{path}] has {weight}")
            raise xcontent_error("[1:1] [combined_fields] failed to parse field [fields]", caused_by=cause)
    with context.on_shard():
        return _made(text_of(text), weighted, operator, minimum, zero_terms, context)


def _made(
    text: str, weighted: list[tuple[str, float]], operator: str, minimum: Any, zero_terms: str, context: QueryContext
) -> Query:
    fields: list[tuple[str, float]] = []
    analyzer = None
    for path, weight in weighted:
        field = context.field(path)
        if field is None:
            continue
        if not field.is_text:
            reason = f"Field [{field.path}] of type [{field.type}] does not support [combined_fields] queries"
            raise illegal_argument(reason)
        own = context.search_analyzer(field)
        if analyzer is not None and own is not analyzer:
            raise illegal_argument("All fields in [combined_fields] query must have the same search analyzer")
        analyzer = own
        fields.append((field.path, weight))
    if analyzer is None:
        return MatchNone()
    terms, _, _ = analyzer.terms(text)
    queries: list[Query] = [CombinedTerm(tuple(fields), encode_term(term)) for term in terms]
    if not queries:
        return MatchAll() if zero_terms == "all" else MatchNone()
    if operator == "and":
        return Bool(must=queries)
    if len(queries) == 1:
        return queries[0]
    needed = 1 if minimum is None else max(1, minimum_should_match(minimum, len(queries)))
    return Bool(should=queries, minimum=needed)
