"""The benchmark's requests: the same for a seed, and answered with something."""

from benchmarks.engine.answers import difference
from benchmarks.engine.entities import MAPPING, entities, entity
from benchmarks.engine.measuring import requests
from benchmarks.engine.shapes import SHAPES
from tests.engine.asked import Asked

COUNT = 1_500


def test_each_shape_finds_something(asked: Asked) -> None:
    asked.ok("PUT", "/entities", {"mappings": MAPPING})
    asked.put("entities", {found["id"]: found for found in entities(0, COUNT)})
    assert entity(1_234)["id"] == "e00001234"
    for shape in SHAPES:
        bodies = list(requests(shape, COUNT, 8, seed=1))
        assert bodies == list(requests(shape, COUNT, 8, seed=1))
        answers = [asked.ok("POST", "/entities/_search", body) for body in bodies]
        found = [answer.get("aggregations") or answer["hits"]["hits"] for answer in answers]
        assert sum(map(bool, found)) >= 6, shape
        assert difference(answers[0], answers[0]) is None
    assert difference(answers[0], {"hits": {**answers[0]["hits"], "hits": []}}) is not None
