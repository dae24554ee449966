"""The values in the documents of a world, by field: programs are made of values that exist."""

import random
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from qlc.grammar import print_path, tree
from qlc.mapping.fields import RANGES, FieldKind
from qlc.mapping.schema import Entity, Field, NestedList, Schema
from qlc.resolver.names.entries import field_values, stored
from qlc.resolver.names.sources import parts_at
from tests.differential.worlds import World

Hit = Mapping[str, Any]
WITNESSES = 1500
"""Documents of an entity that programs are made around."""

POOL = 400
"""Values of a field that others than the witness's are drawn from."""


@dataclass(frozen=True)
class Place:
    """A field as a program names it: from its entity (`text`), and inside the brackets of its list (`inside`)."""

    entity: Entity
    field: Field
    element: NestedList | None
    text: str
    inside: str


def folded(name: str) -> str:
    """A name without case, accents, punctuation and white space."""
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKD", name).casefold())


def written(name: str) -> str:
    """A name or a dotted path in the spelling of the language."""
    return print_path(tree.Path(tuple(tree.Segment(tree.Name(part)) for part in name.split("."))))


class _Ends(dict[str, Any]):
    """A range as a document has it, which can be among the values of a field."""

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(tuple(self.items()))


class Material:
    """The documents of a world by entity; a document and one of its elements are hits of the same form."""

    def __init__(self, world: World, schema: Schema) -> None:
        self.world = world
        self.schema = schema
        self._hits = [{"_id": key, "_source": source} for key, source in world.documents.items()]
        self._columns: dict[Field, dict[int, tuple[Any, ...]]] = {}
        self.documents = cache(self._documents)
        self.places = cache(self._places)
        self.holders = cache(self._holders)
        self.pool = cache(self._pool)
        self.shapes = cache(self._shapes)
        self.by_id = cache(self._by_id)
        self.names = cache(self._names)
        self.average = cache(self._average)
        self.most_frequent = cache(self._most_frequent)

    def entities(self) -> list[Entity]:
        return [entity for entity in self.schema.entities.values() if not entity.virtual]

    def _of(self, entity: Entity) -> list[Hit]:
        return [hit for hit in self._hits if all(set(stored(hit, t.field)) & set(t.values) for t in entity.filter)]

    def _documents(self, entity: Entity) -> list[Hit]:
        """Return the witnesses of an entity, evenly spread over its documents."""
        found = self._of(entity)
        return found[:: len(found) // WITNESSES + 1]

    def _places(self, entity: Entity) -> tuple[Place, ...]:
        found = [Place(entity, field, None, written(name), written(name)) for name, field in entity.fields.items()]
        for name, item in entity.lists.items():
            for inner, field in item.fields.items():
                text = f"{written(name)}.{'.'.join(map(_after_dot, inner.split('.')))}"
                found.append(Place(entity, field, item, text, written(inner)))
        return tuple(one for one in found if one.field.kind is not FieldKind.UNSUPPORTED)

    def values(self, place: Place, hit: Hit) -> tuple[Any, ...]:
        """The values of a field in a document, or, of an element's field, in one of its elements."""
        if place.element is not None:
            return self._read(place, hit)
        column = self._columns.setdefault(place.field, {})
        if id(hit) not in column:
            column[id(hit)] = self._read(place, hit)
        return column[id(hit)]

    def _read(self, place: Place, hit: Hit) -> tuple[Any, ...]:
        if place.field.kind is FieldKind.GEO_POINT:
            path = place.field.mapped.path
            ends = [stored(hit, replace(place.field.mapped, path=f"{path}.{end}")) for end in ("lat", "lon")]
            return tuple((float(latitude), float(longitude)) for latitude, longitude in zip(*ends, strict=True))
        if place.field.kind in RANGES:
            found = parts_at(hit["_source"], place.field.mapped.path)
            return tuple(_Ends(one.items()) if isinstance(one, dict) else one for one in found)
        return field_values(hit, place.field)

    def elements(self, item: NestedList, hit: Hit) -> list[Hit]:
        """The elements of a list in a document, each standing alone where the list stands."""
        found = []
        for element in _objects(hit["_source"], item.path.split(".")):
            wrapped: Any = element
            for part in reversed(item.path.split(".")):
                wrapped = {part: wrapped}
            found.append({"_id": hit["_id"], "_source": wrapped})
        return found

    def _holders(self, place: Place) -> list[Hit]:
        """The documents that have a value of the field."""
        return [hit for hit in self.documents(place.entity) if self.values(place, hit)]

    def _pool(self, place: Place) -> list[Any]:
        found: dict[Any, None] = {}
        for hit in self.holders(place):
            found.update(dict.fromkeys(self.values(place, hit)))
            if len(found) >= POOL:
                break
        return list(found)

    def _shapes(self, place: Place) -> frozenset[str]:
        """How the values of a field stand in the documents; nothing where there are none."""
        if not self.holders(place):
            return frozenset()
        if place.element is not None:
            return frozenset({"nested"})
        found = set()
        if any(len(self.values(place, hit)) > 1 for hit in self.holders(place)):
            found.add("list")
        if len(self.holders(place)) < len(self.documents(place.entity)):
            found.add("null")
        return frozenset(found or {"single"})

    def _by_id(self, entity: Entity) -> Mapping[Any, Hit]:
        if entity.id is None:
            return {hit["_id"]: hit for hit in self._of(entity)}
        return {stored(hit, entity.id.mapped)[0]: hit for hit in self._of(entity)}

    def _names(self, entity: Entity) -> Mapping[str, int]:
        """How many have each name, as it is looked up loosely."""
        found: dict[str, int] = {}
        for hit in self._of(entity) if not entity.virtual else ():
            for field in entity.names:
                for value in field_values(hit, field):
                    found[folded(str(value))] = found.get(folded(str(value)), 0) + 1
        return found

    def _average(self, place: Place) -> float:
        values = [value for hit in self._of(place.entity) for value in self.values(place, hit)]
        return sum(values) / max(len(values), 1)

    def _most_frequent(self, place: Place) -> Any:
        """Return the most frequent value; of several such values the smallest one as text."""
        counts = Counter(value for hit in self._of(place.entity) for value in self.values(place, hit))
        return min(counts, key=lambda value: (-counts[value], str(value)), default=None)

    def name_of(self, place: Place, random_: random.Random, hit: Hit | None = None) -> tuple[str, Hit]:
        """The name of an entity, or its id; and the entity: a given one, or one that as a rule has a value.

        The name is one that as a rule stands for it alone.
        """
        entity, whole = place.entity, replace(place, element=None)
        if hit is None:
            some = random_.choices(self.documents(entity), k=5)
            hit = next((one for one in some if self.values(whole, one)), some[0])
        names = [str(value) for field in entity.names for value in field_values(hit, field)]
        lonely = [name for name in names if self.names(entity)[folded(name)] == 1]
        if lonely and random_.random() < 0.9:
            return random_.choice(lonely), hit
        if names and random_.random() < 0.02:
            return random_.choice(names), hit
        key = field_values(hit, entity.id)[0] if entity.id is not None else hit["_id"]
        return str(key), hit


def _after_dot(name: str) -> str:
    return written("x." + name)[2:]


def _objects(source: Any, path: Sequence[str]) -> Iterator[Any]:
    if isinstance(source, list):
        for item in source:
            yield from _objects(item, path)
    elif not path:
        if isinstance(source, Mapping):
            yield source
    elif isinstance(source, Mapping):
        yield from _objects(source.get(path[0]), path[1:])
