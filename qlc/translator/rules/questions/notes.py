"""Questions written as notes: `status breakdown lyon`, `downtime per shift sum`, `lowest fee permit`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import parts
from qlc.translator.rules.lexicon.lexemes import FieldRef
from qlc.translator.rules.nested import NounPhrase, find
from qlc.translator.rules.nouns.clauses import groups
from qlc.translator.rules.nouns.noun_phrases import noun_phrase
from qlc.translator.rules.parse import Found, Parse, needs, rule
from qlc.translator.rules.questions.aggregates import COUNT, aggregate, count_of, is_of_dates, narrowed, with_a_number
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

_BREAKDOWN = phrases(
    "breakdown | distribution | split | [, | :] how (often | many) [of | in | for] each [one] | counts"
)
_COUNT_BY = phrases(
    "(count | counts | numbers | how many) (by | per | for each | in each)"
)
_EXTREMES = words("highest lowest largest smallest biggest greatest longest shortest")


def _only_kind(p: Parse) -> Entity | None:
    """The only kind of things with documents of their own: what is counted where no noun says it."""
    return p.things[0] if len(p.things) == 1 else None


@rule
@needs(_BREAKDOWN, _COUNT_BY)
def breakdown(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`status breakdown in Lyon`, `count by status`, `reasons, how often each`: of the only kind of things."""
    entity = _only_kind(p)
    if entity is None:
        return
    start = p.past(at, words("the a show me give what is 's please"))
    for end in p.phrases(start, _COUNT_BY):
        for by in groups(p, end, entity):
            yield from _counted(p, by, by.end, entity)
    for by in groups(p, start, entity):
        for end in p.phrases(by.end, _BREAKDOWN):
            yield from _counted(p, by, end, entity)


def _counted(p: Parse, by: Found[tuple[tree.Group, ...]], at: int, entity: Entity) -> Iterator[Found[Statement]]:
    if any(FieldRef.at(entity, one.path) is None for one in by.value):
        return  # whether things or elements of their lists are counted is not said
    for one in narrowed(p, p.past(at, words("of for")), NounPhrase(entity.name), by.cost + 0.1):
        if any(is_of_dates(p, each, entity.name) for each in parts(one.value.where)):
            continue  # a note does not say by which date
        yield Found(one.end, aggregate(p, one.value, (COUNT,), by.value), one.cost)


@rule
@needs(words("sum total avg average mean max min median count"))
def measure_last(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`downtime per shift sum`, `cases with implants count`: the last word says what of it."""
    last = p.word(p.end - 1)
    for things in noun_phrase(p, p.articles(at)) if last == "count" else ():
        if things.end == p.end - 1 and things.value.plain and things.value.where is not None:
            yield Found(p.end, count_of(p, things.value), things.cost + 0.1)
    function = english.MEASURES.get((last,))
    if function is None:
        return
    for lexeme, ref in (one for begin in {at, p.articles(at)} for one in p.fields(begin)):
        entity = next((one for one in p.things if ref.belongs_to(one)), None)
        if entity is None or not ref.is_number or ref.within is not None:
            continue
        measures = (tree.Measure(function, ref.left),)
        for link in p.phrases(lexeme.end, english.GROUPING):
            for by in groups(p, link, entity):
                for one in narrowed(p, by.end, NounPhrase(entity.name), lexeme.cost + by.cost):
                    if one.end == p.end - 1:
                        yield Found(p.end, aggregate(p, one.value, measures, by.value), one.cost + 0.1)


@rule
@needs(_EXTREMES)
def superlative_of_a_field(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`lowest fee permit`, `5 highest fee demolition permits`: the things by a number that is named before them."""
    start = p.past(at, words("the a show me give what is 's which list find"))
    for begin, limit in with_a_number(p, start, None):
        named = (one for first in {begin + 1, p.articles(begin + 1)} for one in p.fields(first))
        for lexeme, ref in named if p.word(begin) in _EXTREMES else ():
            for things in noun_phrase(p, lexeme.end) if ref.is_number and ref.within is None else ():
                phrase = things.value
                if phrase.plain and phrase.headed and ref.belongs_to(p.entity(phrase.entity)):
                    most = limit or (None if p.plural(things.end) else 1)
                    order = (tree.SortKey(ref.left, english.SUPERLATIVES[p.word(begin)][1]),)
                    yield Found(things.end, find(p, replace(phrase, sort=order, limit=most)), things.cost + 0.1)


FORMS = (breakdown, measure_last, superlative_of_a_field)
