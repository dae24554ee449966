"""The ten request shapes, each with values taken from an entity that is there."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from typing import Any

Body = dict[str, Any]
Entity = dict[str, Any]

_NEWEST = [{"created": "desc"}, {"id": "asc"}]


def parent_and_type(entity: Entity, chance: random.Random) -> Body:
    return {"query": _all_of(_is("parentId", entity["parentId"]), _is("type", entity["type"])), "sort": _NEWEST}


def exact_name(entity: Entity, chance: random.Random) -> Body:
    return {"query": _all_of(_is("name.keyword", entity["name"])), "sort": _NEWEST}


def full_text(entity: Entity, chance: random.Random) -> Body:
    words = chance.sample(entity["text"].split(), chance.choice([1, 2, 3]))
    return {"query": {"match": {"text": " ".join(words)}}, "size": 10}


def path_and_date(entity: Entity, chance: random.Random) -> Body:
    above = "/".join(entity["path"].split("/")[: chance.choice([2, 3])])
    year = int(entity["created"][:4])
    period = {"range": {"created": {"gte": f"{year}-01-01", "lt": f"{year + chance.choice([1, 2])}-01-01"}}}
    query = _all_of({"prefix": {"path": above}}, period)
    return {"query": query, "sort": [{"size": "desc"}, {"id": "asc"}], "size": 20, "track_total_hits": True}


def terms_under_filter(entity: Entity, chance: random.Random) -> Body:
    owners = {"terms": {"field": "owner.id", "size": 20}}
    return {"query": _all_of(_is("type", entity["type"])), "size": 0, "aggs": {"owners": owners}}


def months_with_sum(entity: Entity, chance: random.Random) -> Body:
    months = {
        "date_histogram": {"field": "created", "calendar_interval": "month"},
        "aggs": {"amount": {"sum": {"field": "amount"}}},
    }
    return {"query": _all_of(_is("owner.id", entity["owner"]["id"])), "size": 0, "aggs": {"months": months}}


def nested_pair(entity: Entity, chance: random.Random) -> Body:
    pair = chance.choice(entity["attributes"] or [{"key": "key0", "value": "none"}])
    inner = _all_of(_is("attributes.key", pair["key"]), _is("attributes.value", pair["value"]))
    return {"query": _all_of({"nested": {"path": "attributes", "query": inner}}), "sort": _NEWEST}


def next_page(entity: Entity, chance: random.Random) -> Body:
    return {
        "query": _all_of(_is("type", entity["type"])),
        "sort": _NEWEST,
        "search_after": [_milliseconds(entity["created"]), entity["id"]],
        "size": 50,
        "track_total_hits": False,
    }


def _milliseconds(date: str) -> int:
    return round(datetime.fromisoformat(date).timestamp() * 1000)


def wildcard(entity: Entity, chance: random.Random) -> Body:
    name = entity["name"]
    length = chance.choice([4, 6, 9])
    start = chance.randrange(1, len(name) - length)
    fragment = name[start : start + length].lower()
    pattern = {"wildcard": {"name.keyword": {"value": f"*{fragment}*", "case_insensitive": True}}}
    return {"query": _all_of(pattern), "sort": _NEWEST}


def boosted_should(entity: Entity, chance: random.Random) -> Body:
    words = entity["text"].split()
    should = [
        {"match": {"name": {"query": entity["name"].split(".")[0], "boost": 3}}},
        {"match": {"text": {"query": " ".join(chance.sample(words, 2)), "boost": 1.5}}},
        {"term": {"tags": {"value": (entity["tags"] or ["none"])[0], "boost": 2}}},
        {"term": {"type": {"value": entity["type"], "boost": 0.5}}},
    ]
    return {"query": {"bool": {"should": should, "minimum_should_match": 1}}, "size": 10}


SHAPES: dict[str, Callable[[Entity, random.Random], Body]] = {
    "parent and type, newest first": parent_and_type,
    "exact name": exact_name,
    "full text, ten best": full_text,
    "path and date, two sort keys, exact total": path_and_date,
    "terms under a filter": terms_under_filter,
    "months with a sum": months_with_sum,
    "nested key and value": nested_pair,
    "next page (search_after)": next_page,
    "wildcard, any case": wildcard,
    "should with boosts, ten best": boosted_should,
}


def _all_of(*conditions: Body) -> Body:
    return {"bool": {"filter": list(conditions)}}


def _is(field: str, value: Any) -> Body:
    return {"term": {field: value}}
