"""Words of a question that nothing is known of, neither English nor catalog nor index; and what cannot be asked."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Iterator
from typing import Any

from qlc.base.units import find_unit
from qlc.mapping.fields import FieldKind
from qlc.mapping.id_pattern import id_pattern
from qlc.translator.protocol import FindValues, Need
from qlc.translator.rules.lexicon.lexemes import (
    INFLECTED,
    ConditionWord,
    EntityWord,
    FieldWord,
    Lexeme,
    ListWord,
    NameWord,
    Payload,
    ValueWord,
    phrases_of,
)
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.dates import is_year, period
from qlc.translator.rules.quantities.numbers import amount
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, spaced, stem, words
from qlc.translator.rules.words.tokens import Token, TokenKind

LONGEST_NAME = 5
MOST_SPANS = 24
FEWEST_UNKNOWN = 3  # unknown words that make a question one about something else. Fewer may be misspelt.
_INDEFINITE = words("anything something stuff things")
_OF_A_TOPIC = words("on about like regarding concerning for with from mentioning")
_SEQUENCES = (
    english.ASKING, english.EXCEPT, english.AT_LEAST, english.AT_MOST, english.MORE, english.LESS, english.EXACTLY,
    english.OR_MORE, english.OR_LESS, english.SORTING, english.DESCENDING, english.ASCENDING, english.COUNTING,
    english.GROUPING, english.DISTINCT, english.NAMED, english.MENTIONING, english.MEASURES, english.CYCLIC,
    english.NEWEST_FIRST, english.OLDEST_FIRST,
)  # fmt: skip
FUNCTION_WORDS = words(
    "what when where who whose why how many much before after since until between ago today yesterday "
    "tomorrow i we you me both either neither nor same first than as up other if while because ones "
    "my not years days am pm per percentage percent im anything something stuff things tree hierarchy "
    "subtree recursively else somebody everybody child alongside beside along appears occurs recorded "
    "whats outside vs versus compared percentile often dr mr mrs "
    "single very popular word words phrase there anyone someone nobody anybody everything nothing "
    "half negative positive among amongst mine yours his hers ours theirs whoever whomever distribution breakdown"
).union(
    english.ARTICLES, english.POLITE, english.SOFTENERS, english.RELATIVE_PRONOUNS, english.COPULAS,
    english.AUXILIARIES, english.HAVING, english.LACKING, english.NEGATIONS, english.CONTAINMENT, english.BELOW,
    english.ANYWHERE, english.PREPOSITIONS, english.AND, english.OR, english.OTHER, english.PRONOUNS,
    english.SUPERLATIVES, english.MORE_ADJECTIVES, english.LESS_ADJECTIVES, english.MOST_ADJECTIVES, english.ORDINALS,
    english.NUMBERS, english.SCALES, english.MONTHS, english.WEEKDAYS, english.CALENDAR, english.THIS, english.LAST,
    english.NEXT, english.DEGREES, (one for one in english.CURRENCIES if one.isalpha()),
    (word for table in _SEQUENCES for sequence in table for word in sequence),
)  # fmt: skip
NOT_AMONG_THEMSELVES = (
    "Things are not compared with each other here. Ask how many there are of each value, or for those that are like "
    "one that you name."
)
_EACH_OTHER = phrases(
    "each other | each others | one another | eachother | (among | amongst | between | within) themselves | mutually"
)
_AFTER = english.POSSESSIVES | english.PREPOSITIONS | english.AND | english.POLITE | words("? ! . , ; )")
EVERY_YEAR = (
    "These days come back every year, and dates are only compared with those of one year. Ask with a year, or for a "
    "list with the dates in it."
)
_COMING_BACK = words("birthday birthdays anniversary anniversaries jubilee")


def unknown_words(p: Parse) -> list[int]:
    """The tokens that nothing is known of: neither English function words nor words of the catalog or the index."""
    covered = {i for lexemes in p.lexemes for one in lexemes for i in range(one.start, one.end)}
    return [i for i, t in enumerate(p.tokens)
            if t.kind is TokenKind.WORD and i not in covered and t.text not in FUNCTION_WORDS
            and not t.text[0].isdecimal() and not p.lexicon.knows(t.text) and not _is_unit(p, i)]  # fmt: skip


def _is_unit(p: Parse, at: int) -> bool:
    """Whether a word is the unit of the number before it: `20 knots`."""
    return at > 0 and p.word(at - 1)[:1].isdecimal() and find_unit(p.word(at)) is not None


def unread_names(p: Parse) -> dict[str, tuple[int, int]]:
    """Return the places of runs of words like names or unknown ones: ids with marks (`17/B`), then longest first."""
    unknown = set(unknown_words(p))
    eligible = [
        t.kind in (TokenKind.WORD, TokenKind.NUMBER)
        and (
            i in unknown
            or (t.raw[:1].isupper() and i > 0)
            or (t.raw[:1].isdecimal() and any(c.isalpha() for c in t.raw))
        )
        for i, t in enumerate(p.tokens)
    ]
    spans = {p.raw(start, end): (start, end) for start, end in _with_marks(p)}
    for length in range(LONGEST_NAME, 0, -1):
        for start in range(p.end - length + 1):
            if all(eligible[start : start + length]):
                spans.setdefault(p.raw(start, start + length), (start, start + length))
    return dict(list(spans.items())[:MOST_SPANS])


def _with_marks(p: Parse) -> Iterator[tuple[int, int]]:
    """Yield the places of words with marks between them, and no space, in which are letters and digits."""
    start = 0
    for at in range(1, len(p.tokens) + 1):
        if at < len(p.tokens) and p.tokens[at].start == p.tokens[at - 1].end:
            continue
        end = at
        while end > start and p.tokens[end - 1].kind is TokenKind.MARK:
            end -= 1
        kinds = {one.kind for one in p.tokens[start:end]}
        text = p.raw(start, end) if end - start > 1 and kinds <= _OF_IDS and TokenKind.MARK in kinds else ""
        if any(one.isdecimal() for one in text) and any(one.isalpha() for one in text):
            yield start, end
        start = at


_OF_IDS = frozenset({TokenKind.WORD, TokenKind.NUMBER, TokenKind.MARK})


def nothing_known(p: Parse, fewest: int = FEWEST_UNKNOWN) -> bool:
    """Return whether there are content words and the lexicon knows none of them: the question has another subject."""
    substance = [i for i, t in enumerate(p.tokens) if t.kind is TokenKind.WORD and t.text not in FUNCTION_WORDS
                 and not t.text[0].isdecimal()]
    unknown = set(unknown_words(p))
    asked = any(t.text in _INDEFINITE and p.word(at + 1) in _OF_A_TOPIC for at, t in enumerate(p.tokens))
    counted = asked or any(t.text in english.CALENDAR or t.text in ("many", "average", "per") for t in p.tokens)
    # quoted, or an id
    quoted = any(t.kind is TokenKind.QUOTED or (len(t.text) > 4 and t.text[0].isdecimal()) for t in p.tokens)
    return len(substance) >= fewest and not counted and not quoted and all(i in unknown for i in substance)


def confidential(p: Parse, tokens: Iterable[Token]) -> str | None:
    """Return the phrase of a confidential field if the question has all its words: `phone number of the keyholder`."""
    said = {stem(token.text) for token in tokens}
    for one in p.lexicon.closed_fields:
        for phrase in phrases_of(one):
            words_of = set(map(stem, phrase))
            if words_of and words_of <= said:
                return spaced(one.name)
    return None


def is_among_themselves(p: Parse) -> bool:
    """Whether a text speaks of things in relation to each other; not of `each other vendor`."""
    for at in range(p.end):
        known = any(True for one in p.lexemes[at] if one.end > at + 1)
        for end in () if known else p.phrases(at, _EACH_OTHER):
            if end >= p.end or p.word(end) in _AFTER:
                return True
    return False


def comes_back(p: Parse) -> bool:
    """Whether a birthday, which the index has as a date, is asked for by a month or a day of no year."""
    dates = any(
        p.word(at) in _COMING_BACK and any(one.payload.ref.kind is FieldKind.DATE for one in p.starting(at, FieldWord))
        for at in range(p.end)
    )
    return dates and not any(is_year(token.text) for token in p.tokens) and any(date_test(p, at) for at in range(p.end))


_SEVERAL = english.SUPERLATIVES.keys() | english.ORDINALS.keys() | english.LAST | english.NEXT | words(
    "every each all any top")  # fmt: skip


def written_as_ids(parse: Parse) -> list[Lexeme[NameWord]]:
    """Words in capitals that nothing is known of and that look like an id of the catalog: `JFK`, `X98CCZO`."""
    found = []
    for at in unknown_words(parse):
        raw = parse.tokens[at].raw
        having = tuple(entity.name for entity in parse.schema.entities.values()
                       if raw.isupper() and entity.id_pattern and id_pattern(entity.id_pattern).fullmatch(raw))
        if having:
            found.append(Lexeme(at, at + 1, NameWord(having, raw), 0.1))
    return [*found, *_ids_with_marks(parse), *_numbers_of_things(parse)]


def _ids_with_marks(parse: Parse) -> list[Lexeme[NameWord]]:
    """`MC-05`: letters, marks and digits that are an id together."""
    found = []
    patterns = [(e.name, id_pattern(e.id_pattern)) for e in parse.schema.entities.values() if e.id_pattern]
    for at, token in enumerate(parse.tokens):
        for entity, pattern in patterns if token.raw.isupper() and token.kind is TokenKind.WORD else ():
            until = pattern.match(parse.text, token.start)
            if until is None or parse.text[until : until + 1].isalnum():
                continue
            end, written = parse.token_at(until), parse.text[token.start : until]
            if end > at + 1 and any(c.isdecimal() for c in written):
                found.append(Lexeme(at, end, NameWord((entity,), written), 0.1))
    return found


def _numbers_of_things(parse: Parse) -> Iterator[Lexeme[NameWord]]:
    """`complaint 70012`: digits behind a thing that has an id, unless they may be a year."""
    for at, token in enumerate(parse.tokens):
        is_number = token.raw.isdecimal() and not is_year(token.raw)
        for one in parse.ending(at) if is_number else ():
            kind = one.payload.entity if isinstance(one.payload, EntityWord) and not parse.plural(at) else ""
            entity = parse.entity(kind) if kind and parse.word(one.start - 1) not in _SEVERAL else None
            pattern = entity.id_pattern if entity is not None else None
            if entity is not None and entity.id is not None and (
                pattern is None or id_pattern(pattern).fullmatch(token.raw)
            ):
                yield Lexeme(at, at + 1, NameWord((kind,), token.raw), 0.1)


def looked_up(parse: Parse) -> Generator[Need, Any, list[Lexeme[NameWord | ValueWord]]]:
    """Look up words that may be values of fields with too many values to read; returns lexemes for those found."""
    partly = parse.lexicon.values.partly
    spans = unread_names(parse) if partly else {}
    found: list[Lexeme[NameWord | ValueWord]] = []
    for ref, text, entity in (yield FindValues(tuple(spans), partly)) if spans else ():
        start, end = spans[text]
        if ref.field.is_id:
            found.append(Lexeme(start, end, NameWord((entity,), text), 0.1))
        else:
            found.append(Lexeme(start, end, ValueWord(ref, text, closed=False), 0.05))
    return found


MOST_MEANINGS = 4  # meanings of a word that are listed
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
    """Return what the words of a text can stand for: `W2s` -> `type = "W2"`, `last year` -> `a date`."""
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
