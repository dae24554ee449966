"""Names that look like something else, each found by itself, in other case and with spaces around it."""

import pytest

from tests.names.conftest import MakeWorld
from tests.names.world import World
from tests.tables import rows, table

NAMES = table(__file__, "NAMES")


CATALOG = table(__file__, "CATALOG")
MAPPING = {"mappings": {"properties": {"id": {"type": "long"}, "name": {"type": "keyword"}}}}


@pytest.fixture(scope="module")
def world(make_world: MakeWorld) -> World:
    documents = [{"_id": str(n), "id": n, "name": name} for n, name in enumerate(NAMES)]
    return make_world(CATALOG, {"tricky": (MAPPING, documents)})


@pytest.mark.parametrize("name", NAMES)
def test_found_by_itself(world: World, name: str) -> None:
    found = world.find("thing", name)
    assert (found.step, [one.name for one in found.candidates]) == ("exact", [name])
    assert found.candidates[0].id == NAMES.index(name)


SIMPLE_CASE = [name for name in NAMES if name not in ("straße", "İstanbul")]
"""Case that changes the number of letters is folded, not equal up to case."""


@pytest.mark.parametrize("name", SIMPLE_CASE)
def test_found_in_other_case(world: World, name: str) -> None:
    assert [one.name for one in world.find("thing", name.swapcase()).candidates] == [name]


@pytest.mark.parametrize(("text", "step", "name"), rows(__file__, "test_later_steps"))
def test_later_steps(world: World, text: str, step: str | None, name: str) -> None:
    found = world.find("thing", text)
    assert found.step == step
    assert not name or [one.name for one in found.candidates] == [name]


def test_an_id_that_is_a_number(world: World) -> None:
    assert [(one.id, one.name) for one in world.find("thing", "7").candidates] == [(7, NAMES[7])]
    assert world.find("thing", "2024").step == "exact"
    assert world.find("thing", "9" * 30).candidates == ()
    assert world.find("thing", "-7654").candidates == ()


def test_a_text_that_is_no_unicode_finds_nothing(world: World) -> None:
    assert world.find("thing", "half \ud83d").reason == "no-such-name"
    assert world.requests == []


def test_very_many_separators(world: World) -> None:
    assert world.find("thing", "/".join("abc" * 200)).candidates == ()
    assert world.find("thing", ">" * 5000).candidates == ()


def test_very_long_names(make_world: MakeWorld) -> None:
    """Longer than Elasticsearch compares ignoring case."""
    names = ["Long " * 400, "Long " * 399 + "Lang ", "Lång " * 400, "ΣΊΣΥΦΟΣ" * 300]
    documents = [{"_id": str(n), "id": n, "name": name} for n, name in enumerate(names)]
    world = make_world(CATALOG, {"tricky": (MAPPING, documents)})
    for name in names:
        assert [one.name for one in world.find("thing", name.swapcase()).candidates] == [name]
    assert world.find("thing", "other " * 10_000).candidates == ()
