"""A short run of the fuzz target: `make soak` runs 20,000 programs, `python -m tests.fuzz` as many as wanted."""

import logging
import random

import pytest

from tests.fuzz.programs import TOKEN
from tests.fuzz.running import remembered
from tests.fuzz.target import Broken, Target, fuzz, minimal, seeds, small_store

COUNT = 600


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
    report = fuzz(Target(target.compiler, runs=False), 300, 20_261_121)
    assert not report.found
    assert report.compiled > 60


def test_tokens_are_the_whole_program() -> None:
    for program in seeds():
        assert "".join(TOKEN.findall(program)) == program


def test_a_finding_is_made_small(target: Target) -> None:
    class Picky(Target):
        def check(self, program: str, random_: random.Random) -> str:
            if "size" in program:
                raise Broken("size")
            return "hits"

    program = 'find documents where type = "W2" and size > 5 MB sort created desc limit 3'
    assert minimal(Picky(target.compiler), program, "size") == "size"


def test_what_is_logged_without_a_trace_is_remembered_by_its_words() -> None:
    log = logging.getLogger("qlc.prepared")
    with remembered() as errors:
        log.warning("%s: %s", "1a2b", "the deadline has passed", exc_info=False)
    assert errors.text == "the deadline has passed"
