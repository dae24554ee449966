"""Entities without documents: pairs of id and name in plain fields and nested lists, over several indices."""

import pytest

from tests.names.conftest import MakeWorld
from tests.names.world import World
from tests.tables import rows, table

CATALOG = table(__file__, "CATALOG")
KEYWORD = {"type": "keyword"}
PERSON = {"properties": {"id": KEYWORD, "name": KEYWORD}}
NOTES = table(__file__, "NOTES")
LETTERS = {"mappings": {"properties": {"id": KEYWORD, "subject": KEYWORD, "from": PERSON}}}


def one(number: int, name: str) -> dict[str, str]:
    return {"id": str(number), "name": name}


@pytest.fixture(scope="module")
def world(make_world: MakeWorld) -> World:
    notes = [
        {"_id": "n1", "id": "n1", "title": "x", "owner": one(1, "Mei-Ling Chen"), "shares": [one(2, "Omar Haddad")]},
        {
            "_id": "n2",
            "id": "n2",
            "title": "Ada Byron",
            "owner": one(2, "Omar Haddad"),
            "shares": [one(1, "Mei-Ling Chen"), one(3, "Dana Ortiz"), one(4, "Dana Ortiz")],
        },
        {"_id": "n3", "id": "n3", "title": "z", "owner": one(5, "Robert Smith"), "shares": []},
        {"_id": "n4", "id": "n4", "title": "z", "owner": one(5, "Robert Smith")},
        {"_id": "n5", "id": "n5", "title": "z", "owner": one(5, "Bob Smith")},
        {"_id": "n6", "id": "n6", "title": "z", "shares": [one(6, "77")]},
    ]
    letters = [
        {"_id": "l1", "id": "l1", "subject": "s", "from": one(7, "Renée O'Hara")},
        {"_id": "l2", "id": "l2", "subject": "s", "from": one(2, "Omar Haddad")},
    ]
    return make_world(CATALOG, {"notes": (NOTES, notes), "letters": (LETTERS, letters)})


@pytest.mark.parametrize(("text", "step", "people"), rows(__file__, "test_people"))
def test_people(world: World, text: str, step: str | None, people: list[list[str]]) -> None:
    found = world.find("person", text)
    assert found.step == step
    assert {(candidate.id, candidate.name) for candidate in found.candidates} == set(map(tuple, people))


def test_one_request_for_each_index(world: World) -> None:
    world.find("person", "Omar HADDAD")
    assert [request.index.rsplit("-", 1)[1] for request in world.requests] == ["notes", "letters"]


def test_ids_tell_people_of_one_name_apart(world: World) -> None:
    labels = [candidate.label for candidate in world.find("person", "Dana Ortiz").candidates]
    assert labels == ["Dana Ortiz (3)", "Dana Ortiz (4)"]


def test_the_wanted_fields_of_a_person(world: World) -> None:
    (found,) = world.find("person", "Omar Haddad", "id", "name").candidates
    assert found.values == {"id": ("2",), "name": ("Omar Haddad",)}


def test_not_found(world: World) -> None:
    assert world.find("person", "999").reason == "no-such-id"
    other = world.find("person", "Ada Byron")
    assert (other.reason, other.other_kinds) == ("other-kind", ("note",))
    assert world.find("person", "Omer").suggestions == ("Omar Haddad",)
