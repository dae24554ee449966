"""Places are told in one form, whichever way documents write them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from elasticsearch import helpers

from qlc.mapping.catalog import read_catalog
from qlc.pipeline.compiler import Compiler
from tests import engines

CATALOG = """
version: 1
index: spots
entities: {spot: {id: id, names: [name], show: [at]}}
fields: {id: id, name: name, at: at, all: {path: all, list: true}}
lists: {stops: {path: stops, fields: {at: {path: at}}}}
"""
MAPPING = {
    "id": {"type": "keyword"}, "name": {"type": "keyword"}, "at": {"type": "geo_point"}, "all": {"type": "geo_point"},
    "stops": {"type": "nested", "properties": {"at": {"type": "geo_point"}}},
}  # fmt: skip
ROME = ({"lat": 41.9, "lon": 12.5}, {"lat": "41.9", "lon": "12.5"}, "41.9,12.5", "41.9, 12.5", [12.5, 41.9],
        "POINT (12.5 41.9)", {"type": "Point", "coordinates": [12.5, 41.9]}, [[12.5, 41.9]])  # fmt: skip


@pytest.fixture(scope="module")
def spots() -> Iterator[Compiler]:
    documents: list[dict[str, Any]] = [{"at": place, "stops": [{"at": place}, {}]} for place in ROME]
    documents += [{"at": "sr2yk3d2"}, {"at": None}, {"all": [{"lat": 1, "lon": 2}, "3,4"], "stops": []}]
    with engines.open_client() as client:
        client.indices.create(index="spots", mappings={"properties": MAPPING})
        actions = ({"_index": "spots", "_source": {"id": f"s{number}", "name": f"n{number}", **one}}
                   for number, one in enumerate(documents))  # fmt: skip
        helpers.bulk(client, actions, refresh=True)
        yield Compiler(client, read_catalog(CATALOG))


def shown(spots: Compiler, program: str) -> list[dict[str, Any]]:
    outcome = spots.run(program, size=50)
    assert outcome.kind == "hits", outcome
    return [{name: value for name, value in hit.values.items() if name != "name"} for hit in outcome.hits]


def test_however_they_are_written(spots: Compiler) -> None:
    rome = shown(spots, "find spots where at within 5 km of (41.9, 12.5) sort id show at, stops")
    assert rome[:-1] == [{"at": "41.9, 12.5", "stops": [{"at": "41.9, 12.5"}]}] * len(ROME)
    latitude, longitude = map(float, rome[-1]["at"].split(","))  # the corner of the cell of a geohash
    assert (latitude, longitude) == (pytest.approx(41.9, abs=0.02), pytest.approx(12.5, abs=0.02))


def test_several_and_none(spots: Compiler) -> None:
    assert shown(spots, 'find spots where id = "s9" show at, all') == [{}]
    assert shown(spots, 'find spots where id = "s10" show at, all') == [{"all": ["1, 2", "3, 4"]}]


def test_the_place_of_one(spots: Compiler) -> None:
    outcome = spots.run('get spot("n0").at')
    assert outcome.kind == "value", outcome
    assert outcome.value == "41.9, 12.5"
