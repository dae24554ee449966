"""Completion by syntax: what can be typed at a place of a program. The catalog adds names and values."""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass
from typing import Literal

from lark import UnexpectedCharacters, UnexpectedToken

from qlc.base.limits import LONGEST_PROGRAM
from qlc.base.units import UNITS
from qlc.grammar.lark_parser import spellings
from qlc.grammar.problem import SyntaxProblem
from qlc.grammar.reading import Token, TokenReader
from qlc.grammar.stop import MEASURES, TEXT_CONDITIONS, clauses_of, keywords
from qlc.grammar.surroundings import NOWHERE, Surroundings, surroundings
from qlc.grammar.tree import normal

Kind = Literal["entity", "lookup", "field", "value", "text", "number", "unit", "new name", "measure"]
"""`measure`: of the catalog, before `of` and in rows.
`entity`: in the plural, after `find`, `count`, `of`. `lookup`: in the singular, before a bracket. `value`: what a
field can hold, a lookup, a constant or a `let`. `text`: a string in quotes. `new name`: of a `let`."""

_OTHER_SPELLINGS = frozenset({"ASCENDING", "DESCENDING", "STARTS_WITH", "ENDS_WITH", "GROUP", "ORDER", "_SORT_BY", "IS",
                              "_FIND_ALL", "COUNT_ALL", "COUNT_FIRST", "FIRST_NOW", "FIRST_DAY", "NULL"})  # fmt: skip
"""Accepted spellings that are not offered, since the printer writes another one."""
_FOLLOWED = {"starts": "starts with", "ends": "ends with"}
_SIGNS = ("=", "!=", "<", "<=", ">", ">=", "(", ")", "[", "]", ",")
_SENTINEL = "\0"
"""A character that begins no token: the lexer stops there, and a comma before it does not end a list."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The completions of `source[start:cursor]`. `word` is that text without its opening quote."""

    start: int
    word: str
    quote: str = ""
    """The quote that is open at the cursor, or empty."""
    kinds: frozenset[Kind] = frozenset()
    keywords: tuple[str, ...] = ()
    """Keywords that begin with the word, in canonical spelling."""
    signs: tuple[str, ...] = ()
    """Operators, brackets and commas; none while a word is being typed."""
    units: tuple[str, ...] = ()
    around: Surroundings = NOWHERE


def complete(source: str, cursor: int) -> Completion:
    """Return what can be typed at the cursor; nothing for a text that is longer than a program may be."""
    if len(source) > LONGEST_PROGRAM:
        return Completion(cursor, "")
    before = source[:cursor]
    run = _Run(before)
    if run.in_comment:
        return Completion(cursor, "")
    if run.open_quote >= 0:
        quote = before[run.open_quote]
        word, start = before[run.open_quote + 1 :], run.open_quote
    else:
        start = _word_begins(before)
        quote, word = "", before[start:]
        if word:
            run = _Run(before[:start])
    if run.broken:
        return Completion(start, word, quote)
    accepted = run.reading.session.accepts()
    kinds = _kinds(accepted, run.tokens)
    if quote == "`":
        kinds &= {"entity", "lookup", "field", "value", "new name"}
    elif quote:
        kinds &= {"value", "text"}
    around = surroundings(source[cursor:], run.tokens, accepted)
    if quote:
        return Completion(start, word, quote, kinds, around=around)
    signs = () if word else tuple(sign for sign in _SIGNS if not accepted.isdisjoint(spellings()[sign]))
    begun = [unit.name for unit in UNITS if any(text.startswith(word.lower()) for text in unit.spellings)]
    units = tuple(begun) if "unit" in kinds else ()
    return Completion(start, word, quote, kinds, _keywords(_wanted(accepted, run.tokens), word), signs, units, around)


def _word_begins(before: str) -> int:
    """Return the start of the word being typed, without leading digits (`5 M` and `5M` both type a unit).

    The text is read from its end: searching for a pattern from the front would take quadratic time.
    """
    typed = _LETTERS_BACKWARDS.match(before[::-1])
    start = len(before) - (typed.end() if typed is not None else 0)
    if before[start - 1 : start] == "@":
        return start - 1
    letter = _LETTER.search(before, start)
    return letter.start() if letter is not None else len(before)


_LETTERS_BACKWARDS = re.compile(r"\w*")
_LETTER = re.compile(r"[^\W\d]")


class _Run:
    """The tokens up to a place, and the parser's state there."""

    def __init__(self, text: str) -> None:
        # Errors of builders do not matter for completion.
        self.reading = TokenReader(text + _SENTINEL, build=False)
        self.tokens: list[Token] = []
        self.open_quote = -1
        self.broken = True
        try:
            for token in self.reading.tokens():
                self.tokens.append(Token.of(token))
        except UnexpectedCharacters as stop:
            place = stop.pos_in_stream or 0
            place += len(text[place:]) - len(text[place:].lstrip())
            self.broken = place < len(text)
            if self.broken and text[place] in "\"'`“”„‘’" and "\n" not in text[place:]:
                self.open_quote, self.broken = place, False
        except (UnexpectedToken, SyntaxProblem):
            pass
        comments = self.reading.comments
        # The sentinel is no line break: it belongs to a comment that reaches the cursor.
        self.in_comment = bool(comments) and comments[-1].span.end == len(text) + 1


def _kinds(accepted: Set[str], before: list[Token]) -> frozenset[Kind]:
    previous = before[-1].kind if before else ""
    kinds: set[Kind] = set()
    is_key = "STRING" in accepted and "MENTIONS_ALONE" in accepted  # brackets hold a key or a condition
    if "STRING" in accepted:
        kinds |= {"value", "text"} if "NAME" in accepted and not is_key else {"text"}
    if "NAME" in accepted:
        if previous in ("FIND", "COUNT", "OF"):
            kinds.add("entity")
        elif previous == "LET":
            kinds.add("new name")
        elif ("STRING" not in accepted or is_key) and previous != "GET":
            kinds.add("field")
        if previous in ("FIND", "GET") or "value" in kinds:
            kinds.add("lookup")
    if "NUMBER" in accepted:
        kinds.add("number")
    if "UNIT" in accepted:
        kinds.add("unit")
    used = clauses_of(before)
    is_row = "_TOTAL" in accepted and ("HAVING" in used or ("SORT" in used and before[0].kind != "FIND"))
    if "MEASURE_NAME" in accepted or is_row:
        kinds.add("measure")
    return frozenset(kinds)


def _wanted(accepted: set[str], before: list[Token]) -> set[str]:
    """Remove terminals that a later stage refuses: a second `where`, measures outside `having`."""
    used = clauses_of(before)
    unwanted = set(_OTHER_SPELLINGS)
    if "AND" in accepted or "LIMIT" in accepted:
        unwanted |= used
    if "MENTIONS_ALONE" in accepted:
        unwanted |= TEXT_CONDITIONS if "HAVING" in used else MEASURES
    return accepted - unwanted


def _keywords(accepted: set[str], word: str) -> tuple[str, ...]:
    beginning = normal(word).lower()
    found = keywords(accepted)
    return tuple(_FOLLOWED.get(text, text) for text in sorted(found) if text.startswith(beginning))
