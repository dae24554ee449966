"""Read ids that the lexicon lacks, and look up values that it could not hold."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

from qlc.mapping.id_pattern import id_pattern
from qlc.translator.protocol import FindValues, Need
from qlc.translator.rules.lexicon.lexemes import EntityWord, Lexeme, NameWord, ValueWord
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import is_year
from qlc.translator.rules.questions.unknown import unknown_words, unread_names
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words
from qlc.translator.rules.words.tokens import TokenKind

_SEVERAL = english.SUPERLATIVES.keys() | english.ORDINALS.keys() | english.LAST | english.NEXT | words(
    "every each all any top")  # fmt: skip


def written_as_ids(parse: Parse) -> list[Lexeme[NameWord]]:
    """Words in capitals that nothing is known of and that look like an id of the catalog: `JFK`, `X98CCZO`."""
    found = []
    for at in unknown_words(parse):
        raw = parse.tokens[at].raw
        having = tuple(
            entity.name
            for entity in parse.schema.entities.values()
            if raw.isupper() and entity.id_pattern and id_pattern(entity.id_pattern).fullmatch(raw)
        )
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
