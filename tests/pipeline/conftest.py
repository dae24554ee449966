"""A small shared index behind a line that is listened to, and the sample store."""

import math
from collections.abc import Iterator

import pytest

from qlc import catalogs
from qlc.mapping.catalog import read_catalog
from qlc.pipeline.compiler import Compiler
from qlc.resolver.driver import CircuitBreaker
from tests import data_sets
from tests.pipeline import world
from tests.pipeline.wire import Wire


def never_open() -> CircuitBreaker:
    """Tests fail on purpose, one after the other."""
    return CircuitBreaker(failures=math.inf)


@pytest.fixture(scope="session")
def wire() -> Iterator[Wire]:
    made = Wire()
    with made.client() as client:
        world.load(client)
        made.calls.clear()
        yield made


@pytest.fixture(scope="module")
def compiler(wire: Wire) -> Iterator[Compiler]:
    """One compiler for a module, so that its caches are shared by everything in it."""
    with wire.client() as client:
        yield Compiler(client, read_catalog(world.CATALOG), breaker=never_open())


@pytest.fixture
def fresh(wire: Wire) -> Iterator[Compiler]:
    """A compiler that has seen nothing."""
    with wire.client() as client:
        yield Compiler(client, read_catalog(world.CATALOG), breaker=never_open())


@pytest.fixture(scope="session")
def store() -> Iterator[tuple[Wire, Compiler]]:
    """The sample document store."""
    made = Wire(data_sets.lines("drive"))
    with made.client() as client:
        yield made, Compiler(client, catalogs.path("drive"))
