"""The shipped schemas, built once."""

import pytest

from qlc import catalogs
from qlc.mapping.build import build_schema
from qlc.mapping.catalog import load_catalog
from qlc.mapping.index_mapping import load_mapping
from qlc.mapping.schema import Schema


def shipped_schema(name: str) -> Schema:
    return build_schema(load_catalog(catalogs.path(name)), load_mapping(catalogs.mapping_path(name)))


@pytest.fixture(scope="session")
def drive() -> Schema:
    return shipped_schema("drive")


@pytest.fixture(scope="session")
def ecommerce() -> Schema:
    return shipped_schema("ecommerce")
