"""Fuzzy terms: within a number of edits (insert, delete, replace, swap of neighbours), scored as Lucene blends them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qlc_engine.docset import DocSet, Ordinals
from qlc_engine.errors import not_implemented
from qlc_engine.leaf import Leaf, inverse_document_frequency
from qlc_engine.queries.base import Query, Scores
from qlc_engine.queries.terms import Term, docs_of_terms


def auto_edits(fuzziness: str, term: str) -> int:
    """The edits that a `fuzziness` allows for a term: a number, or `AUTO` / `AUTO:low,high` by its length."""
    name, _, bounds = fuzziness.upper().partition(":")
    if name != "AUTO":
        return int(float(fuzziness))
    low, high = (int(bound) for bound in bounds.split(",")) if bounds else (3, 6)
    return 0 if len(term) < low else 1 if len(term) < high else 2


@dataclass(frozen=True)
class Fuzzy(Query):
    path: str
    term: str
    edits: int
    prefix_length: int = 0
    max_expansions: int = 50
    transpositions: bool = True

    def docs(self, leaf: Leaf) -> DocSet:
        postings = leaf.space.postings.get(self.path)
        if postings is None:
            return DocSet.none(leaf.n)
        found = postings.terms.find_all(term for term, _ in self._expansions(leaf))
        return docs_of_terms(postings, found, leaf.n)

    def score(self, leaf: Leaf, ids: Ordinals, boost: float) -> Scores:
        """Each term scores with the highest document frequency of all, times its closeness."""
        expansions = self._expansions(leaf)
        statistics = leaf.statistics
        total = np.zeros(len(ids), np.float64)
        if not expansions:
            return total
        doc_freq = max(statistics.doc_freq(self.path, term) for term, _ in expansions)
        idf = inverse_document_frequency(doc_freq, statistics.of_field(self.path).doc_count)
        for term, closeness in expansions:
            total += Term(self.path, term).score_with_idf(leaf, ids, boost * closeness, idf)
        return total.astype(np.float32).astype(np.float64)

    def _expansions(self, leaf: Leaf) -> list[tuple[bytes, float]]:
        """The closest terms of the whole index with their closeness (1 for the term itself)."""
        found: dict[bytes, float] = {}
        for part in leaf.statistics.postings(self.path):
            found.update(self.near(part.terms.as_bytes()))
        best = sorted(found.items(), key=lambda entry: (-entry[1], entry[0]))
        return best[: self.max_expansions]

    def near(self, terms: list[bytes]) -> list[tuple[bytes, float]]:
        """Return the terms within the allowed edits, with their closeness."""
        out: list[tuple[bytes, float]] = []
        for term, distance in near_terms(self.term, terms, self.edits, self.prefix_length, self.transpositions):
            shorter = min(len(term), len(self.term))
            # a term no longer than its edits matches, with no score
            closeness = 0.0 if shorter <= distance else 1.0 - float(np.float32(distance) / np.float32(shorter))
            out.append((term.encode("utf-8", "surrogatepass"), 1.0 if distance == 0 else closeness))
        return out


def near_terms(
    term: str, terms: list[bytes], edits: int, prefix_length: int, transpositions: bool = True
) -> list[tuple[str, int]]:
    """Return the terms with the same prefix that are within the allowed edits, with their distance."""
    try:
        from rapidfuzz import process  # seldom needed, and slow to import
        from rapidfuzz.distance import OSA, Levenshtein
    except ImportError:
        raise not_implemented("[fuzziness], without the package rapidfuzz,") from None

    if edits == 0:
        return [(term, 0)] if term.encode("utf-8", "surrogatepass") in terms else []
    prefix = term[:prefix_length].encode("utf-8", "surrogatepass")
    span = len(term.encode("utf-8", "surrogatepass")) + 3 * edits
    near = [
        other.decode("utf-8", "surrogatepass")
        for other in terms
        if len(other) <= span + len(term) and (not prefix or other.startswith(prefix))
    ]
    scorer = OSA.distance if transpositions else Levenshtein.distance
    return [
        (other, int(distance))
        for other, distance, _ in process.extract(term, near, scorer=scorer, score_cutoff=edits, limit=None)
    ]
