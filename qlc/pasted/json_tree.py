"""Parses JSON as people paste it: a tree with spans, and a fix for each mistake.

Comments and triple quotes are accepted, as in consoles of Elasticsearch. Other deviations from JSON are fixed if they
can mean only one thing, and the tree is that of the fixed text. An ambiguous mistake ends the reading.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from qlc.base.diagnostics import Span

MAX_DEPTH = 40
"""Most levels of brackets; Elasticsearch allows more, people do not use them."""

MOST_FIXES = 100
MISSING_BRACKET = "a closing"
"""Beginning of the message for a missing bracket."""

Plain = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Scalar:
    value: Plain
    span: Span


@dataclass(frozen=True, slots=True)
class Array:
    items: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Member:
    key: str
    key_span: Span
    value: Node


@dataclass(frozen=True, slots=True)
class Object:
    members: tuple[Member, ...]
    span: Span

    def get(self, key: str) -> Member | None:
        return next((one for one in self.members if one.key == key), None)

    def keys(self) -> list[str]:
        return [one.key for one in self.members]


Node = Scalar | Array | Object


@dataclass(frozen=True, slots=True)
class Fix:
    """An edit that corrects a mistake. `what` describes the mistake and `done` the correction, each as a part of a
    sentence."""

    what: str
    done: str
    span: Span
    text: str

    @classmethod
    def name(cls, what: str, name: str, span: Span, done: str = "took") -> Fix:
        """Replace the name at a span by another one."""
        return cls(what, f"{done} {name}", span, f'"{name}"')


class Unreadable(ValueError):
    """Raised for a text that is not JSON and cannot be fixed with certainty."""

    def __init__(self, message: str, span: Span, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.span = span
        self.hint = hint


@dataclass(slots=True)
class Read:
    """A value read. `end` is its end in the text."""

    node: Node
    fixes: list[Fix]
    end: int


def read_json(text: str) -> Read:
    """Read the value at the beginning of a text and ignore the rest. Raises Unreadable."""
    reader = _Reader(text)
    reader.blank()
    node = reader.value(0)
    return Read(node, reader.fixes, reader.at)


def fixed(text: str, fixes: list[Fix]) -> str:
    """Return the text with all fixes applied."""
    parts, at = [], 0
    for fix in sorted(fixes, key=lambda one: one.span):
        parts += [text[at : fix.span.start], fix.text]
        at = max(at, fix.span.end)
    return "".join([*parts, text[at:]])


def plain(node: Node) -> object:
    """Convert a node to plain Python values."""
    if isinstance(node, Object):
        return {one.key: plain(one.value) for one in node.members}
    if isinstance(node, Array):
        return [plain(one) for one in node.items]
    return node.value


def items_of(node: Node) -> tuple[Node, ...]:
    """Return the items of a list, or a node that stands for a list of one."""
    return node.items if isinstance(node, Array) else (node,)


def _members(node: Node | None) -> Iterator[Member]:
    """Yield the members of an object, or of all objects in a list."""
    if isinstance(node, Object):
        yield from node.members
    for item in node.items if isinstance(node, Array) else ():
        yield from _members(item)


def walk(node: Node) -> Iterator[Member]:
    """Yield every member at every depth, outer ones first."""
    for one in _members(node):
        yield one
        yield from walk(one.value)


def outermost(node: Node | None, wanted: Callable[[str], bool]) -> Iterator[Member]:
    """Yield members with a wanted name, without those inside another one."""
    for one in _members(node):
        if wanted(one.key):
            yield one
        else:
            yield from outermost(one.value, wanted)


_BLANK = re.compile(r"(?:[\s\ufeff\u00a0\u200b]+|//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z))+", re.DOTALL)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![\w.])")
_POINT_NUMBER = re.compile(r"(-?)\.([0-9]+)(?![\w.])")
_WORD = re.compile(r"[^\W\d][\w.\-@]*")
_LITERALS: dict[str, Plain] = {"true": True, "false": False, "null": None}
_OTHER_LITERALS = {"True": "true", "False": "false", "None": "null", "TRUE": "true", "FALSE": "false", "NULL": "null",
                   "nil": "null", "undefined": "null"}  # fmt: skip
_CLOSING = {'"': '"', "'": "'", "\u201c": "\u201c\u201d\"", "\u201d": "\u201c\u201d\"", "\u201e": "\u201c\u201d\"",
            "\u2018": "\u2018\u2019'", "\u2019": "\u2018\u2019'", "\u00ab": "\u00bb", "`": "`'"}  # fmt: skip
"""Opening quotes that editors insert, and the characters that can close each."""
_CODE = re.compile(r"\\u(?:[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|[0-9a-fA-F]{4})")
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


@dataclass(slots=True)
class _Reader:
    text: str
    at: int = 0
    fixes: list[Fix] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    token_end: int = 0
    blank_end: int = -1

    # --- characters --------------------------------------------------------------------------------------------------

    def blank(self) -> None:
        if self.at != self.blank_end:
            self.token_end = self.at
        found = _BLANK.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
        self.blank_end = self.at

    def next(self) -> str:
        """Return the next significant character; empty at the end."""
        self.blank()
        return self.text[self.at : self.at + 1]

    def fix(self, what: str, done: str, start: int, end: int, text: str) -> None:
        if len(self.fixes) >= MOST_FIXES:
            self.stop("there are too many mistakes to fix them", start, end, "paste the request as it was made")
        self.fixes.append(Fix(what, done, Span(start, end), text))

    def stop(self, message: str, start: int, end: int | None = None, hint: str = "") -> NoReturn:
        raise Unreadable(message, Span(start, max(start + 1, end or 0)), hint)

    # --- values ------------------------------------------------------------------------------------------------------

    def value(self, depth: int) -> Node:
        if depth > MAX_DEPTH:
            self.stop(f"the request is nested more than {MAX_DEPTH} levels deep", self.at)
        character = self.next()
        start = self.at
        if character == "{":
            return self.object(depth)
        if character == "[":
            return self.array(depth)
        if character in _CLOSING:
            text = self.string()
            return Scalar(text, Span(start, self.at))
        if not character:
            self.stop("the request ends where a value is missing", len(self.text.rstrip()), hint="write the value")
        return self.bare()

    def bare(self) -> Scalar:
        """Read a number, a keyword of JSON, or a misspelling of one."""
        start = self.at
        number = _NUMBER.match(self.text, start)
        if number is not None:
            self.at = number.end()
            return Scalar(self.number(number[0], start), Span(start, self.at))
        found = _POINT_NUMBER.match(self.text, start) or _WORD.match(self.text, start)
        if found is None:
            shown = "".join(self.text[start : start + 12].split()[:1])
            self.stop(f"'{shown}' is not a value", start, start + len(shown),
                      "a value is a text in quotes, a number, true, false, null, an object or a list")
        word, self.at = found[0], found.end()
        span = Span(start, self.at)
        if word in _LITERALS:
            return Scalar(_LITERALS[word], span)
        if word in ("NaN", "Infinity"):
            self.stop(f"JSON has no {word}", *span)
        if found.re is _POINT_NUMBER:
            spelled = f"{found[1]}0.{found[2]}"
            self.fix(f"'{word}' lacks a digit before its point", f"wrote {spelled}", *span, spelled)
            return Scalar(float(spelled), span)
        if word in _OTHER_LITERALS:
            spelled = _OTHER_LITERALS[word]
            self.fix(f"'{word}' is not a word of JSON", f"wrote {spelled}", *span, spelled)
            return Scalar(_LITERALS[spelled], span)
        self.fix(f"the text {word} has no quotes", "put it in quotes", *span, f'"{word}"')
        return Scalar(word, span)

    def number(self, text: str, start: int) -> int | float:
        if len(text) > 330:
            self.stop("this number is too long", start, start + len(text))
        value = int(text) if text.lstrip("-").isdecimal() else float(text)
        if value in (math.inf, -math.inf):
            self.stop("this number is out of range", start, start + len(text))
        return value

    # --- texts -------------------------------------------------------------------------------------------------------

    def string(self) -> str:
        start, opening = self.at, self.text[self.at]
        if self.text.startswith('"""', start):
            end = self.text.find('"""', start + 3)
            if end < 0:
                self.stop("the text that begins with three quotes here does not end", start, start + 3)
            self.at = end + 3
            return self.text[start + 3 : end]
        closing = _CLOSING[opening]
        parts: list[str] = []
        at = start + 1
        while True:
            character = self.text[at : at + 1]
            if not character or character == "\n":
                self.stop("the text that begins here has no closing quote", start, at, "close it with a quote")
            if character in closing:
                break
            if character == "\\":
                part, at = self.escape(at)
                parts.append(part)
                continue
            if character < " " and character != "\t":
                self.stop("a text cannot hold this character as it is", at, at + 1, "write it as \\uXXXX")
            parts.append(character)
            at += 1
        self.at = at + 1
        text = "".join(parts)
        if opening != '"' or self.text[at] != '"':
            which = "single quotes" if opening == "'" else "quotes that JSON does not know"
            self.fix(f"{self.text[start : self.at]} is in {which}", "wrote straight double quotes", start, self.at,
                     json.dumps(text, ensure_ascii=False))
        return text

    def escape(self, at: int) -> tuple[str, int]:
        """Return the character of an escape, and the end of the escape."""
        if (code := _CODE.match(self.text, at)) is not None:
            found: str = json.loads(f'"{code[0]}"')
            if "\ud800" <= found < "\ue000":
                self.stop("this is an unpaired surrogate", at, at + 6, "write the character itself")
            return found, code.end()
        character = self.text[at + 1 : at + 2]
        if character in _ESCAPES and character:
            return _ESCAPES[character], at + 2
        if character == "'":
            self.fix("JSON does not escape single quotes", "removed the backslash", at, at + 1, "")
            return "'", at + 2
        return self.stop(f"'\\{character}' means nothing in a text", at, at + 2, "write \\\\ for a backslash")

    # --- objects and lists -------------------------------------------------------------------------------------------

    def opened(self, closing: str) -> int:
        self.at += 1
        self.open.append(closing)
        return self.at - 1

    def object(self, depth: int) -> Object:
        start = self.opened("}")
        members: list[Member] = []
        seen: set[str] = set()
        while not self.closes("}", bool(members)):
            key_start = self.at
            key = self.key()
            span = Span(key_start, self.at)
            if key in seen:
                self.stop(f"'{key}' occurs twice in one object", *span, "keep one of the two")
            seen.add(key)
            self.colon()
            members.append(Member(key, span, self.value(depth + 1)))
        return Object(tuple(members), Span(start, self.at))

    def array(self, depth: int) -> Array:
        start = self.opened("]")
        items: list[Node] = []
        while not self.closes("]", bool(items)):
            items.append(self.value(depth + 1))
        return Array(tuple(items), Span(start, self.at))

    def key(self) -> str:
        character = self.next()
        if character in _CLOSING and character:
            return self.string()
        word = _WORD.match(self.text, self.at)
        if word is None:
            self.stop("the name of a member is missing here", self.at, self.at + 1, 'a member is written "name": value')
        start, self.at = self.at, word.end()
        self.fix(f"the name {word[0]} has no quotes", "put it in quotes", start, self.at, f'"{word[0]}"')
        return word[0]

    def colon(self) -> None:
        character = self.next()
        other = re.compile("=>?").match(self.text, self.at)
        if character == ":":
            self.at += 1
        elif other is not None:
            self.at = other.end()
            self.fix("a colon comes after a name", "wrote a colon", *other.span(), ":")
        elif character and character in '{["':
            self.fix("a colon is missing after the name", "added it", self.at, self.at, ":")
        else:
            self.stop("a colon is missing after the name", self.at, hint='a member is written "name": value')

    def closes(self, bracket: str, going: bool) -> bool:
        """Whether the object or list ends here; a superfluous comma before it is skipped."""
        comma = self.comma() if going else -1
        character, after = self.next(), self.token_end
        is_over = not character or (character in "}]" and character in self.open)
        if character == bracket or is_over:
            if comma >= 0:
                where = "the closing bracket" if character == bracket else "the end"
                self.fix(f"there is a comma before {where}", "removed it", comma, comma + 1, "")
            if character == bracket:
                self.at += 1
            else:  # a bracket of an outer level, or the end: this level was not closed
                self.fix(f"{MISSING_BRACKET} {bracket} is missing", "added it", after, after, bracket)
            self.open.pop()
            return True
        if character in "}]":
            self.stop(f"a {character} closes a bracket that was not opened", self.at, self.at + 1)
        if going and comma < 0:
            begins = _WORD.match(self.text, self.at) or _NUMBER.match(self.text, self.at)
            if not begins and character not in _CLOSING and character not in "{[":
                self.stop("a comma or a closing bracket is missing here", self.at, self.at + 1)
            self.fix("a comma is missing", "added it", after, after, ",")
        return False

    def comma(self) -> int:
        """Return the place of the comma before the next item; -1 if there is none."""
        character, comma = self.next(), self.at
        if not character or character not in ",;":
            return -1
        if character == ";":
            self.fix("members are separated by commas", "wrote a comma", comma, comma + 1, ",")
        self.at += 1
        while self.next() == ",":
            self.fix("there are two commas", "removed one", self.at, self.at + 1, "")
            self.at += 1
        return comma
