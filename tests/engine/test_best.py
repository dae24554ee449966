"""The best of many: found without a look at all that match, they are those that a look at all finds."""

import itertools
import random
from typing import Any

import numpy as np
import pytest

import qlc_engine.queries.best as best_module
from qlc_engine.leaf import top_leaf
from qlc_engine.queries.impacts import BLOCK
from qlc_engine.queries.terms import Term
from tests.amounts import some
from tests.engine.asked import Asked

BODIES = some(100, 3_000)
_WORDS = [f"w{number}" for number in range(60)]


def _loaded(asked: Asked, chance: random.Random) -> None:
    asked.ok("PUT", "/i", {"mappings": {"properties": {"t": {"type": "text"}, "k": {"type": "keyword"}}}})
    weights = [1 / (at + 1) for at in range(len(_WORDS))]
    number = 0
    for size in (400, 150, 30, 1):
        documents: dict[str, dict[str, Any]] = {}
        for _ in range(size):
            words = chance.choices(_WORDS, weights, k=chance.randrange(1, 30))
            documents[str(number)] = {"t": " ".join(words), "k": chance.choices(_WORDS, weights, k=2)}
            number += 1
        asked.put("i", documents)
    for doc_id in chance.sample(range(number), 90):
        asked.ok("DELETE", f"/i/_doc/{doc_id}")
    asked.ok("POST", "/i/_refresh")


def _query(chance: random.Random) -> dict[str, Any]:
    text = " ".join(chance.choices(_WORDS, k=chance.randrange(1, 5)))
    should: list[dict[str, Any]] = [
        {"match": {"t": {"query": text, "boost": chance.choice([0.3, 1, 4])}}},
        {"term": {"k": {"value": chance.choice(_WORDS), "boost": chance.choice([1, 2.5])}}},
        {"term": {"t": chance.choice(_WORDS)}},
        {"constant_score": {"filter": {"term": {"k": chance.choice(_WORDS)}}, "boost": chance.choice([0, 0.5, 3])}},
        {"terms": {"k": chance.choices(_WORDS, k=3)}},
        {"bool": {"should": [{"term": {"t": "w1"}}, {"match": {"t": "w0 w40"}}], "boost": 2}},
    ]
    query: dict[str, Any] = {"bool": {"should": chance.sample(should, chance.randrange(1, 5))}}
    if chance.random() < 0.4:
        query = {"dis_max": {"queries": chance.sample(should, 3)}}
    if chance.random() < 0.4:
        kept = [{"term": {"k": chance.choice(_WORDS[:8])}}, {"terms": {"k": _WORDS[:20]}}]
        query = {"bool": {"must": [query], "filter": chance.sample(kept, chance.choice([1, 1, 2]))}}
    return query


@pytest.mark.parametrize("frequent", [0, 25, 100_000])
def test_the_best_are_those_that_a_look_at_all_finds(
    asked: Asked, monkeypatch: pytest.MonkeyPatch, frequent: int
) -> None:
    """`frequent`: terms in more documents of a segment are bounded block by block, all of them, some or none."""
    monkeypatch.setattr(best_module, "_FEW", 20)
    monkeypatch.setattr(best_module, "_FREQUENT", frequent)
    monkeypatch.setattr(best_module, "_FIRST_BLOCKS", 1)
    monkeypatch.setattr(best_module, "_GROWTH", 2)
    chance = random.Random(11 + frequent)
    _loaded(asked, chance)
    pruned = 0
    contenders = best_module.contenders

    def counted(*arguments: Any) -> Any:
        nonlocal pruned
        found = contenders(*arguments)
        pruned += len(found) < 40
        return found

    monkeypatch.setattr(best_module, "contenders", counted)
    for _ in range(BODIES):
        body = {"query": _query(chance), "size": chance.choice([1, 5, 10]), "from": chance.choice([0, 0, 3])}
        if chance.random() < 0.3:
            body["sort"] = [{"_score": "desc"}, {"k": chance.choice(["asc", "desc"])}]
        whole = _all_looked_at(asked, body)
        for up_to in (False, chance.choice([3, 50, 200])):
            best = asked.ok("POST", "/i/_search", {**body, "track_total_hits": up_to})["hits"]
            assert best["hits"] == whole["hits"], body
            assert best["max_score"] == whole["max_score"]
            if up_to:
                total = whole["total"]["value"]
                told = {"value": up_to, "relation": "gte"} if total > up_to else {"value": total, "relation": "eq"}
                assert best["total"] == told
    assert pruned > BODIES


def _all_looked_at(asked: Asked, body: dict[str, Any]) -> dict[str, Any]:
    """The same answer, from a score of each document that matches."""
    every = {**body, "size": 1_000, "from": 0, "track_total_hits": True, "post_filter": {"match_all": {}}}
    hits: dict[str, Any] = asked.ok("POST", "/i/_search", every)["hits"]
    first = body["from"]
    return {**hits, "hits": hits["hits"][first : first + body["size"]]}


def test_bounds_by_block_hold(asked: Asked) -> None:
    chance = random.Random(5)
    _loaded(asked, chance)
    (index,) = asked.engine.indices
    seen = 0
    for leaf in (top_leaf(segment, index.snapshot.statistics) for segment in index.snapshot.segments):
        for path, word in itertools.product(("t", "k"), _WORDS):
            part = Term(path, word.encode()).in_leaf(leaf, chance.choice([0.2, 1.0, 7.0]))
            if part is None:
                continue
            seen += 1
            # worked out, and then remembered
            for _ in range(2):
                bounds = np.broadcast_to(part.bounds(), -(-leaf.n // BLOCK))
                assert (part.scores() <= bounds[part.docs // BLOCK] * (1 + 1e-6)).all()
                # and they are no higher than they need to be
                greatest = np.zeros(len(bounds))
                np.maximum.at(greatest, part.docs // BLOCK, part.scores())
                assert (greatest >= 0.95 * bounds)[greatest > 0].all()
    assert seen > 200


def test_the_first_of_several_indices_whose_sort_field_differs(asked: Asked) -> None:
    types: dict[str, dict[str, Any]] = {"a": {"type": "long"}, "b": {"type": "double"}, "c": {"type": "long"}}
    for name, field in types.items():
        asked.ok("PUT", f"/{name}", {"mappings": {"properties": {"n": field}}})
        for first in (0, 10):
            asked.put(name, {f"{name}{n}": {"n": n} for n in range(first, first + 10)})
    for order in ("asc", "desc"):
        body = {"size": 4, "sort": [{"n": order}, {"_doc": "asc"}]}
        hits = asked.ok("POST", "/a,b,c/_search", body)["hits"]["hits"]
        numbers = [0, 0, 0, 1] if order == "asc" else [19, 19, 19, 18]
        assert [hit["_source"]["n"] for hit in hits] == numbers
