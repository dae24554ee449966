"""Parses the language inside `query_string` as far as it names fields, which are checked before it runs."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a text cannot be checked, and what to write instead."""

    what: str
    instead: str


@dataclass(frozen=True, slots=True)
class Read:
    """The fields that a text names. `bare`: some words name none. `relative`: it mentions now."""

    fields: tuple[str, ...]
    bare: bool
    relative: bool


_PLAIN_NAME = re.compile(r"[A-Za-z0-9_@.\-]+")
_NOW = re.compile(r"now(?![A-Za-z0-9_])")
_ALONE = frozenset({"AND", "OR", "NOT", "TO", "&&", "||", "+", "-", "!"})
_ENDS = frozenset("()[]{}\":^~/<>=")
EXISTS = "_exists_"


def read_query_text(text: str) -> Read | Refused:
    """Return the fields of a `query_string` text, or why they are not certain."""
    scan = _Scan(text)
    while scan.at < len(text):
        refused = scan.step()
        if refused is not None:
            return refused
    return Read(tuple(scan.fields), scan.bare, scan.relative)


class _Scan:
    """The position in the text, and the fields found so far."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.fields: dict[str, None] = {}
        self.bare = self.relative = False
        self._named = False
        """Whether a field precedes this position."""
        self._brackets: list[bool] = []
        """For each open bracket, whether a field precedes it."""
        self._owned = 0
        """How many open brackets belong to a field."""

    def step(self) -> Refused | None:
        char = self.text[self.at]
        if char.isspace() or char in "<>=":
            self.at += 1
        elif char in "()":
            self._bracket(opens=char == "(")
        elif char in "^~":
            self.at = _past_number(self.text, self.at + 1)
        elif char == "/":
            return Refused("a pattern between slashes", "use a 'regexp' query, or write \\/ for a slash")
        elif char in '"[{':
            return self._enclosed(char)
        elif char in "]}:":
            return Refused(f"a {char} with no field before it", "write it with a \\ before it")
        else:
            return self._name_or_word()
        return None

    def _bracket(self, *, opens: bool) -> None:
        if opens:
            self._brackets.append(self._named)
            self._owned += self._named
        elif self._brackets:
            self._owned -= self._brackets.pop()
        self._named = False
        self.at += 1

    def _enclosed(self, opening: str) -> Refused | None:
        """Read a text in quotes, or a range."""
        close = _closing(self.text, self.at)
        if close is None:
            return Refused(f"a {opening} that is not closed", "close it, or write it with a \\ before it")
        self._value(relative=opening != '"' and _NOW.search(self.text, self.at, close) is not None)
        self.at = close
        return None

    def _name_or_word(self) -> Refused | None:
        word, self.at = _word(self.text, self.at)
        after = _past_blanks(self.text, self.at)
        if self.text[after : after + 1] == ":":
            self.at = after + 1
            return self._name(word)
        if word not in _ALONE and word.strip("+-!"):
            self._value(relative=_NOW.match(word) is not None)
        return None

    def _name(self, word: str) -> Refused | None:
        """Read a field name before a colon."""
        if word == "*" and self.text[self.at : self.at + 1] == "*":
            self.at += 1  # *:* is everything
            return None
        if _PLAIN_NAME.fullmatch(word) is None:
            return Refused(f"the field '{word}', which is a pattern", "name the fields one by one")
        if word == EXISTS:
            word, self.at = _word(self.text, _past_blanks(self.text, self.at))
            if _PLAIN_NAME.fullmatch(word.strip('"')) is None:
                return Refused("an _exists_ without the name of a field", "use an 'exists' query")
        else:
            self._named = True
        self.fields.setdefault(word)
        return None

    def _value(self, *, relative: bool) -> None:
        """Read a searched value, with or without a field before it."""
        self.relative = self.relative or relative
        self.bare = self.bare or not (self._named or self._owned)
        self._named = False


def _word(text: str, at: int) -> tuple[str, int]:
    """Return the word that begins here, without leading operators, and its end."""
    while at < len(text) and text[at] in "+-!&|":
        at += 1
    start = at
    while at < len(text) and not text[at].isspace() and text[at] not in _ENDS:
        at += 2 if text[at] == "\\" else 1
    return text[start : min(at, len(text))], min(max(at, start), len(text))


def _past_blanks(text: str, at: int) -> int:
    while at < len(text) and text[at].isspace():
        at += 1
    return at


def _past_number(text: str, at: int) -> int:
    while at < len(text) and (text[at].isdecimal() or text[at] == "."):
        at += 1
    return at


def _closing(text: str, at: int) -> int | None:
    """Return the position after the closing character; a backslash escapes only between quotes."""
    quoted = text[at] == '"'
    closing = '"' if quoted else "]}"
    at += 1
    while at < len(text):
        if text[at] == "\\" and quoted:
            at += 1
        elif text[at] in closing:
            return at + 1
        at += 1
    return None
