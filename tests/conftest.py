"""Fixtures for all tests, and what tests tell at the end of a run."""

import gc
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from qlc.translator.model.permission import SWITCH
from tests import handed

pytest_plugins = ["tests.servers.fixtures"]

TESTS = Path(__file__).parent
SLOW_FOLDERS = frozenset(
    {
        *("conformance", "differential", "faults", "reference", "fuzz", "questions", "servers", "packaging"),
        *("evaluation", "confidential"),
    }
)
"""Of what `make check` leaves out, and `make test` runs: suites of thousands of cases, or with servers of their own."""
SLOW_FILES = frozenset(
    re.findall(
        r"\S+",
        """
    cli/test_chat.py cli/test_commands.py cli/test_corpus.py cli/test_processes.py cli/test_terminal.py
    conversation/test_damage.py corpus/test_adding.py corpus/test_ocr.py corpus/test_server.py corpus/test_work.py
    conversation/test_many.py conversation/test_stores.py docs/test_names.py docs/test_readme.py
    engine/test_best.py engine/test_durability.py engine/test_kill_points.py engine/test_limits.py
    names/test_bounds.py names/test_drive.py names/test_tenants.py pasted/test_round_trip.py
    pasted/test_translating.py pipeline/test_async.py pipeline/test_limits.py pipeline/test_pages.py
    rows/test_against_oracle.py rows/test_drive.py rows/test_many_rows.py rows/test_requests.py
    rows/test_values.py translator/follow_ups/test_dialogues.py translator/test_bounds.py
    translator/test_entry.py translator/test_properties.py translator/test_rules_drive.py values/test_numbers.py
    values/test_part_hours.py
    """,
    )
)
"""Files that took more than ten seconds in a run of all tests on two cores."""

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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what takes long (`make check`)")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if not config.getoption("--quick") or not collection_path.is_relative_to(TESTS):
        return None
    place = collection_path.relative_to(TESTS)
    return True if place.as_posix() in SLOW_FILES | SLOW_FOLDERS else None


def pytest_collection_finish() -> None:
    """What was collected stays to the end. The garbage collector need not go through it again and again, in the middle
    of a test that measures time."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what tests recorded under the property `told`."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    properties = [pair for report in reports for pair in getattr(report, "user_properties", ())]
    for line in dict.fromkeys(value for name, value in properties if name == "told"):
        terminalreporter.write_line(str(line))
