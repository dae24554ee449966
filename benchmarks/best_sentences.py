"""A ranking of the sentences of some passages: what an answer could quote. The product chooses by words alone
(`qlc/answers/sentences.py`); this one adds meaning and the rank of the passage, to compare with."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from qlc.base.deadline import timed
from qlc.corpus.pages import Span
from qlc.corpus.ranker import Vectors
from qlc.corpus.sentences import sentences
from qlc.resolver.ranking import standardised

MOST_SENTENCES = 400
"""Sentences that are looked at, those of the best passages first. A vector of one takes about 10 ms the first time."""
_OF_PASSAGE = 1.5
"""What the score of its passage counts beside a sentence's own."""
_K1, _B = 1.2, 0.75
_WORD = re.compile(r"\w+")
_STEM = 6
"""Letters by which words are the same: it needs no rules of a language."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage as a search found it. `heads` are the title of its document and its headings; a higher `score` is
    better."""

    id: str
    text: str
    heads: tuple[str, ...]
    score: float


@dataclass(frozen=True, slots=True)
class BestSentence:
    """`begin` and `end` in characters of the passage's text."""

    passage: str
    begin: int
    end: int
    score: float


def best_sentences(query: str, passages: Sequence[Ranked], vectors: Vectors | None = None) -> list[BestSentence]:
    """All sentences, best first: half words and half meaning (without `vectors`, words alone), and 1.5 times the score
    of the passage, each with a mean of 0 and a deviation of 1. Raises RequestFailed at the deadline.
    """
    found: list[tuple[Ranked, Span]] = []
    for one in timed(sorted(passages, key=lambda one: -one.score)):
        found += ((one, span) for span in sentences(one.text, Span(0, len(one.text))))
    del found[MOST_SENTENCES:]
    if not found:
        return []
    texts = [" - ".join([*dict.fromkeys(one.heads), one.text[span.begin : span.end]]) for one, span in found]
    places = [str(place) for place in range(len(found))]
    words = standardised(places, dict(zip(places, _by_words(query, texts), strict=True)))
    near: dict[str, float] = {}
    if vectors is not None:
        (asked,) = vectors.embedder.embed([query])
        known = vectors.of(texts)
        near = {
            place: sum(one * other for one, other in zip(asked, known[text], strict=True))
            for place, text in zip(places, texts, strict=True) if text in known
        }  # fmt: skip
    meaning = standardised(places, near, min(near.values(), default=0.0))
    whole = standardised(places, {place: one.score for place, (one, _) in zip(places, found, strict=True)})
    share = 0.5 if near else 1.0
    ranked = [
        BestSentence(
            one.id, span.begin, span.end,
            share * words[place] + 0.5 * meaning[place] + _OF_PASSAGE * whole[place],
        )
        for place, (one, span) in zip(places, found, strict=True)
    ]  # fmt: skip
    return sorted(ranked, key=lambda one: -one.score)


def _by_words(query: str, texts: Sequence[str]) -> list[float]:
    """BM25 of each text among the others (Robertson and Zaragoza 2009, with the idf of Lucene)."""
    counted = [Counter(_stems(text)) for text in texts]
    lengths = [counts.total() for counts in counted]
    mean = sum(lengths) / len(lengths) or 1.0
    wanted = set(_stems(query))
    having = Counter(stem for counts in counted for stem in wanted & counts.keys())
    rarity = {stem: math.log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for stem, count in having.items()}
    return [
        sum(
            rarity[stem] * counts[stem] / (counts[stem] + _K1 * (1 - _B + _B * length / mean))
            for stem in wanted & counts.keys()
        )
        for counts, length in zip(counted, lengths, strict=True)
    ]


def _stems(text: str) -> list[str]:
    return [word[:_STEM] for word in _WORD.findall(text.casefold())]
