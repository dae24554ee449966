"""Data sets in memory, asked in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from elasticsearch import Elasticsearch

import qlc
from qlc.translator.entry import Asker
from tests.reference import model

from . import auction as auction_world
from . import depot as depot_world
from . import huts as huts_world
from . import lending as lending_world
from . import museum as museum_world
from . import practice as practice_world


@pytest.fixture(scope="session")
def drive_client() -> Iterator[Elasticsearch]:
    from elasticsearch.helpers import bulk

    client = qlc.connect(":memory:")
    client.indices.create(index="entities-v4", mappings=model.drive_mapping()["mappings"])
    sources = model.drive_documents()
    bulk(client, ({"_index": "entities-v4", "_id": one["systemAttributes"]["id"], "_source": one} for one in sources))
    client.indices.refresh(index="entities-v4")
    yield client
    client.close()


@pytest.fixture(scope="session")
def drive(drive_client: Elasticsearch) -> Asker:
    return Asker(qlc.Compiler(drive_client, "qlc/catalogs/drive.yaml"))


@pytest.fixture(scope="session")
def bare_drive(drive_client: Elasticsearch) -> Asker:
    return Asker(qlc.Compiler(drive_client, "tests/questions/drive/bare.yaml"))


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


def small_world(world: ModuleType, folder: Path) -> Iterator[Asker]:
    """What a module tells: a catalog, a mapping, and documents with a number."""
    from elasticsearch.helpers import bulk

    name = world.__name__.rpartition(".")[2]
    catalog = folder / "catalog.yaml"
    catalog.write_text(world.CATALOG)
    client = qlc.connect(":memory:")
    client.indices.create(index=name, mappings=world.MAPPING)
    bulk(client, ({"_index": name, "_id": one["number"], "_source": one} for one in world.documents()))
    client.indices.refresh(index=name)
    yield Asker(qlc.Compiler(client, catalog))
    client.close()


@pytest.fixture(scope="session")
def huts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    yield from small_world(huts_world, tmp_path_factory.mktemp("huts"))


@pytest.fixture(scope="session")
def museum(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    yield from small_world(museum_world, tmp_path_factory.mktemp("museum"))


@pytest.fixture(scope="session")
def depot(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    yield from small_world(depot_world, tmp_path_factory.mktemp("depot"))


@pytest.fixture(scope="session")
def lending(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    yield from small_world(lending_world, tmp_path_factory.mktemp("lending"))


@pytest.fixture(scope="session")
def auction(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    yield from small_world(auction_world, tmp_path_factory.mktemp("auction"))


@pytest.fixture(scope="session")
def practice(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    yield from small_world(practice_world, tmp_path_factory.mktemp("practice"))
