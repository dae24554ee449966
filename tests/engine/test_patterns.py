"""Regular expressions and wildcards of a caller: what they fit, and that none takes longer than the terms are long."""

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qlc_engine.errors import EngineError
from qlc_engine.lucene_regexp import compile_regexp
from qlc_engine.queries.by_type import wildcard_pattern
from tests.patterns import PATTERNS, TEXTS


@given(PATTERNS, TEXTS)
def test_a_regexp_fits_what_re_fits(pattern: str, text: str) -> None:
    assert compile_regexp(pattern).fullmatch(text) == bool(re.fullmatch(pattern, text))


@pytest.mark.parametrize(("pattern", "fits", "others"), [
    ("ab&.b", ["ab"], ["bb", "a"]), ("a~(b)", ["a", "abb", "ac"], ["ab", "b"]), ("~(a)", ["", "b", "aa"], ["a"]),
    ("@", ["", "x\n"], []), ("#", [], ["", "#"]), ("<1-12>", ["5", "012"], ["13", ""]), ("<01-12>", ["05"], ["5"]),
    ('"a*"b', ["a*b"], ["aab"]), ("a|b&c", ["a"], ["b", "c"]), (r"[\d-]x", ["1x", "-x"], ["ax"]), (".", ["\n"], [""]),
])  # fmt: skip
def test_operators_of_lucene(pattern: str, fits: list[str], others: list[str]) -> None:
    compiled = compile_regexp(pattern)
    assert [text for text in (*fits, *others) if compiled.fullmatch(text)] == fits


def test_case_is_folded_for_ascii() -> None:
    compiled = compile_regexp("Ab[c-d]", case_insensitive=True)
    assert [compiled.fullmatch(text) for text in ("aBc", "abC")] == [True, False]


@pytest.mark.parametrize("pattern", ["(a*)*b", "(a|aa)+b", ".*a.*a.*a.*a.*b", "(a?){200}a{200}b"])
def test_no_term_takes_longer_than_it_is_long(pattern: str) -> None:
    began = time.thread_time()
    assert not compile_regexp(pattern).fullmatch("a" * 10_000)
    assert time.thread_time() - began < 1


@pytest.mark.parametrize("pattern", [
    "((a{1000}){1000}){9}", "(){1000}{1000}{1000}", "(" * 500, "a" + "*" * 900, "a{99999999999}", "a(b&c)", "(a~b)",
    "a~bc",
])  # fmt: skip
def test_too_much_is_refused_at_once(pattern: str) -> None:
    began = time.thread_time()
    with pytest.raises(EngineError):
        compile_regexp(pattern)
    assert time.thread_time() - began < 15


@given(st.text("ab*?é", min_size=1, max_size=7), st.text("abé日", max_size=7))
def test_a_wildcard_fits_what_it_says(pattern: str, text: str) -> None:
    compiled, literal = wildcard_pattern(pattern, folded=False)
    found = literal in text.encode() if compiled is None else compiled.fullmatch(text.encode()) is not None
    said = "".join({"*": ".*", "?": "."}.get(one, one) for one in pattern)
    assert found == bool(re.fullmatch(said, text, re.DOTALL))


def test_stars_take_no_power_of_their_number() -> None:
    compiled, _ = wildcard_pattern("*a" * 200 + "*b", folded=False)
    began = time.thread_time()
    assert not compiled.fullmatch(b"a" * 32_000)
    assert time.thread_time() - began < 1
