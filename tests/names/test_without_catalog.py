"""An index without a catalog has no names: only `_id` identifies a document."""

from qlc.mapping.build import build_schema
from qlc.mapping.index_mapping import read_mapping
from tests.names.conftest import MakeWorld
from tests.names.world import World
from tests.tables import table

MAPPING = {"mappings": {"properties": {"name": {"type": "keyword"}}}}
CATALOG = table(__file__, "CATALOG")


def test_by_the_id_of_the_document(make_world: MakeWorld) -> None:
    catalogued = make_world(CATALOG, {"plain": (MAPPING, [{"_id": "a/b", "name": "x"}, {"_id": "c", "name": "a/b"}])})
    index = catalogued.schema.index
    world = World(build_schema(None, read_mapping(MAPPING, index)), catalogued.search)
    found = world.find("entry", "a/b", "name")
    assert [(found.step, one.id, one.values) for one in found.candidates] == [("id", "a/b", {"name": ("x",)})]
    assert world.find("entry", "x").reason == "no-such-id"
    assert len(world.requests) == 1
    assert world.like("entry", "x") == []


def test_names_beside_the_id_of_the_document(make_world: MakeWorld) -> None:
    world = make_world(CATALOG, {"plain": (MAPPING, [{"_id": "a", "name": "x"}, {"_id": "b", "name": "x"}])})
    assert world.ids("thing", "X") == {"a", "b"}
    assert world.ids("thing", "a") == {"a"}
