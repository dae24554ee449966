"""Syntax errors: each code with a text that has it, and what a diagnostic promises."""

import re
import time
from pathlib import Path

import pytest

import qlc.grammar
from qlc.base.diagnostics import Diagnostic, Span, render
from qlc.grammar import parse
from tests.docs.wrong import CODES, SYNTAX, Wrong

from .reading import problem


@pytest.mark.parametrize("one", SYNTAX, ids=lambda one: f"{one.code}: {one.written[:40]}")
def test_what_is_wrong_has_its_code_and_its_fix(one: Wrong) -> None:
    found = problem(one.written)
    assert (found.code, found.fixed) == (one.code, one.text)
    parse(one.right)


def test_every_code_has_an_example() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(qlc.grammar.__file__).parent.glob("*.py")]
    written = {text for source in sources for text in re.findall(r'"([a-z]+(?:-[a-z]+)*)"', source)}
    assert set(CODES) <= written
    assert {text for text in written if "-" in text} <= set(CODES)


def test_rendered() -> None:
    source = 'find documents\nwhere type "W2"'
    assert render(problem(source), source) == (
        'error[missing-operator]: an operator is missing before "W2"\n'
        '  2 | where type "W2"\n'
        "    |            ^^^^ write '=' before it; texts also have 'contains', lists 'has', dates 'in'"
    )


@pytest.mark.parametrize("piece", ["not ", "(", "a[", "a in (find b where ", "a = (count c where "])
def test_nesting_has_a_limit(piece: str) -> None:
    assert problem("find a where " + piece * 5000).code == "too-deep"
    parse("find a where " + "not (" * 20 + "b" + ")" * 20)


@pytest.mark.parametrize(
    "source",
    [
        "find a where b in [" + "1, " * 19_000 + "1]",
        "find a where b = " + '"' + "x" * 450_000 + '"',
        "find a where " + "b = 1 or " * 900 + "c = 2",
    ],
    ids=["list", "string", "or"],
)
def test_long_programs_are_read_in_linear_time(source: str) -> None:
    start = time.thread_time()
    parse(source)
    assert time.thread_time() - start < 3


@pytest.mark.parametrize(
    "source",
    [
        "find a where b = " + '"' * 20_001, "find a where " + "(" * 20_001, "x " * 20_000,
        "find a where " + "b = 1 " * 9_000, "find a where b = " + "x" * 100_000 + '"',
        "find a where about" + " " * 100_000 + "x x", "find a where b" + " " * 100_000 + "&&",
        "find a where b = 1 " + " and c" * 3_000 + ' "',
    ],
)
def test_long_texts_that_are_no_programs_are_refused_soon(source: str) -> None:
    start = time.thread_time()
    problem(source)
    assert time.thread_time() - start < 3


def test_an_error_costs_about_a_parse() -> None:
    """With all its hints tried; the prototype took half a millisecond without them."""
    source = (
        'find documents where type = "Invoice" and size > 5 MB and folder under "Projects" and created >= 2024 an x'
    )
    start = time.thread_time()
    for _ in range(20):
        problem(source)
    assert (time.thread_time() - start) / 20 < 0.1


def test_a_fix_is_not_certain_where_not_every_choice_was_tried() -> None:
    """Each place for the missing bracket of a long text takes a reading of all of it."""
    short = "find a where (b = 1 or c = 2 and d = 3"
    long = f"{short} and " + " and ".join(f'name{n} = "{"x" * 100}"' for n in range(140))
    assert problem(short).code == problem(long).code == "missing-bracket"
    assert problem(long).fixed is None


def test_labels_in_labels_are_no_recursion() -> None:
    for text in ("find: " * 300, "`" * 300 + "find a", '"' * 300, "```x\nfind a```" * 2, "please " * 400 + "find a"):
        problem(text)


def test_of_a_long_line_the_part_around_the_place_is_shown() -> None:
    source = "x" * 5_000 + " here " + "y" * 5_000
    told = render(Diagnostic("code", "it is wrong", Span(5_001, 5_005), "fix it"), source)
    _, line, carets = told.split("\n")
    assert line.startswith("  1 | …xxx")
    assert line.endswith("yyy…")
    assert len(line) < 300
    at = carets.index("^")
    assert line[at : at + carets.count("^")] == "here"
    whole = render(Diagnostic("code", "it is wrong", Span(0, 10_006), ""), source)
    assert max(map(len, whole.split("\n"))) < 500
