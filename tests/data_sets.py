"""The data sets in the engine under test: each is loaded once in a process, by the test that asks first.

All tests share them, so none writes to them. What counts requests, or changes what is stored, has a client of its own.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from elasticsearch import Elasticsearch

import qlc
from qlc import catalogs
from qlc.translator.entry import Asker
from tests import engines
from tests.reference import model


@cache
def lines(data: str) -> tuple[str, Any, Any]:
    """As `engines.lines`, of an engine that has this data set."""
    made = engines.lines()
    with Elasticsearch(made[0], node_class=made[1], request_timeout=60) as loading:
        model.load(loading, data)
    return made


@cache
def client(data: str) -> Elasticsearch:
    url, node, _ = lines(data)
    return Elasticsearch(url, node_class=node, request_timeout=60)


@cache
def asker(data: str, catalog: str | None = None) -> Asker:
    """A data set behind the translators; without a catalog its index alone is known."""
    return Asker(qlc.Compiler(client(data), catalog, index=None if catalog else model.index_of(data), draft=False))


@cache
def drive() -> qlc.Compiler:
    """The document store with the catalog that ships with it."""
    return qlc.Compiler(client("drive"), catalogs.path("drive"))
