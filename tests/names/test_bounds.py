"""More names than are read, more candidates than are shown, and answers that end in the middle of a page."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from qlc.compiler.request import CannotAnswer
from qlc.resolver.names import MAX_CANDIDATES, reading, requests
from tests.names.conftest import MakeWorld
from tests.names.world import World
from tests.tables import table

CATALOG = table(__file__, "CATALOG")

SETTINGS = {
    "index": {
        "analysis": {"normalizer": {"plain": {"type": "custom", "filter": ["lowercase", "asciifolding"]}}},
        "number_of_shards": 2,
    }
}


def body(normalized: bool) -> Mapping[str, Any]:
    properties: dict[str, Any] = {
        field: {"type": "keyword"} for field in ("id", "kind", "name", "aliases", "parent", "above")
    }
    if not normalized:
        return {"mappings": {"properties": properties}}
    properties["name"] = {"type": "keyword", "fields": {"plain": {"type": "keyword", "normalizer": "plain"}}}
    return {"mappings": {"properties": properties}, "settings": SETTINGS}


def documents(count: int) -> list[dict[str, Any]]:
    folders = [
        {"_id": "f", "id": "f", "kind": "folder", "name": "Émigrés"},
        {"_id": "g", "id": "g", "kind": "folder", "name": "Others"},
    ]
    files = [
        {
            "_id": str(n),
            "id": str(n),
            "kind": "file",
            "name": "notes.txt" if n % 3 else f"Résumé {n}",
            "aliases": [f"alias {n}", "everyone's"] if n % 100 == 0 else None,
            "parent": "f" if n == 7 else "g",
            "above": ["f" if n == 7 else "g"],
        }
        for n in range(count)
    ]
    return folders + files


def make(make_world: MakeWorld, count: int, bound: int, normalized: bool = False) -> World:
    catalog = CATALOG.replace("BOUND", str(bound))
    catalog = catalog.replace("NORMALIZED", ", normalized_name: name.plain" if normalized else "")
    return make_world(catalog, {"many": (body(normalized), documents(count))})


@pytest.fixture(scope="module")
def many(make_world: MakeWorld) -> World:
    return make(make_world, 2000, 10_000)


def test_a_text_too_long_for_a_name_is_looked_up_as_written_alone(many: World) -> None:
    assert many.find("file", "Resume 33").step == "folded"
    many.find("file", "Resume 33" + " x" * 600)
    assert len(many.requests) == 1
    assert many.find("file", "Resume 33" + " " * 2_000).candidates == ()


def test_more_candidates_than_are_shown(many: World) -> None:
    found = many.find("file", "notes.txt")
    assert (len(found.candidates), found.truncated) == (MAX_CANDIDATES, True)
    assert len(many.requests) == 2  # the second for the paths that tell them apart


def test_a_path_finds_the_one_among_very_many(many: World) -> None:
    found = many.find("file", "Émigrés/notes.txt")
    assert [one.id for one in found.candidates] == ["7"]
    found = many.find("file", "Emigres/notes")
    assert (found.step, [one.id for one in found.candidates]) == ("extension", ["7"])


def test_a_path_is_never_decided_by_a_part_of_its_candidates(many: World) -> None:
    tight = replace(
        many, schema=replace(many.schema, bounds=replace(many.schema.bounds, set_size=50)), environment=None
    )
    tight.cache = type(many.cache)()
    with pytest.raises(CannotAnswer) as refused:
        tight.find("file", "Émigrés/notes.txt")
    assert refused.value.code == "set-too-large"


def test_hits_and_names_are_read_page_by_page(many: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "PAGE", 100)
    monkeypatch.setattr(reading, "PAGE", 100)
    many.cache.clear()
    assert many.ids("file", "Émigrés/notes.txt") == {"7"}
    assert sum(request.continues for request in many.requests) > 10
    assert not many.requests[0].continues
    assert many.ids("file", "resume 1998") == {"1998"}
    assert many.like("file", "résumé 199", 3) == ["Résumé 1992", "Résumé 1995", "Résumé 1998"]


def test_all_name_fields_and_all_values_of_a_list(many: World) -> None:
    assert many.ids("file", "ALIAS 300") == {"300"}
    assert len(many.ids("file", "everyone’s")) == 20
    assert many.find("file", "alias 400").candidates[0].name == "alias 400"


def test_above_the_bound_the_later_steps_are_absent(make_world: MakeWorld) -> None:
    world = make(make_world, 300, 50)
    assert world.ids("file", "résumé 33") == {"33"}
    found = world.find("file", "Resume 33")
    assert found.candidates == ()
    assert found.notes == ("There are more than 50 names of files: similar spellings were not searched.",)
    world.find("file", "Resume 36")
    assert len(world.requests) == 2  # as written, and other kinds: that there are too many names is remembered
    assert world.ids("folder", "Emigres") == {"f"}
    assert world.ids("file", "Emigres/notes.txt") == {"7"}  # folders are few, and the file is written exactly


def test_just_above_the_bound_names_are_counted_not_estimated(make_world: MakeWorld) -> None:
    files = 300  # 100 with a name of their own and one name for all others; and four names in the other field
    assert make(make_world, files, 104).find("file", "Resume 33").step is None
    assert make(make_world, files, 105).find("file", "Resume 33").step == "folded"


def test_above_the_bound_a_normalized_field_folds(make_world: MakeWorld) -> None:
    world = make(make_world, 300, 50, normalized=True)
    found = world.find("file", "RESUME 33")
    assert (found.step, [one.id for one in found.candidates]) == ("folded", ["33"])
    assert found.notes == (
        "No file is called exactly 'RESUME 33'; used 'Résumé 33' (the same but for accents, punctuation or spaces).",
        "There are more than 50 names of files: similar spellings were not searched.",
    )
    assert world.find("file", "Resme 33").candidates == ()


def test_above_the_bound_completion_asks_the_index(make_world: MakeWorld) -> None:
    world = make(make_world, 300, 50)
    assert world.like("file", "RÉSUMÉ 29") == ["Résumé 291", "Résumé 294", "Résumé 297"]
    assert world.like("file", "EVERY") == ["everyone's"]
    assert world.like("file", "é" * 2000) == []


def test_steps_that_the_catalog_leaves_out(make_world: MakeWorld) -> None:
    catalog = CATALOG.replace("BOUND", "1000").replace("NORMALIZED", ", match_steps: [near]")
    world = make_world(catalog, {"many": (body(False), documents(30))})
    assert world.find("file", "Résumés 27").step == "near"
    assert world.find("file", "Resume 27").step == "near"
    assert world.find("file", "notes").candidates == ()
    catalog = CATALOG.replace("BOUND", "1000").replace("NORMALIZED", ", match_steps: []")
    world = make_world(catalog, {"many": (body(False), documents(30))})
    assert world.find("file", "Resume 27").suggestions[0] == "Résumé 27"
