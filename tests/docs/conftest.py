"""Loads the data of the documentation once: the sample document store, the other catalogs, a made-up index."""

from collections.abc import Mapping

import pytest

from qlc import Compiler, catalogs
from qlc.mapping.index_mapping import load_mapping
from tests import data_sets

from .things import things


@pytest.fixture(scope="session")
def store() -> Compiler:
    return data_sets.drive()


@pytest.fixture(scope="session")
def worlds(store: Compiler) -> Mapping[str, Compiler]:
    """The compilers by the word that stands before an example."""
    shop, flights = (
        Compiler(None, catalogs.path(name), mapping=load_mapping(catalogs.mapping_path(name), name))
        for name in ("ecommerce", "flights")
    )
    return {"": store, "shop": shop, "flights": flights, "things": things()}
