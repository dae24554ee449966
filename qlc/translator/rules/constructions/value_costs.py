"""Cost of words as values of a field, by the words around them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from qlc.translator.rules.lexicon.lexemes import INFLECTED, FieldRef, FieldWord, Lexeme, ListWord, NameWord, ValueWord
from qlc.translator.rules.modifiers.elements import cued, direction_cost, is_moving, towards
from qlc.translator.rules.nouns.compounds import COMPOUND, is_a_means, of_what_is_listed
from qlc.translator.rules.nouns.names import hierarchical, is_put, kind_in_plural
from qlc.translator.rules.parse import Parse
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import is_participle, words

CLOSED, OPEN, ELSEWHERE, RATHER_NOT = 0.15, 0.3, 0.3, 0.5
"""Costs of a word as a value: of a closed field, of an open one, of another entity, and if it has a better meaning."""
_GIVING = words("returned returns return gave gives answered operated run handled managed served fetched provided")
_BEFORE_VALUES = _GIVING | frozenset(english.MOTION) | words(
    "any in with of by from for on at under as via through to using marked the a an is are be w having has have "
    "tagged labeled labelled flagged classified categorized categorised whose where their its kind type into against "
    "carrying carry carries classed filed bearing containing contain contains including include located based living "
    "during out both either"
)
_PLACES = words("in inside within into under")


def past_leading(p: Parse, at: int) -> int:
    """After the words that lead to a value; not those that leave it out: `leaving out the paid ones`."""
    start = p.past(at, _BEFORE_VALUES)
    for i in range(at, start):
        if is_participle(p.word(i)) and any(one.cost <= INFLECTED for one in p.starting(i, FieldWord)):
            return i  # what is tagged has a tag, where there are any
        if any(True for _ in p.phrases(i, english.EXCEPT)):
            return at
    return start


def cost_of_value(p: Parse, lexeme: Lexeme[ValueWord], at: int, leading: list[str], entity: str) -> float | None:
    """How unsure it is that words stand for a value here; None where they stand for something else."""
    ref, begin = lexeme.payload.ref, lexeme.start
    plural = kind_in_plural(p, lexeme.end, ref)
    if p.word(lexeme.end) in english.POSSESSIVES:
        return None  # `with Ann's comment`
    if of_what_is_listed(p, lexeme.end, ref) or (plural and at and p.word(at - 1) == "but"):
        return None
    if p.word(begin) == "open" and p.word(lexeme.end) == "to":
        return None  # what is open to somebody
    if begin == at and at and p.word(at - 1) in english.NEGATIONS and _is_of_a_list_before(p, lexeme, at):
        return None  # `tagged reimbursable but not travel` is of another tag
    people = {one.name for one in p.people}
    names = [one for one in p.starting(begin, NameWord) if one.payload.whole and one.end >= lexeme.end]
    person = any(people & set(one.payload.entities) for one in names) and not set(leading) - {"of", "by", "for", "the"}
    if person and "by" in leading:
        return None
    if is_rather_an_adjective(p, lexeme) and not set(leading) - english.COPULAS:
        return None
    cost = CLOSED if ref.field.values is not None else OPEN
    cost += 0.6 if person else 0.0
    cost += ELSEWHERE if ref.within is not None else 0.0
    cost += ELSEWHERE if any(one.end > lexeme.end and not one.cost for one in p.starting(begin, FieldWord)) else 0.0
    cost += ELSEWHERE if begin == at and at and plural and p.word(at - 1) not in english.COPULAS else 0.0
    cost += COMPOUND if begin == at and plural and is_a_means(ref) else 0.0
    denied = at > 0 and p.word(at - 1) in ("no", "without")
    called = {one.end for start in {at, begin} for one in p.starting(start, FieldWord)}
    cost += RATHER_NOT if denied and lexeme.end in called else 0.0  # who lacks a driver has none
    done_by_others = "by" in leading and at > 0 and is_participle(p.word(at - 1)) and ref.field.values is None
    cost += RATHER_NOT if done_by_others and not any(said[-1] == "by" for said in ref.phrases) else 0.0
    if not leading:
        return cost
    if any(one in _GIVING and then in english.PREPOSITIONS - {"by", "with"} for one, then in pairwise(leading)):
        return None  # what was returned from Cairo is not only in Cairo
    if p.word(begin) in _DAYS and _is_of_the_calendar(lexeme, leading):
        return None
    if is_moving(leading) and not cued(ref, towards(leading)):
        return None  # what leaves a place has a field for it, or nothing is known of its way
    folders = {one.target for one in hierarchical(p.entity(entity))}
    lies = _PLACES & set(leading) or is_put(p, begin - 1) or ("of" in leading and entity in folders)
    in_a_folder = lies and any(folders & set(one.payload.entities) for one in names)
    grouping = "by" in leading and bool(p.starting(begin, FieldWord))
    return cost + direction_cost(ref, leading) + (0.4 if in_a_folder else 0.0) + (0.2 if grouping else 0.0)


_DAYS = english.WEEKDAYS.keys() | words("weekend weekends weekdays")


def _is_of_the_calendar(value: Lexeme[ValueWord], leading: list[str]) -> bool:
    """Return whether a word is a time and no label: `came in on weekends`, where some things are tagged `weekend`."""
    before = [one for one in leading if one not in english.ARTICLES]
    timed = before[-1:] and before[-1] in ("on", "at", "over", "during") and value.end == value.start + 1
    field = value.payload.ref.field
    return bool(timed) and (field.values is None or field.many is True or len(before) > 1)


def is_rather_an_adjective(p: Parse, value: Lexeme[ValueWord]) -> bool:
    """Whether a small word is only the last part of a name: `late repairs` are not those of Mike Late."""
    first, *others = value.payload.text.split()
    last = p.raw(value.start, value.end)
    named = bool(others) and first.istitle() and others[-1].istitle() and others[-1].casefold().startswith(last)
    return named and not value.payload.whole and last.islower()


def _is_of_a_list_before(p: Parse, lexeme: Lexeme[ValueWord], at: int) -> bool:
    """Whether a field with several values was spoken of before, which has the value as well."""
    refs = [one.payload.ref for one in p.starting(lexeme.start, ValueWord)]
    several = {ref.path for ref in refs if ref.field.many is True}
    before = {one.payload.ref.path for i in range(at) for one in p.starting(i, FieldWord)}
    return bool(several & before) and lexeme.payload.ref.path not in several


def nouns_after(p: Parse, at: int, ref: FieldRef) -> Iterator[int]:
    for lexeme in p.starting(at, FieldWord):
        if lexeme.payload.ref.path == ref.path and not lexeme.payload.tail:
            yield lexeme.end
    for noun in p.starting(at, ListWord):
        if ref.within is not None and noun.payload.name == ref.within.name:
            yield noun.end
