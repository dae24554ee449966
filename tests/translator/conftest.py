"""Data sets in memory, asked in words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import qlc
from qlc.translator.door import Asker
from tests.reference import model


@pytest.fixture(scope="session")
def drive() -> Iterator[Asker]:
    from elasticsearch.helpers import bulk

    client = qlc.connect(":memory:")
    client.indices.create(index="entities-v4", mappings=model.drive_mapping()["mappings"])
    sources = model.drive_documents()
    bulk(client, ({"_index": "entities-v4", "_id": one["systemAttributes"]["id"], "_source": one} for one in sources))
    client.indices.refresh(index="entities-v4")
    yield Asker(qlc.Compiler(client, "qlc/catalogs/drive.yaml"))
    client.close()


def asked(name: str, catalog: str | None) -> Iterator[Asker]:
    from elasticsearch.helpers import bulk

    client = qlc.connect(":memory:")
    client.indices.create(index=name, mappings=model.plain_mapping(name)["mappings"])
    sources = model.plain_documents(name)
    bulk(client, ({"_index": name, "_id": key, "_source": one} for key, one in sources.items()), chunk_size=2000)
    client.indices.refresh(index=name)
    yield Asker(qlc.Compiler(client, catalog, index=name))
    client.close()


@pytest.fixture(scope="session")
def bare_containers() -> Iterator[Asker]:
    yield from asked("containers", None)


@pytest.fixture(scope="session")
def flights() -> Iterator[Asker]:
    yield from asked("flights", "qlc/catalogs/flights.yaml")


@pytest.fixture(scope="session")
def library() -> Iterator[Asker]:
    yield from asked("library", "tests/questions/library/catalog.yaml")


@pytest.fixture(scope="session")
def containers() -> Iterator[Asker]:
    yield from asked("containers", "tests/questions/containers/catalog.yaml")
