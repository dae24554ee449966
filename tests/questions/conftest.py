"""The data sets of the questions, loaded once."""

import pytest

from .make_gold.engine import Engine


@pytest.fixture(scope="session")
def engine() -> Engine:
    return Engine()
