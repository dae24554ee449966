"""Reduce words to a common form, from the lightest to the strongest: `singular`, `base_form`, `stem`, `root_of`.

`singular` undoes a plural (`movies` -> `movie`), `base_form` an English inflection (`uploaded`, `uploading` ->
`upload`), `stem` is the search stemmer of a language (Snowball, https://snowballstem.org, as Elasticsearch has it).
"""

from __future__ import annotations

import re
import threading
from functools import lru_cache
from typing import Protocol

from qlc.extras import need
from qlc.words.folding import fold

# --- search stems ----------------------------------------------------------------------------------------------------


class Stemmer(Protocol):
    def stemWord(self, word: str) -> str:
        """Return the stem of a word in small letters."""


class _NoStemmer:
    def stemWord(self, word: str) -> str:
        return word


_of_thread = threading.local()
"""One stemmer per thread and language: a stemmer keeps the word that it works on."""


def _stemmer(language: str) -> Stemmer:
    try:
        import snowballstemmer
    except ModuleNotFoundError:
        need("corpus", "a corpus")
        raise

    stemmers: dict[str, Stemmer] = _of_thread.__dict__
    if language not in stemmers:
        is_known = language in snowballstemmer.algorithms()
        stemmers[language] = snowballstemmer.stemmer(language) if is_known else _NoStemmer()
    return stemmers[language]


@lru_cache(maxsize=65_536)
def stem(word: str, language: str = "english") -> str:
    """Return the search stem of a word: `payments` -> `payment`. A word with a digit is a code and stays as it is."""
    plain = fold(word)
    return plain if any(one.isdigit() for one in plain) else _stemmer(language).stemWord(plain)


_ENDINGS = re.compile(r"(?<=...)(?:ments?|ation|or|er|age|ance|ence|ist|yst|ys|ee|al|y|i|ion|e)$")


@lru_cache(maxsize=8_192)
def root_of(stemmed: str) -> str:
    """Remove the ending that makes a noun of a verb from a stem: `inspector` -> `inspect`, `payment` -> `pay`.

    It joins unrelated words too, so equal roots weigh less than equal stems.
    """
    return _ENDINGS.sub("", stemmed)
