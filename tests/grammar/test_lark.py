"""The Lark grammar: no conflict that Lark settled in silence, a builder for each rule, words that are keywords."""

import logging
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from lark import Lark, logger

from qlc.base.deadline import until
from qlc.base.errors import RequestFailed
from qlc.grammar import parse
from qlc.grammar.build import BUILDERS
from qlc.grammar.lark_parser import GRAMMAR, built, parser, spellings
from qlc.grammar.reading import END, accepted_after, stopped_at
from qlc.grammar.tree import RESERVED

from .reading import problem


@contextmanager
def debug_log() -> Iterator[list[str]]:
    """Collect Lark's debug messages, which report shift/reduce conflicts that it settles by shifting."""
    messages: list[str] = []

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    level, handlers = logger.level, logger.handlers
    logger.setLevel(logging.DEBUG)
    logger.handlers = [Listener()]
    try:
        yield messages
    finally:
        logger.handlers = handlers
        logger.setLevel(level)


def conflicts(messages: list[str]) -> list[str]:
    return [message for message in messages if "conflict" in message.lower()]


def test_the_grammar_has_a_conflict() -> None:
    with debug_log() as messages:
        built(GRAMMAR.read_text(encoding="utf-8"))
    assert conflicts(messages) == []


def test_a_conflict_that_lark_settles_is_not_found() -> None:
    """`if a if b else c`: Lark shifts and only its debug log says so."""
    with debug_log() as messages:
        Lark('start: "if" start ("else" start)? | "x"', parser="lalr")
    assert conflicts(messages)


def test_a_rule_has_no_builder_or_a_builder_no_rule() -> None:
    """A rule of one child that stands for itself needs none."""
    called = {
        rule.alias or rule.origin.name
        for rule in parser().rules
        if not rule.origin.name.startswith("_")
        and (rule.alias or not rule.options.expand1 or len(rule.expansion) > 1)
    }
    assert called == set(BUILDERS)


def test_another_keyword_can_be_beside_a_name() -> None:
    """In these states a word is read as the keyword, and a name of that text needs back-quotes. Any other word that
    appears here would silently stop being a name."""
    looking_ahead = {terminal.name for terminal in parser().terminals if terminal.priority == 4}
    keywords = {word: uses for word, uses in spellings().items() if word.isidentifier()}
    free = {terminal for uses in keywords.values() for terminal in uses} - looking_ahead
    reserved = {terminal for word in RESERVED for terminal in keywords[word]}
    beside = {
        tuple(sorted(terminal for terminal in row if terminal in free - reserved)) for row in rows() if "NAME" in row
    }
    operators = ("BETWEEN", "CONTAINS", "DISJOINT", "ENDS", "ENDS_WITH", "EXISTS", "HAS", "IN", "INTERSECTS", "LIKE",
                 "MATCHES", "MENTIONS", "MISSING", "OVERLAPS", "STARTS", "STARTS_WITH", "UNDER", "WITHIN")  # fmt: skip
    assert beside == {
        (),
        ("AS", "OF"),  # count | of, count | as
        ("COUNT", "FIND"),  # let x = | find
        ("ALL", "ANY", "ONLY"),  # has | all, contains | any: after a field, and after `is` or `not`
        ("ANY", "PREFIX", "ROUGHLY"),  # matches | any: the same
        ("IN",),  # under | in: the same
        operators,  # is | in, is not | in: both other spellings
    }


def rows() -> list[Mapping[str, Any]]:
    table: Any = parser().parser.parser._parse_table
    return list(table.states.values())


@pytest.mark.parametrize(
    ("text", "kind", "accepted"),
    [
        ("find documents has", "NAME", {END, "WHERE", "LIMIT", "SORT"}),
        ("find documents where a and or b", "OR", {"NAME", "NOT", "LPAR"}),
        ("find documents limit 2024-01-05", "DATE", {"NUMBER"}),
        ("find documents where a = %", "UNIT", {"NAME", "STRING"}),
        ("find documents limit 5 m", "NAME", {"OFFSET", END}),
    ],
)
def test_a_token_in_the_wrong_place_has_another_kind(text: str, kind: str, accepted: set[str]) -> None:
    before, token = stopped_at(text)
    assert token.kind == kind
    assert accepted <= accepted_after(tuple(one.kind for one in before))


def test_a_sign_has_no_terminal() -> None:
    assert {spellings()[sign] for sign in ("<", "<=", ">", ">=")} == {("COMPARE",)}
    assert [spellings()[sign] for sign in ("<>", ",", "%", ".")] == [("UNEQUAL",), ("COMMA",), ("UNIT",), ("DOT",)]


@pytest.mark.parametrize("text", ["find a where b in [" + "1, " * 2_000 + "1]", "find a " + "-- x\n" * 2_000])
def test_a_long_text_is_read_after_the_deadline(text: str) -> None:
    with until(0.0), pytest.raises(RequestFailed, match="deadline"):
        parse(text)


def loaded_after(code: str) -> set[str]:
    printed = subprocess.run(
        [sys.executable, "-c", f"import sys; {code}; print('\\n', *sys.modules)"],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    return set(printed.stdout.split())


def test_a_program_is_parsed_without_lark_or_with_the_modules_of_errors() -> None:
    """Measured in a fresh process."""
    loaded = loaded_after("from qlc.grammar import parse; parse('find a where b = 1')")
    assert "lark" in loaded
    assert not {"fractions", "qlc.grammar.errors", "qlc.grammar.completion"} & loaded


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_what_needs_no_program_loads_lark_or_the_client(flag: str) -> None:
    started = f"from qlc.cli.main import main\ntry: main(['{flag}'])\nexcept SystemExit: pass"
    loaded = loaded_after(f"exec({started!r})")
    assert "qlc.cli.main" in loaded
    assert not {"lark", "elasticsearch", "qlc.grammar.lark_parser"} & loaded


@pytest.mark.parametrize("comment", ["-- b\r", "--\n"])
def test_more_comments_than_words_are_read(comment: str) -> None:
    text = f"find a\n{comment * 60_000}where b = 1"
    found = problem(text)
    assert (found.code, text[found.span.start :].find("where")) == ("too-long", 2 * len(comment))
