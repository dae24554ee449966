"""Patterns of ids: what they fit, what is not taken, and that a text that is made up costs no more than another."""

import gc
import re
import time

import pytest
from hypothesis import given

from qlc.mapping.id_pattern import id_pattern
from tests.patterns import PATTERNS, TEXTS


@given(PATTERNS, TEXTS)
def test_it_fits_what_re_fits(pattern: str, text: str) -> None:
    assert id_pattern(pattern).fullmatch(text) == bool(re.fullmatch(pattern, text))
    assert id_pattern(pattern, any_case=True).fullmatch(text.upper()) == bool(
        re.fullmatch(pattern, text.upper(), re.IGNORECASE)
    )


def test_the_longest_id_at_a_place() -> None:
    assert id_pattern("[A-Z]+-[0-9]{1,3}").match("see MC-0514", 4) == 10
    assert id_pattern("[A-Z]+-[0-9]{1,3}").match("see MC-0514", 0) is None
    assert id_pattern("a*").match("b", 0) == 0


@pytest.mark.parametrize("pattern", ["^T-[0-9]+$", r"[\]a]+", "[]a]+", "(?:ab)+?", r"a\$"])
def test_what_else_is_taken(pattern: str) -> None:
    for text in ("T-15", "]a", "abab", "a$", "T-15\n"):
        assert id_pattern(pattern).fullmatch(text) == bool(re.fullmatch(pattern, text))


@pytest.mark.parametrize("pattern", [
    "(?=a)b", "a++", "(a", "a)", "*a", r"\bx", "(?i)a", r"(a)\1", "a{1000000}", "(" * 500, "[a", "((a{100}){100}){100}",
])  # fmt: skip
def test_what_is_not_taken(pattern: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        id_pattern(pattern)


@pytest.mark.parametrize("pattern", ["([a-z0-9]+[-_.]?)+[0-9]", "(a*)*b", "a*a*a*a*a*b", "(a|aa)+", "(a?){300}a{300}"])
def test_no_text_takes_longer_than_it_is_long(pattern: str) -> None:
    gc.disable()  # a collection of what other tests left would be counted too
    try:
        began = time.thread_time()
        assert not id_pattern(pattern).fullmatch("a" * 20_000 + "!")
        assert time.thread_time() - began < 1
    finally:
        gc.enable()
