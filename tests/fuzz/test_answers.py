"""A short run over spoiled answers: `python -m tests.fuzz.answers --count N --seed S` runs as long as wanted."""

import pytest

from tests.amounts import some
from tests.fuzz.answers import fuzz

COUNT = some(150, 4_000)


def test_answers_that_are_wrong_somewhere_end_in_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qlc.resolver.driver.FIRST_PAUSE", 0.0001)
    report = fuzz(COUNT, seed=20_261_124)
    assert report.found == {}
    assert report.changed > COUNT
    assert report.ends["failed garbled"] > COUNT / 40
