"""Two stores that differ only in what a caller may not see answer everything alike; `python -m tests.confidential` asks
as much as one likes."""

import pytest

from tests.confidential.corpora import RULES
from tests.confidential.running import compare, compare_corpora

SEED, PAIRS, INPUTS = 20261124, 6, 25
CORPORA = range(len(RULES))
"""Seeds; each draws another rule."""


@pytest.mark.parametrize("seed", range(SEED, SEED + PAIRS))
def test_nothing_tells_the_stores_apart(seed: int) -> None:
    found = compare(seed, INPUTS)
    assert found.differences == []
    assert sum(found.kinds.values()) == INPUTS


@pytest.mark.parametrize("seed", CORPORA)
def test_nothing_tells_corpora_apart(seed: int) -> None:
    found = compare_corpora(seed, 6)
    assert found.differences == []
    assert len(found.kinds) == 6
