"""Dialogues over every data set: a turn is read as it is meant, or declined; hardly any is read as something else."""

from collections import Counter
from collections.abc import Callable

import pytest

from qlc.translator.entry import Asker
from tests.amounts import some

from .dialogues import HERE, NOW, judged

FEWEST_RIGHT = 0.8
MOST_WRONG = 0.02


@pytest.mark.parametrize("data", NOW)
def test_turns_mean_what_they_are_meant_to(asker: Callable[[str], Asker], data: str) -> None:
    paths = sorted(HERE.glob(f"*/{data}.txt"))
    assert paths
    verdicts = [one for path in paths for one in judged(asker(data), path, data, some(3, 1))]
    counts = Counter(one.verdict for one in verdicts)
    told = "\n".join(f"{one.verdict}: {one.text} -> {one.program}" for one in verdicts if one.verdict != "right")
    assert counts["right"] >= FEWEST_RIGHT * len(verdicts), told
    assert counts["wrong"] <= max(1, MOST_WRONG * len(verdicts)), told
