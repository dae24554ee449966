"""Mappings and drafts of live indices: what they answer is what the doubles of the other tests answer."""

import gzip
import json
from collections.abc import Iterator
from itertools import islice

import pytest
from elasticsearch import Elasticsearch, helpers

from qlc import catalogs
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import load_catalog, read_catalog
from qlc.mapping.check import check_catalog
from qlc.mapping.draft import draft_catalog
from qlc.mapping.index_mapping import fetch_mapping, load_mapping
from qlc.store.clients import connect

INDEX = "entities-v4"
EVERY = 12
"""One document in so many is enough."""


@pytest.fixture(scope="module", params=["embedded", "server"])
def client(request: pytest.FixtureRequest) -> Iterator[Elasticsearch]:
    """A part of the document store, an alias of it, and two indices that disagree: in both engines."""
    if request.param == "embedded":
        opened = connect(":memory:")
    else:
        opened = request.getfixturevalue("real_elasticsearch_8").client()
    names = [INDEX, "odd-1", "odd-2"]
    with opened as client:
        client.indices.delete(index=names, ignore_unavailable=True)
        _fill(client)
        yield client
        client.indices.delete(index=names)


def _fill(client: Elasticsearch) -> None:
    body = json.loads(catalogs.mapping_path("drive").read_text("utf-8"))
    body["settings"]["index"] |= {"number_of_replicas": 0}
    fold = {"fold": {"type": "custom", "filter": ["lowercase", "asciifolding"]}}
    folded = {"name": {"type": "keyword", "normalizer": "fold"}, "n": {"type": "long"}}
    client.indices.create(index=INDEX, **body, aliases={"drive": {}})
    client.indices.create(index="odd-1", settings={"analysis": {"normalizer": fold}}, mappings={"properties": folded})
    client.indices.create(index="odd-2", mappings={"properties": {"n": {"type": "keyword"}}})
    with gzip.open(catalogs.documents_path("drive"), "rt", encoding="utf-8") as lines:
        sources = [json.loads(line) for line in islice(lines, 0, None, EVERY)]
    actions = ({"_index": INDEX, "_id": one["systemAttributes"]["id"], "_source": one} for one in sources)
    helpers.bulk(client, actions, refresh=True)


def test_a_live_mapping_is_the_one_of_the_file(client: Elasticsearch) -> None:
    assert fetch_mapping(client, INDEX).fields == load_mapping(catalogs.mapping_path("drive")).fields


def test_an_alias(client: Elasticsearch) -> None:
    mapping = fetch_mapping(client, "drive")
    assert (mapping.index, mapping.indices) == ("drive", (INDEX,))
    assert build_schema(load_catalog(catalogs.path("drive")), mapping).entity("document").index == INDEX


def test_a_pattern_over_indices_that_disagree(client: Elasticsearch) -> None:
    mapping = fetch_mapping(client, "odd-*")
    assert mapping.indices == ("odd-1", "odd-2")
    assert mapping.fields["n"].conflict == (("odd-1", "long"), ("odd-2", "keyword"))
    assert mapping.fields["name"].normalizer == "fold"
    assert mapping.normalizers["fold"] == ("lowercase", "asciifolding")


def test_a_draft_loads_and_checks(client: Elasticsearch) -> None:
    text = draft_catalog(client, INDEX)
    catalog = read_catalog(text)
    assert check_catalog(catalog, fetch_mapping(client, INDEX)) == []
    assert set(catalog.file.entities) == {"document", "folder", "person"}
    assert catalog.file.defaults.id == "id"
    assert "            values: [viewer, editor, commenter]  # ? all" in text
