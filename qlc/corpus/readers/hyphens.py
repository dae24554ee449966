"""Joins lines, and words that are divided at the end of a line: `rea-`, `sonable` -> `reasonable`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_DIVIDED = re.compile(r"(?<=[^\W_])[-‐\u00ad]$")
_FIRST_WORD = re.compile(r"[^\W_](?:[\w’']|(?<=[^\W_])-(?=[^\W_]))*")
_LAST_WORD = re.compile(r"[^\W_](?:[\w’']|(?<=[^\W_])-(?=[^\W_]))*(?=.$)")
_WORD = re.compile(r"[^\W\d_](?:[\w’']|-(?=[^\W_]))*")
_HALVES = re.compile(r"[\w’'-]{0,60}(?:[\ufffe\x02]|[-‐\u00ad]\r?\n)\s?[\w’'-]{0,60}")
"""A divided word as the parser gives it. Its halves are no words."""
_AND = frozenset("und oder bzw and or to et ou y o e en of och eller og".split())  # noqa: SIM905
"""Words after a hyphen that stands for the rest of a word: `Ein- und Ausgang`."""
_APART = frozenset("self non well ex half all high low long short full part year two three four five six".split())  # noqa: SIM905
"""Beginnings that mostly keep their hyphen."""
LIGATURES = {0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st"}


class Words:
    """The words of a document, which tell whether `well-` and `known` are one word or two. They are counted when a
    word is divided, not before."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._waiting: list[str] = []

    def add(self, text: str) -> None:
        self._waiting.append(_HALVES.sub(" ", text))

    def __contains__(self, word: str) -> bool:
        while self._waiting:
            self._known.update(found.lower() for found in _WORD.findall(self._waiting.pop()))
        return word.lower() in self._known

    def joined(self, first: str, second: str) -> str:
        """Return the word of two halves, with or without the hyphen between them.

        The form that the document has elsewhere; else without a hyphen, unless both halves are words of the document,
        the first half has a hyphen already, or the second does not begin in lower case.
        """
        if not second[0].islower() or "-" in first:
            return f"{first}-{second}"
        if f"{first}{second}" in self:
            return f"{first}{second}"
        if f"{first}-{second}" in self or first.lower() in _APART:
            return f"{first}-{second}"
        return f"{first}-{second}" if len(first) > 2 and first in self and second in self else f"{first}{second}"


def text_of(lines: Iterable[str], words: Words, end: str = "\n") -> str:
    """Join lines with `end` between them. The rest of a divided word moves to the line where it begins.

    `["a rea-", "sonable way"]` -> `a reasonable` and `way`
    """
    parts: list[str] = []
    for line in lines:
        if parts and (joined := _joined(parts[-1], line, words)):
            parts[-1], line = joined
        if line:
            parts.append(line)
    return end.join(parts).replace("\u00ad", "")


def _joined(above: str, below: str, words: Words) -> Sequence[str] | None:
    """Join a word that is divided between two lines, in the first line. Return both lines; None without such a word."""
    if not _DIVIDED.search(above):
        return None
    first, second = _LAST_WORD.search(above), _FIRST_WORD.match(below)
    if not first or not second or second[0].lower() in _AND:
        return None
    if first[0][-1].isdigit() and not second[0][0].isdigit():  # `45,00-` is a negative amount
        return None
    rest = below[second.end() :]
    tail = re.match(r"\S*", rest)
    assert tail is not None  # it matches any text
    whole = f"{first[0]}{second[0]}" if above[-1] == "\u00ad" else words.joined(first[0], second[0])
    return f"{above[: first.start()]}{whole}{tail[0]}", rest[tail.end() :].lstrip()
