"""Martin Porter's stemmer for English as Lucene's PorterStemFilter has it (with Porter's later departures).

Source: M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980, and the author's own program.
"""

from __future__ import annotations

import functools
import itertools

_VOWELS = frozenset("aeiou")

_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "logi": "log",
}  # fmt: skip
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate", "iti",
    "ous", "ive", "ize",
)  # fmt: skip


@functools.lru_cache(maxsize=200_000)
def stem(word: str) -> str:
    """The stem of a lower-case word; words of one or two letters stay."""
    if len(word) <= 2:
        return word
    word = _past_and_plural(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replace_longest(word, _STEP_2)
    word = _replace_longest(word, _STEP_3)
    word = _drop_suffix(word)
    return _drop_final_e(word)


def _is_consonant(word: str, at: int) -> bool:
    letter = word[at]
    if letter in _VOWELS:
        return False
    return letter != "y" or at == 0 or not _is_consonant(word, at - 1)


def _measure(stem_part: str) -> int:
    """How many times a vowel run is followed by a consonant run."""
    kinds = [_is_consonant(stem_part, at) for at in range(len(stem_part))]
    return sum(1 for before, after in itertools.pairwise(kinds) if not before and after)


def _has_vowel(stem_part: str) -> bool:
    return any(not _is_consonant(stem_part, at) for at in range(len(stem_part)))


def _ends_double_consonant(word: str) -> bool:
    return len(word) >= 2 and word[-1] == word[-2] and _is_consonant(word, len(word) - 1)


def _ends_short_syllable(word: str) -> bool:
    """Consonant, vowel, consonant, the last not w, x or y: as in `hop`."""
    last = len(word) - 1
    if last < 2 or word[-1] in "wxy":
        return False
    return _is_consonant(word, last) and not _is_consonant(word, last - 1) and _is_consonant(word, last - 2)


def _past_and_plural(word: str) -> str:
    if word.endswith("s"):
        if word.endswith(("sses", "ies")):
            word = word[:-2]
        elif not word.endswith("ss"):
            word = word[:-1]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        if word.endswith(suffix) and _has_vowel(word[: -len(suffix)]):
            word = word[: -len(suffix)]
            if word.endswith(("at", "bl", "iz")):
                return word + "e"
            if _ends_double_consonant(word):
                return word if word[-1] in "lsz" else word[:-1]
            return word + "e" if _measure(word) == 1 and _ends_short_syllable(word) else word
    return word


def _replace_longest(word: str, suffixes: dict[str, str]) -> str:
    for length in range(min(7, len(word)), 2, -1):
        suffix = word[-length:]
        if suffix in suffixes:
            rest = word[:-length]
            return rest + suffixes[suffix] if _measure(rest) > 0 else word
    return word


def _drop_suffix(word: str) -> str:
    for suffix in sorted(_STEP_4, key=len, reverse=True):
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            if suffix == "ion" and not rest.endswith(("s", "t")):
                return word
            return rest if _measure(rest) > 1 else word
    return word


def _drop_final_e(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_short_syllable(rest)):
            word = rest
    if word.endswith("ll") and _measure(word) > 1:
        word = word[:-1]
    return word
