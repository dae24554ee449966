"""Contradictions, conditions that are always true and reversed ranges are found before a run, without false alarms."""

import sys

import pytest

from qlc.compiler.consistency import inconsistencies

from .world import drive


def test_a_large_condition_is_left_alone() -> None:
    parts = " and ".join(f"(size = {n} or pages = {n})" for n in range(40))
    assert drive().codes(f"find documents where {parts}") in ([], ["contradiction"])


@pytest.mark.parametrize(
    ("each", "joint"),
    [("size = {}", " or "), ('name != "a{}"', " and "), ('not shares[who = "x{}"]', " and "),
     ('not (size = {} and pages = 2)', " or ")],
)  # fmt: skip
def test_the_work_grows_with_the_condition_and_not_with_its_square(each: str, joint: str) -> None:
    def calls(parts: int) -> int:
        source = f"find documents where {joint.join(each.format(n) for n in range(parts))}"
        checked, env = drive().compiled(source)[0], drive().compiler.environment({"now": drive().now})
        made = 0

        def count(frame: object, event: str, argument: object) -> None:
            nonlocal made
            made += event == "call"

        sys.setprofile(count)
        try:
            inconsistencies(checked, env)
        finally:
            sys.setprofile(None)
        return made

    calls(10)  # imports
    assert calls(400) < 5 * calls(100)
