"""Data sets in memory, asked in words."""

from __future__ import annotations

import pytest

from qlc.translator.entry import Asker
from tests import data_sets
from tests.translator.test_asked import asker_of


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


@pytest.fixture(scope="session")
def depot() -> Asker:
    return asker_of("depot")
