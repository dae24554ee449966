"""Data sets in memory, asked in words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import qlc
from qlc.translator.entry import Asker
from tests import data_sets

from . import auction as auction_world
from . import depot as depot_world
from . import huts as huts_world
from . import lending as lending_world
from . import museum as museum_world
from . import practice as practice_world


@pytest.fixture(scope="session")
def drive() -> Asker:
    return data_sets.asker("drive", "qlc/catalogs/drive.yaml")


@pytest.fixture(scope="session")
def bare_drive() -> Asker:
    return data_sets.asker("drive", "tests/questions/drive/bare.yaml")


@pytest.fixture(scope="session")
def bare_containers() -> Asker:
    return data_sets.asker("containers")


@pytest.fixture(scope="session")
def flights() -> Asker:
    return data_sets.asker("flights", "qlc/catalogs/flights.yaml")


@pytest.fixture(scope="session")
def library() -> Asker:
    return data_sets.asker("library", "tests/questions/library/catalog.yaml")


@pytest.fixture(scope="session")
def containers() -> Asker:
    return data_sets.asker("containers", "tests/questions/containers/catalog.yaml")


def small_world(world: ModuleType, folder: Path) -> Iterator[Asker]:
    """Open an asker over the catalog, the mapping and the documents of a module."""
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
