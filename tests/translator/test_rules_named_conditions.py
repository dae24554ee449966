"""Conditions by their other words and in another order, and amounts whose currency the catalog says, in two worlds."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest
from elasticsearch import helpers

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.translator.entry import Asker

NOW = "2025-06-18T12:00:00Z"

KEYWORD, DATE, NUMBER = {"type": "keyword"}, {"type": "date"}, {"type": "double"}

KILNS = """
version: 1
index: kilns
entities:
  kiln:
    names: [name]
    conditions:
      service_overdue: {means: service < today, words: [unserviced, behind on upkeep]}
      hot: heat > 500
fields:
  name: name
  service: {path: service, whole_days: true, words: [next service]}
  heat: heat
  rent: {path: rent, unit: GBP, words: [price]}
"""
LOANS = """
version: 1
index: loans
entities:
  loan:
    conditions:
      unpaid: {means: paid missing, words: [outstanding, not settled]}
      open_fine: fine > 0
fields:
  reader: reader
  paid: paid
  fine: {path: fine, unit: EUR, words: [charge]}
"""


def _made(index: str, catalog: str, properties: dict[str, dict[str, str]], sources: list[dict[str, object]]) -> Asker:
    client = qlc.connect(":memory:")
    client.indices.create(index=index, mappings={"properties": properties})
    helpers.bulk(client, ({"_index": index, "_source": one} for one in sources), refresh=True)
    return Asker(qlc.Compiler(client, read_catalog(catalog)))


@cache
def kilns() -> Asker:
    properties = {"name": KEYWORD, "service": DATE, "heat": NUMBER, "rent": NUMBER}
    sources: list[dict[str, object]] = [
        {"name": f"Kiln {n}", "service": f"2025-0{n + 4}-01", "heat": 300 * n, "rent": 150.0 * n} for n in range(1, 6)
    ]
    return _made("kilns", KILNS, properties, sources)


@cache
def loans() -> Asker:
    sources: list[dict[str, object]] = [{"reader": "Ada", "fine": float(n)} for n in range(5)]
    return _made("loans", LOANS, {"reader": KEYWORD, "paid": DATE, "fine": NUMBER}, sources)


ASKED = {
    kilns: [
        ("unserviced kilns", "find kilns where service_overdue"),
        ("how many kilns are behind on upkeep", "count kilns where service_overdue"),
        ("kilns with an overdue service", "find kilns where service_overdue"),
        ("kilns with overdue services", "find kilns where service_overdue"),
        ("kilns whose service is overdue", "find kilns where service_overdue"),
        ("overdue services", "find kilns where service_overdue"),
        ("hot kilns", "find kilns where hot"),
        ("kilns over £300", "find kilns where rent > 300"),
        ("kilns with a rent under 400 pounds", "find kilns where rent < 400"),
        ("kilns over 300 euros", ""),
        ("kilns with a rent under $400", ""),
        ("overdue kilns", ""),
    ],
    loans: [
        ("outstanding loans", "find loans where unpaid"),
        ("loans that are not settled", "find loans where unpaid"),
        ("loans with open fines", "find loans where open_fine"),
        ("loans whose fine is open", "find loans where open_fine"),
        ("loans with a fine over 2 euros", "find loans where fine > 2"),
        ("loans with a fine over 2 yen", ""),
    ],
}


@pytest.mark.parametrize(
    ("world", "text", "program"), [(world, *case) for world, cases in ASKED.items() for case in cases]
)
def test_the_program(world: Callable[[], Asker], text: str, program: str) -> None:
    outcome = world().ask(text, now=NOW, size=0)
    assert outcome.query == program, outcome.message


def test_amounts_are_reported_in_their_currency() -> None:
    assert kilns().ask('get kiln("Kiln 2").rent', now=NOW).message == "GBP 300.00."
    assert loans().ask("max(fine) of loans", now=NOW).message == "Largest fine: EUR 4.00."
