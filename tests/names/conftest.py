"""Indices of documents to look names up in, in the embedded engine and in a real server."""

import gzip
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from uuid import uuid4

import pytest
from elasticsearch import Elasticsearch, helpers

from qlc import catalogs
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import read_catalog
from qlc.mapping.index_mapping import read_mapping
from tests.names.world import World
from tests.rows.conftest import client

__all__ = ["client", "make_world"]
Index = tuple[Mapping[str, Any], Iterable[Mapping[str, Any]]]
"""An index body and the documents in it; `_id` of a document is the document's id."""

MakeWorld = Callable[[str, Mapping[str, Index]], World]


@pytest.fixture(scope="module")
def make_world(client: Elasticsearch) -> Iterator[MakeWorld]:
    """Builds a world of a catalog and its indices, which the catalog calls by names of its own."""
    made: list[str] = []

    def make(catalog: str, indices: Mapping[str, Index]) -> World:
        mappings = {}
        for name, (body, documents) in indices.items():
            unique = f"names-{uuid4().hex}-{name}"
            made.append(unique)
            client.indices.create(index=unique, **body)
            helpers.bulk(client, _actions(unique, documents), refresh=True)
            catalog = catalog.replace(f"index: {name}", f"index: {unique}")
            mappings[unique] = read_mapping({"mappings": body["mappings"]}, unique)
        schema = build_schema(read_catalog(catalog), mappings)
        return World(schema, lambda request: client.search(index=request.index, body=request.body).body)

    yield make
    for name in made:
        client.indices.delete(index=name)


def _actions(index: str, documents: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    for document in documents:
        source = dict(document)
        yield {"_index": index, "_id": source.pop("_id"), "_source": source}


@pytest.fixture(scope="session")
def drive_documents() -> list[dict[str, Any]]:
    with gzip.open(catalogs.documents_path("drive"), "rt", encoding="utf-8") as lines:
        documents = [json.loads(line) for line in lines]
    return [{"_id": one["systemAttributes"]["id"], **one} for one in documents]


@pytest.fixture(scope="module")
def drive(make_world: MakeWorld, drive_documents: list[dict[str, Any]]) -> World:
    """The sample document store under its shipped catalog."""
    body = json.loads(catalogs.mapping_path("drive").read_text(encoding="utf-8"))
    catalog = catalogs.path("drive").read_text(encoding="utf-8")
    return make_world(catalog, {"entities-v4": ({"mappings": body["mappings"]}, drive_documents)})
