"""A short run over spoiled answers: `python -m tests.fuzz.answers --count N --seed S` runs as long as wanted."""

import pytest

from tests.fuzz.answers import fuzz


def test_answers_that_are_wrong_somewhere_end_in_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("qlc.resolver.driver.FIRST_PAUSE", 0.0001)
    report = fuzz(400, seed=20_261_124)
    assert report.found == {}
    assert report.changed > 400
    assert report.ends["failed garbled"] > 10
