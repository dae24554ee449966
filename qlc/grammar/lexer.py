"""Text to tokens. What a word is depends on the parser's state: a keyword where one can stand, a name elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple

from qlc.diagnostics import Span
from qlc.grammar._tables import LEXEMES, ROWS, SYMBOLS, WORDS
from qlc.grammar.names import RESERVED, name_end, normal
from qlc.grammar.tree import Comment

END = "$END"

_LEXEME = re.compile(LEXEMES)


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


_token: Callable[[tuple[str, str, int, int]], Token] = partial(tuple.__new__, Token)
"""As `Token(...)`, at half the time."""


class Unreadable(Exception):
    """No token begins at `position`."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


def tokens(source: str, states: list[int], comments: list[Comment]) -> Iterator[Token]:
    """The tokens of a text up to END. `states` is the parser's own stack, read before each word."""
    position = int(source.startswith("\ufeff"))
    previous = ""
    match, plain = _LEXEME.match, source.isascii()
    while True:
        found = match(source, position)
        if found is None:
            raise Unreadable(position)
        kind = found.lastgroup
        assert kind is not None
        start, position = found.span(kind)
        text = source[start:position]
        if kind == "NAME":
            if not plain and source[position : position + 1] > "\u02ff" and text[0] != "`":
                position = name_end(source, position)
                text = source[start:position]
            if previous != "DOT":
                kind = _word(source, text, position, ROWS[states[-1]])
        elif kind == "SYMBOL":
            kind = SYMBOLS[text]
        elif kind == "END":
            yield Token(END, "", position, position)
            return
        elif kind == "COMMENT":
            comments.append(Comment(text.rstrip(), _is_alone(source, start), span=Span(start, position)))
            continue
        elif kind == "TRAILING_COMMA":
            continue
        previous = kind
        yield _token((kind, text, start, position))


def _word(source: str, text: str, end: int, row: dict[str, int]) -> str:
    """The terminal of a word: the first keyword that the state has a place for, else NAME."""
    word = (text if text.isascii() else normal(text)).lower()
    uses = WORDS.get(word)
    if uses is None:
        return "NAME"
    for terminal, follows in uses:
        if terminal in row and (not follows or _pattern(follows).match(source, end)):
            return terminal
    return uses[0][0] if word in RESERVED else "NAME"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def _is_alone(source: str, start: int) -> bool:
    line = max(source.rfind("\n", 0, start), source.rfind("\r", 0, start)) + 1
    return not source[line:start].strip("\ufeff").strip()
