"""Distributes the tests over processes, and orders them."""

import re
from typing import Any

from xdist.scheduler import LoadFileScheduling

ON_SERVERS = re.compile(
    r"tests/(conformance|differential|faults|names|rows|servers|values)/|tests/corpus/test_(endpoint|server)\.py"
    r"|tests/engine/test_agg_conformance\.py|tests/mapping/test_live\.py"
    r"|tests/pipeline/test_misuse\.py|tests/pasted/test_round_trip\.py"
)
"""Tests with a real Elasticsearch, which each process would start anew, and tests that draw programs as one of them
does."""


class Scheduling(LoadFileScheduling):
    """Runs the tests of a file in one process, so that they share fixtures; all tests with real servers run in one
    process."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "on servers" if ON_SERVERS.match(file) else file


def rank(nodeid: str, is_slow: bool) -> Any:
    """Return the sort key of a test: slow tests begin first, so that no process is left alone with one at the end."""
    return not ON_SERVERS.match(nodeid), not is_slow
