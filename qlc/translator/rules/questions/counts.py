"""Questions for how many: `how many PDFs are in Legal`, `number of NDAs by review status`, `documents per quarter`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, compare, path
from qlc.translator.rules.conditions import date_condition, is_number
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nouns.clauses import group
from qlc.translator.rules.nouns.names import entity_words, hierarchical, named
from qlc.translator.rules.nouns.noun_phrases import NounPhrase, bare_noun, noun_phrase, several_kinds
from qlc.translator.rules.nouns.references import of_another_kind, of_their_kind, verbs
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.quantities.date_tests import date_test
from qlc.translator.rules.questions.aggregates import COUNT, THERE_ARE, aggregate, count_of, grouped, in_each_of
from qlc.translator.rules.questions.asked_fields import date_of_the_verb
from qlc.translator.rules.questions.distinct import distinct
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import phrases, words

_HOW_OFTEN = phrases("how often (is | are | was | were | do | does | did | has | have)")


@rule
def counted(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how many PDFs are in Legal`, `number of NDAs by review status`, `count the documents per month`."""
    start = p.past(at, words("the what is 's a me tell show give get are please"))
    for end in p.phrases(start, english.COUNTING):
        if p.word(end - 1) == "of" and p.word(end - 2) not in ("number", "count") and _is_a_number(p, end - 2):
            continue  # the amount of invoices is money, where there is a field of that name
        inner = p.past(end, english.ARTICLES | {"different"})
        for things in (*noun_phrase(p, inner), *several_kinds(p, inner)):
            phrase = things.value
            if phrase.fixed is None and phrase.limit is None and not phrase.sort:
                yield Found(things.end, count_of(p, phrase), things.cost)
                yield from grouped(p, things, (COUNT,))
                yield from _that_there_are(p, things)
                yield from _each_has(p, things)
        yield from distinct(p, inner, start)
    for end in p.phrases(start, _HOW_OFTEN):
        for things in noun_phrase(p, p.articles(end)):
            if (
                things.value.headed
                and things.value.fixed is None
                and things.value.limit is None
                and not things.value.sort
            ):
                for rest in modifiers(p, things.end, things.value.entity):
                    yield Found(rest.end, count_of(p, things.value.also(rest.value)), things.cost + rest.cost + 0.1)


_HOW_MANY_THERE = phrases(
    "how many [(are | is) there | there are | do (we | i) have | have (we | i) got | of (them | those)] | [the] "
    "(count | number) | count (them | those)"
)


@rule
def counted_before(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`leases: how many?`: what is counted before the words that ask for the number."""
    for things in noun_phrase(p, at):
        phrase, after = things.value, p.past(things.end, words(", : - –"))
        if after > things.end and phrase.fixed is None and phrase.limit is None and not phrase.sort:
            for end in p.phrases(after, _HOW_MANY_THERE):
                yield Found(end, count_of(p, phrase), things.cost)


@rule
def counted_there(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`the Payroll folder: how many documents`, `in 2025, how many invoices`: where and when before what is counted."""
    if not any(_asks_for_a_number(p, behind) for behind in range(at + 1, p.end)):
        return
    for entity in (e for e in p.schema.entities.values() if not e.virtual):
        for above in hierarchical(entity):
            for place in named(p, at, above.target or ""):
                if place.value.text:
                    lies = compare(path(*above.path), "=", place.value.value)
                    yield from _counted_behind(p, Found(place.end, lies, place.cost), entity)
        for said in modifiers(p, at, entity.name):
            yield from _counted_behind(p, Found(said.end, said.value, said.cost + 0.1), entity)


def _asks_for_a_number(p: Parse, at: int) -> bool:
    return any(True for asking in (english.COUNTING, _HOW_OFTEN) for _ in p.phrases(at, asking))


def _counted_behind(p: Parse, said: Found[Condition], entity: Entity) -> Iterator[Found[Statement]]:
    after = p.past(said.end, words(", : - –"))
    for one in counted(p, after) if after > said.end else ():
        number = one.value
        if isinstance(number, tree.Aggregate) and number.entity.text == entity.plural and number.having is None:
            yield Found(one.end, replace(number, where=both(number.where, said.value)), one.cost + said.cost + 0.05)


def _that_there_are(p: Parse, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    """`how many visits did we have in March`, `how many books are there per language`."""
    for end in p.phrases(things.end, THERE_ARE):
        yield from grouped(p, Found(end, things.value, things.cost), (COUNT,))
        for rest in modifiers(p, end, things.value.entity):
            narrowed = Found(rest.end, things.value.also(rest.value), things.cost + rest.cost)
            yield Found(rest.end, count_of(p, narrowed.value), narrowed.cost)
            yield from grouped(p, narrowed, (COUNT,))


def _is_a_number(p: Parse, at: int) -> bool:
    """Whether one word is called so, as `amount`."""
    return any(is_number(one.payload.ref) and one.end == at + 1 for one in p.starting(at, FieldWord))


@rule
def listed_by(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`documents per quarter in 2024`, `invoices by vendor`, `invoice count by month`: counted, because grouped."""
    for kind in bare_noun(p, p.articles(at)):
        plain = (kind.value.headed or kind.value.where is not None) and kind.value.fixed is None
        plain = plain and kind.value.limit is None
        if plain and p.word(kind.end) in ("count", "counts", "numbers") and not kind.value.sort:
            moved = Found(kind.end + 1, kind.value, kind.cost)
            yield Found(moved.end, count_of(p, kind.value), kind.cost + 0.1)
            for rest in modifiers(p, moved.end, kind.value.entity):
                yield Found(rest.end, count_of(p, kind.value.also(rest.value)), kind.cost + rest.cost + 0.1)
            yield from grouped(p, moved, (COUNT,))
    start = p.past(
        at, words("the a breakdown distribution of split show me give counts histogram break down group bucket segment")
    )
    for things in noun_phrase(p, start):
        phrase = things.value
        if phrase.fixed is None and phrase.limit is None and not phrase.sort:
            said = any(p.word(i) in words("breakdown distribution split counts histogram") for i in range(at, start))
            for one in grouped(p, things, (COUNT,)):
                rather_by_whom = OF_AN_AGENT if _by_an_agent(p, things.end, one.value, p.entity(phrase.entity)) else 0.0
                yield Found(one.end, one.value, one.cost + (0.0 if said else 0.15) + rather_by_whom)


OF_AN_AGENT = 0.6
"""What it costs to take `by` behind a participle for groups: what is `read by OCR` is not counted by it."""


def _by_an_agent(p: Parse, at: int, rows: Statement, entity: Entity) -> bool:
    """Whether `by` names who or what did it: a flag groups by nothing that could be named so, `the carrier` is one."""
    if not isinstance(rows, tree.Aggregate) or p.word(at) != "by" or not is_participle(p.word(at - 1)):
        return False
    names = [one.path.segments[0].name.text for one in rows.groups if one.function is None]
    flags = any(name in entity.fields and entity.fields[name].kind is FieldKind.BOOLEAN for name in names)
    return len(names) == len(rows.groups) and (flags or p.word(at + 1) in english.ARTICLES)


def _each_has(p: Parse, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    """`how many folders does each owner have`, `... did each person upload`."""
    start = p.past(things.end, english.AUXILIARIES | english.COPULAS | words("there in for by"))
    if p.word(start) not in ("each", "every"):
        return
    entity = p.entity(things.value.entity)
    for by in group(p, start + 1, entity):
        end = p.past(by.end, words("have has own owns hold contain there"))
        yield Found(end, aggregate(p, things.value, (COUNT,), (by.value,)), things.cost + by.cost)
        for place in in_each_of(p, by.end, (by.value,), entity):
            rows = aggregate(p, things.value.also(place.value), (COUNT,), (by.value,))
            yield Found(place.end, rows, things.cost + by.cost + place.cost)
    for target_end, ref, kind in _people_doing(p, start + 1, entity):
        by_whom = (tree.Group(path(*ref.path)),)
        such = things.value.also(kind)
        yield Found(target_end, aggregate(p, such, (COUNT,), by_whom), things.cost + 0.1)
        done = list(date_of_the_verb(entity, p.word(target_end - 1)))
        for date in done:
            for test in date_test(p, target_end):
                then = such.also(date_condition(date, test.value))
                yield Found(test.end, aggregate(p, then, (COUNT,), by_whom), things.cost + test.cost + 0.1)
        for rest in modifiers(p, target_end, entity.name):
            unsure = 0.4 if done and date_test(p, target_end) else 0.1
            narrowed = such.also(rest.value)
            yield Found(rest.end, aggregate(p, narrowed, (COUNT,), by_whom), things.cost + rest.cost + unsure)


def _people_doing(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, FieldRef, Condition | None]]:
    """`each person own`, `each organisation upload`: who does it, and of which kind they are."""
    for target in (e for e in p.schema.entities.values() if e.virtual):
        for end in entity_words(p, at, target.name):
            for after, ref in verbs(p, p.past(end, english.AUXILIARIES), target.name):
                if has_field(entity, ref) and not of_another_kind(p, at, ref):
                    yield after, ref, of_their_kind(p, at, ref)
