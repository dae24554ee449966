"""Ids that are texts are found in any case, behind ids and names that are written so."""

import pytest

from tests.names.conftest import MakeWorld
from tests.names.world import World
from tests.tables import table

CATALOG = table(__file__, "CATALOG")
KEYWORD = {"type": "keyword"}
MAPPING = {"mappings": {"properties": {
    "code": KEYWORD, "name": KEYWORD, "agent": {"properties": {"id": KEYWORD, "name": KEYWORD}}}}}  # fmt: skip
HARBOURS = [("HND", "Haneda"), ("hnd", "Hondarribia"), ("NRT", "Narita"), ("ABC", "nrt"), ("Ålb", "Ålborg")]


@pytest.fixture(params=["", "id_pattern: '[A-Z]{3}'"], ids=["any", "pattern"])
def world(request: pytest.FixtureRequest, make_world: MakeWorld) -> World:
    documents = [
        {"_id": code, "code": code, "name": name, "agent": {"id": f"A-{code}", "name": f"Agent of {name}"}}
        for code, name in HARBOURS
    ]
    return make_world(CATALOG.replace("PATTERN", str(request.param)), {"harbours": (MAPPING, documents)})


def test_an_id_in_another_case(world: World) -> None:
    found = world.find("harbour", "abc")
    assert (found.step, [one.id for one in found.candidates]) == ("id", ["ABC"])
    assert not found.notes
    assert [one.id for one in world.find("agent", "a-nrt").candidates] == ["A-NRT"]


def test_what_is_written_so_comes_first(world: World) -> None:
    assert [one.id for one in world.find("harbour", "HND").candidates] == ["HND"]
    named = world.find("harbour", "nrt")
    assert (named.step, [one.id for one in named.candidates]) == ("exact", ["ABC"])


def test_several_are_asked_about(world: World) -> None:
    assert {one.id for one in world.find("harbour", "Hnd").candidates} == {"HND", "hnd"}
