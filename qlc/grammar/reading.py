"""Tokens of a text from Lark's interactive parser, within limits on their number, their depth and the time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, NoReturn

from lark import Token as LarkToken
from lark import UnexpectedInput, UnexpectedToken

from qlc.base import limits
from qlc.base.deadline import checkpoint
from qlc.base.diagnostics import Span
from qlc.grammar.lark_parser import parser, spellings
from qlc.grammar.problem import SyntaxProblem, refuse
from qlc.grammar.tree import RESERVED, Comment, Program, name_end

END = "$END"


class Token(NamedTuple):
    """A token as the rules for errors see it. `kind` is the terminal of the grammar, or `END`."""

    kind: str
    text: str
    start: int
    end: int

    @classmethod
    def of(cls, token: LarkToken) -> Token:
        return cls(token.type, token.value, token.start_pos or 0, token.end_pos or 0)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


_NAMES = ("NAME", "MEASURE_NAME")
_FEWER = "ask for less, or in several programs"
_LISTS = "ask in several programs, or take the values from a sub-query"
_CONDITIONS = (limits.MOST_CONDITIONS, "conditions", "compare with a list: 'in [...]'")
_COUNTED = {
    "COMMA": (limits.MOST_VALUES, "values in lists and clauses", _LISTS),
    "AND": _CONDITIONS,
    "OR": _CONDITIONS,
    "LPAR": (limits.MOST_BRACKETS, "brackets", _FEWER),
    "DOT": (limits.MOST_REFERENCES, "dots", _FEWER),
    "LET": (limits.MOST_BINDINGS, "bindings", _FEWER),
}
"""Limits by kind of token: how many, their name, the hint. `and` and `or` are counted as one kind."""
_WORDS = "words, values, signs and comments in a program"
_COMMENT, _LINE_BREAK = re.compile(r"--[^\r\n]*"), re.compile(r"[\r\n]")


class TokenReader:
    """One reading of a text: Lark's session and the comments so far. Without `build` no tree is made."""

    def __init__(self, source: str, *, build: bool = True) -> None:
        self.source = source
        self.comments: list[Comment] = []
        self.offered: LarkToken | None = None
        """The last token that the parser's state accepts."""
        self.session = parser().parse_interactive(source)
        if not build:
            self.session.parser_state.parse_conf.callbacks = {}  # as `accepts()` does in Lark

    def tokens(self) -> Iterator[LarkToken]:
        """Yield the tokens up to the end of the text, each once the parser has accepted it.

        Raises Lark's UnexpectedInput where the text is no program, SyntaxProblem at a limit and for what builders
        refuse, RequestFailed where the deadline has passed (qlc/base/deadline.py).
        """
        source, state = self.source, self.session.parser_state
        if len(source) > limits.LONGEST_PROGRAM:
            span = Span(limits.LONGEST_PROGRAM, len(source))
            _refuse_more(span, limits.LONGEST_PROGRAM, "characters in a program", _FEWER)
        room = {what: most for most, what, _ in _COUNTED.values()}
        has_comments = "--" in source
        number, end, previous = 0, 0, ""
        try:
            for token in self.session.lexer_thread.lex(state):
                kind, start = token.type, token.start_pos
                assert start is not None
                if has_comments and start > end:
                    number = self._comments_between(end, start, number)
                number += 1
                if number % 256 == 0:
                    checkpoint()
                if kind in _NAMES:
                    _check_length(token)
                    if previous != "DOT" and token.lower() in RESERVED:
                        self.offered = token
                        raise UnexpectedToken(token, set(), state=state, interactive_parser=self.session)
                elif kind in _COUNTED:
                    most, what, hint = _COUNTED[kind]
                    room[what] -= 1
                    if room[what] < 0:
                        _refuse_more(Token.of(token).span, most, f"{what} in a program", hint)
                elif kind == "BETWEEN":
                    room["conditions"] += 1  # its `and` joins none
                if number > limits.MOST_WORDS:
                    _refuse_more(Token.of(token).span, limits.MOST_WORDS, _WORDS, _FEWER)
                self.offered = token
                state.feed_token(token)
                if len(state.state_stack) > limits.MOST_DEPTH:
                    hint = "name the inner part with 'let', or leave out brackets and 'not's that cancel out"
                    refuse("too-deep", "this is nested too deeply", Token.of(token).span, hint)
                previous, end = kind, token.end_pos
                yield token
        except UnexpectedToken as stop:
            _check_length(stop.token)
            raise
        if has_comments:
            self._comments_between(end, len(source), number)

    def _comments_between(self, start: int, end: int, number: int) -> int:
        """Collect the comments between two tokens. Return `number` plus what was read up to there."""
        for match in _COMMENT.finditer(self.source, start, end):
            number += 1
            span = Span(*match.span())
            if number > limits.MOST_WORDS:
                _refuse_more(span, limits.MOST_WORDS, _WORDS, _FEWER)
            *lines, line = _LINE_BREAK.split(self.source[start : span.start])
            is_alone = (bool(lines) or not start) and not line.strip("\ufeff").strip()
            self.comments.append(Comment(match[0].rstrip(), is_alone, span=span))
            start = span.end
        return number


def _check_length(token: LarkToken) -> None:
    if len(token) > limits.LONGEST_NAME and token.type in _NAMES:
        _refuse_more(Token.of(token).span, limits.LONGEST_NAME, "characters in one name", "put texts in quotes")


def _refuse_more(span: Span, most: int, what: str, hint: str) -> NoReturn:
    refuse("too-long", f"there are at most {most:,} {what}", span, hint)


def read(source: str) -> Program:
    """Parse without a diagnosis. Raises Lark's UnexpectedInput, SyntaxProblem at a limit or for a wrong literal, and
    RequestFailed after the deadline."""
    reading, last = TokenReader(source), None
    for token in reading.tokens():
        last = token
    program = reading.session.feed_eof(last)
    assert isinstance(program, Program)
    return replace(program, comments=tuple(reading.comments)) if reading.comments else program


def is_program(text: str) -> bool:
    try:
        read(text)
    except (UnexpectedInput, SyntaxProblem):
        return False
    return True


@lru_cache(maxsize=16)
def accepted_after(kinds: tuple[str, ...]) -> frozenset[str]:
    """Return the terminals that can follow tokens of these kinds."""
    replayed = TokenReader("", build=False).session
    for kind in kinds:
        replayed.feed_token(LarkToken(kind, ""))
    return frozenset(replayed.accepts())


def stopped_at(source: str) -> tuple[list[Token], Token]:
    """Return the tokens that the parser accepts of a wrong text, and the first one that it does not."""
    reading, taken = TokenReader(source), list[Token]()
    try:
        taken.extend(map(Token.of, reading.tokens()))
        reading.session.feed_eof()
    except UnexpectedToken as stop:
        if stop.token.type != END:
            return taken, _not_taken(source, stop.token, has_place=stop.token is reading.offered)
    return taken, Token(END, "", len(source), len(source))


def _not_taken(source: str, found: LarkToken, *, has_place: bool) -> Token:
    """Return the unexpected token, its kind corrected. A word is a keyword only if the state accepts that keyword;
    without a place for it Lark tries all terminals, so that `has` in `find documents has` would be HAS.
    """
    token, word = Token.of(found), found.lower()
    if not has_place:
        token = token._replace(kind=token.kind.removeprefix("TURNED_").removeprefix("FIRST_"))
    if token.kind == "MEASURE_NAME":
        token = token._replace(kind="NAME")
    if word in RESERVED:
        return token._replace(kind=spellings()[word][-1])
    if has_place or not word.isidentifier():
        return token
    end = name_end(source, token.end, limits.LONGEST_NAME)
    return Token("NAME", source[token.start : end], token.start, end)
