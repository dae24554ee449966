"""Find the words of a question that stand for something, and what for."""

from __future__ import annotations

import json

from qlc.translator.rules.lexicon.lexemes import (
    INFLECTED,
    ConditionWord,
    EntityWord,
    FieldWord,
    ListWord,
    NameWord,
    Payload,
    ValueWord,
)
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import period
from qlc.translator.rules.quantities.numbers import amount
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS
from qlc.translator.rules.words.tokens import TokenKind

MOST_MEANINGS = 4
"""Meanings of a word that are listed."""

_KNOWN = (EntityWord, FieldWord, ListWord, ValueWord, ConditionWord)


def known_words(p: Parse) -> tuple[str, ...]:
    """The words of a text that stand for something, as they were written, from left to right; each once."""
    found: dict[str, None] = {}
    at = 0
    while at < p.end:
        ends = [one.end for one in p.lexemes[at] if one.cost <= INFLECTED and _is_known(one.payload)]
        end = max((*(end for end in ends if means_something(p, at, end)), _end_of_amount(p, at)))
        if end:
            found.setdefault(p.raw(at, end))
        at = end or at + 1
    return tuple(found)


def word_meanings(p: Parse) -> list[tuple[str, list[str]]]:
    """Return the words of a text with what each can stand for: `W2s` -> `type = "W2"`, `last year` -> `a date`,
    `blorp` -> nothing.

    Words of English grammar are left out.
    """
    found: list[tuple[str, list[str]]] = []
    at = 0
    while at < p.end:
        known = [one for one in p.lexemes[at] if one.cost <= INFLECTED and isinstance(one.payload, (*_KNOWN, NameWord))]
        end = max((one.end for one in known), default=at + 1)
        meanings = dict.fromkeys(_meaning(one.payload) for one in known if one.end == end)
        ends = {"a date": [one.end for one in period(p, at)], "a number": [one.end for one in amount(p, at)]}
        said = max(ends, key=lambda kind: max(ends[kind], default=0))
        if ends[said] and (not known or max(ends[said]) > end):
            end, meanings = max(ends[said]), {said: None}
        if meanings or (p.tokens[at].kind is TokenKind.WORD and means_something(p, at, end)):
            found.append((p.raw(at, end), [*meanings][:MOST_MEANINGS]))
        at = end
    return found


def _meaning(payload: Payload) -> str:
    match payload:
        case EntityWord(entity):
            return f"entity {entity}"
        case FieldWord(ref):
            return f"field {'.'.join(ref.path)}"
        case ListWord(name):
            return f"list {name}"
        case ValueWord(ref, text, _, whole):
            return f"{'' if whole else 'beginning of '}{'.'.join(ref.path)} = {json.dumps(text, ensure_ascii=False)}"
        case ConditionWord(name):
            return f"condition {name}"
        case NameWord(entities, text, whole):
            return f"{'name' if whole else 'part of the name'} {json.dumps(text, ensure_ascii=False)} of {entities[0]}"
        case _:
            return ""


def words_left(p: Parse) -> tuple[str, ...]:
    """The words that mean something and stand for nothing by themselves, such as the beginning of a name."""
    known = (one for row in p.lexemes for one in row if one.cost <= INFLECTED and _is_known(one.payload))
    covered = {at for one in known for at in range(one.start, one.end)}
    covered |= {at for start in range(p.end) for at in range(start, _end_of_amount(p, start))}
    left = (at for at in range(p.end) if at not in covered and p.tokens[at].kind is TokenKind.WORD)
    return tuple(p.tokens[at].raw for at in left if means_something(p, at, at + 1))


def _end_of_amount(p: Parse, at: int) -> int:
    """Return the end of the date or number with digits at a place, `March 2025`, `10000`; 0 without one."""
    ends = (one.end for read in (period, amount) for one in read(p, at))
    return max((end for end in ends if any(p.word(i)[:1].isdecimal() for i in range(at, end))), default=0)


def _is_known(payload: Payload) -> bool:
    return isinstance(payload, _KNOWN) or (isinstance(payload, NameWord) and payload.whole)


def means_something(p: Parse, at: int, end: int) -> bool:
    """Whether some word of a span is more than a function word of English."""
    return any(p.word(i) not in FUNCTION_WORDS and len(p.word(i)) > 2 for i in range(at, end))
