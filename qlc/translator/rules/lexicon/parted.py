"""Phrases of the catalog that a sentence takes apart, and values that marks belong to.

`inspection is due` says `inspection due`, `need a visa` says `needs visa`; `A+` is no article, and `C++` is not `C`.
"""

from __future__ import annotations

from collections.abc import Iterator

from qlc.mapping.fields import FieldKind
from qlc.translator.rules.lexicon.lexemes import FieldWord, Lexeme, Payload, ValueWord
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import Token, TokenKind

_BETWEEN = english.ARTICLES | english.COPULAS | words("which")
_MOST_BETWEEN = 2
_LONGEST = 4
PARTED = 0.1
"""What it costs that words of one phrase are separated."""


def parted(tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Lexeme[FieldWord]]:
    """Dates and flags whose words have an article or a verb between them: `whose inspection is due`."""
    for start, first in enumerate(tokens):
        if first.kind is not TokenKind.WORD or first.text in _BETWEEN | english.PREPOSITIONS:
            continue
        said, between = [first.text], 0
        for at in range(start + 1, len(tokens)):
            if tokens[at].kind not in (TokenKind.WORD, TokenKind.CLITIC) or len(said) == _LONGEST:
                break
            if tokens[at].text in _BETWEEN:
                between += 1
                if between > _MOST_BETWEEN:
                    break
                continue
            said.append(tokens[at].text)
            for ref in lexicon.called(tuple(said)) if between else ():
                if ref.kind in (FieldKind.DATE, FieldKind.BOOLEAN) and ref.within is None:
                    yield Lexeme(start, at + 1, FieldWord(ref), PARTED)


def said_twice(rows: list[list[Lexeme[Payload]]]) -> Iterator[Lexeme[FieldWord]]:
    """`firmware versions`: two words for one field in a row."""
    for row in rows:
        for first in row:
            following = rows[first.end] if first.end < len(rows) and isinstance(first.payload, FieldWord) else ()
            for second in following:
                if second.payload == first.payload and isinstance(second.payload, FieldWord):
                    yield Lexeme(first.start, second.end, second.payload, first.cost + second.cost)


def marked(text: str, tokens: tuple[Token, ...], lexicon: Lexicon) -> Iterator[Lexeme[ValueWord]]:
    """Values that begin or end with a mark, as they are written: `A+`, `C++`, `.NET`."""
    folded = text.casefold()
    for value, words_for in lexicon.with_marks.items():
        at = folded.find(value)
        while at >= 0:
            end = at + len(value)
            apart = not (folded[at - 1 : at].isalnum() and at) and not folded[end : end + 1].isalnum()
            first = next((i for i, one in enumerate(tokens) if one.start == at), None)
            last = next((i for i, one in enumerate(tokens) if one.end == end), None)
            if apart and first is not None and last is not None and tokens[first].kind is not TokenKind.QUOTED:
                for word in words_for:
                    yield Lexeme(first, last + 1, word)
            at = folded.find(value, end)
