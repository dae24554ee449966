"""Questions for a part of the whole: `what percentage of invoices are overdue`, `the cancellation rate per carrier`."""

from __future__ import annotations

from collections.abc import Iterator

from qlc.grammar import tree
from qlc.grammar.tree import Statement
from qlc.translator.rules import english
from qlc.translator.rules.aggregates import aggregate, grouped
from qlc.translator.rules.build import both
from qlc.translator.rules.modifiers import modifiers
from qlc.translator.rules.morphology import is_participle
from qlc.translator.rules.nominals import nominal
from qlc.translator.rules.nouns import NounPhrase, bare_noun, noun_phrase
from qlc.translator.rules.parse import Found, Parse, rule
from qlc.translator.rules.phrases import phrases, words

SHARES = phrases("percentage of | percent of | share of | proportion of | fraction of | part of | % of")


def _kind_and_rest(phrase: NounPhrase) -> tuple[tree.Condition | None, tree.Condition | None]:
    """What kind of things is spoken of, and what else is said of them."""
    parts = phrase.where.items if isinstance(phrase.where, tree.And) else (phrase.where,)
    return phrase.kind, both(*(one for one in parts if one != phrase.kind))


_PREDICATING = english.PREDICATING | words(
    "contain contains include includes carry carries hold holds use uses that which who failed"
)


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
        yield from grouped(p, whole, (rate.value[1],))
        for link in p.phrases(rate.end, phrases("of | for | among | on | in | at")):
            for things in noun_phrase(p, p.articles(link)):
                if (
                    things.value.entity == whole.value.entity
                    and things.value.limit is None
                    and things.value.fixed is None
                ):
                    yield Found(things.end, aggregate(p, things.value, (rate.value[1],)), rate.cost + things.cost)
                    yield from grouped(p, things, (rate.value[1],), rate.cost)
        for rest in modifiers(p, rate.end, whole.value.entity):
            narrowed = whole.value.also(rest.value)
            yield Found(rest.end, aggregate(p, narrowed, (rate.value[1],)), rate.cost + rest.cost + 0.1)
    for end in p.phrases(start, SHARES):
        for things in noun_phrase(p, p.articles(end)):
            having = p.word(things.end) in ("with", "without") and not _predicate_follows(p, things.end)
            # `receipts paid in cash`
            done = is_participle(p.word(things.end)) and not _predicate_follows(p, things.end)
            predicate = having or done or p.word(things.end) in _PREDICATING
            if things.value.fixed is None and things.value.limit is None and predicate:
                # "of flights to Italy were delayed": the subject is the whole, the predicate the part
                for one in modifiers(p, things.end, things.value.entity):
                    measure = tree.Measure("share", condition=one.value)
                    yield Found(one.end, aggregate(p, things.value, (measure,)), things.cost + one.cost)
                    yield from grouped(p, Found(one.end, things.value, things.cost + one.cost), (measure,))
        for things in bare_noun(p, p.articles(end)):
            if not _predicate_follows(p, things.end) and things.value.where is None and things.value.limit is None:
                for one in modifiers(p, things.end, things.value.entity):
                    measure = tree.Measure("share", condition=one.value)
                    of_all = Found(one.end, things.value, things.cost + one.cost)
                    yield Found(one.end, aggregate(p, things.value, (measure,)), of_all.cost)
                    yield from grouped(p, of_all, (measure,))
        for part in part_of_all(p, p.articles(end)):
            yield Found(part.end, aggregate(p, part.value[0], (part.value[1],)), part.cost)
            yield from grouped(p, Found(part.end, part.value[0], part.cost), (part.value[1],))


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
