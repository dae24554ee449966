"""How many are wanted, and in which order, as it is said before a noun: `top 5`, `second largest`, `most viewed`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.conditions import default_date, is_number, not_past
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, NameWord, ValueWord
from qlc.translator.rules.nouns.before_nouns import Before, Ways
from qlc.translator.rules.nouns.degrees import is_rank
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.quantities.dates import YEARS
from qlc.translator.rules.quantities.numbers import cardinal, ordinal
from qlc.translator.rules.quantities.years import is_a_year
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import words

MOST_ASKED_FOR = 10_000
"""The largest number before things that says how many of them are wanted."""


def counts(p: Parse, at: int, so_far: Before) -> Ways:
    """`5`, `top 3`, `last ten`; `second largest`."""
    yield from _how_many(p, at, so_far) if so_far.limit is None else ()
    nth = ordinal(p, at)
    if nth is not None and so_far.offset is None:
        following = p.word(nth.end)
        if following in english.SUPERLATIVES or following in ("most", "least"):
            yield nth.end, replace(so_far, offset=nth.value - 1, limit=1), 0.0


def _how_many(p: Parse, at: int, so_far: Before) -> Ways:
    said = p.word(at) in ("top", "first", "last")
    start = at + said
    if p.word(start)[:1].isdecimal() and p.word(start)[-1:].isalpha():
        return  # `4K photos` are not four thousand
    for one in cardinal(p, start):
        n = one.value.value
        like_a_year = n in YEARS and len(p.word(start)) == 4 and not said
        if not float(n).is_integer() or not 0 < n <= MOST_ASKED_FOR or "," in p.word(start) or like_a_year:
            continue
        way = replace(so_far, limit=int(n))
        if p.word(at) in ("top", "last") and so_far.degree is None:
            way = replace(way, degree=("number" if p.word(at) == "top" else "date", True))
        value_of = any(True for kind in (ValueWord, NameWord) for _ in p.starting(at, kind))
        yield one.end, way, 0.05 if said else 0.5 if value_of else 0.1


def degrees(p: Parse, at: int, so_far: Before) -> Ways:
    """`largest`, `most recent`, `most viewed`, `latest`."""
    word = p.word(at)
    if (so_far.degree is not None and so_far.degree != ("number", True)) or so_far.sort is not None:
        return
    if word in english.SUPERLATIVES and word not in ("most", "least", "top"):
        yield at + 1, replace(so_far, degree=english.SUPERLATIVES[word]), 0.0
    if word in ("most", "least"):
        yield from _most_or_least(p, at, so_far)
    for ref, end, descending, cost in (*_superlatives_of_fields(p, at), *_done_most(p, at, so_far)):
        yield end, replace(so_far, sort=(ref, descending)), cost
    if word in ("next", "upcoming", "future") and p.word(at + 1) not in english.WEEKDAYS:  # a day, not what comes next
        yield from _still_to_come(p, at, so_far)
    if word in ("last", "first") and so_far.limit is None and so_far.degree is None:
        yield at + 1, replace(so_far, degree=("date", word == "last")), 0.4


def _most_or_least(p: Parse, at: int, so_far: Before) -> Ways:
    """`most expensive`, `least viewed`, `most recently modified`, `most shared`."""
    most, following = p.word(at) == "most", p.word(at + 1)
    if following in english.MOST_ADJECTIVES:
        yield at + 2, replace(so_far, degree=(english.MOST_ADJECTIVES[following], most)), 0.0
    begin = at + 2 if following == "recently" else at + 1
    for lexeme in p.starting(begin, FieldWord):
        ref = lexeme.payload.ref
        if is_number(ref) or (ref.kind is FieldKind.DATE and following == "recently"):
            yield lexeme.end, replace(so_far, sort=(ref, most)), lexeme.cost
    for ref in p.lexicon.called(("times", following)):  # by the times that it was
        yield at + 2, replace(so_far, sort=(ref, most)), 0.05


def _superlatives_of_fields(p: Parse, at: int) -> Iterator[tuple[FieldRef, int, bool, float]]:
    """The field that a word before it says the order by, with its end, whether the most comes first, and the cost."""
    word = p.word(at)
    dimension, descending = english.SUPERLATIVES.get(word, ("date", True))
    measured = dimension not in (*english.OF_DATES, "speed") and word not in ("most", "least", "top")
    for lexeme in p.starting(at + 1, FieldWord):
        ref, end = lexeme.payload.ref, lexeme.end
        amount = is_number(ref) and ref.within is None and not is_rank(ref)
        date = ref.kind is FieldKind.DATE
        if word in ("best", "worst") and amount and is_participle(p.word(end - 1)):  # `the best rated players`
            yield ref, end, word == "best", lexeme.cost
        if measured and amount:  # `highest paying jobs`
            yield ref, end, descending, lexeme.cost + 0.05
        if word == "recently" and date and ref.within is None and end == at + 2:  # `recently modified files`
            yield ref, end, True, lexeme.cost
        if word in _IN_TIME and (date or is_a_year(ref)):  # `latest modified`
            yield ref, end, word in ("latest", "newest", "last"), lexeme.cost


_IN_TIME = words("latest newest last oldest earliest")


def _done_most(p: Parse, at: int, so_far: Before) -> Iterator[tuple[FieldRef, int, bool, float]]:
    """`top 3 viewed contracts`: as `_superlatives_of_fields`, behind the number."""
    if so_far.degree == ("number", True) and so_far.limit is not None and p.word(at).endswith("ed"):
        for lexeme in p.starting(at, FieldWord):
            if is_number(lexeme.payload.ref) and lexeme.payload.ref.within is None:
                yield lexeme.payload.ref, lexeme.end, True, lexeme.cost


def _still_to_come(p: Parse, at: int, so_far: Before) -> Ways:
    """`the next expiring contract`, `next 3 appointments`, `upcoming meetings`."""
    word = p.word(at)
    for lexeme in p.starting(at + 1, FieldWord) if word == "next" else ():
        ref = lexeme.payload.ref
        if ref.kind is FieldKind.DATE and ref.within is None:
            yield lexeme.end, replace(so_far.also(ref, not_past(ref)), sort=(ref, False)), lexeme.cost
    for default in usual_dates(p):
        ahead = so_far.also(default, compare(path(*default.path), ">", tree.Now()))
        if word != "next":
            yield at + 1, ahead, 0.1
        elif so_far.limit is None:
            coming = replace(ahead, degree=("date", False))
            yield at + 1, coming, 0.2
            for one in cardinal(p, at + 1):
                if float(one.value.value).is_integer() and 0 < one.value.value <= 1_000:
                    yield one.end, replace(coming, limit=int(one.value.value)), 0.1


def usual_dates(p: Parse) -> list[FieldRef]:
    """The dates that kinds of things mean where none is named, each once."""
    usual = (default_date(one) for one in p.schema.entities.values() if not one.virtual)
    return list({one[0].path: one[0] for one in usual if one is not None}.values())
