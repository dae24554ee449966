"""Boxes with things in them, so that every caller can ask something else and knows the answer."""

from collections.abc import Iterator, Mapping
from typing import Any

from elasticsearch import Elasticsearch, helpers

from tests.tables import table

INDEX = "things"
BOXES = 250
IN_A_BOX = 3
CATALOG = table(__file__, "CATALOG")

PROPERTIES: dict[str, Any] = {
    **{name: {"type": "keyword"} for name in ("id", "kind", "name", "box", "label")},
    "size": {"type": "long"},
}


def documents() -> Iterator[dict[str, Any]]:
    for number in range(BOXES):
        yield {"id": f"b{number}", "kind": "box", "name": f"Box {number}"}
        for at in range(IN_A_BOX):
            yield {
                "id": f"t{number}-{at}", "kind": "thing", "name": f"Thing {number}-{at}", "box": f"b{number}",
                "size": number * 10 + at, "label": ["odd" if at % 2 else "even"],
            }


def load(
    client: Elasticsearch, index: str = INDEX, properties: Mapping[str, Any] = PROPERTIES, **settings: Any
) -> None:
    client.options(ignore_status=404).indices.delete(index=index)
    client.indices.create(index=index, mappings={"properties": dict(properties)}, settings=settings or None)
    helpers.bulk(client, ({"_index": index, "_id": one["id"], "_source": one} for one in documents()), refresh=True)


def question(number: int) -> tuple[str, Any]:
    """A program that asks what no other number asks, and its answer."""
    box = number % BOXES
    match number % 3:
        case 0:
            return f'find things where box = "Box {box}"', [f"t{box}-{at}" for at in range(IN_A_BOX)]
        case 1:
            return f"sum(size) of things where size between {box * 10} and {box * 10 + 9}", box * 30 + 3
        case _:
            return f'get thing("Thing {box}-1").size', box * 10 + 1


def answer_of(outcome: Any) -> Any:
    return outcome.ids if outcome.kind == "hits" else getattr(outcome, "value", None)
