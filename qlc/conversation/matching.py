"""Which of several things a phrase names: by words that tell them apart. Knows words, and no domain."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rapidfuzz import fuzz

from qlc.translator.rules.tokens import fold

SPELLED_LIKE = 86.0
"""The least likeness, of 100, at which a word counts as a slip of another one."""

SHORTEST_SLIP = 5

_WORD = re.compile(r"[^\W_]+")
_BREAKS = re.compile(r"[/\\>,;:()\[\]|]+|\s[-–—]\s")


def stems(text: str) -> tuple[str, ...]:
    """The words of a text, folded, without the ending of a plural or a possessive."""
    straight = fold(text).replace("'s ", " ").removesuffix("'s")
    return tuple(_stem(word) for word in _WORD.findall(straight))


def _stem(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 2 and word.endswith("s") and not word.endswith("ss") else word


@dataclass(frozen=True, slots=True)
class Described:
    """A thing by what is said of it. `parts` are its name, the folders of its path, and so on, each as stems."""

    words: frozenset[str]
    parts: frozenset[tuple[str, ...]]


def described(texts: Iterable[str]) -> Described:
    """What a thing is called, from its labels: also words written apart count as one ("non-profit")."""
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


def unknown(wanted: Sequence[str], things: Sequence[Described]) -> list[str]:
    """The words that none of the things has, in any spelling."""
    return [word for word in wanted if not any(_has(thing, word) for thing in things)]


def named(wanted: Sequence[str], things: Sequence[Described]) -> list[int]:
    """Which of the things have all the words. Those that are called just so come before those that are partly."""
    found = [at for at, thing in enumerate(things) if all(_has(thing, word) for word in wanted)]
    whole = [at for at in found if tuple(wanted) in things[at].parts]
    return whole or found


def _has(thing: Described, word: str) -> bool:
    if word in thing.words:
        return True
    if len(word) < SHORTEST_SLIP or word.isdigit():
        return False
    return any(fuzz.ratio(word, other, score_cutoff=SPELLED_LIKE) > 0 for other in thing.words if not other.isdigit())
