"""The data sets in the engine under test: each is loaded once in a run, by the test that asks first.

All tests share them, so none writes to them. What counts requests has a client of its own, and what changes what is
stored a copy of the folder.
"""

import fcntl
from functools import cache
from pathlib import Path
from typing import Any

from elasticsearch import Elasticsearch

import qlc
from qlc import catalogs
from qlc.translator.entry import Asker
from qlc_engine import Engine
from tests import engines
from tests.reference import model

folders: Path | None = None
"""Folder of the data sets, shared by all processes of a run. Scripts have none: they load the data into memory."""


def stored(data: str) -> Path:
    """The folder of an embedded engine that has a data set: to be read, or copied."""
    assert folders is not None
    folder, aside = folders / data, folders / f"{data}.aside"
    with (folders / f"{data}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            with qlc.connect(aside) as loading:
                model.load(loading, data)
            aside.rename(folder)
    return folder


@cache
def lines(data: str) -> tuple[str, Any, Any]:
    """As `engines.lines`, of an engine that has this data set."""
    if engines.IS_EMBEDDED and folders is not None:
        return engines.lines(Engine.open(str(stored(data)), read_only=True))
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
