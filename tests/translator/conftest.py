"""The document store and the flights in memory, asked in words."""

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


@pytest.fixture(scope="session")
def flights() -> Iterator[Asker]:
    from elasticsearch.helpers import bulk

    client = qlc.connect(":memory:")
    client.indices.create(index="flights", mappings=model.plain_mapping("flights")["mappings"])
    sources = model.plain_documents("flights")
    bulk(client, ({"_index": "flights", "_id": key, "_source": one} for key, one in sources.items()), chunk_size=2000)
    client.indices.refresh(index="flights")
    yield Asker(qlc.Compiler(client, "qlc/catalogs/flights.yaml"))
    client.close()
