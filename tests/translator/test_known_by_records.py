"""Things that only records tell of: each is counted and listed once, and the latest record says how it is."""

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


ASKED = [
    ("how many animals were asleep", "distinct(animal) of sightings where asleep = true"),
    ("how many foxes are there", 'distinct(animal) of sightings where animal_kind = "fox"'),
    ("how many beasts per species", "distinct(animal) of sightings by animal_kind"),
    ("how many sightings of foxes are there", 'count sightings where animal_kind = "fox"'),
    ("animals heavier than 6 kg", "count sightings where weight > 6 kg by animal"),
    ("badgers spotted since May 4", 'find sightings where animal_kind = "badger" and seen >= 2026-05-04'),
    ("foxes spotted before May 3", 'count sightings where animal_kind = "fox" and seen < 2026-05-03 by animal'),
    ("the 2 fastest animals", "max(pace) of sightings by animal sort max(pace) desc limit 2"),
    ("the 3 heaviest beasts", "max(weight) of sightings by animal sort max(weight) desc limit 3"),
    ("heaviest animal", "find sightings sort weight desc limit 1"),
    ("sightings of Brock", 'find sightings where animal = "Brock"'),
    ("the weight of Brock", 'get (find sightings where animal = "Brock" sort seen desc limit 1).weight'),
    ("records with species 2", 'find sightings where animal_kind = "badger"'),
]


@pytest.mark.parametrize(("text", "program"), ASKED)
def test_the_program(sightings: Asker, text: str, program: str) -> None:
    assert sightings.ask(text, now=NOW, size=0).query == program


def test_what_is_listed_once_is_reported(sightings: Asker) -> None:
    assert sightings.ask("animals heavier than 6 kg", now=NOW).notes == ["These are 4 sightings of 2 animals."]
    assert sightings.ask("average weight of foxes", now=NOW).notes == ["These are 4 sightings of 2 animals."]


def test_several_of_one_name_are_asked_about_each_once(sightings: Asker) -> None:
    outcome = sightings.ask("the weight of Rusty", now=NOW)
    assert outcome.kind == "clarify"
    assert [one.id for one in outcome.options] == ["A1", "A4"]


def test_as_good_as_the_first(sightings: Asker) -> None:
    assert sightings.ask("fastest animal", now=NOW).notes == ["2 animals have the same pace; 1 of them shown."]
    assert sightings.ask("sighting with the highest pace", now=NOW).notes == [
        "2 sightings have the same pace; 1 of them shown."
    ]
    assert not sightings.ask("heaviest animal", now=NOW).notes


def test_rows_of_codes_have_their_names(sightings: Asker) -> None:
    outcome = sightings.ask("how many sightings per species", now=NOW)
    assert isinstance(outcome, AggregateOut)
    assert [one.key for one in outcome.rows] == [{"id": 1, "name": "fox"}, {"id": 2, "name": "badger"}, 3]
