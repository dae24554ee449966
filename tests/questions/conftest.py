"""The data sets of the questions, loaded once."""

import pytest

from .engine import Engine


@pytest.fixture(scope="session")
def engine() -> Engine:
    return Engine()
