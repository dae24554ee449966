"""Fixtures for all tests, and what tests tell at the end of a run."""

import gc
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from qlc.cli import meter
from qlc.corpus import work
from qlc.models.permission import SWITCH
from tests import data_sets, reading, scheduling

pytest_plugins = ["tests.servers.fixtures", "tests.handed"]

TESTS = Path(__file__).parent
SLOW_FOLDERS = frozenset(
    {
        *("conformance", "differential", "faults", "reference", "fuzz", "questions", "servers", "packaging"),
        *("evaluation", "confidential"),
    }
)
"""Folders that `make check` leaves out and `make test` runs: suites of thousands of cases, or with their own
servers."""
SLOW_FILES = frozenset(
    re.findall(
        r"\S+",
        """
    answers/model/test_resuming.py
    answers/test_design_cases.py answers/test_hints.py answers/test_replaying.py cli/test_chat.py cli/test_commands.py
    cli/test_corpus.py cli/test_eval.py cli/test_processes.py cli/test_replay.py cli/test_terminal.py
    conversation/test_damage.py conversation/test_many.py conversation/test_stores.py corpus/test_adding.py
    corpus/test_asynchronous.py corpus/test_drafted_names.py corpus/test_hostile_files.py corpus/test_ocr.py
    corpus/test_passages.py corpus/test_server.py corpus/test_work.py
    corpus/test_writing.py docs/test_names.py docs/test_readme.py docs/test_site.py engine/test_best.py
    engine/test_durability.py engine/test_full_disk.py engine/test_kill_points.py engine/test_limits.py
    engine/test_readers.py engine/test_vectors.py grammar/test_frozen.py grammar/test_properties.py
    mapping/test_draft.py mapping/test_fuzz.py
    mapping/test_shipped_catalogs.py mcp/test_docs.py model/test_prompt.py names/test_bounds.py names/test_drive.py
    pasted/test_asking.py pasted/test_fuzz.py pasted/test_mangled.py
    pasted/test_round_trip.py pasted/test_translating.py pipeline/test_async.py pipeline/test_limits.py
    pipeline/test_pages.py pipeline/test_prepare.py rows/test_against_oracle.py rows/test_drive.py
    rows/test_many_rows.py rows/test_requests.py rows/test_values.py service/test_corpus.py
    service/test_generated_client.py service/test_operation.py service/test_page.py service/test_serving.py
    telemetry/test_turns.py translator/follow_ups/test_any_words.py
    translator/follow_ups/test_dialogues.py translator/follow_ups/test_talks.py translator/test_bounds.py
    translator/test_entry.py translator/test_properties.py translator/test_rules_drive.py values/test_numbers.py
    values/test_part_hours.py mcp/test_transports.py
    """,
    )
)
"""Files that take more than five seconds of a core. Those on access and on orders in documents run all day, though."""

meter.EVERY = float("inf")  # what a slow machine takes is not printed into the output of commands

# Processes that tests start import nothing from the folder that they are started in, but from this checkout.
os.environ["PYTHONSAFEPATH"] = "1"
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(TESTS.parent), os.environ.get("PYTHONPATH")]))

# No test reaches a real model, whatever keys there are in the environment.
os.environ[SWITCH] = "1"
os.environ["QLC_PROGRESS"] = "off"  # a slow machine would add lines to what commands print
# Nor any server outside: the certificates of the machine, which each client of a model reads, are one that is short.
os.environ["SSL_CERT_FILE"] = str(TESTS / "faults/tls/nobody.pem")

# The same examples in each run of the suite; `HYPOTHESIS_PROFILE=search` draws new ones.
settings.register_profile("suite", derandomize=True, deadline=None, database=None, print_blob=True)
settings.register_profile("search", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "suite"))


@pytest.fixture(scope="session", autouse=True)
def data_sets_on_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """In one place for all processes of a run."""
    base = tmp_path_factory.getbasetemp()
    folders = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "data_sets"
    folders.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data_sets, "folders", folders)
        yield


@pytest.fixture(scope="session", autouse=True)
def files_are_read_here() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(work, "Process", reading.Here)
        yield


@pytest.fixture
def files_are_read_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """In processes of their own, as where no test runs."""
    monkeypatch.setattr(work, "Process", reading.APART)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what takes long (`make check`)")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return True if config.getoption("--quick") and is_slow(collection_path) else None


def is_slow(path: Path) -> bool:
    place = path.relative_to(TESTS).as_posix() if path.is_relative_to(TESTS) else ""
    return place in SLOW_FILES or place in SLOW_FOLDERS or place.partition("/")[0] in SLOW_FOLDERS


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: scheduling.rank(item.nodeid, is_slow(item.path)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> scheduling.Scheduling:
    return scheduling.Scheduling(config, log)


# What is collected is all kept: to look through it for garbage takes a fifth of the time.
gc.disable()


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection, which would disturb tests that measure time.

    The collector also runs a tenth as often as usual: it takes a tenth of the whole time.
    """
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what tests recorded under the property `told`."""
    reports = [report for some in terminalreporter.stats.values() for report in some]
    properties = [pair for report in reports for pair in getattr(report, "user_properties", ())]
    for line in dict.fromkeys(value for name, value in properties if name == "told"):
        terminalreporter.write_line(str(line))
