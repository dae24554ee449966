"""Small domains of the tests, one a file in tests/worlds: a catalog, and indices with their mapping and documents."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from elasticsearch import BadRequestError, Elasticsearch, helpers

from qlc.mapping.catalog import read_catalog
from qlc.pipeline.compiler import Compiler
from tests import data_sets, engines
from tests.tables import read_yaml

WORLDS = Path(__file__).parent / "worlds"


@cache
def described(name: str) -> dict[str, Any]:
    found: dict[str, Any] = read_yaml(WORLDS / f"{name}.yaml")
    return found


def catalog_of(name: str) -> str:
    return str(described(name)["catalog"])


def load(name: str, client: Elasticsearch) -> None:
    """Makes the indices of a domain, with their documents."""
    for index, body in described(name)["indices"].items():
        try:
            client.indices.create(index=index, mappings=body["mappings"])
        except BadRequestError as problem:
            if not (engines.IS_OPENSEARCH and "No handler for type" in str(problem)):
                raise
            pytest.skip(f"{problem.message}: {problem.body['error']['reason']}")
        actions = ({"_index": index, "_id": key, "_source": source} for key, source in body["documents"].items())
        helpers.bulk(client, actions, refresh=True)


@cache
def compiler_of(name: str) -> Compiler:
    """Over the domain of that name, or over the sample document store (`drive`)."""
    if name == "drive":
        return data_sets.drive()
    client = engines.open_client()
    load(name, client)
    catalog = described(name).get("catalog")
    return Compiler(client, read_catalog(catalog) if catalog else None, described(name).get("index"))
