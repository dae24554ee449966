"""Inflection of English words: what `uploads`, `uploaded` and `uploading` have in common."""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiouy")
_IRREGULAR = {
    "people": "person", "children": "child", "men": "man", "women": "woman", "bought": "buy", "sold": "sell",
    "sent": "send", "paid": "pay", "made": "make", "held": "hold", "wrote": "write", "written": "write",
    "left": "leave",
    "flew": "fly", "flown": "fly", "got": "get", "gotten": "get", "came": "come", "went": "go", "gone": "go",
    "began": "begin", "begun": "begin", "kept": "keep", "lost": "lose", "seen": "see", "saw": "see", "took": "take",
    "taken": "take", "gave": "give", "given": "give", "shown": "show", "bore": "bear", "born": "bear", "built": "build",
    "drove": "drive", "driven": "drive", "spent": "spend", "owed": "owe", "dying": "die", "lying": "lie",
    "indices": "index", "criteria": "criterion", "data": "data", "media": "media", "analyses": "analysis",
}  # fmt: skip


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """One form for the inflections of a word. It need not be a word itself."""
    if word in _IRREGULAR:
        word = _IRREGULAR[word]
    if len(word) <= 3 or not word.isalpha():
        return word[:-1] if len(word) >= 3 and word.endswith("s") and any(c.isdigit() for c in word) else word
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


def stems(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(stem(word) for word in words)


def _undoubled(base: str) -> str:
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz":
        return base[:-1]
    return _without_e(base)


def _without_e(word: str) -> str:
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def plural(word: str) -> str:
    """The regular plural of a word, for `report` and `reports`."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if word.endswith("y") and len(word) > 1 and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def is_participle(word: str) -> bool:
    """Whether a word looks like a past participle: `shared`, `written`, `sent`."""
    return word.endswith(("ed", "en", "wn", "nt", "id", "ld", "ught")) or word in ("left", "made", "read", "met")
