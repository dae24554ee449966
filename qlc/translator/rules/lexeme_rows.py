"""Prepare the lexemes of a question before rules read them: phrasal verbs, phrases in parts, costs among rivals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from qlc.mapping.fields import FieldKind
from qlc.translator.rules.lexicon.lexemes import (
    INFLECTED,
    EntityWord,
    FieldWord,
    Lexeme,
    ListWord,
    NameWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.lexicon.lexicon import Lexicon
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import Token, TokenKind

_BETWEEN = english.ARTICLES | english.COPULAS | words("which")
_MOST_BETWEEN = 2
_LONGEST = 4
PARTED = 0.1
"""Cost of separating the words of one phrase."""


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


SHORTER = 0.2
"""Cost of each word that a shorter match leaves out, as words said together belong together."""
PART = 0.3
"""Additional cost of a part of a name if the words mean something as a whole."""


def phrasal(tokens: tuple[Token, ...], lexicon: Lexicon, table: Mapping[tuple[str, str], str]) -> tuple[Token, ...]:
    """`took off` as one word, unless the catalog speaks of it so."""
    joined: list[Token] = []
    for at, one in enumerate(tokens):
        verb = table.get((joined[-1].text, one.text)) if joined else None
        bound = verb in english.NEGATIONS and at + 1 < len(tokens) and tokens[at + 1].text == "than"
        if verb is not None and not bound and not lexicon.knows_together(joined[-1].text, one.text):
            joined[-1] = replace(joined[-1], text=verb, end=one.end)
        else:
            joined.append(one)
    return tuple(joined)


def longest_first(row: list[Lexeme[Payload]], text: tuple[Token, ...]) -> list[Lexeme[Payload]]:
    ends = {one.end for one in row if not isinstance(one.payload, NameWord)}
    longest = max(ends, default=0)
    things = {one.end for one in row if isinstance(one.payload, EntityWord)}
    called = {
        one.end for one in row if isinstance(one.payload, FieldWord) and one.payload.ref.kind is FieldKind.KEYWORD
    }
    exact = {one.end for one in row if isinstance(one.payload, ValueWord) and one.cost < INFLECTED}
    listed = {one.end for one in row if isinstance(one.payload, ListWord)}
    fields = {one.end: one.payload.ref.kind for one in row if isinstance(one.payload, FieldWord) and one.cost == 0}
    ranked = []
    for one in row:
        plain = not is_participle(text[one.end - 1].text)
        if one.end in listed and isinstance(one.payload, FieldWord) and one.cost >= INFLECTED and plain:
            continue  # `shares` are not the field of `sharing`
        if one.end in listed and isinstance(one.payload, ValueWord):
            ranked.append(replace(one, cost=one.cost + 2 * PART))  # `comments` are not what a commenter may do
        elif isinstance(one.payload, FieldWord) and one.cost > 0 and one.end in things | exact:
            # an `order` is not when it was `ordered`, nor is `open` when it was `opened`
            ranked.append(replace(one, cost=one.cost + PART))
        elif one.cost >= INFLECTED and fields.get(one.end) is FieldKind.DATE and not (
            plain or isinstance(one.payload, FieldWord)
        ):
            continue  # what `left` is no leave, where a date is called so, nor is what was `opened` open
        elif isinstance(one.payload, FieldWord) and one.cost >= INFLECTED and one.end in fields:
            ranked.append(replace(one, cost=one.cost + INFLECTED))  # a `rating` is a rating before it is a rate
        elif isinstance(one.payload, ValueWord) and one.cost >= INFLECTED and _is_named(row, one.end, text):
            ranked.append(replace(one, cost=one.cost + PART))  # `Archive` is a folder before it is one of the archives
        elif isinstance(one.payload, ValueWord) and one.cost >= INFLECTED and one.end in called:
            ranked.append(replace(one, cost=one.cost + PART))  # `carriers` are carriers before they are carrier delays
        elif isinstance(one.payload, ValueWord) and one.end in things:
            ranked.append(replace(one, cost=one.cost + PART))  # a `port` is a port before it is a function
        elif isinstance(one.payload, NameWord):
            part = not one.payload.whole and one.end in ends
            # In small letters a word of the catalog is hardly a name.
            plain = one.payload.whole and one.end in ends and text[one.start].raw.islower()
            ranked.append(replace(one, cost=one.cost + PART) if part or plain else one)
        else:
            left_out = longest - one.end - any(text[i].text in english.POSSESSIVES for i in range(one.end, longest))
            ranked.append(replace(one, cost=one.cost + SHORTER * min(2, left_out)))
    return ranked


def _is_named(row: list[Lexeme[Payload]], end: int, text: tuple[Token, ...]) -> bool:
    """Whether words written with a capital are the whole name of something."""
    names = (one for one in row if isinstance(one.payload, NameWord) and one.payload.whole and one.end == end)
    return any(one.start > 0 and text[one.start].raw[:1].isupper() and text[one.start].raw.isalpha() for one in names)
