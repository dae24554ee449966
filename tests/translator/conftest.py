"""Data sets in memory, asked in words."""

import pytest

from qlc.translator.entry import Asker
from tests import data_sets
from tests.translator.test_asked import asker_of


@pytest.fixture(scope="session")
def drive() -> Asker:
    return data_sets.asker("drive", "qlc/catalogs/drive.yaml")


@pytest.fixture(scope="session")
def flights() -> Asker:
    return data_sets.asker("flights", "qlc/catalogs/flights.yaml")


@pytest.fixture(scope="session")
def containers() -> Asker:
    return data_sets.asker("containers", "tests/questions/containers/catalog.yaml")


@pytest.fixture(scope="session")
def depot() -> Asker:
    return asker_of("depot")
