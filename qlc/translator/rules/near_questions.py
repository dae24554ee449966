"""Find the understood part of a question: its longest part that is a question, and single words."""

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
from qlc.translator.rules.questions.forms import FORMS, beginnings
from qlc.translator.rules.questions.unknown import FUNCTION_WORDS
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind

MOST = 0.7
"""Highest cost of reading a part."""

MOST_MEANINGS = 4
"""Meanings of a word that are listed."""

_GOES_ON = english.AUXILIARIES | english.COPULAS | english.PREPOSITIONS | english.AND | {"we", "i", "you", "the", "a"}

_KNOWN = (EntityWord, FieldWord, ListWord, ValueWord, ConditionWord)


def longest_part(p: Parse) -> tuple[int, int] | None:
    """Return start and end of the longest part that is a question of its own and has words after it."""
    best: tuple[int, int, float, int] | None = None
    for start in beginnings(p):
        for form in FORMS:
            for one in form(p, start):
                end = one.end
                while end > start and p.tokens[end - 1].kind is TokenKind.MARK:
                    end -= 1
                if p.word(end - 1) in _GOES_ON:
                    continue  # "which customer do we" is no question
                left = any(token.kind is not TokenKind.MARK for token in p.tokens[end:])
                found = (end, start, -one.cost, one.end)
                if left and means_something(p, start, end) and one.cost <= MOST and (best is None or found > best):
                    best = found
    return (best[1], best[0]) if best is not None else None


def is_whole(p: Parse, at: int) -> bool:
    """Whether a part can end at a place: `orders | without a date`, but not `orders without a ship | date`."""
    return p.tokens[at].kind is TokenKind.MARK or p.word(at) in FUNCTION_WORDS


def left_over(p: Parse, at: int) -> str:
    """Return the text after a part, without the marks around it."""
    end = p.end
    while at < end and p.tokens[at].kind is TokenKind.MARK:
        at += 1
    while end > at and p.tokens[end - 1].kind is TokenKind.MARK:
        end -= 1
    return p.raw(at, end)


def known_words(p: Parse) -> tuple[str, ...]:
    """The words of a text that stand for something, as they were written, from left to right; each once."""
    found: dict[str, None] = {}
    at = 0
    while at < p.end:
        ends = [one.end for one in p.lexemes[at] if one.cost <= INFLECTED and _is_known(one.payload)]
        end = max((end for end in ends if means_something(p, at, end)), default=0)
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
    left = (at for at in range(p.end) if at not in covered and p.tokens[at].kind is TokenKind.WORD)
    return tuple(p.tokens[at].raw for at in left if means_something(p, at, at + 1))


def _is_known(payload: Payload) -> bool:
    return isinstance(payload, _KNOWN) or (isinstance(payload, NameWord) and payload.whole)


def means_something(p: Parse, at: int, end: int) -> bool:
    """Whether some word of a span is more than a function word of English."""
    return any(p.word(i) not in FUNCTION_WORDS and len(p.word(i)) > 2 for i in range(at, end))


def with_whole_values(p: Parse) -> str:
    """Return the text with beginnings of values completed: `invoices from acme` -> `invoices from Acme Corp`.

    Empty if there are none, or if a beginning fits several values.
    """
    text, after = p.text, len(p.text)
    for row in reversed(p.lexemes):
        beginnings_here = [one for one in row if isinstance(one.payload, ValueWord) and not one.payload.whole]
        wholes = {(one.end, one.payload.text) for one in beginnings_here if isinstance(one.payload, ValueWord)}
        if len(wholes) == 1:
            ((end, whole),) = wholes
            start, stop = p.tokens[beginnings_here[0].start].start, p.tokens[end - 1].end
            if stop <= after:
                text, after = f"{text[:start]}{whole}{text[stop:]}", start
    return text if text != p.text else ""


_ASKING = words("how many number of what which is are was were the show me give list")


def with_a_measure(p: Parse) -> tuple[str, ...]:
    """Return the text with the measures that a number at its beginning may have: `hours per ward` -> `total hours per
    ward`, `average hours per ward`."""
    at = p.past(0, _ASKING)
    if not any(ref.is_number and one.cost <= INFLECTED for one, ref in p.fields(at)):
        return ()
    return tuple(f"{measure} {p.raw(at, p.end)}" for measure in ("total", "average"))
