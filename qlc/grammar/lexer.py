"""Text to tokens. What a word is depends on the parser's state: a keyword where one can be, a name elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import NamedTuple

from qlc import limits
from qlc.deadline import checkpoint
from qlc.diagnostics import Span
from qlc.grammar import _tables
from qlc.grammar._tables import LEXEMES, ROWS, SYMBOLS
from qlc.grammar.names import RESERVED, name_end, normal
from qlc.grammar.tree import Comment
from qlc.grammar.units import UNITS

END = "$END"

_LEXEME = re.compile(LEXEMES)
KEYWORDS = {word: uses for words, uses in _tables.WORDS for word in words.split()}
_UNIT_WORDS = [
    word for unit in UNITS for word in (*unit.spellings, *map(str.lower, unit.symbols)) if word.isidentifier()
]
WORDS = KEYWORDS | {word: (*KEYWORDS.get(word, ()), ("UNIT", "")) for word in _UNIT_WORDS}
"""What each word can be, and what must follow then; units last."""


class Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        return span_of((self[2], self[3]))


span_of: Callable[[tuple[int, int]], Span] = partial(tuple.__new__, Span)
"""As `Span(start, end)`, at half the time: a parse makes more spans than anything else."""
_token: Callable[[tuple[str, str, int, int]], Token] = partial(tuple.__new__, Token)
"""As `Token(...)`, at half the time."""


class Unreadable(Exception):
    """No token begins at `position`."""

    def __init__(self, position: int) -> None:
        super().__init__(position)
        self.position = position


class TooLong(Exception):
    """The text has more of something than a program may have. `message` is the sentence, `hint` the way out."""

    def __init__(self, start: int, end: int, most: int, what: str, hint: str) -> None:
        super().__init__(what)
        self.span = Span(start, end)
        self.message = f"there are at most {most:,} {what}" + ("" if "one" in what else " in a program")
        self.hint = hint


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
"""How many tokens of a kind may be in a program, what they are, the way out; `and` and `or` are counted as one."""
_EVERY = 256
"""Tokens after which the time is looked at."""


def tokens(source: str, states: list[int], comments: list[Comment]) -> Iterator[Token]:
    """The tokens of a text up to END. `states` is the parser's own stack, read before each word.

    Raises Unreadable, TooLong; RequestFailed where the deadline has passed.
    """
    if len(source) > limits.LONGEST_PROGRAM:
        raise TooLong(limits.LONGEST_PROGRAM, len(source), limits.LONGEST_PROGRAM, "characters", _FEWER)
    room = {what: most for most, what, _ in _COUNTED.values()}
    number = 0
    position = int(source.startswith("\ufeff"))
    previous = ""
    match, plain, longest = _LEXEME.match, source.isascii(), limits.LONGEST_NAME
    words, counted = WORDS, _COUNTED
    while True:
        found = match(source, position)
        if found is None:
            raise Unreadable(position)
        kind, group = found.lastgroup, found.lastindex
        assert kind is not None
        assert group is not None
        start, position = found.span(group)
        text = source[start:position]
        number += 1
        if number % _EVERY == 0:
            checkpoint()
            if number > limits.MOST_WORDS:
                raise TooLong(start, position, limits.MOST_WORDS, "words, values, signs and comments", _FEWER)
        if kind == "NAME":
            if not plain and source[position : position + 1] > "\u02ff" and text[0] != "`":
                position = name_end(source, position, longest)
                text = source[start:position]
            if len(text) > longest:
                raise TooLong(start, position, longest, "characters in one name", "put texts in quotes")
            uses = words.get((text if plain else normal(text)).lower())
            if uses is not None and previous != "DOT":
                kind = _word(source, text, position, uses, ROWS[states[-1]])
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
        if kind in counted:
            most, what, hint = counted[kind]
            room[what] -= 1
            if room[what] < 0:
                raise TooLong(start, position, most, what, hint)
        elif kind == "BETWEEN":
            room["conditions"] += 1  # its `and` joins none
        previous = kind
        yield _token((kind, text, start, position))


def _word(source: str, text: str, end: int, uses: tuple[tuple[str, str], ...], row: dict[str, int]) -> str:
    """The terminal of a word that can be a keyword: the first one that the state has a place for, else NAME."""
    for terminal, follows in uses:
        if terminal in row and (not follows or _pattern(follows).match(source, end)):
            return terminal
    return uses[0][0] if normal(text).lower() in RESERVED else "NAME"


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text)


def _is_alone(source: str, start: int) -> bool:
    line = source.rfind("\n", 0, start) + 1
    line = max(line, source.rfind("\r", line, start) + 1)
    return not source[line:start].strip("\ufeff").strip()
