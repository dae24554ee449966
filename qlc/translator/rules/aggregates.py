"""Questions for numbers: how many, how much, per what, and which has the most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules import english
from qlc.translator.rules.build import both, compare, path
from qlc.translator.rules.clauses import group, groups
from qlc.translator.rules.conditions import default_number, is_number
from qlc.translator.rules.lexicon import INFLECTED, EntityWord, FieldRef, FieldWord, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.names import hierarchical, named
from qlc.translator.rules.nominals import nominal
from qlc.translator.rules.nouns import NounPhrase, bare_noun, noun_phrase, several_kinds
from qlc.translator.rules.numbers import cardinal, quantity_test
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.phrases import phrases, words
from qlc.translator.rules.references import verbs

COUNT = tree.Measure("count")
SHARES = phrases("percentage of | percent of | share of | proportion of | fraction of | part of | % of")
Measures = tuple[tree.Measure, ...]


@rule
def counted(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how many PDFs are in Legal`, `number of NDAs by review status`, `count the documents per month`."""
    start = p.past(at, words("the what is 's a me tell show give get are please"))
    for end in p.phrases(start, english.COUNTING):
        if p.word(end - 1) == "of" and _is_a_number(p, end - 2):
            continue  # the amount of invoices is money, where there is a field of that name
        inner = p.past(end, english.ARTICLES | {"different"})
        for things in (*noun_phrase(p, inner), *several_kinds(p, inner)):
            phrase = things.value
            if phrase.fixed is None and phrase.limit is None and not phrase.sort:
                yield Found(things.end, _count(p, phrase), things.cost)
                yield from _grouped(p, things, (COUNT,))
                yield from _that_there_are(p, things)
                yield from _each_has(p, things)
        yield from _distinct(p, inner, start)
    for end in p.phrases(start, phrases("how often (is | are | was | were | do | does | did | has | have)")):
        for things in noun_phrase(p, p.articles(end)):
            if (
                things.value.headed
                and things.value.fixed is None
                and things.value.limit is None
                and not things.value.sort
            ):
                for rest in modifiers(p, things.end, things.value.entity):
                    yield Found(rest.end, _count(p, things.value.also(rest.value)), things.cost + rest.cost + 0.1)


_THERE_ARE = phrases(
    "do we have | did we have | have we had | do we get | did we get | we have | we had | are there | were there | "
    "was there | is there | there are | there were | do i have | did i have | have there been | do you have"
)


def _that_there_are(p: Parse, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    """`how many visits did we have in March`, `how many books are there per language`."""
    for end in p.phrases(things.end, _THERE_ARE):
        yield from _grouped(p, Found(end, things.value, things.cost), (COUNT,))
        for rest in modifiers(p, end, things.value.entity):
            narrowed = Found(rest.end, things.value.also(rest.value), things.cost + rest.cost)
            yield Found(rest.end, _count(p, narrowed.value), narrowed.cost)
            yield from _grouped(p, narrowed, (COUNT,))


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
            yield Found(moved.end, _count(p, kind.value), kind.cost + 0.1)
            yield from _grouped(p, moved, (COUNT,))
    start = p.past(
        at, words("the a breakdown distribution of split show me give counts histogram break down group bucket segment")
    )
    for things in noun_phrase(p, start):
        phrase = things.value
        if phrase.fixed is None and phrase.limit is None and not phrase.sort:
            said = any(p.word(i) in words("breakdown distribution split counts histogram") for i in range(at, start))
            for one in _grouped(p, things, (COUNT,)):
                yield Found(one.end, one.value, one.cost + (0.0 if said else 0.15))


@rule
def amounts_by(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`revenue by week`: amounts of money are added up."""
    start = p.past(at, words("the our my show me give what is 's was total"))
    for lexeme in p.starting(start, FieldWord):
        ref = lexeme.payload.ref
        entity = _first_with(p, ref)
        if (ref.field.unit_field is not None or p.word(lexeme.end - 1) in english.SUMMED) and entity is not None:
            if ref.within is not None:
                continue
            measure = tree.Measure("sum", path(*ref.path))
            if p.word(lexeme.end) == "of":
                for things in noun_phrase(p, lexeme.end + 1):
                    phrase = things.value
                    if phrase.fixed is None and phrase.limit is None and not phrase.sort:
                        yield from _grouped(p, things, (measure,), lexeme.cost)
            yield from _grouped(p, Found(lexeme.end, NounPhrase(entity.name), lexeme.cost + 0.1), (measure,))


_SPENDING = phrases(
    "(how much [money] | what) (did | do | have | had | has) (we | i) [already] (spend | spent | pay | paid) | "
    "how much (was | is | were | has been) (spent | paid)"
)


@rule
def spent(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`how much did we spend at Costco in 2024`: the amounts of money of what is said, added up."""
    for end in p.phrases(at, _SPENDING):
        for entity in (e for e in p.schema.entities.values() if not e.virtual):
            ref = default_number(entity)
            if ref is None or (ref.field.unit_field is None and "money" not in _dimensions(ref)):
                continue
            measures = _measures(("sum",), ref)
            for start in {end, p.past(end, ("to", "for", "on", "in", "total"))}:
                for one in modifiers(p, start, entity.name):
                    narrowed = NounPhrase(entity.name, one.value)
                    yield Found(one.end, aggregate(p, narrowed, measures), one.cost + 0.1)
                for things in noun_phrase(p, start) if start > end else ():
                    plain = things.value.fixed is None and things.value.limit is None and things.value.where is not None
                    if plain and things.value.entity == entity.name:
                        yield Found(things.end, aggregate(p, things.value, measures), things.cost + 0.1)
            break


def _dimensions(ref: FieldRef) -> set[str]:
    """Of what the words of a field speak."""
    spoken = {word for text in (ref.field.name, *ref.field.words) for word in text.casefold().replace("_", " ").split()}
    return {one for one, nouns in english.NOUNS_OF_DEGREE.items() if nouns & spoken}


@rule
def measured(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`average size of PDFs per owner`, `total amount of invoices from Costco`, `what's the largest amount`."""
    start = p.past(at, words("the what is 's a was are show me give tell calculate compute get our my all"))
    for end, functions in _functions(p, start):
        counted = p.phrase(p.articles(end), "number", "of") or p.phrase(p.articles(end), "count", "of")
        for lexeme in p.starting(counted or p.articles(end), FieldWord):
            ref = lexeme.payload.ref
            made = ref.kind is FieldKind.DATE and lexeme.cost >= INFLECTED  # the latest upload is no date
            if not made and all(_measurable(ref, one) for one in functions):
                yield from _of_things(p, lexeme.end, _measures(functions, ref), ref, lexeme.cost)
        yield from _of_such(p, p.articles(end), functions)
        yield from _of_the_usual_number(p, p.past(end, english.ARTICLES | {"of"}), functions)


def _functions(p: Parse, at: int) -> Iterator[tuple[int, tuple[str, ...]]]:
    """`average`; `min, max and average`; `count and total`."""
    for behind, percent in percentile(p, at):
        yield behind, (f"percentile {percent}",)
    for sequence, function in (*english.MEASURES.items(), (("count",), "count"), (("number",), "count")):
        end = p.phrase(at, *sequence)
        if end is None:
            continue
        if function != "count":
            yield end, (function,)
        for after in {p.past(end, (",", "and", "&"))} - {end}:
            for last, others in _functions(p, p.articles(after)):
                if function not in others:
                    yield last, (function, *others)


def _measures(functions: tuple[str, ...], ref: FieldRef) -> Measures:
    return tuple(_measure(one, ref) for one in functions)


def _measure(function: str, ref: FieldRef) -> tree.Measure:
    name, _, percent = function.partition(" ")
    if name == "count":
        return COUNT
    argument = tree.Number(int(percent), percent) if percent else None
    return tree.Measure(name, path(*ref.path), argument)  # type: ignore[arg-type]


_PERCENTILE = re.compile(r"p?(\d{1,2})(?:th|st|nd|rd)?")


def percentile(p: Parse, at: int) -> Iterator[tuple[int, int]]:
    """`95th percentile of`, `the 90 % percentile`, `p95`: behind it, and which one."""
    found = _PERCENTILE.fullmatch(p.word(at))
    if found is None or not 0 < int(found[1]) < 100:
        return
    if p.word(at).startswith("p"):
        yield p.past(at + 1, ("of", "for")), int(found[1])
    elif p.word(noun := p.past(at + 1, ("%", "percent", "-", "per", "cent"))) in ("percentile", "centile"):
        yield p.past(noun + 1, ("of", "for")), int(found[1])


def _of_the_usual_number(p: Parse, at: int, functions: tuple[str, ...]) -> Iterator[Found[Statement]]:
    """`sum of unpaid invoices`, `average receipt`: of the number that the catalog prefers."""
    for things in noun_phrase(p, at):
        ref = default_number(p.entity(things.value.entity))
        plain = things.value.fixed is None and things.value.limit is None and not things.value.sort
        if ref is not None and plain and things.value.where is not None and set(functions) <= {"sum", "avg", "median"}:
            yield Found(things.end, aggregate(p, things.value, _measures(functions, ref)), things.cost + 0.2)
            yield from _grouped(p, things, _measures(functions, ref), 0.2)


def _measurable(ref: FieldRef, function: str) -> bool:
    ordered = ref.kind is FieldKind.DATE and function in ("min", "max", "count")
    return ref.within is None and (is_number(ref) or ordered)


def _of_such(p: Parse, at: int, functions: tuple[str, ...]) -> Iterator[Found[Statement]]:
    """`average invoice amount`: of the things that are invoices."""
    for things in bare_noun(p, at):
        phrase = things.value
        if phrase.fixed is not None or phrase.limit is not None or phrase.sort:
            continue
        for lexeme in p.starting(things.end, FieldWord):
            ref = lexeme.payload.ref
            if all(_measurable(ref, one) for one in functions) and has_field(p.entity(phrase.entity), ref):
                measures = _measures(functions, ref)
                found = Found(lexeme.end, phrase, things.cost + lexeme.cost)
                yield Found(lexeme.end, aggregate(p, phrase, measures), found.cost)
                yield from _grouped(p, found, measures)
                for rest in modifiers(p, lexeme.end, phrase.entity):
                    narrowed = Found(rest.end, phrase.also(rest.value), found.cost + rest.cost)
                    yield Found(rest.end, aggregate(p, narrowed.value, measures), narrowed.cost)
                    yield from _grouped(p, narrowed, measures)


def _of_things(p: Parse, at: int, measures: Measures, ref: FieldRef, cost: float) -> Iterator[Found[Statement]]:
    after = p.past(at, words("of for in across among over on the all by from per"))
    for begin in {p.past(at, words("of for across among over in from")), after}:
        for things in noun_phrase(p, begin):
            phrase = things.value
            if begin > at and phrase.fixed is None and phrase.limit is None and has_field(p.entity(phrase.entity), ref):
                yield Found(things.end, aggregate(p, phrase, measures), things.cost + cost)
                yield from _grouped(p, things, measures, cost)
    yield from _of_all_below(p, at, measures, ref, cost)
    entity = _first_with(p, ref)
    if entity is not None:
        bare = Found(at, NounPhrase(entity.name), cost + 0.1)
        yield Found(at, aggregate(p, bare.value, measures), cost + 0.2)
        yield from _grouped(p, bare, measures, 0.0)
        for narrowed in modifiers(p, at, entity.name):
            phrase = NounPhrase(entity.name, narrowed.value)
            yield Found(narrowed.end, aggregate(p, phrase, measures), narrowed.cost + cost + 0.2)


def _of_all_below(p: Parse, at: int, measures: Measures, ref: FieldRef, cost: float) -> Iterator[Found[Statement]]:
    """`total size of Archive`: of everything anywhere in it."""
    entity = _first_with(p, ref)
    if p.word(at) != "of" or entity is None:
        return
    for above in hierarchical(entity):
        for one in named(p, at + 1, above.target or ""):
            if one.value.text:
                where = compare(path(*above.path), "under", one.value.value)
                yield Found(one.end, aggregate(p, NounPhrase(entity.name, where), measures), one.cost + cost + 0.1)


def _first_with(p: Parse, ref: FieldRef) -> Entity | None:
    return next((e for e in p.schema.entities.values() if not e.virtual and has_field(e, ref)), None)


def _grouped(p: Parse, things: Found[NounPhrase], measures: Measures, cost: float = 0.0) -> Iterator[Found[Statement]]:
    phrase = things.value
    entity = p.entity(phrase.entity)
    start = p.past(things.end, (",",))
    for by in _groupings(p, start, entity):
        weak = 0.1 if p.word(start) in words("across in of on to from") else 0.0
        total = things.cost + by.cost + cost + weak
        yield Found(by.end, aggregate(p, phrase, measures, by.value), total)
        for end in p.phrases(p.past(by.end, (",",)), _OF_EACH) if measures == (COUNT,) else ():
            yield Found(end, aggregate(p, phrase, measures, by.value), total - 0.1)
        if measures == (COUNT,):
            yield from _with_a_count(p, by.end, aggregate(p, phrase, measures, by.value), total)
        behind: list[Found[Condition | None]] = [*_behind_the_group(p, by.end, phrase.entity)]
        behind += [Found(*rest) for rest in modifiers(p, by.end, phrase.entity)]
        for one in behind:
            narrowed = phrase.also(one.value)
            yield Found(one.end, aggregate(p, narrowed, measures, by.value), total + one.cost)


_OF_EACH = phrases("[and] how many [are | of | in] [there] [in] each [one] | how many per (each | one)")


def _groupings(p: Parse, at: int, entity: Entity) -> Iterator[Found[tuple[tree.Group, ...]]]:
    """`per type`, `monthly`; `created per month`: the date that the calendar is of."""
    for end in (*p.phrases(at, english.GROUPING), *_adverb(p, at)):
        yield from groups(p, end, entity)
    for lexeme in p.starting(p.past(at, english.COPULAS), FieldWord):
        ref = lexeme.payload.ref
        if ref.kind is not FieldKind.DATE or not has_field(entity, ref):
            continue
        for end in (*p.phrases(lexeme.end, english.GROUPING), *_adverb(p, lexeme.end)):
            unit = english.CALENDAR.get(p.word(p.articles(end)))
            if unit is not None:
                by_unit = (tree.Group(path(*ref.path), unit),)  # type: ignore[arg-type]
                yield Found(p.articles(end) + 1, by_unit, lexeme.cost)


def _with_a_count(p: Parse, at: int, statement: Statement, cost: float) -> Iterator[Found[Statement]]:
    """`invoices per vendor with more than 25`: of the rows those with that count."""
    for top in p.phrases(p.past(at, words(", - and ; (")), phrases("[just | only] [the] top")):
        for n in cardinal(p, top):
            if (
                isinstance(statement, tree.Aggregate)
                and float(n.value.value).is_integer()
                and 0 < n.value.value <= 1_000
            ):
                first = replace(statement, sort=(tree.SortKey(COUNT, True),), limit=int(n.value.value))
                yield Found(p.past(n.end, words("only ) please")), first, cost)
    start = p.past(at, words("with having that which have has where the count is of , are there"))
    for test in quantity_test(p, start) if start > at else ():
        bare = test.value.amount.unit is None and test.value.amount.money is None and test.value.until is None
        if test.value.compared and bare and isinstance(statement, tree.Aggregate):
            having = tree.Comparison(COUNT, test.value.relation, test.value.amount.node)
            yield Found(test.end, replace(statement, having=having), cost + test.cost)


def _behind_the_group(p: Parse, at: int, entity: str) -> Iterator[Found[Condition | None]]:
    """`average price per carrier for flights from Rome`: the things, behind what they are grouped by."""
    for after in p.phrases(at, phrases("of | for | among | across | over | on")):
        for things in noun_phrase(p, after):
            phrase = things.value
            if phrase.entity == entity and phrase.fixed is None and phrase.limit is None and not phrase.sort:
                yield Found(things.end, phrase.where, things.cost)


def _adverb(p: Parse, at: int) -> Iterator[int]:
    """`monthly`, `yearly`: group and preposition in one word."""
    if p.word(at) in words("monthly yearly weekly daily quarterly annually"):
        yield at


def _each_has(p: Parse, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    """`how many folders does each owner have`, `... did each person upload`."""
    start = p.past(things.end, english.AUXILIARIES | english.COPULAS | words("there in for by"))
    if p.word(start) not in ("each", "every"):
        return
    entity = p.entity(things.value.entity)
    for by in group(p, start + 1, entity):
        end = p.past(by.end, words("have has own owns hold contain there"))
        yield Found(end, aggregate(p, things.value, (COUNT,), (by.value,)), things.cost + by.cost)
    for target_end, ref in _people_doing(p, start + 1, entity):
        yield Found(target_end, aggregate(p, things.value, (COUNT,), (tree.Group(path(*ref.path)),)), things.cost + 0.1)


def _people_doing(p: Parse, at: int, entity: Entity) -> Iterator[tuple[int, FieldRef]]:
    """`each person own`, `each user upload`."""
    from qlc.translator.rules.names import entity_words

    for target in (e for e in p.schema.entities.values() if e.virtual):
        for end in entity_words(p, at, target.name):
            for after, ref in verbs(p, p.past(end, english.AUXILIARIES), target.name):
                if has_field(entity, ref):
                    yield after, ref


_ACTING = words(
    "who that which have has had did made make makes took take came come to a an the any with placed got get bought "
    "requested did do"
)


@rule
def distinct_number(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`unique visitors in September`: how many there were."""
    start = p.past(at, words("the our total what is were"))
    if p.word(start) == "unique":
        yield from _distinct(p, start, start)


def _distinct(p: Parse, at: int, start: int) -> Iterator[Found[Statement]]:
    """`how many different vendors`, `number of distinct owners of folders`."""
    said = any(p.word(i) in ("different", "distinct", "unique") for i in range(start, at + 1))
    begin = at + 1 if p.word(at) in ("different", "distinct", "unique") else at
    for lexeme in p.starting(begin, FieldWord):
        ref = lexeme.payload.ref
        entity = _first_with(p, ref)
        if entity is None or ref.within is not None:
            continue
        if not said:
            yield from _how_many_there_are(p, lexeme.end, ref, entity, lexeme.cost)
            continue
        measure = tree.Measure("distinct", path(*ref.path))
        yield Found(lexeme.end, tree.Aggregate((measure,), tree.Name(entity.plural)), lexeme.cost)
        acting = p.past(lexeme.end, _ACTING)
        for things in noun_phrase(p, acting) if acting > lexeme.end else ():
            if has_field(p.entity(things.value.entity), ref) and things.value.limit is None:
                yield Found(things.end, aggregate(p, things.value, (measure,)), things.cost + lexeme.cost + 0.1)
        there = p.past(lexeme.end, words("are there do we have appear used is in use"))
        for after in p.phrases(there, phrases("of | among | across | in | for | on")):
            for things in noun_phrase(p, after):
                if has_field(p.entity(things.value.entity), ref) and things.value.limit is None:
                    yield Found(things.end, aggregate(p, things.value, (measure,)), things.cost + lexeme.cost)
        for narrowed in modifiers(p, lexeme.end, entity.name):
            yield Found(
                narrowed.end, aggregate(p, NounPhrase(entity.name, narrowed.value), (measure,)), narrowed.cost + 0.2
            )


def _how_many_there_are(p: Parse, at: int, ref: FieldRef, entity: Entity, cost: float) -> Iterator[Found[Statement]]:
    """`how many carriers are there`: what has values of its own is counted by them."""
    if ref.kind is not FieldKind.KEYWORD or not p.plural(at):
        return
    if any(one.end == at for i in range(max(0, at - 3), at) for one in p.starting(i, EntityWord)):
        return  # things of their own are counted as such
    measure = tree.Measure("distinct", path(*ref.path))
    for end in p.phrases(at, _THERE_ARE):
        yield Found(end, tree.Aggregate((measure,), tree.Name(entity.plural)), cost + 0.1)
        for rest in modifiers(p, end, entity.name):
            yield Found(rest.end, aggregate(p, NounPhrase(entity.name, rest.value), (measure,)), cost + rest.cost + 0.2)


def _kind_and_rest(phrase: NounPhrase) -> tuple[tree.Condition | None, tree.Condition | None]:
    """What kind of things is spoken of, and what else is said of them."""
    parts = phrase.where.items if isinstance(phrase.where, tree.And) else (phrase.where,)
    return phrase.kind, both(*(one for one in parts if one != phrase.kind))


_PREDICATING = words("is are was were has have had do does did contain contains that which who failed")


def _predicate_follows(p: Parse, at: int) -> bool:
    return any(p.word(i) in _PREDICATING for i in range(at, p.end))


def rate_of(p: Parse, at: int) -> Iterator[Found[tuple[NounPhrase, tree.Measure]]]:
    """`cancellation rate`, `no-show rate`: the part of all things that are so."""
    for noun in nominal(p, at):
        if p.word(noun.end) in ("rate", "rates", "ratio", "percentage"):
            measure = tree.Measure("share", condition=noun.value[1])
            yield Found(noun.end + 1, (NounPhrase(noun.value[0]), measure), noun.cost)
    for part in part_of_all(p, at):
        if p.word(part.end) in ("rate", "rates", "ratio", "percentage"):
            yield Found(part.end + 1, part.value, part.cost)


@rule
def share(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what percentage of invoices are overdue`, `share of flights that were delayed`."""
    start = p.past(at, words("what which the is 's"))
    for rate in rate_of(p, start):
        whole = Found(rate.end, rate.value[0], rate.cost)
        yield Found(rate.end, aggregate(p, whole.value, (rate.value[1],)), rate.cost)
        yield from _grouped(p, whole, (rate.value[1],))
        for link in p.phrases(rate.end, phrases("of | for | among | on | in | at")):
            for things in noun_phrase(p, p.articles(link)):
                if (
                    things.value.entity == whole.value.entity
                    and things.value.limit is None
                    and things.value.fixed is None
                ):
                    yield Found(things.end, aggregate(p, things.value, (rate.value[1],)), rate.cost + things.cost)
                    yield from _grouped(p, things, (rate.value[1],), rate.cost)
        for rest in modifiers(p, rate.end, whole.value.entity):
            narrowed = whole.value.also(rest.value)
            yield Found(rest.end, aggregate(p, narrowed, (rate.value[1],)), rate.cost + rest.cost + 0.1)
    for end in p.phrases(start, SHARES):
        for things in noun_phrase(p, p.articles(end)):
            if things.value.fixed is None and things.value.limit is None and p.word(things.end) in _PREDICATING:
                # "of flights to Italy were delayed": the subject is the whole, the predicate the part
                for one in modifiers(p, things.end, things.value.entity):
                    measure = tree.Measure("share", condition=one.value)
                    yield Found(one.end, aggregate(p, things.value, (measure,)), things.cost + one.cost)
        for things in bare_noun(p, p.articles(end)):
            if not _predicate_follows(p, things.end) and things.value.where is None and things.value.limit is None:
                for one in modifiers(p, things.end, things.value.entity):
                    measure = tree.Measure("share", condition=one.value)
                    of_all = Found(one.end, things.value, things.cost + one.cost)
                    yield Found(one.end, aggregate(p, things.value, (measure,)), of_all.cost)
                    yield from _grouped(p, of_all, (measure,))
        for part in part_of_all(p, p.articles(end)):
            yield Found(part.end, aggregate(p, part.value[0], (part.value[1],)), part.cost)
            yield from _grouped(p, Found(part.end, part.value[0], part.cost), (part.value[1],))


def part_of_all(p: Parse, at: int) -> Iterator[Found[tuple[NounPhrase, tree.Measure]]]:
    """`delayed flights`, `overdue invoices`, `no-shows`: of all things of the kind, those that are."""
    for things in bare_noun(p, at):
        phrase = things.value
        whole, part = _kind_and_rest(phrase)
        if part is None or phrase.fixed is not None or (whole is None and isinstance(phrase.where, tree.And)):
            continue
        if phrase.limit is None and not phrase.sort:
            measure = tree.Measure("share", condition=part)
            yield Found(things.end, (NounPhrase(phrase.entity, whole), measure), things.cost + 0.1)


_PER = phrases("per | for each | for every | by | of each | of every | in each | on each")


@rule
def distinct_values(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`which tags are used in Legal`, `what types of documents are there`, `list all vendors`."""
    start = p.past(
        at,
        words("which what list all show me the different distinct unique kinds of give"),
    )
    for entity in (e for e in p.schema.entities.values() if not e.virtual):
        for by in group(p, start, entity):
            if isinstance(by.value, tree.Group) and by.value.function is not None:
                continue
            field = entity.fields.get(by.value.path.segments[0].name.text)
            if field is None or field.kind is not FieldKind.KEYWORD:
                continue
            for end in p.phrases(by.end, _PER) if p.plural(by.end) else ():
                for other in group(p, end, entity):
                    if other.value != by.value:
                        rows = aggregate(p, NounPhrase(entity.name), (COUNT,), (other.value, by.value))
                        yield Found(other.end, rows, by.cost + other.cost + 0.2)
                        for rest in modifiers(p, other.end, entity.name):
                            rows = aggregate(p, NounPhrase(entity.name, rest.value), (COUNT,), (other.value, by.value))
                            yield Found(rest.end, rows, by.cost + other.cost + rest.cost + 0.2)
            for end in p.phrases(by.end, phrases("of | for")) if start == at and p.plural(by.end) else ():
                for things in noun_phrase(p, p.articles(end)):
                    if things.value.entity == entity.name and things.value.headed and things.value.limit is None:
                        yield Found(
                            things.end, aggregate(p, things.value, (COUNT,), (by.value,)), things.cost + by.cost + 0.4
                        )
            if start == at:
                continue
            after = p.past(by.end, words("are is used there do we have exist appear present occur"))
            listed = any(p.word(i) in words("all different distinct unique kinds") for i in range(at, start))
            if after > by.end or (listed and p.plural(by.end)):
                yield Found(after, aggregate(p, NounPhrase(entity.name), (COUNT,), (by.value,)), by.cost + 0.4)
            for place in modifiers(p, after, entity.name) if p.word(after) in english.CONTAINMENT - {"of"} else ():
                phrase = NounPhrase(entity.name, place.value)
                row = aggregate(p, phrase, (COUNT,), (by.value,))
                yield Found(p.past(place.end, words("are there exist do we have")), row, place.cost + by.cost + 0.3)
            for link in p.phrases(after, phrases("of | for | among | by")):
                for things in noun_phrase(p, link):
                    if things.value.entity == entity.name and things.value.limit is None and things.value.fixed is None:
                        yield Found(
                            p.past(things.end, words("are there exist do we have")),
                            aggregate(p, things.value, (COUNT,), (by.value,)),
                            things.cost + by.cost + 0.4,
                        )


def _count(p: Parse, phrase: NounPhrase) -> Statement:
    return tree.Aggregate((COUNT,), tree.Name(p.entity(phrase.entity).plural), phrase.where)


def aggregate(p: Parse, phrase: NounPhrase, measures: Measures, by: tuple[tree.Group, ...] = ()) -> Statement:
    return tree.Aggregate(measures, tree.Name(p.entity(phrase.entity).plural), phrase.where, by)
