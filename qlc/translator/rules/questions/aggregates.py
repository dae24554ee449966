"""What questions for numbers have in common: the statement, and what its numbers are given by."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Condition, Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.names import find_entity
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import compare, path
from qlc.translator.rules.conditions import is_number
from qlc.translator.rules.lexicon.lexemes import FieldRef, FieldWord, has_field
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nouns.clauses import group, groups
from qlc.translator.rules.nouns.degrees import degrees
from qlc.translator.rules.nouns.names import hierarchical, named
from qlc.translator.rules.nouns.noun_phrases import NounPhrase, bare_noun, noun_phrase
from qlc.translator.rules.parse import Found, Parse
from qlc.translator.rules.quantities.numbers import cardinal, quantity_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.phrases import phrases, words

COUNT = tree.Measure("count")
Measures = tuple[tree.Measure, ...]

THERE_ARE = phrases(
    "do we have | did we have | have we had | do we get | did we get | we have | we had | are there | were there | "
    "was there | is there | there are | there were | do i have | did i have | have there been | do you have | "
    "(do | did) we (receive | take | record | register) | have we (received | recorded | had | got) | have come in | "
    "came in | were (received | recorded)"
)
"""What says of things that are counted that they are there."""


def first_with(p: Parse, ref: FieldRef) -> Entity | None:
    """The first kind of things of their own that have a field."""
    return next((e for e in p.schema.entities.values() if not e.virtual and has_field(e, ref)), None)


def grouped(p: Parse, things: Found[NounPhrase], measures: Measures, cost: float = 0.0) -> Iterator[Found[Statement]]:
    """What stands behind the things: `per type`, `by vendor in 2024`, `monthly`; `cost` is that of the measures."""
    phrase = things.value
    entity = p.entity(phrase.entity)
    start = p.past(things.end, (",",))
    if p.word(start) == "per" and _is_a_rate(p, start):
        return
    if p.word(start) in ("came", "come", "originated") and p.phrase(start + 1, "from", "each"):
        start += 1  # `how many docs came from each app`
    for by in _groupings(p, start, entity):
        weak = 0.1 if p.word(start) in words("across in of on to from") else 0.0
        total = things.cost + by.cost + cost + weak
        yield Found(by.end, aggregate(p, phrase, measures, by.value), total)
        for end in p.phrases(p.past(by.end, (",",)), _OF_EACH) if measures == (COUNT,) else ():
            yield Found(end, aggregate(p, phrase, measures, by.value), total - 0.1)
        if measures == (COUNT,):
            yield from _with_a_count(p, by.end, aggregate(p, phrase, measures, by.value), total)
        yield from _only_those(p, by.end, entity, aggregate(p, phrase, measures, by.value), total)
        yield from _in_order(p, by.end, aggregate(p, phrase, measures, by.value), total)
        each = any(p.word(i) in ("each", "every") for i in range(start, by.end))
        inside = [*in_each_of(p, by.end, by.value, entity)] if each else []
        for place in inside:
            rows = aggregate(p, phrase.also(place.value), measures, by.value)
            yield Found(place.end, rows, total + place.cost)
        if inside:
            continue
        behind: list[Found[Condition | None]] = [*_behind_the_group(p, by.end, phrase.entity)]
        behind += [Found(*rest) for rest in modifiers(p, by.end, phrase.entity)]
        for one in behind:
            rows = aggregate(p, phrase.also(one.value), measures, by.value)
            yield Found(one.end, rows, total + one.cost)
            yield from _in_order(p, one.end, rows, total + one.cost)


def _is_a_rate(p: Parse, at: int) -> bool:
    """`more than 3 downloads per day`: so many in a time, which nothing is kept of."""
    unit = p.word(at + 1) in english.CALENDAR
    numbers = (one for i in range(max(0, at - 3), at) for one in p.starting(i, FieldWord) if one.end == at)
    return unit and any(is_number(one.payload.ref) and any(cardinal(p, one.start - 1)) for one in numbers)


def in_each_of(
    p: Parse, at: int, by: tuple[tree.Group, ...], entity: Entity
) -> Iterator[Found[Condition]]:
    """`in each folder of X`: in those that lie right in X."""
    for ref in hierarchical(entity):
        if by[0] != tree.Group(path(*ref.path)) or p.word(at) not in ("of", "in", "inside", "under", "below"):
            continue
        above = p.entity(ref.target or "")
        for one in named(p, at + 1, above.name):
            lies = compare(path(*ref.path), "under" if p.word(at) in english.BELOW else "=", one.value.value)
            those = tree.Subquery(tree.Find(tree.Name(above.plural), lies))
            yield Found(one.end, compare(path(*ref.path), "in", those), one.cost)


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
                by_unit = (tree.Group(path(*ref.path), unit),)
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
    for test in quantity_test(p, start):
        bare = test.value.amount.unit is None and test.value.amount.money is None and test.value.until is None
        if test.value.compared and bare and isinstance(statement, tree.Aggregate):
            having = tree.Comparison(COUNT, test.value.relation, test.value.amount.node)
            yield Found(test.end, replace(statement, having=having), cost + test.cost)


def _in_order(p: Parse, at: int, statement: Statement, cost: float) -> Iterator[Found[Statement]]:
    """`..., most common first`, `..., lowest first`: in the order of the numbers."""
    if not isinstance(statement, tree.Aggregate):
        return
    for table, descending in ((english.DESCENDING, True), (english.ASCENDING, False)):
        for end in p.phrases(p.past(at, words(", ( with the -")), table):
            ordered = replace(statement, sort=(tree.SortKey(statement.measures[0], descending),))
            yield Found(p.past(end, (")",)), ordered, cost)
    yield from _in_order_of_time(p, at, statement, cost)
    yield from _first_by_degree(p, at, statement, cost)


_OF_TIME = {
    True: phrases(
        "([most] recent | newest | latest) [year | quarter | month | week | day | date] first | newest to oldest | "
        "[in] reverse [chronological] order | [in] (descending | reverse chronological) order"
    ),
    False: phrases(
        "(oldest | earliest) [year | quarter | month | week | day | date] first | oldest to newest | chronologically | "
        "in chronological order"
    ),
}


def _first_by_degree(p: Parse, at: int, rows: tree.Aggregate, cost: float) -> Iterator[Found[Statement]]:
    """`median price by country, 5 most expensive`: the first of the rows, by the number that is told of them."""
    start = p.past(at, words(", ( - – : just only the and"))
    measure = rows.measures[0]
    for n in cardinal(p, p.past(start, ("top",))) if start > at else ():
        word, end = p.word(n.end), n.end + 1
        dimension, descending = english.SUPERLATIVES.get(word, ("", True))
        if word in ("most", "least") and p.word(end) in english.MOST_ADJECTIVES:
            dimension, descending, end = english.MOST_ADJECTIVES[p.word(end)], word == "most", end + 1
        if word == "worst" and _is_bad(measure):
            dimension, descending = "number", True
        if dimension and float(n.value.value).is_integer() and _speaks_of(p, rows, dimension):
            key = tree.SortKey(measure, descending)
            limited = replace(rows, sort=(key,), limit=int(n.value.value))
            yield Found(p.past(end, words("ones first only )")), limited, cost)


def _is_bad(measure: tree.Measure) -> bool:
    """Whether what is measured is the worse, the more of it there is."""
    said = measure.path.segments[-1].name.text if measure.path is not None else ""
    return bool(english.BAD & set(said.split("_")))


def _speaks_of(p: Parse, rows: tree.Aggregate, dimension: str) -> bool:
    """Whether an adjective of degree can be said of the measure: `expensive` of a price, `highest` of any number."""
    if dimension == "number":
        return True
    entity = find_entity(p.schema, rows.entity.text)
    measured = rows.measures[0].path
    return entity is not None and any(path(*ref.path) == measured for ref, _ in degrees(entity, dimension, True))


def _in_order_of_time(p: Parse, at: int, rows: tree.Aggregate, cost: float) -> Iterator[Found[Statement]]:
    """`photos per year, newest first`: of rows that are periods, in their order."""
    first = rows.groups[0]
    if len(rows.groups) > 1 or first.function not in ("year", "quarter", "month", "week", "day"):
        return
    for descending, table in _OF_TIME.items():
        for end in p.phrases(p.past(at, words(", ( with the -")), table):
            ordered = replace(rows, sort=(tree.SortKey(path(first.function), descending),))
            yield Found(p.past(end, (")",)), ordered, cost)


_ONLY = phrases(
    "[,] [but] (only | just) [for] | [,] (considering | counting | including | limited to | restricted to) [only] | "
    ", for | for | where | , where | with | , with"
)
_THOSE = words("those the ones groups rows that which have has having with where are is it of")


def _only_those(p: Parse, at: int, entity: Entity, statement: Statement, cost: float) -> Iterator[Found[Statement]]:
    """`..., only kinds with more than 40 objects`, `..., only where it is above 15`: which rows are told."""
    if not isinstance(statement, tree.Aggregate) or len(statement.measures) != 1:
        return
    for end in p.phrases(at, _ONLY):
        nouns = [one.end for one in group(p, end, entity) if one.value == statement.groups[0]]
        for begin in dict.fromkeys((end, *nouns)):
            start = p.past(begin, _THOSE)
            said = any(p.word(i) in ("only", "just", "where", "those") for i in range(at, start)) or begin > end
            measured = p.phrase(start, "the", "average") or p.phrase(start, "average") or start
            for test in quantity_test(p, p.past(measured, ("is",))) if said else ():
                if not test.value.compared or test.value.until is not None:
                    continue
                bound = test.value.amount.node
                for things in bare_noun(p, test.end):
                    if things.value == replace(things.value, entity=entity.name, where=None, limit=None, fixed=None):
                        having = tree.Comparison(COUNT, test.value.relation, bound)
                        yield Found(things.end, replace(statement, having=having), cost + test.cost + 0.05)
                if p.past(test.end, english.END_MARKS) >= p.end and (statement.measures != (COUNT,) or begin > end):
                    having = tree.Comparison(statement.measures[0], test.value.relation, bound)
                    yield Found(test.end, replace(statement, having=having), cost + test.cost + 0.1)


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


def count_of(p: Parse, phrase: NounPhrase) -> Statement:
    """How many of some things there are."""
    return tree.Aggregate((COUNT,), tree.Name(p.entity(phrase.entity).plural), phrase.where)


def aggregate(p: Parse, phrase: NounPhrase, measures: Measures, by: tuple[tree.Group, ...] = ()) -> Statement:
    """The measures of some things, in groups where there are any."""
    return tree.Aggregate(measures, tree.Name(p.entity(phrase.entity).plural), phrase.where, by)
