"""A short run of the mutated requests: `python -m tests.fuzz.requests --count N --seed S` runs as long as wanted."""

from tests.fuzz.requests import fuzz


def test_requests_that_are_wrong_somewhere_are_refused() -> None:
    report = fuzz(800, seed=20_261_124)
    assert report.found == {}
    assert report.statuses[200] > 40
    assert report.statuses[400] > 400
