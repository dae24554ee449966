"""The search stem of a word, by the stemmers of Snowball (https://snowballstem.org) that Elasticsearch has too."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import lru_cache

from qlc.base.words.folding import fold

_of_thread = threading.local()
"""One stemmer per thread and language: a stemmer keeps the word that it works on."""


def _stemmer(language: str) -> Callable[[str], str]:
    import snowballstemmer

    stemmers: dict[str, Callable[[str], str]] = _of_thread.__dict__
    if language not in stemmers:
        is_known = language in snowballstemmer.algorithms()
        stemmers[language] = snowballstemmer.stemmer(language).stemWord if is_known else str
    return stemmers[language]



@lru_cache(maxsize=65_536)
def stem(word: str, language: str = "english") -> str:
    """Return the search stem of a word: `payments` -> `payment`. A word with a digit is a code and stays as it is."""
    plain = fold(word)
    return plain if any(one.isdigit() for one in plain) else _stemmer(language)(plain)
