"""The language inside `query_string`, read as far as it names fields: each is to be looked at before it is run."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refused:
    """What a text has in it that cannot be looked at, and what to write instead."""

    what: str
    instead: str


@dataclass(frozen=True, slots=True)
class Read:
    """The fields that a text names. `bare`: it has words that name none. `relative`: it speaks of now."""

    fields: tuple[str, ...]
    bare: bool
    relative: bool


_PLAIN_NAME = re.compile(r"[A-Za-z0-9_@.\-]+")
_NOW = re.compile(r"now(?![A-Za-z0-9_])")
_ALONE = frozenset({"AND", "OR", "NOT", "TO", "&&", "||", "+", "-", "!"})
_ENDS = frozenset("()[]{}\":^~/<>=")
EXISTS = "_exists_"


def read_query_text(text: str) -> Read | Refused:
    """The fields of a text of `query_string`; or why they cannot be told surely."""
    fields: dict[str, None] = {}
    bare = relative = False
    at, end, owned = 0, len(text), 0  # `owned`: brackets that belong to a field
    depth: list[bool] = []
    named = False
    while at < end:
        char = text[at]
        if char.isspace() or char in "<>=":
            at += 1
        elif char in "()":
            if char == "(":
                depth.append(named)
                owned += named
            elif depth:
                owned -= depth.pop()
            named = False
            at += 1
        elif char in "^~":
            at = _past_number(text, at + 1)
        elif char == "/":
            return Refused("a pattern between slashes", "use a 'regexp' query, or write \\/ for a slash")
        elif char in '"[{':
            close = _closing(text, at)
            if close is None:
                return Refused(f"a {char} that is not closed", "close it, or write it with a \\ before it")
            relative = relative or (char != '"' and _NOW.search(text, at, close) is not None)
            bare = bare or not (named or owned)
            named = False
            at = close
        elif char in "]}:":
            return Refused(f"a {char} where no field stands before it", "write it with a \\ before it")
        else:
            word, at = _word(text, at)
            behind = at
            while behind < end and text[behind].isspace():
                behind += 1
            if behind < end and text[behind] == ":":
                at = behind + 1
                if word == "*" and text[at : at + 1] == "*":
                    at += 1  # *:* is everything
                    continue
                if _PLAIN_NAME.fullmatch(word) is None:
                    return Refused(f"the field '{word}', which is a pattern", "name the fields one by one")
                if word == EXISTS:
                    while at < end and text[at].isspace():
                        at += 1
                    word, at = _word(text, at)
                    if _PLAIN_NAME.fullmatch(word.strip('"')) is None:
                        return Refused("an _exists_ without the name of a field", "use an 'exists' query")
                    fields.setdefault(word)
                    continue
                fields.setdefault(word)
                named = True
            elif word not in _ALONE and word.strip("+-!"):
                relative = relative or _NOW.match(word) is not None
                bare = bare or not (named or owned)
                named = False
    return Read(tuple(fields), bare, relative)


def _word(text: str, at: int) -> tuple[str, int]:
    """The word that begins here, and where it ends; signs before it are left out."""
    while at < len(text) and text[at] in "+-!&|":
        at += 1
    start = at
    while at < len(text) and not text[at].isspace() and text[at] not in _ENDS:
        at += 2 if text[at] == "\\" else 1
    return text[start : min(at, len(text))], min(max(at, start), len(text))


def _past_number(text: str, at: int) -> int:
    while at < len(text) and (text[at].isdigit() or text[at] == "."):
        at += 1
    return at


def _closing(text: str, at: int) -> int | None:
    """Behind the sign that closes the one here. Only between quotes a \\ takes the meaning of the next sign away."""
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
