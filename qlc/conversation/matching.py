"""Finds which of several things a phrase names, by the words that distinguish them. Independent of any domain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz import fuzz

from qlc.language.nouns import singular
from qlc.translator.rules.words.tokens import fold

SPELLED_LIKE = 86.0
"""The least likeness, of 100, at which a word counts as a typo of another one."""

SHORTEST_TYPO = 5

_WORD = re.compile(r"[^\W_]+")
_BREAKS = re.compile(r"[/\\>,;:()\[\]|]+|\s[-–—]\s")


def stems(text: str) -> tuple[str, ...]:
    """Return the words of a text, folded, in the singular, without possessives: `Ann's reports` -> `ann`, `report`."""
    straight = fold(text).replace("'s ", " ").removesuffix("'s")
    return tuple(map(singular, _WORD.findall(straight)))


@dataclass(frozen=True, slots=True)
class Described:
    """A thing by its description. `parts` are its name, the folders of its path, and so on, each as stems."""

    words: frozenset[str]
    parts: frozenset[tuple[str, ...]]


def described(texts: Iterable[str]) -> Described:
    """Return a thing's description from its labels. Adjacent words also count as one: "non-profit" -> "nonprofit"."""
    words: set[str] = set()
    parts: set[tuple[str, ...]] = set()
    for text in texts:
        for part in _BREAKS.split(text):
            found = stems(part)
            words.update(found)
            words.update(one + other for one, other in pairwise(found))
            parts.add(found)
            if "." in part:  # a name without its extension
                parts.add(stems(part.rpartition(".")[0]))
    return Described(frozenset(words), frozenset(parts))


def joined(wanted: Sequence[str], things: Sequence[Described]) -> list[str]:
    """Join two words if only their compound is known: "non profit", of a thing called "Nonprofit"."""
    found: list[str] = []
    for word in wanted:
        if found and unknown([word], things) and not unknown([found[-1] + word], things):
            found[-1] += word
        else:
            found.append(word)
    return found


def unknown(wanted: Sequence[str], things: Sequence[Described]) -> list[str]:
    """Return the words that no thing has, in any spelling."""
    return [word for word in wanted if not _having(word, things)]


def named(wanted: Sequence[str], things: Sequence[Described]) -> list[int]:
    """Return the places of the things that have all the words; only those with exactly this name, if there are any."""
    having = [_having(word, things) for word in wanted]
    found = [at for at in range(len(things)) if all(at in each for each in having)]
    whole = [at for at in found if tuple(wanted) in things[at].parts]
    return whole or found


def _having(word: str, things: Sequence[Described]) -> set[int]:
    """Return the things that have a word. If there are none, the word may be a typo of another one."""
    found = {at for at, thing in enumerate(things) if word in thing.words}
    if found or len(word) < SHORTEST_TYPO or word.isdecimal():
        return found
    return {at for at, thing in enumerate(things) if any(_is_typo(word, other) for other in thing.words)}


def _is_typo(word: str, other: str) -> bool:
    return not other.isdecimal() and fuzz.ratio(word, other, score_cutoff=SPELLED_LIKE) > 0
