"""A short run at each door: `python -m tests.fuzz.doors DOOR --count N` runs as long as wanted."""

from __future__ import annotations

import pytest

from tests.fuzz.doors import fuzz

COUNTS = [("cursors", 400), ("tokens", 150), ("words", 80), ("histories", 40), ("lines", 8)]


@pytest.mark.parametrize(("door", "count"), COUNTS)
def test_whatever_comes_in_an_outcome_comes_out_in_time(door: str, count: int) -> None:
    found = fuzz(door, count, seed=20_261_124)
    assert found.findings == []
    assert sum(found.kinds.values()) >= count
