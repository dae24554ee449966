"""Tables of phrases, found by their first word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache


class Phrases:
    """Sequences of words; those that begin with a word are found at once."""

    def __init__(self, sequences: tuple[tuple[str, ...], ...]) -> None:
        self.sequences = sequences
        by_first: dict[str, list[tuple[str, ...]]] = {}
        for words in dict.fromkeys(sequences):
            by_first.setdefault(words[0], []).append(words)
        # Longest first: what is found first is the most that was said.
        self._by_first = {first: tuple(sorted(found, key=len, reverse=True)) for first, found in by_first.items()}

    def beginning(self, word: str) -> tuple[tuple[str, ...], ...]:
        return self._by_first.get(word, ())

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.sequences)

    def __add__(self, other: Phrases) -> Phrases:
        return _joined(self, other)


@lru_cache(maxsize=256)
def _joined(one: Phrases, other: Phrases) -> Phrases:
    return Phrases(one.sequences + other.sequences)


@lru_cache(maxsize=512)
def phrases(text: str) -> Phrases:
    """The phrases of a table written `newest first | latest first`."""
    return Phrases(tuple(tuple(one.split()) for one in text.split("|") if one.strip()))


@lru_cache(maxsize=1024)
def words(text: str) -> frozenset[str]:
    """The words of a table, without order."""
    return frozenset(text.split())
