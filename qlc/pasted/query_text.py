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


_WORD = r"""(?:\\(?:.|\Z)|[^\s()\[\]{}":^~/<>=\\])*+"""
_TOKEN = re.compile(
    rf"""
      (?P<nothing> [\s<>=]+ | [\^~][\d.]* )
    | (?P<bracket> [()] )
    | (?P<text> "(?:\\.|[^"\\])*" )
    | (?P<range> [\[{{][^\]}}]*[\]}}] )
    | (?P<wrong> [/\]}}:"\[{{] )
    | [+\-!&|]* _exists_ \s* : \s* [+\-!&|]* (?P<exists> {_WORD} )
    | [+\-!&|]* (?P<everything> \* \s* :\* )
    | [+\-!&|]* (?P<name> {_WORD} ) \s* :
    | [+\-!&|]* (?P<word> {_WORD} )
    """,
    re.VERBOSE | re.DOTALL,
)
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_@.\-]+")
_NOW = re.compile(r"now(?![A-Za-z0-9_])")
_OPERATORS = frozenset({"AND", "OR", "NOT", "TO", "&&", "||", "+", "-", "!"})
_UNCLOSED = "close it, or write it with a \\ before it"
_WRONG = {
    "/": Refused("a pattern between slashes", "use a 'regexp' query, or write \\/ for a slash"),
    **{one: Refused(f"a {one} that is not closed", _UNCLOSED) for one in '"[{'},
    **{one: Refused(f"a {one} with no field before it", "write it with a \\ before it") for one in "]}:"},
}


def read_query_text(text: str) -> Read | Refused:
    """Return the fields of a `query_string` text, or why they are not certain."""
    fields: dict[str, None] = {}
    bare = relative = named = False  # `named`: a field precedes this place
    brackets: list[bool] = []  # for each open bracket, whether a field precedes it
    for token in _TOKEN.finditer(text):
        kind, part = token.lastgroup, token[token.lastgroup or 0]
        if kind == "wrong":
            return _WRONG[part]
        if kind == "bracket":
            if part == "(":
                brackets.append(named)
            elif brackets:
                brackets.pop()
            named = False
        elif kind == "exists":
            if _PLAIN_NAME.fullmatch(part) is None:
                return Refused("an _exists_ without the name of a field", "use an 'exists' query")
            fields.setdefault(part)
        elif kind == "name":
            if _PLAIN_NAME.fullmatch(part) is None:
                return Refused(f"the field '{part}', which is a pattern", "name the fields one by one")
            fields.setdefault(part)
            named = True
        elif kind in ("text", "range") or (kind == "word" and part not in _OPERATORS and part.strip("+-!")):
            now = {"range": _NOW.search, "word": _NOW.match}.get(kind)
            relative = relative or (now is not None and now(part) is not None)
            bare = bare or not (named or any(brackets))
            named = False
    return Read(tuple(fields), bare, relative)
