"""Scores against the textbook's BM25, computed here in double precision over the documents themselves."""

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

from qlc_engine.norms import LENGTHS, encode_lengths
from tests.engine.asked import Asked

K1, B = 1.2, 0.75
WORDS = ["red", "green", "blue", "apple", "pear", "plum", "sweet", "sour"]


@pytest.fixture
def texts(asked: Asked) -> dict[str, list[str]]:
    """Documents of very different lengths (some without the field), in an index `i`."""
    chance = random.Random(3)
    lengths = [chance.choice([1, 2, 5, 39, 70]) for _ in range(60)]
    found = {str(at): chance.choices(WORDS, weights=range(1, 9), k=length) for at, length in enumerate(lengths)}
    asked.ok("PUT", "/i", {"mappings": {"properties": {"t": {"type": "text"}, "k": {"type": "keyword"}}}})
    asked.put("i", {doc_id: {"t": " ".join(words), "k": words} for doc_id, words in found.items()})
    asked.put("i", {"empty": {}, "other": {"k": ["red"]}})
    return found


def idf(doc_freq: int, doc_count: int) -> float:
    return math.log(1 + (doc_count - doc_freq + 0.5) / (doc_freq + 0.5))


def stored_length(length: int) -> int:
    code = encode_lengths(np.array([length], np.int64))[0]
    return int(LENGTHS[code])


def bm25(documents: dict[str, list[str]], term: str, words: list[str]) -> float:
    count = sum(term in other for other in documents.values())
    average = sum(map(len, documents.values())) / len(documents)
    freq = words.count(term)
    length = stored_length(len(words))
    return idf(count, len(documents)) * freq * (K1 + 1) / (freq + K1 * (1 - B + B * length / average))


def scores(asked: Asked, query: dict[str, Any]) -> dict[str, float]:
    hits = asked.ok("POST", "/i/_search", {"size": 100, "query": query})["hits"]["hits"]
    return {hit["_id"]: hit["_score"] for hit in hits}


def test_lengths_are_exact_up_to_forty() -> None:
    assert [stored_length(length) for length in (0, 1, 39, 40, 41, 42, 100, 1000)] == [0, 1, 39, 40, 40, 42, 96, 984]


def test_match_sums_the_terms(asked: Asked, texts: dict[str, list[str]]) -> None:
    wanted = ["red", "plum"]
    found = scores(asked, {"match": {"t": {"query": "red plum", "boost": 3}}})
    expected = {
        doc_id: 3 * sum(bm25(texts, term, words) for term in wanted if term in words)
        for doc_id, words in texts.items()
        if set(wanted) & set(words)
    }
    assert found == pytest.approx(expected, rel=1e-6)


def test_a_keyword_counts_each_term_once_and_has_no_length(asked: Asked, texts: dict[str, list[str]]) -> None:
    holders = [*(set(words) for words in texts.values()), {"red"}]
    doc_freq = sum("red" in terms for terms in holders)
    average = sum(map(len, holders)) / len(holders)
    weight = idf(doc_freq, len(holders)) * (K1 + 1) / (1 + K1 * (1 - B + B / average))
    found = scores(asked, {"term": {"k": "red"}})
    assert list(found.values()) == pytest.approx([weight] * doc_freq, rel=1e-6)


def test_what_scores_as_one(asked: Asked, texts: dict[str, list[str]]) -> None:
    queries: list[dict[str, Any]] = [{"terms": {"k": ["red"]}}, {"prefix": {"k": "re"}}, {"match_all": {}}]
    for query in (*queries, {"exists": {"field": "t"}}):
        assert set(scores(asked, query).values()) == {1.0}
    assert set(scores(asked, {"bool": {"filter": [{"match": {"t": "red"}}]}}).values()) == {0.0}


def test_an_optional_clause_that_is_not_met_adds_nothing(asked: Asked, texts: dict[str, list[str]]) -> None:
    both = {"bool": {"must": [{"term": {"k": "red"}}, {"term": {"k": "none"}}]}}
    alone = scores(asked, {"bool": {"should": [{"match": {"t": "plum"}}, both]}})
    assert alone == scores(asked, {"match": {"t": "plum"}})


def test_phrases_score_with_the_sum_of_their_terms(asked: Asked, texts: dict[str, list[str]]) -> None:
    average = sum(map(len, texts.values())) / len(texts)
    weight = sum(idf(sum(term in words for words in texts.values()), len(texts)) for term in ("sour", "sweet"))
    expected = {}
    for doc_id, words in texts.items():
        freq = sum(pair == ("sour", "sweet") for pair in itertools.pairwise(words))
        if freq:
            norm = K1 * (1 - B + B * stored_length(len(words)) / average)
            expected[doc_id] = weight * freq * (K1 + 1) / (freq + norm)
    assert scores(asked, {"match_phrase": {"t": "sour sweet"}}) == pytest.approx(expected, rel=1e-6)
