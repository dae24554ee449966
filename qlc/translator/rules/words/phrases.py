"""Tables of phrases, found by their first word."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import TypeVar

_MARKS = re.compile(r"[()\[\]|]|[^\s()\[\]|]+")
_CLOSING = {"(": ")", "[": "]"}
T = TypeVar("T")

Sequences = tuple[tuple[str, ...], ...]


class Phrases:
    """Sequences of words, found by the first word and made when first used: few questions need all tables."""

    def __init__(self, make: Callable[[], Sequences]) -> None:
        self._make = make

    @cached_property
    def sequences(self) -> Sequences:
        return self._make()

    @cached_property
    def _by_first(self) -> dict[str, Sequences]:
        by_first: dict[str, list[tuple[str, ...]]] = {}
        for words in dict.fromkeys(self.sequences):
            by_first.setdefault(words[0], []).append(words)
        # Longest first: what is found first is the most that was said.
        return {first: tuple(sorted(found, key=len, reverse=True)) for first, found in by_first.items()}

    def beginning(self, word: str) -> Sequences:
        return self._by_first.get(word, ())

    def longest(self, words: Sequence[str], start: int) -> int:
        """How many of the words from `start` on are one of the sequences, the longest; 0 where they are none."""
        found = self.beginning(words[start]) if start < len(words) else ()
        return next((len(one) for one in found if tuple(words[start : start + len(one)]) == one), 0)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.sequences)

    def __add__(self, other: Phrases) -> Phrases:
        return _joined(self, other)


@lru_cache(maxsize=256)
def _joined(one: Phrases, other: Phrases) -> Phrases:
    return Phrases(lambda: one.sequences + other.sequences)


@lru_cache(maxsize=512)
def phrases(table: str) -> Phrases:
    """The phrases of a table: `|` is between alternatives, `( | )` around those of a part, `[ ]` around what may
    be left out. `[so] (newest | latest) first` are four phrases. A table with a wrong bracket raises ValueError when it
    is first used."""
    return Phrases(lambda: _read(table))


def _read(table: str) -> Sequences:
    marks = deque(_MARKS.findall(table))
    found = tuple(phrase for phrase in _alternatives(marks) if phrase)
    if marks:
        raise ValueError(f"a bracket too many in {table!r}")
    return found


def _alternatives(marks: deque[str]) -> list[tuple[str, ...]]:
    """Read alternatives up to a closing bracket, which is left, or to the end."""
    found: list[tuple[str, ...]] = []
    begun: list[tuple[str, ...]] = [()]
    while marks and marks[0] not in ")]":
        mark = marks.popleft()
        if mark == "|":
            found += begun
            begun = [()]
            continue
        part: list[tuple[str, ...]] = [(mark,)]
        if mark in "([":
            part = _alternatives(marks) + [()] * (mark == "[")
            if not marks or marks.popleft() != _CLOSING[mark]:
                raise ValueError(f"a bracket {mark} is not closed")
        begun = [before + more for before in begun for more in part]
    return found + begun


@lru_cache(maxsize=1024)
def words(text: str) -> frozenset[str]:
    """The words of a table, without order."""
    return frozenset(text.split())


def by_word(table: Mapping[T, str]) -> dict[str, T]:
    """Return the key of each word of a table: `{"size": "big large"}` -> `{"big": "size", "large": "size"}`."""
    return {word: key for key, said in table.items() for word in said.split()}


def by_phrase(table: Mapping[T, str]) -> dict[tuple[str, ...], T]:
    """Return the key of each phrase of a table: `{"sum": "total | sum of"}` -> `{("total",): "sum", ...}`."""
    return {tuple(one.split()): key for key, said in table.items() for one in said.split(" | ")}


class LastPlaces(dict[frozenset[str], int]):
    """The last place where one of some words is said; -1 where none is."""

    def __init__(self, said: tuple[str, ...]) -> None:
        self._places = {word: at for at, word in enumerate(said)}

    def __missing__(self, words: frozenset[str]) -> int:
        place = self[words] = max(map(self._places.__getitem__, words & self._places.keys()), default=-1)
        return place
