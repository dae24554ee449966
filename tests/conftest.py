"""Fixtures for all tests, and what tests tell at the end of a run."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from qlc.translator.model.permission import SWITCH
from tests import handed

pytest_plugins = ["tests.servers.fixtures"]

# No test reaches a real model, whatever keys there are in the environment.
os.environ[SWITCH] = "1"

# The same examples in each run of the suite; `HYPOTHESIS_PROFILE=search` draws new ones.
settings.register_profile("suite", derandomize=True, deadline=None, database=None, print_blob=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


@pytest.fixture(scope="session", autouse=True)
def answers_as_objects() -> Iterator[handed.Watch]:
    """Every answer that the engine hands over as objects, in whatever test, is looked at."""
    with pytest.MonkeyPatch.context() as patch:
        yield from handed.watched(patch)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what tests recorded under the property `told`."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    properties = [pair for report in reports for pair in getattr(report, "user_properties", ())]
    for line in dict.fromkeys(value for name, value in properties if name == "told"):
        terminalreporter.write_line(str(line))
