"""Looks names up without a compiler: an environment, and a driver for readings."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TypeVar

from qlc.compiler.periods import Clock
from qlc.compiler.request import Clause, SearchRequest
from qlc.compiler.typed import Condition, Scalar, Value
from qlc.mapping.schema import Bounds, Entity, Field, Schema
from qlc.resolver.names import Found, NameCache, Place, find_named, names_like

T = TypeVar("T")
Search = Callable[[SearchRequest], Mapping[str, Any]]
CLOCK = Clock(datetime(2026, 3, 15, 12, tzinfo=UTC), UTC)


@dataclass(frozen=True)
class Environment:
    """The filters that make an entity, and those of an access: `allowed` by entity as field and value."""

    schema: Schema
    clock: Clock = CLOCK
    allowed: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def bounds(self) -> Bounds:
        return self.schema.bounds

    def query(self, condition: Condition) -> Clause:
        raise NotImplementedError("names are looked up without conditions")

    def scalars(self, value: Value) -> list[Scalar]:
        raise NotImplementedError("names are looked up without values")

    def scope(self, entity: Entity) -> list[Clause]:
        made: list[Clause] = [{"terms": {str(one.field.exact): list(one.values)}} for one in entity.filter]
        if entity.name in self.allowed:
            path, value = self.allowed[entity.name]
            made.append({"term": {path: value}})
        return made


@dataclass
class World:
    """Names looked up through `search`, on behalf of one access; `requests` are those of the last lookup."""

    schema: Schema
    search: Search
    cache: NameCache = field(default_factory=NameCache)
    environment: Environment | None = None
    access: str = "everyone"
    requests: list[SearchRequest] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.environment = self.environment or Environment(self.schema)

    def find(self, entity: str, text: str, *want: str) -> Found:
        one = self.schema.entities[entity]
        return self._run(find_named(self._place, one, text, tuple(_field(one, name) for name in want)))

    def ids(self, entity: str, text: str) -> set[Scalar]:
        return {one.id for one in self.find(entity, text).candidates}

    def like(self, entity: str, prefix: str, n: int = 10) -> list[str]:
        return self._run(names_like(self._place, self.schema.entities[entity], prefix, n))

    @property
    def _place(self) -> Place:
        assert self.environment is not None
        return Place(self.schema, self.environment, self.cache, self.access)

    def _run(self, reading: Generator[SearchRequest, Mapping[str, Any], T]) -> T:
        self.requests = []
        try:
            request = next(reading)
            while True:
                self.requests.append(request)
                request = reading.send(self.search(request))
        except StopIteration as end:
            result: T = end.value
            return result


def _field(entity: Entity, name: str) -> Field:
    found = entity.fields.get(name)
    if found is not None:
        return found
    head, _, inner = name.partition(".")
    return entity.lists[head].fields[inner]
