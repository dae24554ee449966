"""Things in the order of what happens to them: `the next 3 contracts to expire`, `leases that are about to end`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition
from qlc.mapping.schema import Entity
from qlc.translator.rules.conditions import date_condition, date_fields, not_past
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.modifiers.events import upcoming
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.parse import Found, Parse, begins, needs, rule
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.quantities.numbers import cardinal
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle, stem
from qlc.translator.rules.words.phrases import phrases, words

_ORDINALS = words("next first last latest upcoming")
_UP_TO_NOW = words("last latest")
_BECOMING = "[be | become | fall | come | get | go]"
_TO = phrases(f"to {_BECOMING} | (that | which | who) [will | is to | are to] {_BECOMING}")
_ABOUT_TO = phrases(
    f"[that | which | who] [is | are] (about | going) to {_BECOMING} | [that | which | who] will [soon] {_BECOMING} | "
    f"(that | which | who) (is | are) [soon] to {_BECOMING}"
)
_RELATIVE = 0.3
"""What it costs to take a verb of a relative clause for the order: it may be a condition of its own."""
_ARE_THE = phrases("(is | are | will be | was | were) [the | those | the ones]")


@rule
@needs(_ORDINALS)
def by_occasion(p: Parse, at: int) -> Iterator[Found[NounPhrase]]:
    """`the next 3 contracts to expire`, `the last 4 lots received`: an ordinal, the things and their verb."""
    start = p.articles(at)
    for end, ordinal, number in _ordinals(p, start):
        for things in noun_phrase(p, end):
            if things.value.plain:
                entity = p.entity(things.value.entity)
                happened = number is not None and ordinal in _UP_TO_NOW and is_participle(p.word(things.end))
                for finish, ref, when in (
                    *_to_happen(p, things.end, entity),
                    *(_verbs(p, things.end, entity) if happened else ()),
                ):
                    said = 0.0 if p.word(things.end) == "to" or happened else _RELATIVE
                    dated = Found(finish, things.value.also(when), things.cost + said)
                    for one in _ordered(p, dated, ref, ordinal, number):
                        yield one
                        for rest in modifiers(p, one.end, one.value.entity):
                            yield Found(rest.end, one.value.also(rest.value), one.cost + rest.cost)


@begins(_ABOUT_TO, _ARE_THE)
def about_to_happen(p: Parse, at: int, phrase: NounPhrase) -> Iterator[Found[NounPhrase]]:
    """After the things: `about to expire`, `are the next 4 to expire`."""
    entity = p.entity(phrase.entity)
    if phrase.fixed is not None or phrase.sort:
        return
    for begin in p.phrases(at, _ABOUT_TO):
        for end, ref, when in _verbs(p, begin, entity):
            if when is None:
                yield Found(end, replace(phrase.also(not_past(ref)), sort=(tree.SortKey(ref.left, False),)), 0.1)
    for begin in p.phrases(at, _ARE_THE):
        for end, ordinal, number in _ordinals(p, begin):
            limit = number if phrase.limit is None else phrase.limit
            for finish, ref, when in _to_happen(p, end, entity):
                yield from _ordered(p, Found(finish, phrase.also(when), 0.0), ref, ordinal, limit)


def _ordinals(p: Parse, at: int) -> Iterator[tuple[int, str, int | None]]:
    """`next`, `last 5`: where it ends, which it is, and how many."""
    if p.word(at) not in _ORDINALS:
        return
    yield at + 1, p.word(at), None
    for one in cardinal(p, at + 1):
        if float(one.value.value).is_integer() and 0 < one.value.value <= 1_000:
            yield one.end, p.word(at), int(one.value.value)


Verbs = Iterator[tuple[int, FieldRef, Condition | None]]
"""Where a verb ends, the date that it speaks of, and when that has to be."""


def _to_happen(p: Parse, at: int, entity: Entity) -> Verbs:
    for begin in p.phrases(at, _TO):
        yield from _verbs(p, begin, entity)


def _verbs(p: Parse, at: int, entity: Entity) -> Verbs:
    """The dates whose verb is here, unless it says by whom, which is another field. A period after it is of them."""
    said = stem(p.word(at))
    for ref in date_fields(entity) if said else ():
        ends = [_end_of(p, at + 1, rest) for first, *rest in ref.phrases if stem(first) == said]
        for end in [max(one for one in ends if one is not None)] if any(ends) else ():
            for test in date_test(p, end):
                for value, _ in upcoming(p, ref, test.value, at):
                    yield test.end, ref, date_condition(ref, value)
            if p.word(end) != "by" and not any(date_test(p, i) for i in range(end, p.end)):
                yield end, ref, None


def _end_of(p: Parse, at: int, rest: list[str]) -> int | None:
    """After the other words of what a date is called: `moved in`; `end date` and `due on` need not have them."""
    if not rest or (end := p.phrase(at, *rest)) is None:
        return at if not rest or rest == ["date"] or (len(rest) == 1 and rest[0] in english.PREPOSITIONS) else None
    return end


def _ordered(
    p: Parse, things: Found[NounPhrase], ref: FieldRef, ordinal: str, number: int | None
) -> Iterator[Found[NounPhrase]]:
    """The next are those from now on, the last those up to now. The first may be those of all times."""
    phrase, ahead = things.value, p.lies_ahead(things.value.entity, ref.path[0])
    limit = number if number is not None else 1 if phrase.single else None
    sort = (tree.SortKey(ref.left, ordinal in _UP_TO_NOW),)
    if ordinal in _UP_TO_NOW:
        so_far = ref.compared("<", tree.Day("today")) if ref.field.whole_days else ref.compared("<=", tree.Now())
        phrase = phrase.also(so_far) if ahead else phrase
    elif ordinal != "first":
        phrase = phrase.also(not_past(ref))
    elif ahead and not is_participle(p.word(things.end - 1)):
        yield Found(things.end, replace(phrase.also(not_past(ref)), sort=sort, limit=limit), things.cost + 0.05)
    yield Found(things.end, replace(phrase, sort=sort, limit=limit), things.cost + 0.05)
