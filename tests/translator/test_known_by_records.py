"""Things that only records tell of: the records are asked for, and not taken for the things."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from elasticsearch.helpers import bulk

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.outcome import AggregateOut
from qlc.translator.entry import Asker

CATALOG = """
version: 1
index: sightings
entities:
  sighting: {words: [record, records], names: [animal_name], sort: seen desc, date: seen}
  animal: {words: [beast, beasts], virtual: true, id_pattern: 'A[0-9]'}
fields:
  animal: {path: tag, name_at: name, refers_to: animal, words: [beast]}
  animal_name: {path: name, words: [name]}
  animal_kind:
    path: kind
    words: [species, kind of animal]
    values: {1: [fox, foxes], 2: [badger, badgers], 3: []}
  pace: {path: pace, unit: km/h, words: [speed]}
  weight: {path: weight, unit: kg}
  seen: {path: seen, words: [spotted]}
  asleep: {path: asleep}
"""
MAPPING = {
    "tag": {"type": "keyword"}, "name": {"type": "keyword"}, "kind": {"type": "integer"}, "asleep": {"type": "boolean"},
    "pace": {"type": "double"}, "weight": {"type": "double"}, "seen": {"type": "date"},
}  # fmt: skip
# tag, name, kind, pace, weight, day, asleep
SIGHTINGS = [
    ("A1", "Rusty", 1, 12.0, 6.0, 1, False), ("A1", "Rusty", 1, 30.0, 7.0, 2, False),
    ("A1", "Rusty", 1, 0.0, 7.0, 3, True), ("A2", "Brock", 2, 4.0, 12.0, 1, False),
    ("A2", "Brock", 2, 30.0, 13.0, 4, True), ("A3", "Vixen", 1, 20.0, 5.0, 2, False),
    ("A4", "Rusty", 3, 2.0, 1.0, 5, False),
]  # fmt: skip
NOW = "2026-05-10T12:00:00Z"


@pytest.fixture(scope="module")
def sightings() -> Iterator[Asker]:
    client = qlc.connect(":memory:")
    client.indices.create(index="sightings", mappings={"properties": MAPPING})
    names = ("tag", "name", "kind", "pace", "weight", "seen", "asleep")
    sources = [dict(zip(names, one, strict=True)) | {"seen": f"2026-05-0{one[5]}"} for one in SIGHTINGS]
    bulk(client, ({"_index": "sightings", "_id": f"s{n}", "_source": one} for n, one in enumerate(sources)))
    client.indices.refresh(index="sightings")
    yield Asker(qlc.Compiler(client, read_catalog(CATALOG)))
    client.close()


def test_records_are_asked_for(sightings: Asker) -> None:
    outcome = sightings.ask("how many sightings of foxes are there", now=NOW, size=0)
    assert outcome.query == 'count sightings where animal_kind = "fox"'


@pytest.mark.parametrize("text", ["how many animals were asleep", "animals heavier than 6 kg"])
def test_records_are_not_counted_for_the_things_they_are_of(sightings: Asker, text: str) -> None:
    assert sightings.ask(text, now=NOW).kind not in ("count", "hits")


def test_as_good_as_the_first(sightings: Asker) -> None:
    assert sightings.ask("sighting with the highest pace", now=NOW).notes == [
        "2 sightings have the same pace; 1 of them shown."
    ]


def test_rows_of_codes_have_their_names(sightings: Asker) -> None:
    outcome = sightings.ask("how many sightings per species", now=NOW)
    assert isinstance(outcome, AggregateOut)
    assert [one.key for one in outcome.rows] == [{"id": 1, "name": "fox"}, {"id": 2, "name": "badger"}, 3]
