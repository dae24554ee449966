"""Going along the order of a column gives the hits that a look at all values gives."""

import random
from typing import Any

import pytest

import qlc_engine.search.in_order as in_order
import qlc_engine.search.ranking as ranking_module
from tests.amounts import some
from tests.engine.asked import Asked
from tests.tables import table

BODIES = some(80, 2_000)
_FIELDS: dict[str, dict[str, Any]] = table(__file__, "_FIELDS")


def _loaded(asked: Asked, chance: random.Random) -> None:
    asked.ok("PUT", "/i", {"mappings": {"properties": _FIELDS}})
    number = 0
    for size in (300, 120, 60, 3):
        documents: dict[str, dict[str, Any]] = {}
        for _ in range(size):
            documents[str(number)] = {
                "whole": chance.randrange(-50, 50),
                "few": chance.randrange(2),
                "real": chance.choice([-0.0, 0.0, 1.5, -2.25, chance.random()]),
                "day": f"2024-{chance.randrange(1, 13):02d}-{chance.randrange(1, 29):02d}",
                "word": chance.choice("abcdefgh"),
                "unique": f"u{(number * 7919) % 1000:04d}",
                **({"holes": chance.randrange(9)} if chance.random() < 0.9 else {}),
                "many": chance.choices("abcdef", k=chance.randrange(1, 3)),
                "kind": chance.choice(["x", "x", "y", "z"]),
            }
            number += 1
        asked.put("i", documents)
    for doc_id in chance.sample(range(number), 60):
        asked.ok("DELETE", f"/i/_doc/{doc_id}")
    asked.ok("POST", "/i/_refresh")


def _body(chance: random.Random) -> dict[str, Any]:
    queries: list[dict[str, Any]] = [
        {"match_all": {}},
        {"bool": {"filter": [{"term": {"kind": chance.choice("xyz")}}]}},
        {"bool": {"filter": [{"term": {"kind": "x"}}, {"term": {"few": 1}}]}},
        {"bool": {"must_not": [{"term": {"kind": "x"}}]}},
        {"terms": {"many": ["a", "b"]}},
        {"range": {"whole": {"gte": chance.randrange(-50, 40)}}},
    ]
    first = {chance.choice(list(_FIELDS)): chance.choice(["asc", "desc"])}
    sort = [first, *([{"whole": chance.choice(["asc", "desc"])}] if chance.random() < 0.3 else []), {"unique": "asc"}]
    return {
        "query": chance.choice(queries),
        "sort": sort,
        "size": chance.choice([1, 3, 10, 25]),
        "track_total_hits": chance.choice([True, False, 20]),
    }


def test_hits_in_order(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(3)
    _loaded(asked, chance)
    spared = 0
    along = in_order.first_in_order

    def counted(*arguments: Any, **options: Any) -> Any:
        nonlocal spared
        found = along(*arguments, **options)
        spared += found is not None and len(found) < len(arguments[2])
        return found

    monkeypatch.setattr(ranking_module, "first_in_order", counted)
    for _ in range(BODIES):
        body = _body(chance)
        for page in range(3):
            monkeypatch.setattr(in_order, "_MANY", 10**9)
            expected = asked.ok("POST", "/i/_search", body)["hits"]
            monkeypatch.setattr(in_order, "_MANY", 1)
            monkeypatch.setattr(in_order, "_STRIDE", chance.choice([1, 7, 50]))
            assert asked.ok("POST", "/i/_search", body)["hits"] == expected, body
            if not expected["hits"]:
                break
            body["search_after"] = chance.choice(expected["hits"])["sort"] if page else expected["hits"][-1]["sort"]
    assert spared > BODIES // 2


def test_collapsed_hits_are_the_first_of_each_value(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    """Documents of one value are in several segments, and more than a few have to be ranked for some values."""
    chance = random.Random(8)
    _loaded(asked, chance)
    monkeypatch.setattr(ranking_module, "_PARTITION_FROM", 2)
    for _ in range(BODIES):
        body, path = {**_body(chance), "track_total_hits": True}, chance.choice(["word", "holes", "few", "unique"])
        every = asked.ok("POST", "/i/_search", {**body, "size": 1000})["hits"]
        first: dict[Any, str] = {}
        for hit in every["hits"]:
            first.setdefault(hit["_source"].get(path), hit["_id"])
        begin = chance.choice([0, 0, 2])
        found = asked.ok("POST", "/i/_search", {**body, "from": begin, "collapse": {"field": path}})["hits"]
        assert [hit["_id"] for hit in found["hits"]] == [*first.values()][begin : begin + body["size"]], (body, path)
        assert found["total"] == every["total"]
