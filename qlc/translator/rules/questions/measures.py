"""Questions for how much: `average size of PDFs per owner`, `revenue by week`, `how much did we spend at Costco`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.translator.rules.conditions import default_number
from qlc.translator.rules.lexicon.lexemes import INFLECTED, FieldRef, FieldWord, Lexeme, ValueWord
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.names import kind_in_plural
from qlc.translator.rules.nouns.noun_phrases import bare_noun, noun_phrase
from qlc.translator.rules.parse import DIGITS, Found, Parse, needs, rule
from qlc.translator.rules.questions.aggregates import (
    COUNT,
    Measures,
    aggregate,
    first_with,
    grouped,
    narrowed,
)
from qlc.translator.rules.questions.asked_fields import past_the_unit
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import words

SAYS_A_MEASURE = frozenset(
    {said[0] for said in english.MEASURES} | {DIGITS, "count", "number"} | {f"p{one}" for one in range(1, 100)}
)
"""Words without one of which no measure is asked for: `p95` is a percentile."""


def _measured(p: Parse, things: Found[NounPhrase], measures: Measures, cost: float = 0.0) -> Iterator[Found[Statement]]:
    """The measures of some things: in one number, and in groups."""
    yield Found(things.end, aggregate(p, things.value, measures), things.cost + cost)
    yield from grouped(p, things, measures, cost)


@rule
@needs(SAYS_A_MEASURE)
def measured(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`average size of PDFs per owner`, `total amount of invoices from Costco`, `what's the largest amount`."""
    start = p.past(at, words("the what is 's a was are show me give tell calculate compute get our my all"))
    for end, functions in _functions(p, start):
        counted = p.phrase(p.articles(end), "number", "of") or p.phrase(p.articles(end), "count", "of")
        begins_here = {counted} if counted else {end, p.articles(end)}  # the `actual minutes` are a field
        for lexeme, ref in (one for begin in begins_here for one in p.fields(begin)):
            made = ref.kind is FieldKind.DATE and lexeme.cost >= INFLECTED  # the latest upload is no date
            if not made and all(_measurable(ref, one) for one in functions):
                kinds = _kinds_of_its_name(p, lexeme)
                # `total fees in euros for permits`
                for after in kinds or {lexeme.end, past_the_unit(p, lexeme.end, (ref,))}:
                    for one in _of_things(p, after, _measures(functions, ref), ref, lexeme.cost):
                        yield one._replace(end=past_the_unit(p, one.end, (ref,)))
        yield from _of_such(p, p.articles(end), functions)
        yield from _of_the_usual_number(p, p.past(end, english.ARTICLES | {"of"}), functions)


def _kinds_of_its_name(p: Parse, lexeme: Lexeme[FieldWord]) -> set[int]:
    """Where `of contracts` begins in `the total amount of contracts`: a field is called so, which others have as well,
    and contracts are one kind of those that have it."""
    return {
        at
        for at in range(lexeme.start + 1, lexeme.end - 1) if p.word(at) == "of"
        for one in p.starting(p.articles(at + 1), ValueWord)
        if one.end == lexeme.end and kind_in_plural(p, one.end, one.payload.ref)
    }  # fmt: skip


def _functions(p: Parse, at: int) -> Iterator[tuple[int, Measures]]:
    """`average`; `min, max and average`; `count and total`: measures, whose field is still to come."""
    counts = ((("count",), COUNT), (("number",), COUNT))
    for sequence, function in (*((said, tree.Measure(name)) for said, name in english.MEASURES.items()), *counts):
        end = p.phrase(at, *sequence)
        if end is None:
            continue
        if function != COUNT:
            yield end, (function,)


def _measures(functions: Measures, ref: FieldRef) -> Measures:
    return tuple(one if one == COUNT else replace(one, path=ref.left) for one in functions)


def _of_the_usual_number(p: Parse, at: int, functions: Measures) -> Iterator[Found[Statement]]:
    """`sum of unpaid invoices`, `average receipt`: of the number that the catalog prefers."""
    for things in noun_phrase(p, at):
        ref = default_number(p.entity(things.value.entity))
        plain = things.value.plain
        usual = {one.function for one in functions} <= {"sum", "avg", "median"}
        if ref is not None and plain and things.value.where is not None and usual:
            yield from _measured(p, things, _measures(functions, ref), 0.2)


def _measurable(ref: FieldRef, measure: tree.Measure) -> bool:
    ordered = ref.kind is FieldKind.DATE and measure.function in ("min", "max", "count")
    return ref.within is None and (ref.is_number or ordered)


def _of_such(p: Parse, at: int, functions: Measures) -> Iterator[Found[Statement]]:
    """`average invoice amount`: of the things that are invoices."""
    for things in bare_noun(p, at):
        phrase = things.value
        if phrase.fixed is not None or phrase.limit is not None or phrase.sort:
            continue
        for lexeme, ref in p.fields(things.end):
            if all(_measurable(ref, one) for one in functions) and ref.belongs_to(p.entity(phrase.entity)):
                for such in narrowed(p, lexeme.end, phrase, things.cost + lexeme.cost):
                    yield from _measured(p, such, _measures(functions, ref))


def _of_things(p: Parse, at: int, measures: Measures, ref: FieldRef, cost: float) -> Iterator[Found[Statement]]:
    after = p.past(at, words("of for in across among over on the all by from per"))
    for begin in {p.past(at, words("of for across among over in from")), after}:
        for things in noun_phrase(p, begin):
            phrase = things.value
            # `mean temperature compressors`; the lowest fee of permits may be asked for as one of them
            noted = begin == at and phrase.where is not None and not {"min", "max"} & {one.function for one in measures}
            if (begin > at or noted) and phrase.all_such and ref.belongs_to(p.entity(phrase.entity)):
                yield from _measured(p, things, measures, cost + (0.15 if noted else 0.0))
    entity = first_with(p, ref)
    if entity is not None:
        bare = Found(at, NounPhrase(entity.name), cost + 0.1)
        yield from grouped(p, bare, measures)
        for those in narrowed(p, at, bare.value, cost + 0.2):
            yield Found(those.end, aggregate(p, those.value, measures), those.cost)
            yield from grouped(p, those, measures) if those.end > at else ()


FORMS = (measured,)
