"""A short run of the mutated requests: `python -m tests.fuzz.requests --count N --seed S` runs as long as wanted."""

from __future__ import annotations

import random

from tests.fuzz.requests import Requests, fuzz


def test_requests_that_are_wrong_somewhere_are_refused() -> None:
    report = fuzz(800, seed=20_261_124)
    assert report.found == {}
    assert report.statuses[200] > 40
    assert report.statuses[400] > 400


def test_the_same_seed_draws_the_same_requests() -> None:
    def some() -> list[object]:
        requests = Requests(random.Random(7))
        drawn = []
        for _ in range(30):
            _, request = requests.case()
            drawn.append(requests.spoil(request.method, request.path, request.body))
        return drawn

    assert some() == some()
