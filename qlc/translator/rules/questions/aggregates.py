"""Numbers of groups, and shares: how many there are in each, what part of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.mapping.fields import FieldKind
from qlc.mapping.schema import Entity
from qlc.translator.rules.build import both, parts, path
from qlc.translator.rules.lexicon.lexemes import EntityWord, FieldRef, FieldWord
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.nested import NounPhrase
from qlc.translator.rules.nouns.clauses import groups
from qlc.translator.rules.nouns.noun_phrases import bare_noun, noun_phrase
from qlc.translator.rules.parse import Found, Parse, needs, rule
from qlc.translator.rules.quantities.numbers import cardinal, quantity_test
from qlc.translator.rules.words import english
from qlc.translator.rules.words.morphology import is_participle
from qlc.translator.rules.words.phrases import phrases, words

COUNT = tree.Measure("count")
Measures = tuple[tree.Measure, ...]

THERE_ARE = phrases(
    "(do | did) (we | i) have | have we had | do we get | did we get | we (have | had) | (are | were | was | is) there "
    "| there (are | were) | have there been | do you have | (do | did) we (receive | take | record | register) | have "
    "we (received | recorded | got) | have come in | came in | were (received | recorded)"
)
"""What says of things that are counted that they are there."""
_OF_EACH = phrases("[and] how many [are | of | in] [there] [in] each [one] | how many per (each | one)")
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
SAYS_GROUPS = english.GROUPING + phrases("monthly | yearly | weekly | daily | quarterly | annually")
"""Phrases without one of which nothing is grouped."""
_RATES = words("rate rates ratio percentage")
SHARES = phrases("percentage of | percent of | share of | proportion of | fraction of | part of | % of")
_PREDICATING = english.PREDICATING | words(
    "contain contains include includes carry carries hold holds use uses that which who failed"
)
_WHERE = words("in at from to into within inside between")


def first_with(p: Parse, ref: FieldRef) -> Entity | None:
    """The first kind of things of their own that have a field."""
    return next((e for e in p.things if ref.belongs_to(e)), None)


def grouped(p: Parse, things: Found[NounPhrase], measures: Measures, cost: float = 0.0) -> Iterator[Found[Statement]]:
    """What comes after the things: `per type`, `by vendor in 2024`, `monthly`; `cost` is that of the measures."""
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
        if measures == (COUNT,):
            rows = aggregate(p, phrase, measures, by.value)
            for end in p.phrases(p.past(by.end, (",",)), _OF_EACH):
                yield Found(end, rows, total - 0.1)
            yield from _with_a_count(p, by.end, rows, total)
        for one in narrowed(p, by.end, phrase, total):
            rows = aggregate(p, one.value, measures, by.value)
            yield Found(one.end, rows, one.cost)
            yield from _in_order(p, one.end, rows, one.cost)


def _is_a_rate(p: Parse, at: int) -> bool:
    """`more than 3 downloads per day`: so many in a time, which nothing is kept of."""
    unit = p.word(at + 1) in english.CALENDAR
    numbers = (one for i in range(max(0, at - 3), at) for one in p.starting(i, FieldWord) if one.end == at)
    return unit and any(one.payload.ref.is_number and any(cardinal(p, one.start - 1)) for one in numbers)


def _groupings(p: Parse, at: int, entity: Entity) -> Iterator[Found[tuple[tree.Group, ...]]]:
    """`per type`, `monthly`; `created per month`: the date that the calendar is of."""
    for end in (*p.phrases(at, english.GROUPING), *_adverb(p, at)):
        yield from groups(p, p.past(end, ("its", "their")), entity)
    for lexeme, ref in p.fields(p.past(at, english.COPULAS)):
        if ref.kind is not FieldKind.DATE or not ref.belongs_to(entity):
            continue
        for end in (*p.phrases(lexeme.end, english.GROUPING), *_adverb(p, lexeme.end)):
            unit = english.CALENDAR.get(p.word(p.articles(end)))
            if unit is not None:
                by_unit = (tree.Group(ref.left, unit),)
                yield Found(p.articles(end) + 1, by_unit, lexeme.cost)


def _with_a_count(p: Parse, at: int, rows: tree.Aggregate, cost: float) -> Iterator[Found[Statement]]:
    """`invoices per vendor with more than 25`: of the rows those with that count."""
    for top in p.phrases(p.past(at, words(", - and ; (")), phrases("[just | only] [the] top")):
        for n in cardinal(p, top):
            if float(n.value.value).is_integer() and 0 < n.value.value <= 1_000:
                first = replace(rows, sort=(tree.SortKey(COUNT, True),), limit=int(n.value.value))
                yield Found(p.past(n.end, words("only ) please")), first, cost)
    only = p.past(at, words(", - and ; ( only just those ones the"))
    start = p.past(only, words("with having that which have has where the count is of , are there"))
    for test in quantity_test(p, start):
        if test.value.of_a_count:
            having = tree.Comparison(COUNT, test.value.relation, test.value.amount.node)
            yield Found(test.end, replace(rows, having=having), cost + test.cost)


def _in_order(p: Parse, at: int, rows: tree.Aggregate, cost: float) -> Iterator[Found[Statement]]:
    """`..., most common first`, `..., lowest first`: in the order of the numbers."""
    for table, descending in ((english.DESCENDING, True), (english.ASCENDING, False)):
        for end in p.phrases(p.past(at, words(", ( with the -")), table):
            ordered = replace(rows, sort=(tree.SortKey(rows.measures[0], descending),))
            yield Found(p.past(end, (")",)), ordered, cost)
    yield from _in_order_of_time(p, at, rows, cost)


def _in_order_of_time(p: Parse, at: int, rows: tree.Aggregate, cost: float) -> Iterator[Found[Statement]]:
    """`photos per year, newest first`: of rows that are periods, in their order."""
    first = rows.groups[0]
    if len(rows.groups) > 1 or first.function not in ("year", "quarter", "month", "week", "day"):
        return
    for descending, table in _OF_TIME.items():
        for end in p.phrases(p.past(at, words(", ( with the -")), table):
            ordered = replace(rows, sort=(tree.SortKey(path(first.function), descending),))
            yield Found(p.past(end, (")",)), ordered, cost)


def _adverb(p: Parse, at: int) -> Iterator[int]:
    """`monthly`, `yearly`: group and preposition in one word."""
    if p.word(at) in words("monthly yearly weekly daily quarterly annually"):
        yield at


def narrowed(p: Parse, at: int, phrase: NounPhrase, cost: float = 0.0) -> Iterator[Found[NounPhrase]]:
    """Things as they are, and with the modifiers that are here."""
    yield Found(at, phrase, cost)
    for rest in modifiers(p, at, phrase.entity):
        yield Found(rest.end, phrase.also(rest.value), cost + rest.cost)


def such_things(p: Parse, at: int, entity: Entity) -> Iterator[Found[NounPhrase]]:
    """The things of an entity that are spoken of here: all that are described so."""
    return (one for one in noun_phrase(p, at) if one.value.entity == entity.name and one.value.all_such)


def count_of(p: Parse, phrase: NounPhrase) -> tree.Aggregate:
    """How many of some things there are."""
    return aggregate(p, phrase, (COUNT,))


def aggregate(p: Parse, phrase: NounPhrase, measures: Measures, by: tuple[tree.Group, ...] = ()) -> tree.Aggregate:
    """The measures of some things, in groups where there are any."""
    return tree.Aggregate(measures, tree.Name(p.entity(phrase.entity).plural), phrase.where, by)


def _kind_and_rest(phrase: NounPhrase) -> tuple[tree.Condition | None, tree.Condition | None]:
    """What kind of things is spoken of, and what else is said of them."""
    return phrase.kind, both(*(one for one in parts(phrase.where) if one != phrase.kind))


def _predicate_follows(p: Parse, at: int) -> bool:
    return any(p.word(i) in _PREDICATING for i in range(at, p.end))


def _says_that_it_does(p: Parse, at: int) -> bool:
    """`renews automatically`, `expire this year`: a flag or a date said by a verb, which is no noun."""
    said = [one for one in p.starting(at, FieldWord) if one.payload.ref.kind in (FieldKind.BOOLEAN, FieldKind.DATE)]
    return bool(said) and not is_participle(p.word(at)) and not bool(p.starting(at, EntityWord))


def rate_of(p: Parse, at: int) -> Iterator[Found[tuple[NounPhrase, tree.Measure]]]:
    """`cancellation rate`, `no-show rate`: the part of all things that are so."""
    for part in part_of_all(p, at):
        if p.word(part.end) in _RATES:
            yield Found(part.end + 1, part.value, part.cost)


@rule
@needs(_RATES, SHARES)
def share(p: Parse, at: int) -> Iterator[Found[Statement]]:
    """`what percentage of invoices are overdue`, `share of flights that were delayed`."""
    start = p.past(at, words("what which the is 's"))
    for rate in rate_of(p, start):
        whole = Found(rate.end, rate.value[0], rate.cost)
        yield Found(rate.end, aggregate(p, whole.value, (rate.value[1],)), rate.cost)
        yield from grouped(p, whole, (rate.value[1],))
        for link in p.phrases(rate.end, phrases("of | for | among | on | in | at")):
            for things in such_things(p, p.articles(link), p.entity(whole.value.entity)):
                yield Found(things.end, aggregate(p, things.value, (rate.value[1],)), rate.cost + things.cost)
                yield from grouped(p, things, (rate.value[1],), rate.cost)
        for rest in modifiers(p, rate.end, whole.value.entity):
            those = whole.value.also(rest.value)
            yield Found(rest.end, aggregate(p, those, (rate.value[1],)), rate.cost + rest.cost + 0.1)
    for end in p.phrases(start, SHARES):
        for things in noun_phrase(p, p.articles(end)):
            having = p.word(things.end) in ("with", "without") and not _predicate_follows(p, things.end)
            # `receipts paid in cash`
            done = is_participle(p.word(things.end)) and not _predicate_follows(p, things.end)
            predicate = having or done or p.word(things.end) in _PREDICATING or _says_that_it_does(p, things.end)
            if things.value.all_such and predicate:
                # "of flights to Italy were delayed": the subject is the whole, the predicate the part
                yield from _of_which(p, things)
        for things in bare_noun(p, p.articles(end)):
            if not _predicate_follows(p, things.end) and things.value.where is None and things.value.limit is None:
                yield from _of_which(p, things)
        for part in part_of_all(p, p.articles(end)):
            of_all, measure = part.value
            scopes = when_and_where(p, part.end, of_all.entity)
            wholes = [Found(one.end, of_all.also(one.value), part.cost + one.cost) for one in scopes]
            for of_which in (Found(part.end, of_all, part.cost), *wholes):
                yield Found(of_which.end, aggregate(p, of_which.value, (measure,)), of_which.cost)
                yield from grouped(p, of_which, (measure,))


def _of_which(p: Parse, things: Found[NounPhrase]) -> Iterator[Found[Statement]]:
    """After the whole what says the part: `were late`, `were late in January`."""
    for part in _part_and_scope(p, things.end, things.value.entity):
        condition, scope = part.value
        measure = tree.Measure("share", condition=condition)
        whole = Found(part.end, things.value.also(scope), things.cost + part.cost)
        yield Found(whole.end, aggregate(p, whole.value, (measure,)), whole.cost)
        yield from grouped(p, whole, (measure,))


def _part_and_scope(p: Parse, at: int, entity: str) -> Iterator[Found[tuple[tree.Condition, tree.Condition | None]]]:
    """`were late in January`: what the part meets, and after it when and where all of them are, late or not.

    What is one phrase with the part stays in it: `were paid in January`, where there is a date of the payment.
    """
    placed = p.word(p.past(at, english.COPULAS | english.RELATIVE_PRONOUNS)) in english.PREPOSITIONS
    apart: set[tuple[int, tree.Condition | None]] = set()
    for scope in when_and_where(p, at, entity) if p.word(at) in _WHERE else ():  # `in Germany on the Premium plan`
        for part in modifiers(p, scope.end, entity) if p.word(scope.end) not in _WHERE else ():
            if not is_of_dates(p, part.value, entity):
                apart.add((part.end, both(scope.value, part.value)))
                yield Found(part.end, (part.value, scope.value), part.cost + scope.cost)
    for part in sorted(modifiers(p, at, entity), key=lambda one: one.end):
        if (part.end, part.value) in apart:
            continue
        yield Found(part.end, (part.value, None), part.cost)
        for scope in when_and_where(p, part.end, entity):
            if not (placed and not is_of_dates(p, scope.value, entity)):  # `are from Rome to Oslo`
                apart.add((scope.end, both(part.value, scope.value)))
                yield Found(scope.end, (part.value, scope.value), part.cost + scope.cost)


def when_and_where(p: Parse, at: int, entity: str) -> Iterator[Found[tree.Condition]]:
    """A period or a place, which is said of all that is spoken of."""
    if p.word(at) in english.AND | english.OR | english.RELATIVE_PRONOUNS:
        return
    for one in modifiers(p, at, entity):
        if p.word(at) in _WHERE or is_of_dates(p, one.value, entity):
            yield one


def is_of_dates(p: Parse, condition: tree.Condition, entity: str) -> bool:
    """Whether nothing but dates is asked for."""
    for one in parts(condition):
        left = getattr(one, "left", None)
        ref = FieldRef.at(p.entity(entity), left.path if isinstance(left, tree.Cyclic) else left)
        if ref is None or ref.kind is not FieldKind.DATE or isinstance(one, tree.Presence):
            return False
    return True


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


FORMS = (share,)
