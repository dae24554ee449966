"""Shapes in documents and queries, and how they lie to areas; outcomes/shapes compares them with OpenSearch."""

import json
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import BadRequestError, Elasticsearch

from qlc_engine import Engine, node_class
from tests.tables import each, table

SQUARE = {"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]]}
RING = [[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]], [[3, 3], [3, 6], [6, 6], [6, 3], [3, 3]]]
BOX = {"type": "envelope", "coordinates": [[0, 2], [2, 0]]}
MAPPINGS = {"properties": {"s": {"type": "geo_shape"}, "parts": {"type": "nested", "properties": {
    "s": {"type": "geo_shape"}}}}}  # fmt: skip


def client_of(engine: Engine) -> Elasticsearch:
    return Elasticsearch("http://embedded:9200", node_class=node_class(engine))


def shapes(*given: Any, engine: Engine | None = None) -> Elasticsearch:
    """A client of an engine with a document for each shape, numbered from 0."""
    client = client_of(engine or Engine.open(None))
    client.indices.create(index="a", mappings=MAPPINGS)
    for number, shape in enumerate(given):
        client.index(index="a", id=str(number), document={"s": shape})
    client.indices.refresh(index="a")
    return client


def found(client: Elasticsearch, area: Any, relation: str = "intersects") -> list[int]:
    query = {"geo_shape": {"s": {"shape": area, "relation": relation}}}
    return sorted(int(hit["_id"]) for hit in client.search(index="a", query=query)["hits"]["hits"])


def test_each_way_to_write_a_shape_is_the_same_shape() -> None:
    same = [
        SQUARE, BOX, "POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0))", "BBOX (0, 2, 2, 0)",
        {"type": "MultiPolygon", "coordinates": [SQUARE["coordinates"]]},
        "MULTIPOLYGON (((0 0, 2 0, 2 2, 0 2, 0 0)))",
        {"type": "GeometryCollection", "geometries": [SQUARE]},
        "GEOMETRYCOLLECTION (POLYGON ((0 0, 2 0, 2 2, 0 2, 0 0)))",
    ]  # fmt: skip
    client = shapes(*same)
    for area, relation in ((BOX, "within"), ({"type": "envelope", "coordinates": [[1, 1.5], [5, 1]]}, "intersects")):
        assert found(client, area, relation) == list(range(len(same)))


def test_points_and_lines_lie_in_areas() -> None:
    lines = {"type": "multilinestring", "coordinates": [[[5, 5], [6, 6]], [[1, 0.5], [1, 1]]]}
    points = ("POINT (1 1)", "POINT (3 3)", "LINESTRING (-1 1, 3 1)", "MULTIPOINT (1 1, 5 5)", "MULTIPOINT ((1 1))")
    client = shapes(*points, lines)
    assert found(client, BOX) == [0, 2, 3, 4, 5]
    assert found(client, BOX, "within") == [0, 4]
    assert found(client, BOX, "disjoint") == [1]


def test_a_hole_is_outside() -> None:
    ring = {"type": "Polygon", "coordinates": RING}
    client = shapes(ring, "POINT (4 4)", "POINT (1 1)")
    assert found(client, {"type": "envelope", "coordinates": [[4, 5], [5, 4]]}) == [1]
    assert found(client, ring) == [0, 2]
    assert found(client, ring, "within") == [2]  # corners on the edge of a hole lie in the hole


def test_a_box_across_longitude_180_is_two() -> None:
    across = {"type": "envelope", "coordinates": [[178, 1], [-178, -1]]}
    client = shapes(across, "POINT (179 0)", "POINT (-179 0)", "POINT (0 0)")
    assert found(client, across) == [0, 1, 2]
    assert found(client, across, "within") == [0, 1, 2]


def test_several_shapes_of_a_document_are_one() -> None:
    client = shapes(["POINT (1 1)", "POINT (9 9)"], ["POINT (1 1)"], [])
    assert found(client, BOX) == [0, 1]
    assert found(client, BOX, "within") == [1]
    assert found(client, BOX, "disjoint") == []
    assert client.count(index="a", query={"exists": {"field": "s"}})["count"] == 2


def test_shapes_survive_a_restart_and_merges(tmp_path: Path) -> None:
    with Engine.open(tmp_path) as engine:
        shapes("POINT (1 1)", SQUARE, "POINT (9 9)", engine=engine)
    with Engine.open(tmp_path) as engine:
        client = client_of(engine)
        client.delete(index="a", id="0", refresh=True)
        client.indices.forcemerge(index="a")
        assert found(client, BOX) == [1]


WRONG = table(__file__, "WRONG")


def test_what_is_no_shape_is_refused() -> None:
    client = shapes()

    def refused(shape: Any) -> None:
        with pytest.raises(BadRequestError):
            client.index(index="a", id="x", document=json.loads(json.dumps({"s": shape})))

    each(WRONG, refused)


@pytest.mark.parametrize(
    ("box", "ids"),
    [
        ({"top_left": [3, 6], "bottom_right": [6, 3]}, [1, 2]),
        ({"top": 1.5, "left": 0.5, "bottom": 1, "right": 1.5}, [0]),
        ({"top_left": [170, 6], "bottom_right": [-9, 0]}, [2, 3]),
    ],
)
def test_a_bounding_box_finds_shapes_that_it_touches(box: dict[str, Any], ids: list[int]) -> None:
    """OpenSearch 2.19 finds the same ids; the Elasticsearch of the tests has no fields of shapes."""
    client = shapes(SQUARE, "POINT (5 5)", "LINESTRING (-10 5, 10 5)", "POINT (179.5 1)")
    hits = client.search(index="a", query={"geo_bounding_box": {"s": box}})["hits"]["hits"]
    assert sorted(int(hit["_id"]) for hit in hits) == ids
