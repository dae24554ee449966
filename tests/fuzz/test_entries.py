"""A short run at each entry point: `python -m tests.fuzz.entries ENTRY --count N` runs as long as wanted."""

import pytest

from tests.fuzz.entries import fuzz

COUNTS = [("cursors", 150), ("tokens", 60), ("words", 15), ("histories", 8), ("lines", 4)]


@pytest.mark.parametrize(("entry", "count"), COUNTS)
def test_whatever_comes_in_an_outcome_comes_out_in_time(entry: str, count: int) -> None:
    found = fuzz(entry, count, seed=20_261_124)
    assert found.findings == []
    assert sum(found.kinds.values()) >= count
