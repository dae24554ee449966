"""Paths where ancestors are stored, where only a readable path is, and where parents have to be walked."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.names.conftest import MakeWorld
from tests.names.world import World
from tests.tables import rows, table

KEYWORD = {"type": "keyword"}
STORED = table(__file__, "STORED")
WALKED = table(__file__, "WALKED")
READABLE = table(__file__, "READABLE")
TREE = rows(__file__, "TREE")


def above(one: str) -> list[str]:
    parent = TREE[one][2]
    return ["root"] if parent == "root" else [*above(parent), parent]


def documents() -> list[dict[str, Any]]:
    made = []
    for one, (kind, name, parent) in TREE.items():
        chain = [TREE[key][1] for key in above(one) if key != "root"]
        readable = " > ".join([*chain, name] if kind == "folder" else chain)
        made.append(
            {"_id": one, "id": one, "kind": kind, "name": name, "parent": parent, "above": above(one), "path": readable}
        )
    return made


def body() -> Mapping[str, Any]:
    return {"mappings": {"properties": dict.fromkeys(("id", "kind", "name", "parent", "above", "path"), KEYWORD)}}


@pytest.fixture(scope="module", params=["stored", "walked", "readable"])
def tree(request: pytest.FixtureRequest, make_world: MakeWorld) -> World:
    catalog = {"stored": STORED, "walked": WALKED, "readable": READABLE}[request.param]
    return make_world(catalog, {"things": (body(), documents())})


@pytest.mark.parametrize(("entity", "text", "step", "ids"), rows(__file__, "test_paths"))
def test_paths(tree: World, entity: str, text: str, step: str | None, ids: list[str]) -> None:
    found = tree.find(entity, text)
    assert (found.step, {one.id for one in found.candidates}) == (step, set(ids))


def test_stored_ancestors_take_one_request(make_world: MakeWorld) -> None:
    world = make_world(STORED, {"things": (body(), documents())})
    for entity, text in (("folder", "A > B"), ("page", "A > B > C"), ("folder", "root/Résumés")):
        assert world.find(entity, text).step == "path"
        assert len(world.requests) == 1


@pytest.mark.parametrize(("catalog", "constant"), [(STORED, "root"), (WALKED, "top")])
def test_a_leading_constant(make_world: MakeWorld, catalog: str, constant: str) -> None:
    world = make_world(catalog, {"things": (body(), documents())})
    assert world.ids("folder", f"{constant}/A/C") == {"abc", "ac"}
    assert world.ids("folder", f"{constant.upper()} > Résumés") == {"r"}
    assert world.ids("folder", f"/{constant}/A/C/") == {"abc", "ac"}
    assert world.ids("folder", f"A/{constant}/C") == set()


@pytest.mark.parametrize("catalog", [STORED, WALKED])
def test_paths_tell_apart_without_a_path_field(make_world: MakeWorld, catalog: str) -> None:
    world = make_world(catalog, {"things": (body(), documents())})
    found = world.find("folder", "C")
    assert [one.label for one in found.candidates] == ["C (A/B/C) [abc]", "C (A/B/C) [slash-c]", "C (A/C)"]


def test_parents_in_another_index(make_world: MakeWorld) -> None:
    catalog = """
version: 1
index: papers
entities:
  paper:
    id: id
    names: [title]
    parent: binder
    fields: {id: id, title: title, binder: {path: binder, refers_to: binder}}
  binder:
    index: binders
    id: id
    names: [label]
    fields: {id: id, label: label}
"""
    papers = [{"_id": f"{n}", "id": f"{n}", "title": "Minutes", "binder": f"b{n}"} for n in range(3)]
    binders = [{"_id": f"b{n}", "id": f"b{n}", "label": f"Year {n}"} for n in range(3)]
    world = make_world(
        catalog,
        {
            "papers": ({"mappings": {"properties": dict.fromkeys(("id", "title", "binder"), KEYWORD)}}, papers),
            "binders": ({"mappings": {"properties": dict.fromkeys(("id", "label"), KEYWORD)}}, binders),
        },
    )
    assert world.ids("paper", "Year 1 > Minutes") == {"1"}
    assert world.ids("paper", "year 1/minutes") == {"1"}
    assert world.find("paper", "Yeer 1/Minuts").step == "near"
    assert [one.label for one in world.find("paper", "Minutes").candidates] == [
        "Minutes (Year 0/Minutes)",
        "Minutes (Year 1/Minutes)",
        "Minutes (Year 2/Minutes)",
    ]


def test_a_cycle_of_parents_ends(make_world: MakeWorld) -> None:
    cycle = [
        {"_id": "x", "id": "x", "kind": "folder", "name": "X", "parent": "y"},
        {"_id": "y", "id": "y", "kind": "folder", "name": "Y", "parent": "x"},
    ]
    world = make_world(WALKED, {"things": (body(), cycle)})
    assert world.ids("folder", "Y > X") == {"x"}
    assert world.ids("folder", "Z > X") == set()
