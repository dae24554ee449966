"""Programs of the language run against an index, every request noted, and rows in a form that is easy to compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from elasticsearch import Elasticsearch, helpers

from qlc.compiler import typed
from qlc.compiler.check import check
from qlc.compiler.codegen import RunBindings
from qlc.compiler.environment import Bindings
from qlc.compiler.periods import Clock
from qlc.compiler.request import Reading, SearchRequest
from qlc.grammar import parse
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.index_mapping import read_mapping
from qlc.mapping.schema import Bounds, Schema
from qlc.resolver.rows import RowSet, read_rows

NOW = datetime.fromisoformat("2026-03-15T12:00:00+00:00")
Document = Mapping[str, Any]


def mapping_of(**fields: Any) -> dict[str, Any]:
    """The body of an index: the type of each field, of a nested list those of its elements."""

    def mapped(one: Any) -> dict[str, Any]:
        return {"type": one} if isinstance(one, str) else {"type": "nested", "properties": properties(one)}

    def properties(fields: Mapping[str, Any]) -> dict[str, Any]:
        return {name: mapped(one) for name, one in fields.items()}

    return {"mappings": {"properties": properties(fields)}}


@contextmanager
def stored(
    client: Elasticsearch, mapping: Mapping[str, Any], documents: Mapping[str, Document], shards: int = 1
) -> Iterator[str]:
    """An index of its own with these documents; its name."""
    name = f"rows-{uuid4().hex[:12]}"
    settings = {"number_of_shards": shards, "number_of_replicas": 0}
    client.indices.create(index=name, mappings=mapping["mappings"], settings=settings)
    try:
        actions = ({"_index": name, "_id": key, "_source": source} for key, source in documents.items())
        helpers.bulk(client, actions, refresh=True)
        yield name
    finally:
        client.indices.delete(index=name)


@dataclass(repr=False)
class Asker:
    """Runs aggregate programs against one index. `asked` are the requests of the last run."""

    client: Elasticsearch
    schema: Schema
    zone: str = "UTC"
    week_start: int = 0
    asked: list[SearchRequest] = field(default_factory=list)

    @classmethod
    def without_catalog(cls, client: Elasticsearch, index: str, mapping: Mapping[str, Any], **more: Any) -> Asker:
        return cls(client, build_schema(None, read_mapping(mapping, index)), **more)

    @classmethod
    def with_catalog(
        cls, client: Elasticsearch, index: str, mapping: Mapping[str, Any], catalog: str, **more: Any
    ) -> Asker:
        body = catalog.replace("INDEX", index)
        schema = build_schema(read_catalog(body), read_mapping(mapping, index))
        return cls(client, schema, **more)

    def bounded(self, **bounds: int) -> Asker:
        return replace(self, schema=replace(self.schema, bounds=replace(Bounds(), **bounds)), asked=[])

    def environment(self) -> Bindings:
        return RunBindings(self.schema, Clock(NOW, ZoneInfo(self.zone), self.week_start))

    def aggregate(self, program: str) -> typed.Aggregate:
        checked = check(parse(program), self.schema, program)
        assert isinstance(checked.statement, typed.Aggregate), checked.diagnostics
        return checked.statement

    def run(self, program: str) -> RowSet:
        found: RowSet = self.read(read_rows(self.aggregate(program), self.environment()))
        return found

    def read(self, reading: Reading[Any]) -> Any:
        self.asked.clear()
        response: Any = None
        while True:
            try:
                request = reading.send(response)
            except StopIteration as end:
                return end.value
            self.asked.append(request)
            response = self.client.search(index=request.index, body=request.body).body


def flat(found: RowSet) -> list[tuple[Any, ...]]:
    return [(*(key.label for key in row.keys), *row.values) for row in found.rows]


def ids(documents: Sequence[Document]) -> dict[str, Document]:
    return {str(number): document for number, document in enumerate(documents)}
