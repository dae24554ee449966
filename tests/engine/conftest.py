"""Engines under test: in memory, and a folder with something in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from qlc_engine import Engine
from tests.engine.asked import Asked
from tests.engine.stored import MAPPING, abandon, document


@pytest.fixture
def asked() -> Iterator[Asked]:
    with Engine.open(None) as engine:
        yield Asked(engine)


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A folder with a saved segment of 50 documents and 5 that came after."""
    path = str(tmp_path / "data")
    engine = Engine.open(path)
    asked = Asked(engine)
    asked.ok("PUT", "/i", MAPPING)
    asked.put("i", {str(number): document(number) for number in range(50)})
    asked.ok("POST", "/i/_flush")
    asked.put("i", {str(number): document(number) for number in range(50, 55)})
    abandon(engine)
    return path
