"""Properties of parser and printer over generated programs."""

import os
import random
import re
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from qlc.base.diagnostics import Span
from qlc.grammar import SyntaxProblem, complete, format_source, parse, print_program, tree
from qlc.grammar.formatting import laid_out

from .strategies import programs

EXAMPLES = int(os.environ.get("QLC_EXAMPLES", "50"))
"""Programs per property; a long run: `QLC_EXAMPLES=5000 pytest tests/grammar/test_properties.py`."""

generated = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@generated
@given(programs())
def test_printed_program_is_one_line_and_parses_to_the_same_tree(program: tree.Program) -> None:
    text = print_program(program)
    assert parse(text) == program
    assert "\n" not in text


@generated
@given(programs(), st.integers(20, 120))
def test_line_breaks_are_white_space(program: tree.Program, width: int) -> None:
    assert parse(laid_out(program, width)) == program


@generated
@given(programs(), st.randoms(use_true_random=False))
def test_formatting_keeps_comments_and_changes_nothing_twice(program: tree.Program, chance: random.Random) -> None:
    source = with_comments(print_program(program), chance)
    formatted = format_source(source, 60)
    assert parse(formatted) == program
    assert sorted(texts(parse(formatted))) == sorted(texts(parse(source)))
    assert format_source(formatted, 60) == formatted


def texts(program: tree.Program) -> list[str]:
    return [comment.text for comment in program.comments]


def with_comments(source: str, chance: random.Random) -> str:
    """Comments behind some tokens, on the same line or on one of their own."""
    text = ""
    place = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|`[^`]*`| (?=[a-z])', source):
        if match[0] == " " and chance.random() < 0.2:
            text += source[place : match.start()]
            text += chance.choice([f" -- c{len(text)}\n", f"\n  -- c{len(text)}\n", "\n", "\t  "])
            place = match.end()
    return text + source[place:]


@generated
@given(programs())
def test_spans_lie_inside_each_other_and_the_source(program: tree.Program) -> None:
    source = print_program(program)
    check_spans(parse(source), Span(0, len(source)))


def check_spans(node: Any, outer: Span) -> None:
    assert outer.start <= node.span.start < node.span.end <= outer.end
    for item in fields(node):
        if item.name == "comments":
            continue  # they stand beside the tree
        value = getattr(node, item.name)
        for child in value if isinstance(value, tuple) and item.name != "span" else (value,):
            if isinstance(child, tree.Node):
                check_spans(child, node.span)


def check_any_text(source: str) -> None:
    """It parses, or there is one diagnostic with a span inside the text and a fix that parses."""
    try:
        program = parse(source)
    except SyntaxProblem as problem:
        found = problem.diagnostic
        assert re.fullmatch("[a-z]+(-[a-z]+)*", found.code)
        assert found.message
        assert 0 <= found.span.start <= found.span.end <= len(source) + 1
        if found.fixed is not None:
            assert found.fixed != source
            parse(found.fixed)
    else:
        assert parse(print_program(program)) == program


@generated
@given(programs(), st.data())
def test_a_broken_program_has_one_diagnostic(program: tree.Program, data: st.DataObject) -> None:
    source = print_program(program)
    start = data.draw(st.integers(0, len(source)))
    end = data.draw(st.integers(start, min(len(source), start + 12)))
    between = data.draw(
        st.sampled_from(
            ['"', *["", "", "and", "(", ")", "]", ",", "'", "`", "not", "5", "$x", ".", "=", "--", "ago", "\n"]]
        )
    )
    check_any_text(source[:start] + between + source[end:])


@generated
@given(st.text(max_size=40) | st.text("find couwhr()[]\"'`.,$-=<>0123456789 \n", max_size=60))
def test_any_text_parses_or_is_explained(source: str) -> None:
    check_any_text(source)


@generated
@given(programs(), st.data())
def test_completion_answers_at_every_place(program: tree.Program, data: st.DataObject) -> None:
    source = print_program(program)
    cursor = data.draw(st.integers(0, len(source)))
    found = complete(source, cursor)
    assert 0 <= found.start <= cursor
    assert source[found.start : cursor].removeprefix(found.quote) == found.word


@pytest.mark.parametrize("character", ["\ud800", "\x00", "\u2028", "\ufeff", "٣", "²", "ⅳ", "́", "𝔸"])
def test_odd_characters_anywhere(character: str) -> None:
    check_any_text(character)
    check_any_text(f"find {character}")
    check_any_text(f"find a where {character}b = {character}1")
    check_any_text(f'find a where b = "{character}"')
