"""Folding: one form for spellings that people take for the same name.

Case, accents, kinds of quotes, punctuation and white space are folded away; letters of different words, digits and
emoji are not. A name of punctuation alone folds to nothing, and nothing matches nothing.
"""

from __future__ import annotations

import re
import unicodedata

_APOSTROPHES = frozenset("'’‘‛ʼʻʹ′`´＇")

_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ŋ": "n"}
)
"""Letters that Unicode does not take apart and keyboards of other languages lack."""

_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
"""The combining marks that are accents. Marks of other scripts are vowels, or tell consonants apart: they stay."""

_INVISIBLE = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Variation selectors: the same character, drawn otherwise."""

_WITHIN_A_WORD = re.compile(r"(?<=[^\W\d_])'(?=[^\W\d_])")
_NOT_AT_A_WORDS_END = re.compile(r"(?:^|(?<=\s))[+#]+|[+#]+(?=[^\s+#])")
_ASCII_SEPARATORS = re.compile(r"[^a-z0-9+#']")
LONGEST_EXTENSION = 5


def fold(text: str) -> str:
    """The words of a text ignoring case, accents and punctuation, with single spaces between them.

    An apostrophe inside a word joins it (`O'Brien` is `OBrien`), other punctuation parts words (`Mei-Ling` is
    `Mei Ling`). `+` and `#` at the end of a word belong to it: `C++` is neither `C` nor `C#`.
    """
    if text.isascii():
        plain = _ASCII_SEPARATORS.sub(" ", text.lower().replace("`", "'"))
    else:
        plain = unicodedata.normalize("NFC", "".join(map(_plain, text)))
    joined = _WITHIN_A_WORD.sub("", plain).replace("'", " ")
    return " ".join(_NOT_AT_A_WORDS_END.sub(" ", joined).split())


def stem(name: str) -> str | None:
    """The name without its file extension; None where it has none. The `.2` of `v1.2` is no extension."""
    before, _, ending = name.rpartition(".")
    if not before or before[-1] == "." or before[-1].isspace() or not 0 < len(ending) <= LONGEST_EXTENSION:
        return None
    return before if ending.isascii() and ending.isalnum() and not ending.isdecimal() else None


def _plain(character: str) -> str:
    """Fold one character of a text that is not all ASCII; a separator of words becomes a space."""
    if character in _APOSTROPHES:
        return "'"
    category = unicodedata.category(character)
    if category == "So":  # emoji and other signs: words of their own
        return f" {character} "
    if category == "Cf" or _INVISIBLE.match(character):
        return ""
    decomposed = unicodedata.normalize("NFKD", character.casefold()).casefold()
    return "".join(map(_kept, _ACCENTS.sub("", decomposed).translate(_LETTERS)))


def _kept(character: str) -> str:
    return character if unicodedata.category(character)[0] in "LNM" or character in "+#" else " "
