"""Read the fields that are asked of one document: `the size`, `creator + creation date`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.base.units import convert, find_unit
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words

Fields = tuple[FieldRef, ...]

_NOUNS = words("field fields attribute attributes value values property properties entry column")
"""Generic words for fields."""
_JOINING = words(", and & + / plus also")
_MOST = 5
NEARER = -0.15
"""Cost of a field whose phrase has all of the words, if they are also fields one by one."""


@rule
def asked_fields(p: Parse, at: int) -> Iterator[Found[Fields]]:
    """`the size`, `type, size and owner`, `the e-mail address of the owner` (of what comes after it)."""
    for first in _one(p, at):
        yield Found(first.end, (first.value,), first.cost)
        yield from _more(p, first.end, (first.value,), first.cost)


def _more(p: Parse, at: int, fields: Fields, cost: float) -> Iterator[Found[Fields]]:
    after = p.past(at, _JOINING)
    if after == at or len(fields) >= _MOST:
        return
    for one in _one(p, after):
        if one.value not in fields:
            found = (*fields, one.value)
            yield Found(one.end, found, cost + one.cost)
            yield from _more(p, one.end, found, cost + one.cost)


def _one(p: Parse, at: int) -> Iterator[Found[FieldRef]]:
    start = p.articles(at)
    for lexeme, ref in p.fields(start):
        if ref.within is None or ref.within.key is not None:
            yield Found(lexeme.end, ref, lexeme.cost)
            if p.word(lexeme.end) in _NOUNS:
                yield Found(lexeme.end + 1, ref, lexeme.cost)
    yield from _of_what_it_has(p, start)


def _of_what_it_has(p: Parse, at: int) -> Iterator[Found[FieldRef]]:
    """`the e-mail address of the owner` where there is an owner's e-mail address."""
    for link in range(at + 1, min(at + 5, p.end)):
        if p.word(link) not in ("of", "'s"):
            continue
        first = tuple(p.word(i) for i in range(at, link) if p.word(i) != "-")
        begin = p.articles(link + 1)
        for end in range(begin + 1, min(begin + 3, p.end) + 1):
            second = tuple(p.word(i) for i in range(begin, end))
            said = (*second, *first) if p.word(link) == "of" else (*first, *second)
            for ref in p.lexicon.called(said):
                if ref.within is None:
                    yield Found(end, ref, NEARER)
        return


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
