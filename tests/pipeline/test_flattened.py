"""A flattened field is shown as the object that it is, and each of its keys by itself."""

from __future__ import annotations

from typing import Any

import pytest

import qlc
from qlc.mapping.catalog import read_catalog

CATALOG = """
version: 1
index: things
defaults: {id: id, names: [name]}
entities:
  thing: {}
fields:
  id: id
  name: name
  labels: labels
  team: labels.team
"""
LABELS: list[Any] = [
    {"team": "core", "tier": 1, "deep": {"a": ["x", "y"]}},
    {"team": "web", "id": "w"},
    None,
    [{"team": "a"}, {"team": "b"}],
]


@pytest.fixture(scope="module")
def compiler() -> qlc.Compiler:
    client = qlc.connect()
    fields = {"id": {"type": "keyword"}, "name": {"type": "keyword"}, "labels": {"type": "flattened"}}
    client.indices.create(index="things", mappings={"properties": fields})
    for number, labels in enumerate(LABELS):
        document = {"id": str(number), "name": f"n{number}", "labels": labels}
        client.index(index="things", id=str(number), document=document, refresh=True)
    return qlc.Compiler(client, read_catalog(CATALOG))


def test_show_of_the_object_and_of_a_key(compiler: qlc.Compiler) -> None:
    outcome = compiler.run("find things sort name limit 10 show labels, team")
    shown = [(hit.values.get("labels"), hit.values.get("team")) for hit in outcome.hits]
    assert shown == [(LABELS[0], "core"), (LABELS[1], "web"), (None, None), (LABELS[3], ["a", "b"])]
    assert '"tier":1' in outcome.model_dump_json()


@pytest.mark.parametrize(
    ("program", "value", "told"),
    [
        ('get thing("n0").labels', LABELS[0], "team: core, tier: 1, deep.a: x, deep.a: y."),
        ('get thing("n1").labels', LABELS[1], "team: web, id: w."),
        ('get thing("n3").labels', LABELS[3], "team: a, team: b."),
        ('get thing("n0").team', "core", "core."),
    ],
)
def test_get(compiler: qlc.Compiler, program: str, value: Any, told: str) -> None:
    outcome = compiler.run(program)
    assert (outcome.value, outcome.message) == (value, told)


def test_get_of_none_says_so(compiler: qlc.Compiler) -> None:
    assert compiler.run('get thing("n2").labels').kind == "not_found"


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ('team > "b"', ["1", "0"]),
        ('team >= "b"', ["1", "0", "3"]),
        ('team < "b"', ["3"]),
        ('team <= "core"', ["0", "3"]),
        ('team > "b" and team < "d"', ["0"]),
        ('team between "b" and "d"', ["0", "3"]),
        ('not team > "b"', ["2", "3"]),
    ],
)
def test_a_key_is_compared_with_one_bound_or_two(compiler: qlc.Compiler, condition: str, found: list[str]) -> None:
    outcome = compiler.run(f"find things where {condition} sort name")
    assert sorted(outcome.ids) == sorted(found)


def test_numbers_under_a_key_are_told_to_be_kept_as_texts() -> None:
    client = qlc.connect()
    client.indices.create(index="calls", mappings={"properties": {"log": {"type": "flattened"}}})
    for took in (5, 900, 1500, 20000):
        client.index(index="calls", document={"log": {"took": took}}, refresh=True)
    calls = qlc.Compiler(client, index="calls")
    for program in ('count entries where log.took between "1000" and "3000"', "find all entries sort log.took"):
        notes = calls.run(program).notes
        assert [note for note in notes if "kept as texts" in note and "'log.took'" in note], program
