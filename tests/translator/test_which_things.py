"""Questions that name no things, over several kinds of things with the same fields: the user is asked which."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from elasticsearch.helpers import bulk

import qlc
from qlc.mapping.catalog import read_catalog
from qlc.outcome import Clarify
from qlc.translator.entry import Asker

CATALOG = """
version: 1
index: court
entities:
  claim: {where: {kind: claim}, id: number, sort: lodged desc, date: lodged}
  appeal: {where: {kind: appeal}, id: number, sort: lodged desc, date: lodged, fields: {fee: {path: fee, unit: EUR}}}
fields:
  number: {path: number}
  lodged: {path: lodged}
  state: {path: state, values: [pending, closed]}
  judge: {path: judge}
"""
KEYWORD, NOW = {"type": "keyword"}, "2026-05-10T12:00:00Z"
MAPPING = {
    "kind": KEYWORD, "number": KEYWORD, "state": KEYWORD, "judge": KEYWORD,
    "lodged": {"type": "date"}, "fee": {"type": "double"},
}  # fmt: skip
CASES: list[dict[str, object]] = [
    {"kind": "claim", "number": "C1", "state": "pending", "judge": "Ann Low", "lodged": "2026-05-05"},
    {"kind": "claim", "number": "C2", "state": "closed", "judge": "Ann Low", "lodged": "2026-04-05"},
    {"kind": "appeal", "number": "A1", "state": "pending", "judge": "Bo Day", "lodged": "2026-05-06", "fee": 20.0},
]


@pytest.fixture(scope="module")
def court() -> Iterator[Asker]:
    client = qlc.connect(":memory:")
    client.indices.create(index="court", mappings={"properties": MAPPING})
    bulk(client, ({"_index": "court", "_id": one["number"], "_source": one} for one in CASES), refresh="true")
    yield Asker(qlc.Compiler(client, read_catalog(CATALOG)))
    client.close()


@pytest.mark.parametrize("text", ["lodged since May", "what was lodged since May?", "pending ones per judge"])
def test_which_things_are_meant_is_asked(court: Asker, text: str) -> None:
    outcome = court.ask(text, now=NOW)
    assert isinstance(outcome, Clarify), outcome
    assert [one.label for one in outcome.options] == ["claims", "appeals"]


@pytest.mark.parametrize(
    ("text", "program"),
    [
        ("pending appeals", 'find appeals where state = "pending"'),
        ("the closed ones", 'find claims where state = "closed"'),  # no appeal is closed
        ("the highest fee", "max(fee) of appeals"),  # no claim has one
    ],
)
def test_what_only_one_kind_has_is_of_that_kind(court: Asker, text: str, program: str) -> None:
    assert court.ask(text, now=NOW).query == program
