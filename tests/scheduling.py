"""Which process runs which tests, and in which order."""

from __future__ import annotations

import re
from typing import Any

from xdist.scheduler import LoadFileScheduling

ON_SERVERS = re.compile(
    r"tests/(conformance|differential|faults|names|rows|servers|values)/|tests/corpus/test_(endpoint|server)\.py"
    r"|tests/engine/test_agg_conformance\.py|tests/mapping/test_live\.py"
    r"|tests/pipeline/test_misuse\.py|tests/pasted/test_round_trip\.py"
)
"""Tests before a real Elasticsearch, of which each process has its own; and those that draw programs as one of them."""


class Scheduling(LoadFileScheduling):
    """The tests of a file in one process, so that what they share is made once; those on real servers all in one."""

    def _split_scope(self, nodeid: str) -> str:
        file: str = super()._split_scope(nodeid)
        return "on servers" if ON_SERVERS.match(file) else file


def rank(nodeid: str, is_slow: bool) -> Any:
    """What takes longest begins first, so that no process is left alone with it at the end."""
    return not ON_SERVERS.match(nodeid), not is_slow
