"""The indices that programs are run on, each with its mapping, its documents and its catalog."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from elasticsearch import Elasticsearch, helpers

from qlc import catalogs
from qlc.mapping.catalog import Catalog, read_catalog
from qlc.mapping.fields import IndexMapping
from qlc.mapping.index_mapping import read_mapping
from qlc.store.clients import connect
from tests.differential import awkward
from tests.reference import model

PREFIX = "differential-"
"""Indices whose names begin so are made anew: nothing else may be called so."""

Documents = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, eq=False)
class World:
    """An index under a catalog (or none). `now` lies inside the time that its dates cover."""

    name: str
    data: str
    catalog_text: str | None
    now: str

    @property
    def index(self) -> str:
        return PREFIX + self.data

    @property
    def catalog(self) -> Catalog | None:
        return None if self.catalog_text is None else _catalog(self.catalog_text, self.index)

    @property
    def body(self) -> dict[str, Any]:
        return body(self.data)

    @property
    def documents(self) -> Documents:
        return documents(self.data)

    @property
    def mapping(self) -> IndexMapping:
        return read_mapping(self.body, self.index)


@cache
def worlds() -> tuple[World, ...]:
    """All of them; an index is in it with its catalog and without one."""
    shipped = {name: catalogs.path(name).read_text(encoding="utf-8") for name in catalogs.names()}
    return (
        World("awkward", "awkward", awkward.CATALOG, awkward.NOW),
        World("awkward-plain", "awkward", None, awkward.NOW),
        World("drive", "drive", shipped["drive"], "2026-03-15T12:00:00Z"),
        World("drive-plain", "drive", None, "2026-03-15T12:00:00Z"),
        World("ecommerce", "ecommerce", shipped["ecommerce"], "2016-12-20T12:00:00Z"),
        World("ecommerce-plain", "ecommerce", None, "2016-12-20T12:00:00Z"),
        World("flights", "flights", shipped["flights"], "2018-02-01T12:00:00Z"),
        World("flights-plain", "flights", None, "2018-02-01T12:00:00Z"),
        World("logs", "logs", None, "2018-09-01T12:00:00Z"),
    )


@cache
def body(data: str) -> dict[str, Any]:
    """Settings and mappings: one shard, so that scores are the same."""
    mappings = awkward.MAPPINGS if data == "awkward" else model.mapping(data)["mappings"]
    return {"settings": {"number_of_shards": 1, "number_of_replicas": 0}, "mappings": mappings}


@cache
def documents(data: str) -> Documents:
    """Source by id."""
    return awkward.documents() if data == "awkward" else model.sources(data)


def load(client: Elasticsearch, data: str, *, of_opensearch: bool = False) -> None:
    """Make the index of a data set anew. What is refused is an error: then the engines do not hold the same."""
    index = PREFIX + data
    client.options(ignore_status=404).indices.delete(index=index)
    made = body(data)
    settings = {**made["settings"], "refresh_interval": "-1"}
    client.indices.create(index=index, settings=settings, mappings=made["mappings"])
    sources = {key: _with_places(one) if of_opensearch else one for key, one in documents(data).items()}
    actions = ({"_index": index, "_id": key, "_source": source} for key, source in sources.items())
    helpers.bulk(client, actions, chunk_size=2000, refresh=True)


def _with_places(value: Any) -> Any:
    """Return a document without empty lists of places and nulls in them, which OpenSearch refuses."""
    if isinstance(value, dict):
        found = {name: _with_places(one) for name, one in value.items()}
        places = [one for one in found.pop("place_list", None) or () if one is not None]
        return {**found, "place_list": places} if places else found
    return [_with_places(one) for one in value] if isinstance(value, list) else value


@cache
def embedded() -> Elasticsearch:
    """An embedded engine with all worlds in it, for whoever only reads: the one of this process."""
    client = connect()
    for data in dict.fromkeys(world.data for world in worlds()):
        load(client, data)
    return client


def unload(client: Elasticsearch, data: str) -> None:
    client.options(ignore_status=404).indices.delete(index=PREFIX + data)


@cache
def _catalog(text: str, index: str) -> Catalog:
    own = next(line for line in text.splitlines() if line.startswith("index: "))
    return read_catalog(text.replace(own, f"index: {index}", 1))
