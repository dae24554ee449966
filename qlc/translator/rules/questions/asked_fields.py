"""What is asked of a thing, one field or several, by their words: `the size`, `creator + creation date`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words
from qlc.base.units import convert, find_unit

Fields = tuple[FieldRef, ...]

_NOUNS = words("field fields attribute attributes value values property properties entry column")
"""What fields are called in general."""
_JOINING = words(", and & + / plus also")
_MOST = 5
_ENDS = words("until expire expires expiry expiration end ends ending close closes closing")


@rule
def asked_fields(p: Parse, at: int) -> Iterator[Found[Fields]]:
    """`the size`, `type, size and owner`, `the e-mail address of the owner` (of what comes after it)."""
    for first in _one(p, at):
        yield Found(first.end, (first.value,), first.cost)


def _one(p: Parse, at: int) -> Iterator[Found[FieldRef]]:
    start = p.articles(at)
    for lexeme, ref in p.fields(start):
        if ref.within is None or ref.within.key is not None:
            yield Found(lexeme.end, ref, lexeme.cost)


def names_a_field(p: Parse, at: int, end: int) -> bool:
    """Whether the words before `end` say that they name a field: `the due date field`."""
    return end > at + 1 and p.word(end - 1) in _NOUNS


def past_the_unit(p: Parse, at: int, fields: Fields) -> int:
    """After `in minutes`, where the one number asked for can be given so: answers choose a readable unit themselves."""
    start = p.past(at, (",", "("))
    if p.word(start) != "in" or len(fields) != 1:
        return at
    if fields[0].field.currency is not None and english.CURRENCIES.get(p.word(start + 1)) == fields[0].field.currency:
        return start + 2
    if fields[0].field.unit is None:
        return at
    unit = find_unit(p.word(start + 1)) if p.word(start + 1) else None
    return start + 2 if unit is not None and convert(unit.name, fields[0].field.unit) is not None else at
