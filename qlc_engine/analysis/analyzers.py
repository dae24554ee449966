"""Tokenizers, token filters and the analysers put together from them."""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qlc_engine.analysis import porter
from qlc_engine.analysis.many_texts import lower_words
from qlc_engine.analysis.word_break import words, words_with_offsets
from qlc_engine.time_limit import check_time

#: Lucene's EnglishAnalyzer.ENGLISH_STOP_WORDS_SET
ENGLISH_STOP_WORDS = frozenset(
    {
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
        "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was",
        "will", "with",
    }
)  # fmt: skip

_KNOWN_WORDS = 100_000

TokenFilter = Callable[[str], str | None]
"""One term to another, or to None where the term is left out (its position stays empty)."""


@dataclass(frozen=True, slots=True)
class Token:
    """One token; offsets count characters of the text."""

    term: str
    start: int
    end: int
    position: int


class Tokenizer:
    """How a text falls into pieces: by name `standard`, `whitespace`, `letter` or `keyword`."""

    def __init__(self, name: str, max_token_length: int = 255) -> None:
        self.name = name
        self.max_token_length = max_token_length

    def words(self, text: str) -> list[str]:
        if self.name == "standard":
            return words(text, self.max_token_length)
        return [word for word, _ in self.words_with_offsets(text)]

    def words_with_offsets(self, text: str) -> Iterator[tuple[str, int]]:
        if self.name == "standard":
            yield from words_with_offsets(text, self.max_token_length)
        elif self.name == "keyword":
            if text:
                yield text, 0
        else:
            if self.name == "whitespace":
                yield from ((match.group(), match.start()) for match in _WHITESPACE_WORD.finditer(text))
                return
            for match in _LETTERS.finditer(text):
                yield from _runs_of_letters(match.group(), match.start())


#: what Java calls white space: not the spaces at which no line may break
_WHITESPACE_WORD = re.compile(r"[^ \t\n\x0b\f\r\x1c-\x1f\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+")
_LETTERS = re.compile(r"[^\W\d_]+")


def _runs_of_letters(word: str, start: int) -> Iterator[tuple[str, int]]:
    """Yield the parts of a word without characters that are numbers but not digits, such as a superscript two."""
    if word.isalpha():
        yield word, start
        return
    for is_letter, run in itertools.groupby(word, str.isalpha):
        part = "".join(run)
        if is_letter:
            yield part, start
        start += len(part)


class Analyzer:
    """A tokenizer followed by filters. `terms` is what indexing and queries use."""

    def __init__(self, tokenizer: Tokenizer, filters: Sequence[TokenFilter], position_increment_gap: int = 100) -> None:
        self._tokenizer = tokenizer
        self._filters = tuple(filters)
        self.position_increment_gap = position_increment_gap
        #: the common case, standard words in lower case: the whole text is lowered at once
        self._lower_first = self._filters == (lowercase,)
        #: the term of each short word, None for a word that is left out: texts repeat their words
        self._known: dict[str, str | None] = {}

    def terms(self, text: str) -> tuple[list[str], Sequence[int], int]:
        """The terms of a text, the position of each (those of left-out words stay empty), and how many there are."""
        if self._lower_first and text.isascii():
            found = self._tokenizer.words(text.lower())
            return found, range(len(found)), len(found)
        found = self._tokenizer.words(text)
        if self._lower_first:
            return [lowercase(word) for word in found], range(len(found)), len(found)
        known = self._terms_of(found)
        all_terms = [known[word] for word in found]
        positions = [position for position, term in enumerate(all_terms) if term is not None]
        return [term for term in all_terms if term is not None], positions, len(found)

    def _terms_of(self, words: Iterable[str]) -> Mapping[str, str | None]:
        """Return the term of each word, and of others; None for a word that is left out."""
        every, known = {*words}, self._known
        new = every.difference(known)
        if len(known) + len(new) > _KNOWN_WORDS:  # all are dropped, as those in use come back
            known, new = {}, every
            self._known = known if len(new) <= _KNOWN_WORDS else {}
        known.update({word: self._filter(word) for word in new})
        return known

    def terms_of_many(self, texts: Sequence[str]) -> tuple[list[str], NDArray[np.int64]] | None:
        """The terms of ASCII texts one after the other, and how many each has; their positions go up by one.

        None where the analyser has to look at each text by itself.
        """
        if self._lower_first and self._tokenizer.name == "standard":
            return lower_words(texts, self._tokenizer.max_token_length)
        return None

    def tokens(self, text: str, wanted: Container[str] | None = None) -> list[Token]:
        """Return the tokens of a text; with `wanted` only those with one of these terms."""
        check_time()
        out: list[Token] = []
        found = [*self._tokenizer.words_with_offsets(text)]
        known = self._terms_of(word for word, _ in found)
        for position, (word, start) in enumerate(found):
            term = known[word]
            if term is not None and (wanted is None or term in wanted):
                out.append(Token(term, start, start + len(word), position))
        return out

    def normalize(self, text: str) -> str:
        """A query's prefix, wildcard or fuzzy term: only the filters that work on single characters."""
        for token_filter in self._filters:
            if token_filter in _CHARACTER_FILTERS:
                text = token_filter(text) or ""
        return text

    def _filter(self, word: str) -> str | None:
        term: str | None = word
        for token_filter in self._filters:
            if term is None:
                return None
            term = token_filter(term)
        return term


def lowercase(term: str) -> str:
    """Lower case character by character as Java has it: no final sigma, dotted capital I to plain i."""
    if term.isascii():
        return term.lower()
    return term.replace("\u0130", "i").replace("\u03a3", "\u03c3").lower()


def uppercase(term: str) -> str:
    return term.upper() if term.isascii() else "".join(c.upper() if len(c.upper()) == 1 else c for c in term)


def ascii_folding(term: str) -> str:
    """Letters and marks beyond ASCII to their plain form where there is one (Lucene's ASCIIFoldingFilter)."""
    return term if term.isascii() else "".join(map(_fold_character, term))


def english_possessive(term: str) -> str:
    return term[:-2] if len(term) >= 2 and term[-1] in "sS" and term[-2] in "'\u2019\uff07" else term


def trim(term: str) -> str:
    return term.strip()


def porter_stem(term: str) -> str:
    return porter.stem(term)


def stop_filter(stop_words: frozenset[str], ignore_case: bool = False) -> TokenFilter:
    def keep(term: str) -> str | None:
        return None if (term.lower() if ignore_case else term) in stop_words else term

    return keep


_CHARACTER_FILTERS: frozenset[TokenFilter] = frozenset({lowercase, uppercase, ascii_folding})

#: Code points that ASCIIFoldingFilter looks at: Latin letters, phonetic ones, enclosed and full-width forms.
_FOLDABLE = (
    (0x00A0, 0x02AF), (0x1D00, 0x1DBF), (0x1E00, 0x1EFF), (0x2000, 0x209F), (0x2184, 0x2184), (0x2460, 0x24FF),
    (0x2768, 0x2793), (0x2C60, 0x2C7F), (0x2E00, 0x2E2F), (0xA720, 0xA7FF), (0xFB00, 0xFB06), (0xFF01, 0xFF5E),
)  # fmt: skip

_FOLDED = {
    "ß": "ss", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "đ": "d", "Đ": "D", "ł": "l", "Ł": "L", "þ": "th", "Þ": "TH",
    "ð": "d", "Ð": "D", "œ": "oe", "Œ": "OE", "ı": "i", "ħ": "h", "Ħ": "H", "ŋ": "n", "Ŋ": "N", "ŧ": "t", "Ŧ": "T",
    "ƒ": "f", "ẞ": "SS", "ĸ": "q", "ə": "a", "Ə": "A", "ŉ": "'n",
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‹": "'", "›": "'",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "′": "'", "″": '"', "⁄": "/", "⁓": "~", "‖": "‖",
}  # fmt: skip


@functools.lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    folded = _FOLDED.get(character)
    if folded is not None:
        return folded
    if not any(low <= ord(character) <= high for low, high in _FOLDABLE):
        return character
    plain = "".join(part for part in unicodedata.normalize("NFKD", character) if not unicodedata.combining(part))
    return plain if plain and plain.isascii() else character
