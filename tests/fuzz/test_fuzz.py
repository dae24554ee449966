"""A short run of the fuzz target: `make soak` runs 20,000 programs, `python -m tests.fuzz` as many as wanted."""


import pytest

from tests.fuzz.target import Target, fuzz, small_store

COUNT = 300


@pytest.fixture(scope="module")
def target() -> Target:
    return Target(small_store())


def test_random_programs_end_in_typed_outcomes(target: Target) -> None:
    report = fuzz(target, COUNT, seed=20_260_315)
    assert report.found == {}
    assert report.count == COUNT
    assert report.compiled > COUNT / 3
    assert len(report.kinds) >= 6


def test_random_programs_compile_or_say_what_is_wrong(target: Target) -> None:
    report = fuzz(Target(target.compiler, runs=False), 150, 20_261_121)
    assert not report.found
    assert report.compiled > 30
