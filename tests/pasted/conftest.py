"""The shared index of two tenants behind a line that is listened to, and the sample store."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from qlc.mapping.catalog import read_catalog
from qlc.outcome import Hits, Outcome
from qlc.pasted.entry import run_pasted
from qlc.pipeline.compiler import Compiler
from tests import data_sets
from tests.pipeline import world
from tests.pipeline.conftest import never_open, wire
from tests.pipeline.wire import Wire

__all__ = ["wire"]

NOW = "2026-03-15T12:00:00Z"

# places of the sample store's fields
C = "commonAttributes"
S = "systemAttributes"
TYPE = f"{C}.documentType.keyword"


def run(compiler: Compiler, request: Any, **options: Any) -> tuple[Outcome, ...]:
    text = request if isinstance(request, str) else json.dumps(request)
    return run_pasted(text, compiler, **{"now": NOW, **options})


def hits(compiler: Compiler, request: Any, **options: Any) -> Hits:
    (found,) = run(compiler, request, **options)
    assert isinstance(found, Hits), found
    return found


@pytest.fixture(scope="session")
def tenants(wire: Wire) -> Iterator[Compiler]:
    with wire.client() as client:
        yield Compiler(client, read_catalog(world.CATALOG), breaker=never_open())


@pytest.fixture(scope="session")
def store() -> Compiler:
    return data_sets.drive()
