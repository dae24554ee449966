"""Values that say that there is none are left out of what is most common; those that only look so are not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from elasticsearch.helpers import bulk

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.translator.entry import Asker

CATALOG = """
version: 1
index: claims
entities:
  claim: {date: opened}
fields:
  damage: {path: damage, values: {none: [no damage], dent: [], scratch: []}}
  village: {path: village, words: [place], values: {None: [Nonum], Ulm: [], Aalen: []}}
  country: {path: country, values: [NA, NL, NO]}
  repair: {path: repair, unit: days, words: [repair time]}
  repaired: {path: repaired, words: [repair date]}
  opened: {path: opened}
"""
KEYWORDS = ("damage", "village", "country")


@pytest.fixture(scope="module")
def claims() -> Iterator[Asker]:
    client = qlc.connect(":memory:")
    properties = {one: {"type": "keyword"} for one in KEYWORDS} | {"repair": {"type": "long"}}
    properties |= {one: {"type": "date"} for one in ("repaired", "opened")}
    client.indices.create(index="claims", mappings={"properties": properties})
    rows = [("none", "None", "NA"), ("none", "Ulm", "NL"), ("dent", "None", "NO"), ("scratch", "Aalen", "NA")]
    dates = {"repair": 3, "repaired": "2026-01-02", "opened": "2025-12-30"}
    sources = [dict(zip(KEYWORDS, row, strict=True)) | dates for row in rows]
    bulk(client, ({"_index": "claims", "_id": f"c{n}", "_source": one} for n, one in enumerate(sources)))
    client.indices.refresh(index="claims")
    yield Asker(qlc.Compiler(client, read_catalog(CATALOG)))
    client.close()


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("most common damage", 'count claims where damage != "none" by damage sort count desc limit 1'),
        ("most common village", "count claims by village sort count desc limit 1"),
        ("most common country", "count claims by country sort count desc limit 1"),
    ],
)
def test_the_program(claims: Asker, text: str, program: str) -> None:
    outcome = claims.ask(text, now="2026-05-10T12:00:00Z", timezone="UTC")
    assert outcome.query == program, outcome.message
