"""BM25 over small documents of weighted terms: fields of a mapping, names and values of an index."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from qlc.translator.rules.words.phrases import stem
from qlc.translator.rules.words.tokens import fold

K1, B = 1.2, 0.6
SHORTEST, LONGEST_ENDING, IN_FAMILY = 3, 3, 0.5
"""Letters of the shortest stem that has a family, of the longest ending in it, and what a member counts."""
_WORD = re.compile(r"[^\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def terms(text: str) -> list[str]:
    """The stems of a text; `sizeInBytes` and `size_in_bytes` are three words."""
    return [stem(word) for word in _WORD.findall(fold(_CAMEL.sub(" ", text)))]


class Ranking:
    """Documents, each a weight by term; found by the terms that a question has."""

    def __init__(self, documents: Sequence[Mapping[str, float]]) -> None:
        lengths = [sum(one.values()) for one in documents]
        average = sum(lengths) / max(len(lengths), 1) or 1.0
        holding: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        for number, one in enumerate(documents):
            longer = K1 * (1 - B + B * lengths[number] / average)
            for term, weight in one.items():
                holding[term].append((number, weight * (K1 + 1) / (weight + longer)))
        # What is rarer tells more.
        self._postings = {term: (math.log(1 + (len(documents) - len(found) + 0.5) / (len(found) + 0.5)), found)
                          for term, found in holding.items()}
        self._by_beginning: defaultdict[str, list[str]] = defaultdict(list)
        for term in self._postings:
            if len(term) >= SHORTEST and term.isalpha():
                self._by_beginning[term[:SHORTEST]].append(term)

    def scores(self, wanted: Mapping[str, float]) -> dict[int, float]:
        """How well each document that has some of the terms fits, by its number, each term with its worth."""
        found: defaultdict[int, float] = defaultdict(float)
        for term, worth in wanted.items():
            best: defaultdict[int, float] = defaultdict(float)
            for known, share in self._alike(term):
                rarity, holding = self._postings[known]
                for number, weight in holding:
                    best[number] = max(best[number], worth * share * rarity * weight)
            for number, score in best.items():
                found[number] += score
        return found

    def best(self, wanted: Iterable[str], most: int) -> list[tuple[int, float]]:
        """The documents that have some of the terms, by their number, best first."""
        return sorted(self.scores(dict.fromkeys(wanted, 1.0)).items(), key=lambda one: (-one[1], one[0]))[:most]

    def _alike(self, term: str) -> Iterator[tuple[str, float]]:
        """The term, and those of its family: `own` and `owner`, `issu` and `issuer`."""
        if term in self._postings:
            yield term, 1.0
        if len(term) < SHORTEST or not term.isalpha():
            return
        for known in self._by_beginning.get(term[:SHORTEST], ()):
            short, long = sorted((term, known), key=len)
            if known != term and long.startswith(short) and len(long) - len(short) <= LONGEST_ENDING:
                yield known, IN_FAMILY
