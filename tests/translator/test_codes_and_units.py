"""Numbers that are codes with names, and amounts in units of weight and speed: in programs, and in words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from elasticsearch.helpers import bulk

import qlc
from qlc.base.errors import ConfigurationError
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Count, Invalid
from qlc.translator.entry import Asker

CATALOG = """
version: 1
index: voyages
entities:
  voyage: {sort: left desc}
fields:
  kind:
    path: kind
    values: {80: [tanker], 70: [cargo ship, freighter], 31: [tug], 0: []}
    groups: {working: [tug, 70]}
  speed: {path: sog, unit: knots}
  load: {path: load, words: [weight], unit: kg}
  left: left
"""
MAPPING = {
    "kind": {"type": "integer"}, "sog": {"type": "float"}, "load": {"type": "long"}, "left": {"type": "date"},
}  # fmt: skip
VOYAGES = [(80, 12.0, 90_000), (80, 20.0, 150_000), (70, 18.0, 2_000), (31, 8.0, 0), (0, 30.0, 500)]


@pytest.fixture(scope="module")
def voyages() -> Iterator[Asker]:
    client = qlc.connect(":memory:")
    client.indices.create(index="voyages", mappings={"properties": MAPPING})
    sources = [
        {"kind": kind, "sog": speed, "load": load, "left": f"2026-05-0{n + 1}"}
        for n, (kind, speed, load) in enumerate(VOYAGES)
    ]
    bulk(client, ({"_index": "voyages", "_id": str(n), "_source": one} for n, one in enumerate(sources)), refresh=True)
    yield Asker(qlc.Compiler(client, read_catalog(CATALOG)))
    client.close()


@pytest.mark.parametrize(
    ("program", "found"),
    [
        ('count voyages where kind = "tanker"', 2),
        ("count voyages where kind = 80", 2),
        ('count voyages where kind != "Tanker"', 3),
        ('count voyages where kind in ["freighter", "tug"]', 2),
        ('count voyages where kind = "working"', 2),
        ("count voyages where kind >= 70", 3),
        ("count voyages where speed > 25 km/h", 3),
        ("count voyages where speed <= 9.3 mph", 1),
        ("count voyages where load between 2 t and 330693 lbs", 2),
    ],
)
def test_programs(voyages: Asker, program: str, found: int) -> None:
    said = voyages.ask(program)
    assert isinstance(said, Count)
    assert said.value == found


@pytest.mark.parametrize(
    ("program", "hint"),
    [
        ('count voyages where kind = "tankr"', "did you mean 'tanker'?"),
        ("count voyages where kind = 99", "it can be 'tanker', 'cargo ship', 'tug', '0' or 'working'"),
        ("count voyages where kind = tanker", 'put a text in quotes: "tanker"'),
        ("count voyages where load > 5 knots", "use 'mg', 'g', 'oz', 'lb', 'kg' or 't'"),
    ],
)
def test_errors_say_what_there_is(voyages: Asker, program: str, hint: str) -> None:
    said = voyages.ask(program)
    assert isinstance(said, Invalid)
    assert hint in said.diagnostics[0].hint


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("tankers", 'find voyages where kind = "tanker"'),
        ("how many freighters", 'count voyages where kind = "cargo ship"'),
        ("tugs and tankers faster than 10 knots", 'find voyages where kind in ["tug", "tanker"] and speed > 10 knots'),
        ("voyages faster than 40 km/h", "find voyages where speed > 40 km/h"),
        ("voyages faster than 30 kilometres per hour", "find voyages where speed > 30 km/h"),
        ("fastest tanker", 'find voyages where kind = "tanker" sort speed desc limit 1'),
        ("voyages heavier than 100 tonnes", "find voyages where load > 100 t"),
        ("heaviest voyage", "find voyages sort load desc limit 1"),
        ("voyages with a load over 100t", "find voyages where load > 100 t"),
        ("average load of tankers", 'avg(load) of voyages where kind = "tanker"'),
    ],
)
def test_words(voyages: Asker, text: str, program: str) -> None:
    said = voyages.ask(text, now="2026-05-06T12:00:00Z")
    assert said.kind in ("hits", "count", "value"), said
    assert said.query == program


def test_amounts_are_reported_in_the_stored_unit(voyages: Asker) -> None:
    fastest = voyages.ask("max(speed) of voyages")
    assert fastest.kind == "value"
    assert "30 knots" in fastest.message


def test_a_code_has_its_number_first() -> None:
    swapped = CATALOG.replace("80: [tanker]", "tanker: [80]")
    client = qlc.connect(":memory:")
    client.indices.create(index="voyages", mappings={"properties": MAPPING})
    with client, pytest.raises(ConfigurationError, match="'tanker' is not a whole number"):
        qlc.Compiler(client, read_catalog(swapped)).run("count voyages")
