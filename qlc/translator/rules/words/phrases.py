"""Tables of words and phrases, and the inflection of words: `uploads`, `uploaded`, `uploading` have one stem."""

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


_VOWELS = frozenset("aeiouy")
_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "bought": "buy", "sold": "sell",
    "sent": "send", "paid": "pay", "made": "make", "held": "hold", "wrote": "write", "written": "write",
    "left": "leave", "won": "win", "labelled": "label", "labelling": "label",
    "flew": "fly", "flown": "fly", "got": "get", "gotten": "get", "came": "come", "went": "go", "gone": "go",
    "began": "begin", "begun": "begin", "kept": "keep", "lost": "lose", "seen": "see", "saw": "see", "took": "take",
    "taken": "take", "gave": "give", "given": "give", "shown": "show", "bore": "bear", "born": "bear", "built": "build",
    "drove": "drive", "driven": "drive", "spent": "spend", "owed": "owe", "dying": "die", "lying": "lie",
    "indices": "index", "criteria": "criterion", "data": "data", "media": "media", "analyses": "analysis",
}  # fmt: skip
_SHORT_PLURALS = frozenset(["ps", "ns", "ts", "ds", "ms"])
_PARTICIPLES = words(
    "sent spent lent meant burnt dealt built bought brought caught taught thought sought fought held sold told paid "
    "said laid left made read met lost kept done gone born drawn flown grown known shown sewn thrown worn torn sworn "
    "taken given written eaten driven broken chosen spoken stolen frozen fallen hidden ridden beaten gotten forgotten "
    "seen been woven proven shaken overdrawn overpaid unpaid unsold unsent unread withdrawn undertaken rewritten "
    "forbidden bitten risen found bound wound won run begun cut put set shut hurt split spread cast lit hit fed led "
    "bred shot stuck struck hung swung dug spun sung sunk drunk rung"
)
_NO_PARTICIPLES = words("need speed seed feed weed bed red shed breed exceed proceed succeed med hundred kindred")
_OF_DEEDS = ("", "e", "ion", "ation", "ition", "ment", "al", "y", "ery", "ance", "ure")
"""Endings that turn the stem of a verb into a noun for the deed: `adoption`, `delivery`, `payment`."""


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """One form for the inflections of a word. It need not be a word itself."""
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    if len(word) <= 3 or not word.isalpha():
        return word[:-1] if len(word) >= 3 and word.endswith("s") and any(c.isdecimal() for c in word) else word
    for ending in ("ies", "ied"):
        if word.endswith(ending) and len(word) > 4:
            return word[:-3] + "y"
    for ending in ("sses", "shes", "ches", "xes", "zes"):
        if word.endswith(ending):
            return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        base = word[: -len(ending)]
        if word.endswith(ending) and len(base) >= 2 and any(c in _VOWELS for c in base):
            return _undoubled(base)
    return _without_e(word)


def stems(several: tuple[str, ...]) -> tuple[str, ...]:
    """Return the stems of words. The last of several may be a short plural: `check-ups` -> `check`, `up`."""
    found = tuple(stem(word) for word in several)
    last = found[-1] if len(found) > 1 else ""
    return (*found[:-1], last[:-1]) if len(last) == 3 and last[1:] in _SHORT_PLURALS else found


def _undoubled(base: str) -> str:
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
        return base[:-1]
    return _without_e(base)


def _without_e(word: str) -> str:
    if word.endswith("ie") and len(word) > 3:
        return word[:-2] + "y"  # a movie is one of the movies, as a company is one of the companies
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def is_participle(word: str) -> bool:
    """Whether a word looks like a past participle: `shared`, `written`, `sent`."""
    return word in _PARTICIPLES or (word.endswith("ed") and word not in _NO_PARTICIPLES)


@lru_cache(maxsize=50_000)
def is_same_deed(verb: str, noun: str) -> bool:
    """Whether a word is the noun for what a verb says was done, or another form of the verb: `adopted`, `adoption`."""
    done, named = stem(verb), stem(noun)
    irregular = verb in _IRREGULAR
    known = len(done) > 3 or (irregular and len(done) > 2)
    return done == named or (known and named.startswith(done) and named[len(done) :] in _OF_DEEDS)


def verbs_of(noun: str) -> Iterator[str]:
    """Yield stems of a noun's verb: `completion` -> `complet`, `delivery` -> `deliver`, `hire` -> `hir`."""
    yield stem(noun)
    for ending in _OF_DEEDS:
        if len(ending) > 1 and noun.endswith(ending) and len(noun) > len(ending) + 3:
            yield noun.removesuffix(ending)
    if noun.endswith("y"):
        yield noun[:-1]


def is_still_done(one: str, other: str) -> bool:
    """Whether one word says that something goes on which is done by the other: `installed` is not `installing`."""
    return {word[-3:] for word in (one, other)} >= {"ing"} and any(word.endswith("ed") for word in (one, other))


def is_deed_for_things(said: str, known: str) -> bool:
    """Return whether a verb (`said`) and a plural noun (`known`) only share their stem."""
    return said.endswith(("ed", "ing")) and known.endswith("s") and not known.endswith("ss")


def undenied(word: str) -> str:
    """Return a word without its denying beginning: `inactive` -> `active`, `unpaid` -> `paid`; others unchanged."""
    return word[2:] if word.startswith(("un", "in", "im", "ir", "il")) and len(word) > 4 else word


def spaced(name: str) -> str:
    """`homeTeam` and `home_team` as words."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ").lower()
