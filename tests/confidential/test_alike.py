"""Two stores that differ only in what a caller may not see answer everything alike; `python -m tests.confidential` asks
as much as one likes."""

from __future__ import annotations

import pytest

from tests.confidential.running import compare

SEED, PAIRS, INPUTS = 20261124, 12, 25


@pytest.mark.parametrize("seed", range(SEED, SEED + PAIRS))
def test_nothing_tells_the_stores_apart(seed: int) -> None:
    found = compare(seed, INPUTS)
    assert found.differences == []
    assert sum(found.kinds.values()) == INPUTS
